/* SPDX-License-Identifier: MIT
 * balance.c - class weights that raise the expected macro-F1 of a labelling. Labels are given to
 * y_i = argmax_c w_c P_ic. If P are probabilities, the macro-F1 to expect is about
 *
 *     F(w) = 1/C sum_c 2 T_c / (N_c + M_c)                                         P: [n, C]
 *     T_c = sum_{i: y_i = c} P_ic     N_c = |{i: y_i = c}|     M_c = sum_i P_ic
 *
 * and its largest value is reached by such weights, up to an offset per class (Narasimhan et al.,
 * ICML 2015, arXiv:1501.00287). F is maximised over log w, one class at a time, on a grid. P are
 * estimates, so the weights are then shrunk towards 1: log w is multiplied by BALANCE_SHARE. */
#include "balance.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "constants.h"

/* Rows of the sample, and their best class but one that is being weighted. */
typedef struct {
    const gnd_real **row; /* [n] of C each */
    int32_t *rival;       /* [n] */
    double *rival_score;  /* [n] */
    double *sums;         /* [3 C] T, N, M */
    double *weight;       /* [C] */
    int64_t n, C;
} search;

static gnd_status search_init(search *s, const gnd_real *p, int64_t n, const unsigned char *skip,
                              gnd_error *err)
{
    int64_t counting = 0, met = 0, stride;

    for (int64_t i = 0; i < n; i++)
        counting += !skip[i];
    stride = counting > BALANCE_ROWS ? counting / BALANCE_ROWS : 1;
    s->row = gnd_alloc(counting / stride + 1, sizeof *s->row);
    s->rival = gnd_alloc(counting / stride + 1, sizeof *s->rival);
    s->rival_score = gnd_alloc(counting / stride + 1, sizeof *s->rival_score);
    s->sums = gnd_alloc(3 * s->C, sizeof *s->sums);
    if (!s->row || !s->rival || !s->rival_score || !s->sums)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to balance %lld classes", (long long)s->C);
    for (int64_t i = 0; i < n; i++)
        if (!skip[i] && met++ % stride == 0)
            s->row[s->n++] = p + i * s->C;
    for (int64_t k = 0; k < s->n; k++)
        for (int64_t c = 0; c < s->C; c++)
            s->sums[2 * s->C + c] += (double)s->row[k][c];
    return GND_OK;
}

static void search_fini(search *s)
{
    gnd_free(s->row);
    gnd_free(s->rival);
    gnd_free(s->rival_score);
    gnd_free(s->sums);
}

static void find_rivals(search *s, int64_t cls)
{
    for (int64_t k = 0; k < s->n; k++) {
        s->rival_score[k] = -1;
        for (int64_t c = 0; c < s->C; c++) {
            const double score = s->weight[c] * (double)s->row[k][c];

            if (c != cls && score > s->rival_score[k]) {
                s->rival_score[k] = score;
                s->rival[k] = (int32_t)c;
            }
        }
    }
}

/* F with this weight of class cls, whose rivals are known. */
static double expected_f1(search *s, int64_t cls, double weight)
{
    double *hit = s->sums, *count = s->sums + s->C, *mass = s->sums + 2 * s->C, f = 0;

    memset(hit, 0, (size_t)(2 * s->C) * sizeof *hit);
    for (int64_t k = 0; k < s->n; k++) {
        const int64_t y = weight * (double)s->row[k][cls] > s->rival_score[k] ? cls : s->rival[k];

        hit[y] += (double)s->row[k][y];
        count[y]++;
    }
    for (int64_t c = 0; c < s->C; c++)
        f += count[c] + mass[c] > 0 ? 2 * hit[c] / (count[c] + mass[c]) : 0;
    return f / (double)s->C;
}

/* Move the weight of a class to the best of the grid, small steps first. Did it move? */
static bool improve(search *s, int64_t cls)
{
    const double now = s->weight[cls];
    double best;

    find_rivals(s, cls);
    best = expected_f1(s, cls, now);
    for (int k = 2; k < 2 * BALANCE_STEPS + 2; k++) {
        const double weight = now * exp(k % 2 ? -(k / 2) * BALANCE_STEP : k / 2 * BALANCE_STEP);
        const double f = expected_f1(s, cls, weight);

        if (f > best + BALANCE_TOL) {
            best = f;
            s->weight[cls] = weight;
        }
    }
    return s->weight[cls] != now;
}

gnd_status gnd_balance_weights(double *weight, const gnd_real *p, int64_t n, int64_t n_class,
                               const unsigned char *skip, gnd_error *err)
{
    search s = {.weight = weight, .C = n_class};
    bool moved = true;
    gnd_status st = GND_OK;

    for (int64_t c = 0; c < n_class; c++)
        weight[c] = 1;
    GND_TRY(search_init(&s, p, n, skip, err));
    for (int round = 0; round < BALANCE_ROUNDS && moved && n_class > 1; round++) {
        moved = false;
        for (int64_t c = 0; c < n_class; c++)
            moved = improve(&s, c) || moved;
    }
    for (int64_t c = 0; c < n_class; c++)
        weight[c] = pow(weight[c], BALANCE_SHARE);
out:
    search_fini(&s);
    return st;
}

double gnd_balance_apply(gnd_real *p, int64_t n, int64_t n_class, const double *weight,
                         const unsigned char *skip)
{
    double expected = 0;
    int64_t count = 0;

    for (int64_t i = 0; i < n; i++) {
        gnd_real *row = p + i * n_class;
        double sum = 0;
        int64_t top = 0;

        for (int64_t c = 0; c < n_class; c++) {
            top = weight[c] * (double)row[c] > weight[top] * (double)row[top] ? c : top;
            sum += weight[c] * (double)row[c];
        }
        expected += skip[i] ? 0 : (double)row[top];
        count += !skip[i];
        for (int64_t c = 0; c < n_class && sum > 0; c++)
            row[c] = (gnd_real)(weight[c] * (double)row[c] / sum);
    }
    return count ? expected / (double)count : NAN;
}
