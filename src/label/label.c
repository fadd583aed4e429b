/* SPDX-License-Identifier: MIT
 * label.c - a probability of every class for every vertex, from a few known labels. Nothing is
 * trained by gradients and no validation set is needed; the model is the labels it keeps, fitted
 * anew to each graph.
 *
 *     1. coordinates   Z: [n, r] leading directions of a (I - (1-a) S)^-1 X      coordinates.c
 *     2. predictors    P_m: [n, C], self-training over Z and others              self_train.c
 *     3. weights       w_m from homophily, stability and held-out labels         ensemble.c
 *     4. mixture       P = sum_m w_m P_m                                         ensemble.c
 *     5. refinement    P <- P Q^k, Q of own features, or mean over neighbours    refine.c
 *     6. diagnostics   notes and warnings for the user                           diagnose.c
 *     7. calibration   P <- P^b, so that the mean confidence is the expected
 *                      accuracy; known class shares are met                      calibrate.c
 *
 * Step 1 needs no labels: gnd_method.prepare does it once per graph. Diagnostics look at the
 * probabilities before calibration. */
#include "label.h"

#include "base/alloc.h"
#include "calibrate.h"
#include "class_priors.h"
#include "diagnose.h"
#include "ensemble.h"
#include "refine.h"

enum {
    FEATURE_WEIGHTS,
    NUMERIC_BY_RANK,
    FITS,
    RANK,
    TELEPORT,
    TELEPORT_NEAR,
    ENSEMBLE,
    HETEROPHILY,
    FALLBACK_WEIGHT,
    REFINE,
    CALIBRATION,
    LABEL_WEIGHT,
    TEMPERATURE,
    SHRINKAGE,
    SHARPNESS
};

static const gnd_hparam hparams[] = {
    [FEATURE_WEIGHTS] = GND_HP_SET(
        "feature_weights", 3, "idf|equal",
        "weights of features; with both, each fit runs once per weighting. idf: "
        "sqrt(log(n / df)), so that rare words count more; equal: all 1. Use equal alone "
        "if the values are weighted already"),
    [NUMERIC_BY_RANK] =
        GND_HP_CHOICE("numeric_by_rank", 1, "off|on",
                      "replace numeric features (ages, lengths, embeddings) by the normal score of "
                      "their rank; off keeps the values, for features that share one unit"),
    [FITS] = GND_HP_SET("fits", 89, "plain|flat|steep|near|quota|prototype|shaped",
                        "self-training fits that are averaged. plain: coordinates as they are; "
                        "flat, steep: small coordinates scaled up or down; shaped: flat or steep, "
                        "whichever suits the spectrum; near: diffusion with teleport_near; quota: "
                        "as many vertices per class; prototype: no self-training"),
    [RANK] = GND_HP_INT("rank", 0, 0, 64,
                        "coordinates per vertex; 0 picks 32, or 64 where the first few hold most "
                        "of the variance and there are two labels per class"),
    [TELEPORT] = GND_HP_REAL("teleport", 0, 0, 1,
                             "restart probability of the PageRank diffusion (0.01 to 1); 1: no "
                             "diffusion; 0 picks it from the class size, at most 0.1"),
    [TELEPORT_NEAR] = GND_HP_REAL("teleport_near", 0.25, 0.01, 1,
                                  "restart probability of the diffusion for fits=near"),
    [ENSEMBLE] = GND_HP_CHOICE("ensemble", 1, "off|on",
                               "mix prototypes, raw features and links alone with the "
                               "self-training fits, weighted by homophily and held-out labels; "
                               "off: the fits alone"),
    [HETEROPHILY] = GND_HP_CHOICE("heterophily", 1, "off|on",
                                  "ensemble: predictors for graphs whose features and links are "
                                  "uncorrelated or whose links join different classes; off saves "
                                  "time on homophilous graphs"),
    [FALLBACK_WEIGHT] = GND_HP_REAL("fallback_weight", 0.4, 0, 0.9,
                                    "ensemble: weight that prototypes gain where the fits "
                                    "disagree or self-training is unstable; 0: none"),
    [REFINE] = GND_HP_CHOICE("refine", 1, "off|on",
                             "correct the result by each vertex's own features or, where these "
                             "predict the classes badly, by its neighbours"),
    [CALIBRATION] = GND_HP_CHOICE("calibration", 1, "off|on",
                                  "scale probabilities so that their mean is the expected "
                                  "accuracy; off: as the ensemble gives them"),
    [LABEL_WEIGHT] = GND_HP_REAL("label_weight", 0.1, 0, 10,
                                 "weight of one label in a fit, as a fraction of the mean class "
                                 "size; raise it if labels are certain and get outvoted"),
    [TEMPERATURE] = GND_HP_REAL("temperature", 0, 0, 10,
                                "temperature of the prototypes' softmax over cosines; 0 picks it "
                                "from how many directions the vertices fill"),
    [SHRINKAGE] = GND_HP_REAL("shrinkage", 0.5, 0, 1,
                              "shrinkage of the common covariance of the classes towards a "
                              "multiple of the identity; 1: spherical classes"),
    [SHARPNESS] = GND_HP_REAL("sharpness", 0.1, 0.001, 10,
                              "exponent of the fits' probabilities before they are averaged, times "
                              "sqrt(1 + labels per class)"),
    GND_HP_END,
};

