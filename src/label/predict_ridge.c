/* SPDX-License-Identifier: MIT
 * predict_ridge.c - ridge regression on four kinds of rows, one per vertex:
 *
 *     features            X: own features, without links
 *     diffused_features   S^2 X: features after two steps over the links
 *     links               S^2, centred: whom a vertex is linked to. It assumes no homophily:
 *                         classes differ by their neighbourhoods
 *     roles               degree, core number, clustering and those of the neighbours (roles.c):
 *                         for classes that depend on a vertex's position, not on its group
 *
 * Rows have length 1, those of roles about 1. */
#include <string.h>

#include "base/alloc.h"
#include "linalg/ridge.h"
#include "constants.h"
#include "predictors.h"

static gnd_ridge_opts opts_of(const gnd_labelled *s)
{
    return (gnd_ridge_opts){.row = s->point,
                            .cls = s->cls,
                            .n = s->n,
                            .n_class = s->n_class,
                            .penalty = RIDGE_PENALTY,
                            .tol = RIDGE_TOL};
}

static gnd_status predict(gnd_real *score, const gnd_design *z, const gnd_labelled *s,
                          gnd_pool *pool, gnd_error *err)
{
    const gnd_ridge_opts o = opts_of(s);
    const gnd_status st = gnd_ridge(score, z, &o, pool, err);

    if (st == GND_OK)
        gnd_scores_mask(score, z->factor[0]->n_row, s);
    return st;
}

gnd_status gnd_predict_features(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                                gnd_pool *pool, gnd_error *err)
{
    return predict(score, &(gnd_design){.factor = {&g->x}}, s, pool, err);
}

gnd_status gnd_predict_roles(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                             gnd_pool *pool, gnd_error *err)
{
    return predict(score, &(gnd_design){.factor = {&g->roles}}, s, pool, err);
}

gnd_status gnd_predict_diffused_features(gnd_real *score, const gnd_prepared *g,
                                         const gnd_labelled *s, gnd_pool *pool, gnd_error *err)
{
    const gnd_design z = gnd_design_diffused(g);

    return predict(score, &z, s, pool, err);
}

gnd_status gnd_predict_links(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                             gnd_pool *pool, gnd_error *err)
{
    const gnd_design z = gnd_design_links(g);
    const int64_t C = s->n_class;
    gnd_real *known = NULL;
    gnd_ridge_opts o;
    gnd_status st = GND_OK;

    if (!s->kernel)
        return predict(score, &z, s, pool, err);
    o = opts_of(s);
    o.kernel = s->kernel;
    o.n_kernel = s->n_kernel;
    o.at = s->at;
    if (s->ask) {
        known = gnd_alloc(o.n_kernel * C, sizeof *known);
        if (!known)
            GND_TRY(
                gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)s->n_kernel));
        GND_TRY(gnd_ridge_known(known, &o, pool, err));
        for (int64_t k = 0; k < o.n_kernel; k++)
            memcpy(score + s->kernel_point[k] * C, known + k * C, (size_t)C * sizeof *score);
    } else {
        GND_TRY(gnd_ridge(score, &z, &o, pool, err));
    }
    gnd_scores_mask(score, g->n, s);
out:
    gnd_free(known);
    return st;
}
