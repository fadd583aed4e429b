/* SPDX-License-Identifier: MIT
 * predict_features.c - ridge regression on the features of a vertex itself, without its links: the
 * predictor for graphs whose links say nothing about classes.
 *
 *     score = X (X_T^T coef),   K = X_T X_T^T
 *     X: [n, d], rows of length 1;  X_T: [m, d] rows of labelled vertices;  coef: [m, C] */
#include "base/alloc.h"
#include "kern/csr_product.h"
#include "predictors.h"
#include "ridge.h"

/* M: [d, C] = rows^T coef. */
static void combine(gnd_real *M, const gnd_csr *rows, const double *coef, int64_t C)
{
    for (int64_t a = 0; a < rows->n_row; a++)
        for (int64_t q = rows->ptr[a]; q < rows->ptr[a + 1]; q++)
            for (int64_t c = 0; c < C; c++)
                M[rows->col[q] * C + c] +=
                    (gnd_real)((double)gnd_csr_val(rows, q) * coef[a * C + c]);
}

gnd_status gnd_predict_features(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                                gnd_pool *pool, gnd_error *err)
{
    const int64_t C = s->n_class, d = g->x.n_col;
    int32_t *which = gnd_alloc(s->n, sizeof *which), *vertex = gnd_alloc(s->n, sizeof *vertex);
    const int64_t m = which ? gnd_ridge_labels(which, s) : 0;
    double *K = gnd_alloc(m * m, sizeof *K), *coef = gnd_alloc(m * C, sizeof *coef);
    double *room = gnd_alloc(d, sizeof *room);
    gnd_real *M = gnd_alloc(d * C, sizeof *M);
    gnd_csr rows = {0};
    gnd_status st = GND_OK;

    if (!which || !vertex || !K || !coef || !room || !M)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)d));
    for (int64_t a = 0; a < m; a++)
        vertex[a] = s->point[which[a]];
    GND_TRY(gnd_csr_select(&rows, &g->x, (gnd_row_list){vertex, m}, NULL, d, err));
    gnd_row_products(K, &rows, room);
    gnd_ridge_fit(coef, K, which, m, s);
    combine(M, &rows, coef, C);
    gnd_csr_times(score, &g->x, M, C, pool);
    gnd_scores_mask(score, g->n, s);
out:
    gnd_csr_fini(&rows);
    gnd_free(M);
    gnd_free(room);
    gnd_free(coef);
    gnd_free(K);
    gnd_free(vertex);
    gnd_free(which);
    return st;
}