static const gnd_preset presets[] = {
    {"prototype", "feature_weights=idf fits=prototype ensemble=off refine=off calibration=off",
     "no self-training: each vertex gets the class whose labels are closest"},
    {NULL, NULL, NULL},
};

static double value(const gnd_config *c, int i)
{
    return c->value[GND_HP_COMMON + i];
}

gnd_label_settings gnd_label_settings_of(const gnd_config *c)
{
    const uint32_t weighting = (uint32_t)value(c, FEATURE_WEIGHTS);
    gnd_label_settings s = {.numeric_by_rank = value(c, NUMERIC_BY_RANK) > 0,
                            .ensemble = value(c, ENSEMBLE) > 0,
                            .heterophily = value(c, HETEROPHILY) > 0,
                            .refine = value(c, REFINE) > 0,
                            .calibration = value(c, CALIBRATION) > 0,
                            .fits = (uint32_t)value(c, FITS),
                            .rank = (int64_t)value(c, RANK),
                            .teleport = value(c, TELEPORT),
                            .teleport_near = value(c, TELEPORT_NEAR),
                            .fallback_weight = value(c, FALLBACK_WEIGHT),
                            .label_weight = value(c, LABEL_WEIGHT),
                            .temperature = value(c, TEMPERATURE),
                            .shrinkage = value(c, SHRINKAGE),
                            .sharpness = value(c, SHARPNESS)};

    for (int k = 0; k < GND_WEIGHTINGS; k++)
        s.weighting[k] = weighting >> k & 1;
    return s;
}

/* ---- steps ---- */

gnd_coordinates_opts gnd_label_coordinates(const gnd_label_settings *s, bool has_features,
                                           int64_t n_class)
{
    gnd_coordinates_opts o = {.raw = s->ensemble && has_features,
                              .heterophily = s->ensemble && s->heterophily,
                              .numeric_raw = !s->numeric_by_rank,
                              .near = s->fits >> GND_FIT_NEAR & 1,
                              .own = s->refine,
                              .teleport = s->teleport,
                              .teleport_near = s->teleport_near,
                              .n_class = n_class};

    for (int k = 0; k < GND_WEIGHTINGS; k++)
        o.weighting[k] = s->weighting[k];
    return o;
}

/* By own features or by neighbours, as far as diffused features decide and features and links are
 * correlated. */
static gnd_status refine(gnd_ensemble *e, gnd_error *err)
{
    const double share = (e->weight[GND_PREDICT_DIFFUSED] + e->weight[GND_PREDICT_PROTOTYPE]) *
                         (1 - e->z->uncorrelated);

    if (e->z->own.n == 0)
        return GND_OK;
    return gnd_refine(e->mix, NULL,
                      &(gnd_refine_opts){.own = &e->z->own,
                                         .links = &e->z->links,
                                         .labelled = &e->labelled,
                                         .excluded = e->excluded,
                                         .own_power = REFINE_OWN_POWER * e->sharpness * share,
                                         .neighbour_weight = REFINE_NEIGHBOURS * share,
                                         .trust = 1 - gnd_instability(&e->resampling)},
                      e->pool, err);
}

