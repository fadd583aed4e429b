/* SPDX-License-Identifier: MIT
 * predict_links.c - ridge regression on whom a vertex is linked to: rows of S^2, centred and of
 * length 1. It assumes no homophily: classes differ by their neighbourhoods.
 *
 *     z_i = (r_i - m) / |r_i - m|,   r_i: [n] row i of S^2,   m = S^2 1 / n
 *     score_i = sum_a (z_i . z_a) coef_a,   a labelled,   K_ab = z_a . z_b
 *
 * Only rows of labelled vertices are formed. For the others
 *
 *     sum_a r_i . r_a w_a = (S^2 sum_a r_a w_a)_i,   w_a = coef_a / |r_a - m|: [C]
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "kern/csr_product.h"
#include "constants.h"
#include "predictors.h"
#include "ridge.h"

/* rows: [m, n] of S^2. */
static gnd_status rows_of(gnd_csr *rows, const gnd_csr *S, const int32_t *vertex, int64_t m,
                          gnd_error *err)
{
    int64_t *mark = gnd_alloc(S->n_col, sizeof *mark);
    gnd_csr once = {0};
    gnd_status st = GND_OK;

    if (!mark)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)S->n_col));
    GND_TRY(gnd_csr_select(&once, S, (gnd_row_list){vertex, m}, NULL, S->n_col, err));
    GND_TRY(gnd_csr_product_init(rows, &once, S, gnd_csr_product_count(NULL, &once, S, mark), mark,
                                 err));
out:
    gnd_csr_fini(&once);
    gnd_free(mark);
    return st;
}

/* K: products of rows on entry, of centred rows of length 1 on return; length: [m] |r_a - m|. */
static void normalise(double *K, double *length, const gnd_prepared *g, const int32_t *vertex,
                      int64_t m)
{
    for (int64_t a = 0; a < m; a++)
        for (int64_t b = 0; b < m; b++)
            K[a * m + b] += g->mean_square - g->row_mean[vertex[a]] - g->row_mean[vertex[b]];
    for (int64_t a = 0; a < m; a++)
        length[a] = sqrt(fmax(K[a * m + a], 0)) + ROW_LENGTH_MIN;
    for (int64_t a = 0; a < m; a++)
        for (int64_t b = 0; b < m; b++)
            K[a * m + b] /= length[a] * length[b];
}

/* score from coef: [m, C], which is divided by the lengths. room: [n, C]. */
static void spread(gnd_real *score, gnd_real *room, double *coef, const double *length,
                   const gnd_csr *rows, const int32_t *vertex, const gnd_prepared *g, int64_t C,
                   gnd_pool *pool)
{
    const int64_t m = rows->n_row;

    for (int64_t a = 0; a < m; a++)
        for (int64_t c = 0; c < C; c++)
            coef[a * C + c] /= length[a];
    for (int64_t a = 0; a < m; a++)
        for (int64_t q = rows->ptr[a]; q < rows->ptr[a + 1]; q++)
            for (int64_t c = 0; c < C; c++)
                score[rows->col[q] * C + c] +=
                    (gnd_real)((double)gnd_csr_val(rows, q) * coef[a * C + c]);
    gnd_csr_times(room, &g->S.a, score, C, pool);
    gnd_csr_times(score, &g->S.a, room, C, pool);
    for (int64_t c = 0; c < C; c++) {
        double sum = 0, shift = 0;

        for (int64_t a = 0; a < m; a++) {
            sum += coef[a * C + c];
            shift += coef[a * C + c] * (g->mean_square - g->row_mean[vertex[a]]);
        }
        for (int64_t i = 0; i < g->n; i++)
            score[i * C + c] =
                (gnd_real)(((double)score[i * C + c] - g->row_mean[i] * sum + shift) /
                           (g->row_length[i] + ROW_LENGTH_MIN));
    }
}

gnd_status gnd_predict_links(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                             gnd_pool *pool, gnd_error *err)
{
    const int64_t n = g->n, C = s->n_class;
    int32_t *which = gnd_alloc(s->n, sizeof *which), *vertex = gnd_alloc(s->n, sizeof *vertex);
    const int64_t m = which ? gnd_ridge_labels(which, s) : 0;
    double *K = gnd_alloc(m * m, sizeof *K), *coef = gnd_alloc(m * C, sizeof *coef);
    double *length = gnd_alloc(m, sizeof *length), *room = gnd_alloc(n, sizeof *room);
    gnd_real *half = gnd_alloc(n * C, sizeof *half);
    gnd_csr rows = {0};
    gnd_status st = GND_OK;

    if (!which || !vertex || !K || !coef || !length || !room || !half)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    for (int64_t a = 0; a < m; a++)
        vertex[a] = s->point[which[a]];
    GND_TRY(rows_of(&rows, &g->S.a, vertex, m, err));
    gnd_row_products(K, &rows, room);
    normalise(K, length, g, vertex, m);
    gnd_ridge_fit(coef, K, which, m, s);
    memset(score, 0, (size_t)(n * C) * sizeof *score);
    spread(score, half, coef, length, &rows, vertex, g, C, pool);
    gnd_scores_mask(score, n, s);
out:
    gnd_csr_fini(&rows);
    gnd_free(half);
    gnd_free(room);
    gnd_free(length);
    gnd_free(coef);
    gnd_free(K);
    gnd_free(vertex);
    gnd_free(which);
    return st;
}
