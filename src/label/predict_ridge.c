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
#include "linalg/ridge.h"
#include "constants.h"
#include "predictors.h"

static gnd_status predict(gnd_real *score, const gnd_design *z, const gnd_labelled *s,
                          gnd_pool *pool, gnd_error *err)
{
    const gnd_ridge_opts o = {s->point, s->cls, s->n, s->n_class, RIDGE_PENALTY, RIDGE_TOL};
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

    return predict(score, &z, s, pool, err);
}