static gnd_status diagnose(gnd_notes *to, const gnd_ensemble *e, const gnd_label_input *in,
                           gnd_error *err)
{
    const bool diffused =
        e->weight[GND_PREDICT_DIFFUSED] + e->weight[GND_PREDICT_PROTOTYPE] > MAJORITY_WEIGHT;

    return gnd_diagnose(&(gnd_diagnosis){to, in->graph, in->names},
                        &(gnd_diagnose_input){.prob = e->mix,
                                              .prototype = diffused ? e->prob : NULL,
                                              .excluded = e->excluded,
                                              .z = &e->z->diffused[e->z->first],
                                              .labelled = &e->labelled,
                                              .found = &e->found},
                        err);
}

/* Known class shares are met before and after: raised to a power they are others. */
static void calibrate(gnd_ensemble *e, const gnd_label_input *in)
{
    const bool wanted = in->settings->calibration;

    if (in->prior)
        gnd_match_priors(e->mix, e->n, e->C, in->prior, e->room);
    if (wanted)
        gnd_calibrate_to(e->mix, e->n, e->C, e->excluded, gnd_expected_accuracy(e), e->pool);
    if (in->prior && wanted)
        gnd_match_priors(e->mix, e->n, e->C, in->prior, e->room);
}

gnd_status gnd_label_fit(gnd_estimate *out, const gnd_label_input *in, gnd_error *err)
{
    gnd_ensemble e = {0};
    gnd_status st;

    GND_TRY(gnd_ensemble_init(&e, out->prob, in, err));
    GND_TRY(gnd_ensemble_fit(&e, err));
    GND_TRY(gnd_ensemble_weigh(&e, err));
    GND_TRY(gnd_ensemble_mix(&e, err));
    GND_TRY(refine(&e, err));
    GND_TRY(diagnose(out->notes, &e, in, err));
    calibrate(&e, in);
    out->calibrated = in->settings->calibration && e.labels_per_class >= CALIBRATE_LABELS_MIN &&
                      e.found.n_held_out == e.labelled.n;
out:
    gnd_ensemble_fini(&e);
    return st;
}

/* ---- the method ---- */

static void release(gnd_inputs *in)
{
    gnd_coordinates_fini(in->own);
    gnd_free(in->own);
    in->own = NULL;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    const gnd_label_settings s = gnd_label_settings_of(&m->config);
    const gnd_coordinates_opts o = gnd_label_coordinates(&s, !m->identity, gnd_n_class(m));

    if (o.teleport > 0 && o.teleport < TELEPORT_MIN)
        return gnd_fail(err, GND_ERR_ARG, "auto: teleport is %g; expected 0 or %g to 1", o.teleport,
                        TELEPORT_MIN);
    in->own = gnd_alloc(1, sizeof(gnd_coordinates));
    if (!in->own)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n_node);
    return gnd_coordinates_init(in->own, m->identity ? NULL : &in->x, &g->adj, &o, pool, err);
}

static gnd_status estimate(gnd_estimate *out, const gnd_model *m, const gnd_inputs *in,
                           const gnd_graph *g, gnd_pool *pool, gnd_error *err)
{
    const gnd_label_settings s = gnd_label_settings_of(&m->config);
    const gnd_label_input input = {.coordinates = in->own,
                                   .settings = &s,
                                   .point = in->labelled,
                                   .cls = in->labelled_cls,
                                   .n_labelled = in->n_labelled,
                                   .n_class = gnd_n_class(m),
                                   .prior = m->prior,
                                   .graph = g,
                                   .names = m->cls,
                                   .pool = pool};
    gnd_status st;

    GND_TRY(gnd_label_fit(out, &input, err));
    GND_TRY(gnd_diagnose_calibration(out, &input, err));
out:
    return st;
}

const gnd_method gnd_method_auto = {
    .name = "auto",
    .title = "Closed-form fits on diffused features",
    .formula = "w1 mean P_fit^kappa + w2 P_prototype + .. on a (I - (1-a) S)^-1 X",
    .paper = "this project",
    .hparams = hparams,
    .presets = presets,
    .features = GND_FEAT_RAW,
    .keeps_labels = true,
    .uses_prior = true,
    .output = GND_OUT_MASS,
    .prepare = prepare,
    .release = release,
    .estimate = estimate,
};
