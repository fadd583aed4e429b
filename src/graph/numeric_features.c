/* SPDX-License-Identifier: MIT
 * numeric_features.c - ranks as normal scores, feature by feature.
 *
 *     z_i = unit (s_i - mean s),      s_i = Phi^-1(rank of x_i / m)
 *     and if there are few            unit / 2 (s_i^2 - mean s^2) / max(1, std s^2),  s centred
 *
 * Ranks, since incomes and counts have long tails in which one vertex would take the whole scale.
 * For the same reason a feature that hardly varies is not scaled up to a standard deviation of 1.
 * Ranks are taken among RANK_KNOTS vertices at most, one drawn from each stratum. */
#include "numeric_features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"

enum {
    RANK_KNOTS = 2048, /* limits the cost */
    NEWTON_STEPS = 8   /* per quantile, exact to rounding */
};

static const double normal_density_at_0 = 0.3989422804014327; /* 1 / sqrt(2 pi) */
static const double spread_min = 1e-9; /* sum of squares up to which all scores are equal */

typedef struct {
    const gnd_csr *xt;
    gnd_csr *out;
    int64_t n_score, m, k; /* numeric features; vertices with features; knots among them */
    int64_t n_extra_at;    /* first row of out with squares, 0: none */
    double unit;
    int64_t *row;            /* [n_score] row of xt of each numeric feature */
    unsigned char *has_word; /* [n] 1: it has a word */
    int32_t *at;             /* [n] position among the vertices with features, -1: it has none */
    double *quantile;        /* [2 k + 1] the score of twice a rank */
    int64_t *knot;           /* [k] positions of the knots */
} scores;

static void scores_fini(scores *s)
{
    gnd_free(s->row);
    gnd_free(s->at);
    gnd_free(s->has_word);
    gnd_free(s->quantile);
    gnd_free(s->knot);
}

/* ---- which features are numeric ---- */

/* Number of vertices that have feature j; *constant: whether all have the same value. */
static int64_t holders(bool *constant, const gnd_csr *xt, int64_t j)
{
    gnd_real first = 0;
    int64_t df = 0;

    *constant = true;
    for (int64_t q = xt->ptr[j]; q < xt->ptr[j + 1]; q++) {
        const gnd_real v = gnd_csr_val(xt, q);

        if (v == 0)
            continue;
        first = df++ == 0 ? v : first;
        *constant = *constant && v == first;
    }
    return df;
}

static void find_holders(scores *s)
{
    const gnd_csr *xt = s->xt;

    for (int64_t i = 0; i < xt->n_col; i++)
        s->at[i] = -1;
    for (int64_t q = 0; q < gnd_csr_nnz(xt); q++)
        if (gnd_csr_val(xt, q) != 0)
            s->at[xt->col[q]] = 0;
    for (int64_t i = 0; i < xt->n_col; i++)
        if (s->at[i] == 0)
            s->at[i] = (int32_t)s->m++;
}

/* Find the numeric features, and the root mean square of a word on vertices that have words. If
 * each is constant on the vertices that have features, none is numeric: only the presence of
 * features is information then. */
static void find_numeric(scores *s, unsigned char *numeric)
{
    const gnd_csr *xt = s->xt;
    const int64_t n = xt->n_col;
    int64_t filled = 0, used = 0, words = 0, informative = 0, with_words = 0;
    double squares = 0;
    bool constant;

    for (int64_t j = 0; j < xt->n_row; j++) {
        const int64_t df = holders(&constant, xt, j);

        filled += df;
        used += df > 0;
    }
    for (int64_t j = 0; j < xt->n_row; j++) {
        const int64_t df = holders(&constant, xt, j);

        numeric[j] = df > 0 && (2 * filled > used * n || (2 * df > n && !constant));
        informative += numeric[j] && (df < s->m || !constant);
        if (numeric[j])
            s->row[s->n_score++] = j;
        words += df > 0 && !numeric[j];
        for (int64_t q = xt->ptr[j]; q < xt->ptr[j + 1] && !numeric[j]; q++) {
            squares += (double)gnd_csr_val(xt, q) * (double)gnd_csr_val(xt, q);
            with_words += gnd_csr_val(xt, q) != 0 && !s->has_word[xt->col[q]];
            s->has_word[xt->col[q]] |= gnd_csr_val(xt, q) != 0;
        }
    }
    s->unit = with_words > 0 ? sqrt(squares / ((double)words * (double)with_words)) : 1;
    s->n_score = informative > 0 ? s->n_score : 0;
}

/* ---- scores ---- */

/* quantile[t] = Phi^-1(t / 2 k), with ends half a rank inside. From the middle outwards, Newton's
 * method starts at the last root and converges from below, as Phi is concave there. */
static void quantiles(double *quantile, int64_t k)
{
    double z = 0;

    for (int64_t t = k; t <= 2 * k; t++) {
        const double p = fmin((double)t, 2 * (double)k - 1) / (2 * (double)k);

        for (int step = 0; step < NEWTON_STEPS; step++)
            z += (p - 0.5 * erfc(-z * sqrt(0.5))) / (normal_density_at_0 * exp(-z * z / 2));
        quantile[t] = z;
        quantile[2 * k - t] = -z;
    }
}

static int by_size(const void *a, const void *b)
{
    const gnd_real x = *(const gnd_real *)a, y = *(const gnd_real *)b;

    return (x > y) - (x < y);
}

