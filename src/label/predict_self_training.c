/* SPDX-License-Identifier: MIT
 * predict_self_training.c - self-training on diffused features: the mean of several fits, corrected
 * by own features or by neighbours (refine.c). The strongest predictor where links join vertices
 * with similar features.
 *
 *     score = log((1 - b) mean_{v, fit} P_{v, fit}^kappa + b P_prototype)
 *     kappa = SHARPNESS sqrt(1 + labels per class);  v: weightings of the features;  P: [n, C]
 *     b: weight of prototypes, larger where self-training is not stable */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "constants.h"
#include "predictors.h"
#include "refine.h"

/* Do the first C coordinates hold most of the variance? */
static bool is_steep(const gnd_points *z, int64_t C)
{
    return gnd_points_leading_share(z, C, GND_RANK_LOW) > LEADING_SHARE_HIGH;
}

gnd_fit_shape gnd_self_training_shape(const gnd_prepared *g, const gnd_labelled *s, gnd_predictor k)
{
    const gnd_points *z = &g->z.diffused[g->z.first];
    const bool many = s->n >= CV_LABELS_MIN * s->n_class;

    if (k == GND_PREDICT_FEATURE_GROUPS)
        return (gnd_fit_shape){gnd_fit_soft, &g->z.features, GND_RANK_LOW, 1};
    if (k == GND_PREDICT_LINK_GROUPS)
        return (gnd_fit_shape){gnd_fit_soft, &g->z.links, GND_RANK_LOW, LINKS_POWER};
    /* More coordinates where the leading ones hold most and there are labels to fit the others. */
    return (gnd_fit_shape){gnd_fit_soft, z,
                           is_steep(z, s->n_class) && many ? GND_RANK_HIGH : GND_RANK_LOW, 1};
}

/* mean += weight times prob of one fit. */
static gnd_status add_fit(gnd_real *mean, gnd_real *prob, double weight, const gnd_fit_shape *shape,
                          const gnd_labelled *s, gnd_pool *pool, gnd_error *err)
{
    const int64_t size = shape->points->n * s->n_class;
    const gnd_status st = gnd_fit_shaped(prob, shape, s, pool, err);

    for (int64_t e = 0; e < size && st == GND_OK; e++)
        mean[e] += (gnd_real)weight * prob[e];
    return st;
}

/* mean: [n, C] zeros; prob: [n, C] scratch. */
static gnd_status add_fits(gnd_real *mean, gnd_real *prob, const gnd_prepared *g,
                           const gnd_labelled *s, gnd_pool *pool, gnd_error *err)
{
    const gnd_fit_shape plain = gnd_self_training_shape(g, s, GND_PREDICT_SELF_TRAINING);
    const double power = is_steep(plain.points, s->n_class) ? FLAT_POWER : STEEP_POWER;
    gnd_labelled nearest = *s;
    double weight = 1 - s->nearest;
    gnd_status st = GND_OK;

    nearest.sharpness = 1;
    for (int v = 0; v < GND_WEIGHTINGS; v++)
        weight /= v != (int)g->z.first && g->z.diffused[v].n > 0 ? 2 : 1;
    for (int v = 0; v < GND_WEIGHTINGS; v++) {
        const gnd_points *z = &g->z.diffused[v], *near = &g->z.near[v];
        const gnd_fit_shape fits[] = {{gnd_fit_soft, z, plain.rank, 1},
                                      {gnd_fit_soft, z, plain.rank, power},
                                      {gnd_fit_soft, near, plain.rank, 1},
                                      {gnd_fit_quota, z, plain.rank, 1}};
        enum { FITS = sizeof fits / sizeof fits[0] };

        for (int k = 0; k < FITS && z->n > 0; k++)
            GND_TRY(add_fit(mean, prob, weight / FITS, &fits[k], s, pool, err));
    }
    GND_TRY(add_fit(mean, prob, s->nearest,
                    &(gnd_fit_shape){gnd_fit_prototype, plain.points, GND_RANK_HIGH, 1}, &nearest,
                    pool, err));
out:
    return st;
}

static double sharpness_of(const gnd_labelled *s)
{
    return SHARPNESS * sqrt(1 + (double)s->n / (double)s->n_class);
}

/* Logarithms of probabilities. */
static void to_scores(gnd_real *prob, int64_t n, const gnd_labelled *s)
{
    for (int64_t e = 0; e < n * s->n_class; e++)
        prob[e] = (gnd_real)log(fmax((double)prob[e], PROBABILITY_MIN));
    gnd_scores_mask(prob, n, s);
}

gnd_status gnd_predict_self_training(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                                     gnd_pool *pool, gnd_error *err)
{
    const int64_t n = g->n, C = s->n_class;
    gnd_real *prob = gnd_alloc(n * C, sizeof *prob);
    unsigned char *excluded = gnd_alloc(n, 1);
    gnd_labelled how = *s;
    gnd_status st = GND_OK;

    if (!prob || !excluded)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to label %lld vertices", (long long)n));
    how.sharpness = sharpness_of(s);
    memset(score, 0, (size_t)(n * C) * sizeof *score);
    GND_TRY(add_fits(score, prob, g, &how, pool, err));
    gnd_exclude(excluded, &g->z.diffused[g->z.first], s);
    if (g->z.own.n > 0)
        GND_TRY(gnd_refine(score, NULL,
                           &(gnd_refine_opts){.own = &g->z.own,
                                              .links = &g->links,
                                              .labelled = &how,
                                              .excluded = excluded,
                                              .own_power = REFINE_OWN_POWER * how.sharpness,
                                              .neighbour_weight = REFINE_NEIGHBOURS,
                                              .trust = 1},
                           pool, err));
    to_scores(score, n, s);
out:
    gnd_free(excluded);
    gnd_free(prob);
    return st;
}

/* One fit on coordinates that do not mix features and links. */
static gnd_status predict_groups(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                                 gnd_predictor k, gnd_pool *pool, gnd_error *err)
{
    const gnd_fit_shape shape = gnd_self_training_shape(g, s, k);
    gnd_labelled how = *s;
    gnd_status st;

    how.sharpness = sharpness_of(s);
    st = gnd_fit_shaped(score, &shape, &how, pool, err);
    if (st == GND_OK)
        to_scores(score, g->n, s);
    return st;
}

gnd_status gnd_predict_feature_groups(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                                      gnd_pool *pool, gnd_error *err)
{
    return predict_groups(score, g, s, GND_PREDICT_FEATURE_GROUPS, pool, err);
}

gnd_status gnd_predict_link_groups(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                                   gnd_pool *pool, gnd_error *err)
{
    return predict_groups(score, g, s, GND_PREDICT_LINK_GROUPS, pool, err);
}
