/* SPDX-License-Identifier: MIT
 * affinities.c - the input similarities of t-SNE; van der Maaten, JMLR 15 (2014), eq. 6 and 7. */
#include "affinities.h"

#include <float.h>
#include <math.h>

#include "base/alloc.h"
#include "kern/exp.h"

enum { STEPS = 100, ROWS = 64 };
static const double tolerance = 1e-6; /* of the entropy */

typedef struct {
    const gnd_neighbours *nb;
    double entropy; /* log(perplexity) */
    float *scale;   /* [n, k] squared distances less the smallest, divided by their mean */
    gnd_real *p;    /* [n, k] p_j|i */
} calibration;

/* p_j = e^(-b d_j) / sum for one point; returns the entropy log(sum) + b sum p_j d_j. */
static double probabilities(gnd_real *p, const float *d, int64_t k, double b)
{
    double sum = 0, weighted = 0;

    for (int64_t j = 0; j < k; j++)
        p[j] = (gnd_real)gnd_exp_float(-(float)b * d[j]);
    for (int64_t j = 0; j < k; j++) {
        sum += (double)p[j];
        weighted += (double)p[j] * (double)d[j];
    }
    for (int64_t j = 0; j < k; j++)
        p[j] = (gnd_real)((double)p[j] / sum);
    return log(sum) + b * weighted / sum;
}

static void calibrate_rows(int64_t begin, int64_t end, void *arg)
{
    const calibration *c = arg;
    const int64_t k = c->nb->k;

    for (int64_t i = begin; i < end; i++) {
        const float *square = c->nb->square + i * k;
        float *d = c->scale + i * k;
        double b = 1, low = 0, high = INFINITY, mean = 0;

        for (int64_t j = 0; j < k; j++)
            mean += ((double)square[j] - (double)square[0]) / (double)k;
        for (int64_t j = 0; j < k; j++) /* the nearest has 0, so that the sum is at least 1 */
            d[j] = mean > 0 ? (float)(((double)square[j] - (double)square[0]) / mean) : 0;
        for (int step = 0; step < STEPS; step++) {
            const double over = probabilities(c->p + i * k, d, k, b) - c->entropy;

            if (fabs(over) < tolerance || mean <= 0)
                break;
            if (over > 0)
                low = b;
            else
                high = b;
            b = high < INFINITY ? (low + high) / 2 : 2 * b;
            if (b > FLT_MAX / 2)
                break;
        }
    }
}

/* (p_j|i + p_i|j) / (2 n) */
static gnd_status symmetrise(gnd_csr *out, const calibration *c, gnd_error *err)
{
    const int64_t n = c->nb->n, k = c->nb->k, m = n * k;
    int32_t *row = gnd_alloc(2 * m, sizeof *row), *col = gnd_alloc(2 * m, sizeof *col);
    gnd_real *val = gnd_alloc(2 * m, sizeof *val);
    gnd_status st = GND_OK;

    if (!row || !col || !val)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the similarities of %lld points",
                         (long long)n));
    for (int64_t e = 0; e < m; e++) {
        row[e] = col[m + e] = (int32_t)(e / k);
        col[e] = row[m + e] = c->nb->index[e];
        val[e] = val[m + e] = c->p[e] / (gnd_real)(2 * n);
    }
    GND_TRY(gnd_csr_from_triplets(
        out,
        &(gnd_triplets){.n_row = n, .n_col = n, .nnz = 2 * m, .row = row, .col = col, .val = val},
        GND_DUP_SUM, NULL, err));
out:
    gnd_free(row);
    gnd_free(col);
    gnd_free(val);
    return st;
}

gnd_status gnd_affinities(gnd_csr *out, const gnd_neighbours *nb, double perplexity, gnd_pool *pool,
                          gnd_error *err)
{
    const int64_t n = nb->n, k = nb->k;
    calibration c = {.nb = nb, .entropy = log(perplexity)};
    gnd_status st = GND_OK;

    *out = (gnd_csr){0};
    c.scale = gnd_alloc(n * k, sizeof *c.scale);
    c.p = gnd_alloc(n * k, sizeof *c.p);
    if (!c.scale || !c.p)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the similarities of %lld points",
                         (long long)n));
    gnd_parallel_for(pool, n, ROWS, n * k * STEPS, calibrate_rows, &c);
    GND_TRY(symmetrise(out, &c, err));
out:
    gnd_free(c.scale);
    gnd_free(c.p);
    return st;
}