/* Number of ascending knots below x or, if or_same, not above it. */
static int64_t rank_in(const gnd_real *knot, int64_t k, gnd_real x, bool or_same)
{
    int64_t low = 0, high = k;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;

        if (knot[middle] < x || (or_same && knot[middle] == x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Shift v to mean 0 and scale its standard deviation to `unit`, or less if it was below 1; all 0 if
 * values do not differ. */
static void standardise(gnd_real *v, int64_t m, double unit)
{
    double mean = 0, square = 0, by;

    for (int64_t i = 0; i < m; i++)
        mean += (double)v[i] / (double)m;
    for (int64_t i = 0; i < m; i++)
        square += ((double)v[i] - mean) * ((double)v[i] - mean);
    by = square > spread_min ? unit / fmax(1, sqrt(square / (double)m)) : 0;
    for (int64_t i = 0; i < m; i++)
        v[i] = (gnd_real)(by * ((double)v[i] - mean));
}

static void score_rows(int64_t begin, int64_t end, void *arg)
{
    const scores *s = arg;
    gnd_real knot[RANK_KNOTS];

    for (int64_t a = begin; a < end; a++) {
        const int64_t j = s->row[a];
        gnd_real *v = s->out->val + s->out->ptr[j];
        gnd_real *distance = s->n_extra_at ? s->out->val + s->out->ptr[s->n_extra_at + a] : NULL;

        for (int64_t q = s->xt->ptr[j]; q < s->xt->ptr[j + 1]; q++)
            if (s->at[s->xt->col[q]] >= 0)
                v[s->at[s->xt->col[q]]] = gnd_csr_val(s->xt, q);
        for (int64_t i = 0; i < s->k; i++)
            knot[i] = v[s->knot[i]];
        qsort(knot, (size_t)s->k, sizeof *knot, by_size);
        for (int64_t i = 0; i < s->m; i++)
            v[i] =
                (gnd_real)
                    s->quantile[rank_in(knot, s->k, v[i], false) + rank_in(knot, s->k, v[i], true)];
        standardise(v, s->m, 1);
        for (int64_t i = 0; i < s->m && distance; i++)
            distance[i] = v[i] * v[i];
        if (distance)
            standardise(distance, s->m, s->unit / 2);
        for (int64_t i = 0; i < s->m; i++)
            v[i] *= (gnd_real)s->unit;
    }
}

/* ---- the matrix ---- */

/* out: words unchanged, room for a score of each vertex that has features. */
static gnd_status make_room(scores *s, const unsigned char *numeric, gnd_error *err)
{
    const gnd_csr *xt = s->xt;
    const int64_t rows = s->n_extra_at ? xt->n_row + s->n_score : xt->n_row;
    int64_t nnz = s->m * (s->n_score + rows - xt->n_row), to = 0;
    gnd_status st;

    for (int64_t j = 0; j < xt->n_row; j++)
        nnz += numeric[j] ? 0 : xt->ptr[j + 1] - xt->ptr[j];
    GND_TRY(gnd_csr_init(s->out, rows, xt->n_col, nnz, true, err));
    for (int64_t j = 0; j < rows; j++) {
        if (j >= xt->n_row || numeric[j]) {
            for (int64_t i = 0; i < xt->n_col; i++)
                if (s->at[i] >= 0)
                    s->out->col[to++] = (int32_t)i;
        } else {
            for (int64_t q = xt->ptr[j]; q < xt->ptr[j + 1]; q++, to++) {
                s->out->col[to] = xt->col[q];
                s->out->val[to] = gnd_csr_val(xt, q);
            }
        }
        s->out->ptr[j + 1] = to;
    }
out:
    return st;
}

gnd_status gnd_numeric_by_rank(gnd_csr *out, unsigned char *numeric, const gnd_csr *xt, int64_t few,
                               gnd_pool *pool, gnd_error *err)
{
    scores s = {.xt = xt, .out = out};
    gnd_status st = GND_OK;

    if (out)
        *out = (gnd_csr){0};
    s.row = gnd_alloc(xt->n_row, sizeof *s.row);
    s.at = gnd_alloc(xt->n_col, sizeof *s.at);
    s.has_word = gnd_alloc(xt->n_col, 1);
    if (!s.row || !s.at || !s.has_word)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)xt->n_row));
    find_holders(&s);
    find_numeric(&s, numeric);
    if (s.n_score == 0) {
        memset(numeric, 0, (size_t)xt->n_row);
        goto out;
    }
    if (!out)
        goto out;
    s.k = s.m < RANK_KNOTS ? s.m : RANK_KNOTS;
    s.quantile = gnd_alloc(2 * s.k + 1, sizeof *s.quantile);
    s.knot = gnd_alloc(s.k, sizeof *s.knot);
    if (!s.quantile || !s.knot)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld ranks", (long long)s.k));
    quantiles(s.quantile, s.k);
    gnd_rng_strata(s.knot, s.k, s.m, 1);
    s.n_extra_at = s.n_score < few ? xt->n_row : 0;
    GND_TRY(make_room(&s, numeric, err));
    gnd_parallel_for(pool, s.n_score, 1, 32 * s.n_score * s.m, score_rows, &s);
    if (s.n_extra_at)
        memset(numeric + s.n_extra_at, 1, (size_t)s.n_score);
out:
    scores_fini(&s);
    return st;
}
