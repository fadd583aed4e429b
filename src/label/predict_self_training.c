/* SPDX-License-Identifier: MIT
 * predict_self_training.c - self-training on diffused features (self_train.c), corrected by own
 * features or by neighbours (refine.c): the strongest predictor where links join vertices with
 * similar features. And self-training on features or on links alone, for graphs where the two are
 * uncorrelated.
 *
 *     score = log P,   P: [n, C] to the power SHARPNESS sqrt(1 + labels per class) */
#include <math.h>

#include "base/alloc.h"
#include "constants.h"
#include "predictors.h"
#include "refine.h"

gnd_fit_shape gnd_self_training_shape(const gnd_prepared *g, const gnd_labelled *s, gnd_predictor k)
{
    const gnd_points *z = &g->z.diffused;
    const bool steep = gnd_points_leading_share(z, s->n_class, GND_RANK_LOW) > LEADING_SHARE_HIGH;
    const bool many = s->n >= CV_LABELS_MIN * s->n_class;

    if (k == GND_PREDICT_FEATURE_GROUPS)
        return (gnd_fit_shape){&g->z.features, GND_RANK_LOW, 1};
    if (k == GND_PREDICT_LINK_GROUPS)
        return (gnd_fit_shape){&g->z.links, GND_RANK_LOW, LINKS_POWER};
    /* More coordinates where the leading ones hold most and there are labels to fit the others. */
    return (gnd_fit_shape){z, steep && many ? GND_RANK_HIGH : GND_RANK_LOW, 1};
}

/* Logarithms of probabilities. */
static void to_scores(gnd_real *prob, int64_t n, const gnd_labelled *s)
{
    const int64_t C = s->n_class, rows = s->ask ? s->n_ask : n;

    for (int64_t k = 0; k < rows; k++) {
        gnd_real *row = prob + (s->ask ? s->ask[k] : k) * C;

        for (int64_t c = 0; c < C; c++)
            row[c] = (gnd_real)log(fmax((double)row[c], PROBABILITY_MIN));
    }
    gnd_scores_mask(prob, n, s);
}

/* Probabilities of one fit; how: s with the sharpness that it has. */
static gnd_status fit(gnd_real *prob, gnd_labelled *how, const gnd_prepared *g,
                      const gnd_labelled *s, gnd_predictor k, gnd_pool *pool, gnd_error *err)
{
    const gnd_fit_shape shape = gnd_self_training_shape(g, s, k);

    *how = *s;
    how->sharpness = SHARPNESS * sqrt(1 + (double)s->n / (double)s->n_class);
    return gnd_fit_shaped(prob, &shape, how, pool, err);
}

gnd_status gnd_predict_self_training(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                                     gnd_pool *pool, gnd_error *err)
{
    unsigned char *excluded = gnd_alloc(g->n, 1);
    gnd_labelled how, from = *s;
    gnd_status st = GND_OK;

    if (g->z.own.n > 0) /* refinement needs all points */
        from.ask = NULL;
    if (!excluded)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to label %lld vertices", (long long)g->n));
    GND_TRY(fit(score, &how, g, &from, GND_PREDICT_SELF_TRAINING, pool, err));
    if (g->z.own.n > 0) {
        gnd_exclude(excluded, &g->z.diffused, s);
        GND_TRY(gnd_refine(score, NULL,
                           &(gnd_refine_opts){.own = &g->z.own,
                                              .links = &g->links,
                                              .labelled = &how,
                                              .excluded = excluded,
                                              .own_power = REFINE_OWN_POWER * how.sharpness,
                                              .neighbour_weight = REFINE_NEIGHBOURS},
                           pool, err));
    }
    to_scores(score, g->n, s);
out:
    gnd_free(excluded);
    return st;
}

/* One fit on coordinates that do not mix features and links. */
static gnd_status predict_groups(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                                 gnd_predictor k, gnd_pool *pool, gnd_error *err)
{
    gnd_labelled how;
    const gnd_status st = fit(score, &how, g, s, k, pool, err);

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
