/* SPDX-License-Identifier: MIT
 * predict_roles.c - ridge regression on structural roles: degree, core number, clustering and those
 * of the neighbours (roles.c). For classes that depend on a vertex's position, not on its group.
 *
 *     score = R (R_T^T coef),   K = R_T R_T^T,   R: [n, GND_ROLES], R_T: [m, GND_ROLES] */
#include "base/alloc.h"
#include "kern/kern.h"
#include "predictors.h"
#include "ridge.h"

enum { ROWS = 1024 };

typedef struct {
    gnd_real *score;
    const gnd_real *roles, *M;
    int64_t C;
} product;

static void product_rows(int64_t begin, int64_t end, void *arg)
{
    const product *p = arg;

    gnd_kern_get()->gemm(p->score, p->roles, p->M, GND_ROLES, p->C, begin, end);
}

gnd_status gnd_predict_roles(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                             gnd_pool *pool, gnd_error *err)
{
    const gnd_kern *kern = gnd_kern_get();
    const int64_t C = s->n_class;
    int32_t *which = gnd_alloc(s->n, sizeof *which);
    const int64_t m = which ? gnd_ridge_labels(which, s) : 0;
    double *K = gnd_alloc(m * m, sizeof *K), *coef = gnd_alloc(m * C, sizeof *coef);
    gnd_real *M = gnd_alloc(GND_ROLES * C, sizeof *M);
    product p = {score, g->roles, M, C};
    gnd_status st = GND_OK;

    if (!which || !K || !coef || !M)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)s->n));
    for (int64_t a = 0; a < m; a++)
        for (int64_t b = 0; b < m; b++)
            K[a * m + b] = kern->dot(g->roles + s->point[which[a]] * GND_ROLES,
                                     g->roles + s->point[which[b]] * GND_ROLES, GND_ROLES);
    gnd_ridge_fit(coef, K, which, m, s);
    for (int64_t a = 0; a < m; a++)
        for (int k = 0; k < GND_ROLES; k++)
            for (int64_t c = 0; c < C; c++)
                M[k * C + c] +=
                    g->roles[s->point[which[a]] * GND_ROLES + k] * (gnd_real)coef[a * C + c];
    gnd_parallel_for(pool, g->n, ROWS, g->n * C * GND_ROLES, product_rows, &p);
    gnd_scores_mask(score, g->n, s);
out:
    gnd_free(M);
    gnd_free(coef);
    gnd_free(K);
    gnd_free(which);
    return st;
}
