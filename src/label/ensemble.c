/* SPDX-License-Identifier: MIT
 * ensemble.c - predictors, weights, mixture.
 *
 *     P = w_1 mean_{v, fit} P_{v, fit}^kappa + sum_{m > 1} w_m P_m^kappa_m,   sum_m w_m = 1
 *     kappa = sharpness sqrt(1 + labels per class)
 *     w_m <- w_m exp(evidence of held-out labels for m), from two labels per class on
 *     P, P_m: [n, C], rows of sum 1;  v: weightings of the features
 *
 * Self-training can drift and diffusion assumes homophily, so predictors that do neither are mixed
 * in: prototypes where fits disagree or are unstable, raw features and links alone where links join
 * different classes or are uncorrelated with the features. */
#include "ensemble.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "calibrate.h"
#include "class_priors.h"
#include "cross_validation.h"
#include "signal_test.h"

void gnd_ensemble_fini(gnd_ensemble *e)
{
    gnd_free(e->prob);
    gnd_free(e->vote);
    gnd_free(e->excluded);
    gnd_free(e->room);
    gnd_free(e->found.suspect);
    *e = (gnd_ensemble){0};
}

/* Do the first C coordinates hold most of the variance? */
static bool is_steep(const gnd_ensemble *e)
{
    return gnd_points_leading_share(&e->z->diffused[e->z->first], e->C, GND_RANK_LOW) >
           LEADING_SHARE_HIGH;
}

/* More coordinates where the leading ones hold most and there are labels to fit the others. */
static int64_t rank_of(const gnd_ensemble *e)
{
    if (e->set->rank)
        return e->set->rank;
    return is_steep(e) && e->labels_per_class >= CV_LABELS_MIN ? GND_RANK_HIGH : GND_RANK_LOW;
}

gnd_status gnd_ensemble_init(gnd_ensemble *e, gnd_real *mix, const gnd_label_input *in,
                             gnd_error *err)
{
    const gnd_label_settings *s = in->settings;
    const int64_t n = in->coordinates->diffused[in->coordinates->first].n, C = in->n_class;

    *e = (gnd_ensemble){.z = in->coordinates,
                        .set = s,
                        .pool = in->pool,
                        .n = n,
                        .C = C,
                        .mix = mix,
                        .labels_per_class = (double)in->n_labelled / (double)C,
                        .weight = {[GND_PREDICT_DIFFUSED] = 1},
                        .labelled = {.point = in->point,
                                     .cls = in->cls,
                                     .n = in->n_labelled,
                                     .n_class = C,
                                     .temperature = s->temperature,
                                     .shrink = s->shrinkage,
                                     .label_weight = s->label_weight}};
    if (in->n_labelled == 0)
        return gnd_fail(err, GND_ERR_ARG,
                        "none of the vertices whose labels the model knows is in this graph");
    e->prob = gnd_alloc(n * C, sizeof *e->prob);
    e->vote = gnd_alloc(n * C, sizeof *e->vote);
    e->excluded = gnd_alloc(n, 1);
    e->room = gnd_alloc(C, sizeof *e->room);
    e->found.suspect = gnd_alloc(in->n_labelled, sizeof *e->found.suspect);
    if (!e->prob || !e->vote || !e->excluded || !e->room || !e->found.suspect)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to label %lld vertices", (long long)n);
    for (int64_t k = 0; k < in->n_labelled; k++)
        e->found.suspect[k] = -1;
    gnd_exclude(e->excluded, &e->z->diffused[e->z->first], &e->labelled);
    e->sharpness = s->sharpness * sqrt(1 + e->labels_per_class);
    e->rank = rank_of(e);
    return GND_OK;
}

/* ---- predictors ---- */

/* How a predictor is fitted. */
typedef struct {
    gnd_fit_fn *fit;
    const gnd_points *points;
    int64_t rank;     /* coordinates used */
    double power;     /* of their variances */
    double sharpness; /* exponent of the probabilities */
} fit_how;

/* e->prob. */
static gnd_status fit(gnd_ensemble *e, const fit_how *how, gnd_error *err)
{
    gnd_labelled s = e->labelled;

    s.sharpness = how->sharpness;
    return gnd_fit_shaped(e->prob, &(gnd_fit_shape){how->fit, how->points, how->rank, how->power},
                          &s, e->pool, err);
}

/* mix += weight e->prob, and a vote of that weight for the argmax. */
static void add(gnd_ensemble *e, double weight)
{
    for (int64_t i = 0; i < e->n; i++) {
        const gnd_real *row = e->prob + i * e->C;

        for (int64_t c = 0; c < e->C; c++)
            e->mix[i * e->C + c] += (gnd_real)weight * row[c];
        e->vote[i * e->C + gnd_argmax(row, e->C)] += (gnd_real)weight;
    }
}

static const gnd_points *points_of(const gnd_ensemble *e, gnd_predictor k)
{
    const gnd_coordinates *z = e->z;

    return k == GND_PREDICT_RAW           ? &z->raw
           : k == GND_PREDICT_ALTERNATING ? &z->alternating
           : k == GND_PREDICT_LINKS       ? &z->links_only[e->paths]
                                          : &z->diffused[z->first];
}

/* e->prob by one predictor; GND_PREDICT_DIFFUSED: by one fit that stands for all of them. */
static gnd_status predict(gnd_ensemble *e, gnd_predictor k, double sharpness, gnd_error *err)
{
    const bool prototype = k == GND_PREDICT_PROTOTYPE;

    return fit(e,
               &(fit_how){.fit = prototype ? gnd_fit_prototype : gnd_fit_soft,
                          .points = points_of(e, k),
                          .rank = prototype ? GND_RANK_HIGH : e->rank,
                          .power = k == GND_PREDICT_LINKS ? LINKS_ONLY_POWER : 1,
                          .sharpness = sharpness},
               err);
}

/* How stable the classes in mix are by a predictor. Prototypes stand for diffused features: they
 * say how well other labels lead to the same classes before self-training. */
static gnd_status resample(gnd_ensemble *e, gnd_predictor k, gnd_error *err)
{
    gnd_resampling r;
    const gnd_status st =
        gnd_stability(&r,
                      &(gnd_fit_shape){gnd_fit_soft, points_of(e, k), e->rank,
                                       k == GND_PREDICT_LINKS ? LINKS_ONLY_POWER : 1},
                      e->mix, &e->labelled, e->pool, err);

    e->stability = k == GND_PREDICT_DIFFUSED ? r.prototype : r.fit;
    if (k == GND_PREDICT_DIFFUSED)
        e->resampling = r;
    return st;
}

/* Each fit of the setting `fits` with each weighting of the features has the same weight. */
static gnd_status add_fits(gnd_ensemble *e, gnd_error *err)
{
    const struct {
        gnd_fit_fn *fit;
        double power;
    } how[GND_FITS] = {[GND_FIT_PLAIN] = {gnd_fit_soft, 1},
                       [GND_FIT_FLAT] = {gnd_fit_soft, FLAT_POWER},
                       [GND_FIT_STEEP] = {gnd_fit_soft, STEEP_POWER},
                       [GND_FIT_NEAR] = {gnd_fit_soft, 1},
                       [GND_FIT_QUOTA] = {gnd_fit_quota, 1},
                       [GND_FIT_PROTOTYPE] = {gnd_fit_prototype, 1}};
    const int shaped = is_steep(e) ? GND_FIT_FLAT : GND_FIT_STEEP;
    int64_t n = 0;
    gnd_status st = GND_OK;

    for (int v = 0; v < GND_WEIGHTINGS; v++)
        for (int k = 0; k < GND_FITS; k++)
            n += e->z->diffused[v].n > 0 && (e->set->fits >> k & 1);
    if (n == 0)
        return gnd_fail(err, GND_ERR_ARG, "auto needs at least one of its fits; fits is none");
    for (int v = 0; v < GND_WEIGHTINGS; v++)
        for (int k = 0; k < GND_FITS; k++) {
            const int as = k == GND_FIT_SHAPED ? shaped : k;

            if (e->z->diffused[v].n == 0 || !(e->set->fits >> k & 1))
                continue;
            GND_TRY(
                fit(e,
                    &(fit_how){how[as].fit, k == GND_FIT_NEAR ? &e->z->near[v] : &e->z->diffused[v],
                               k == GND_FIT_PROTOTYPE ? GND_RANK_HIGH : e->rank, how[as].power,
                               e->sharpness},
                    err));
            add(e, 1 / (double)n);
        }
out:
    return st;
}

gnd_status gnd_ensemble_fit(gnd_ensemble *e, gnd_error *err)
{
    const gnd_status st = add_fits(e, err);

    return st == GND_OK ? resample(e, GND_PREDICT_DIFFUSED, err) : st;
}

/* ---- weights before labels are held out ---- */

/* Weight of raw features: none where links join vertices of the same class. */
static double raw_weight(double homophily)
{
    return 0.5 * gnd_ramp(homophily, RAW_HOMOPHILY_HIGH, RAW_HOMOPHILY_MID) +
           0.5 * gnd_ramp(homophily, RAW_HOMOPHILY_LOW, RAW_HOMOPHILY_NONE);
}

/* Share of prototypes among predictors over diffused features: more where the fits disagree, where
 * vertices are few, and most where self-training is unstable. */
static double prototype_share(const gnd_ensemble *e)
{
    const double usual = AGREEMENT_USUAL - AGREEMENT_PER_LABEL / e->labels_per_class;
    const double few = PROTOTYPE_VERTICES * (double)e->C;
    const double disagree = gnd_ramp(gnd_agreement(e->vote, e->mix, e->n, e->C),
                                     usual + AGREEMENT_MARGIN, usual - AGREEMENT_MARGIN);
    const double unstable = gnd_instability(&e->resampling);
    const double fallback = e->set->fallback_weight;
    const double share = fmax(PROTOTYPE_WEIGHT + fallback * disagree, few / (few + (double)e->n));

    return fallback > 0 ? fmax(share, UNSTABLE_WEIGHT * unstable * (1 - e->z->heterophily)) : share;
}

/* Features and links are uncorrelated: weights of raw features, at least as before, and of links
 * alone, by the signal in each and, with one label per class, by how well each separates the labels
 * of different classes. */
static gnd_status weigh_uncorrelated(double *raw, double *links, gnd_ensemble *e, gnd_error *err)
{
    const bool few = e->labels_per_class < CV_LABELS_MIN;
    gnd_labelled s = e->labelled;
    gnd_signal signal;
    double f, k, most;
    gnd_status st;

    s.sharpness = 1;
    GND_TRY(gnd_signal_test(&signal, e->prob, &(gnd_signal_opts){e->z, e->rank, &s, e->excluded},
                            e->pool, err));
    e->paths = signal.paths;
    f = signal.features;
    /* Links that can be predicted count as far as halves of them agree, or as features are noise;
     * the latter less where held-out labels can decide. */
    k = signal.link_prediction *
        fmax(signal.links, (1 - f) * (few ? LINKS_IF_NOISE_ONE_LABEL : LINKS_IF_NOISE));
    most = UNCORRELATED_WEIGHT * e->z->heterophily * fmax(f, k);
    e->found.two_groupings = few && f > 0.5 && k > 0.5;
    if (few) { /* else held-out labels are the better evidence */
        f *= gnd_separation_odds(&e->z->raw, &e->labelled);
        k *= gnd_separation_odds(&e->z->links_only[e->paths], &e->labelled);
    }
    *links = f + k > 0 ? most * k / (f + k) : 0;
    *raw = fmax(f + k > 0 ? most * f / (f + k) : 0, *raw * (1 - *links));
out:
    return st;
}

/* Homophily of the classes that a predictor finds. */
static gnd_status homophily_by(double *out, gnd_ensemble *e, gnd_predictor k, gnd_error *err)
{
    const gnd_status st = predict(e, k, 1, err);

    *out = st == GND_OK ? gnd_homophily(e->prob, e->C, &e->z->links, e->room) : 0;
    return st;
}

static gnd_status weigh_before(gnd_ensemble *e, gnd_error *err)
{
    const gnd_coordinates *z = e->z;
    const double prototype = prototype_share(e);
    double links = 0, raw = 0, h = 0, diffused;
    gnd_status st = GND_OK;

    if (z->raw.n > 0) {
        GND_TRY(homophily_by(&h, e, GND_PREDICT_RAW, err));
        raw = raw_weight(h);
        if (z->heterophily > 0)
            GND_TRY(weigh_uncorrelated(&raw, &links, e, err));
        e->found.links_uninformative = raw >= MAJORITY_WEIGHT && raw_weight(h) >= MAJORITY_WEIGHT;
        e->found.homophily = h;
    } else if (z->links_only[GND_PATHS_EVEN].n > 0) {
        /* common neighbours, if links rather join different classes */
        GND_TRY(homophily_by(&h, e, GND_PREDICT_LINKS, err));
        GND_TRY(homophily_by(&diffused, e, GND_PREDICT_DIFFUSED, err));
        h += diffused;
        links = LINKS_WEIGHT + LINKS_HETEROPHILY_WEIGHT * gnd_ramp(h, 0, LINKS_HOMOPHILY_NONE);
    }
    e->weight[GND_PREDICT_LINKS] = links;
    e->weight[GND_PREDICT_ALTERNATING] =
        z->alternating.n > 0
            ? ALTERNATING_SHARE * raw * gnd_ramp(h, ALTERNATING_HOMOPHILY, -ALTERNATING_HOMOPHILY)
            : 0;
    e->weight[GND_PREDICT_RAW] = raw - e->weight[GND_PREDICT_ALTERNATING];
    e->weight[GND_PREDICT_PROTOTYPE] = (1 - links - raw) * prototype;
    e->weight[GND_PREDICT_DIFFUSED] = (1 - links - raw) * (1 - prototype);
out:
    return st;
}

/* ---- weights by held-out labels ---- */

/* All predictors of one fold that have weight, and the two that find suspect labels. by_prototype:
 * [n labels] their classes. */
static gnd_status validate_fold(gnd_ensemble *e, const gnd_folds *f, int64_t *by_prototype,
                                gnd_error *err)
{
    static const gnd_predictor order[GND_PREDICTORS] = {GND_PREDICT_PROTOTYPE, GND_PREDICT_DIFFUSED,
                                                        GND_PREDICT_RAW, GND_PREDICT_ALTERNATING,
                                                        GND_PREDICT_LINKS};
    /* With many labels every fit is confident. The argmax does not depend on it, but which labels
     * are suspect does. */
    const double sharpness =
        e->set->sharpness * sqrt(1 + fmin(e->labels_per_class, CV_SHARPNESS_LABELS));
    const gnd_labelled all = e->labelled;
    gnd_status st = GND_OK;

    for (int o = 0; o < GND_PREDICTORS && st == GND_OK; o++) {
        const gnd_predictor k = order[o];

        if (e->weight[k] <= 0 && k != GND_PREDICT_PROTOTYPE && k != GND_PREDICT_DIFFUSED)
            continue;
        e->labelled = f->train;
        st = predict(e, k, sharpness, err);
        e->labelled = all;
        for (int64_t i = 0; i < all.n && st == GND_OK; i++) {
            const int64_t top = gnd_argmax(e->prob + all.point[i] * e->C, e->C);

            if (!f->held_out[i])
                continue;
            e->hits[k] += top == all.cls[i];
            if (k == GND_PREDICT_PROTOTYPE)
                by_prototype[i] = top;
            if (k == GND_PREDICT_DIFFUSED) {
                e->found.n_held_out++;
                e->found.suspect[i] = gnd_suspect_label(&all, i, e->prob, by_prototype[i]);
            }
        }
    }
    return st;
}

static gnd_status cross_validate(gnd_ensemble *e, gnd_error *err)
{
    const gnd_labelled all = e->labelled;
    int64_t *by_prototype = gnd_alloc(all.n, sizeof *by_prototype);
    gnd_folds folds = {0};
    gnd_status st = GND_OK;

    if (!by_prototype)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)all.n));
    GND_TRY(gnd_folds_init(
        &folds, &all,
        e->labels_per_class < CV_FOLDS_MAX ? (int64_t)e->labels_per_class : CV_FOLDS_MAX, err));
    for (int64_t k = 0; k < folds.n; k++) {
        gnd_folds_take(&folds, k);
        GND_TRY(validate_fold(e, &folds, by_prototype, err));
    }
    e->found.n_hit = (int64_t)e->hits[GND_PREDICT_DIFFUSED];
out:
    gnd_folds_fini(&folds);
    gnd_free(by_prototype);
    return st;
}

gnd_status gnd_ensemble_weigh(gnd_ensemble *e, gnd_error *err)
{
    const bool validated = e->labels_per_class >= CV_LABELS_MIN;
    double *w = e->weight, sum = 0, most = -INFINITY, evidence[GND_PREDICTORS];
    gnd_status st = GND_OK;

    if (!e->set->ensemble)
        return GND_OK;
    GND_TRY(weigh_before(e, err));
    if (e->z->heterophily > 0 && validated) /* labels may show what nothing else did */
        for (int k = 0; k < GND_PREDICTORS; k++)
            w[k] = points_of(e, (gnd_predictor)k)->n > 0 ? fmax(w[k], CV_WEIGHT_MIN) : 0;
    if (validated)
        GND_TRY(cross_validate(e, err));
    for (int k = 0; k < GND_PREDICTORS; k++) {
        evidence[k] = e->z->links_only[GND_PATHS_EVEN].n > 0
                          ? gnd_log_evidence(e->hits[k], (double)e->found.n_held_out, e->C)
                          : CV_HIT_WEIGHT * e->hits[k];
        most = w[k] > 0 ? fmax(most, evidence[k]) : most;
    }
    for (int k = 0; k < GND_PREDICTORS; k++) /* at most 1: thousands of hits must not overflow */
        sum += w[k] *= w[k] > 0 ? exp(evidence[k] - most) : 0;
    for (int k = 0; k < GND_PREDICTORS; k++)
        w[k] /= sum;
    e->found.features_uninformative =
        e->z->heterophily > 0 && w[GND_PREDICT_LINKS] > MAJORITY_WEIGHT;
out:
    return st;
}

/* ---- mixture ---- */

gnd_status gnd_ensemble_mix(gnd_ensemble *e, gnd_error *err)
{
    const double *w = e->weight;
    gnd_status st = GND_OK;

    for (int64_t i = 0; i < e->n * e->C; i++) {
        e->mix[i] *= (gnd_real)w[GND_PREDICT_DIFFUSED];
        e->vote[i] *= (gnd_real)w[GND_PREDICT_DIFFUSED];
    }
    for (int k = GND_PREDICT_RAW; k < GND_PREDICTORS; k++)
        if (w[k] > 0) {
            GND_TRY(predict(e, (gnd_predictor)k, e->sharpness, err));
            add(e, w[k]);
        }
    GND_TRY(predict(e, GND_PREDICT_PROTOTYPE, 1, err));
    add(e, w[GND_PREDICT_PROTOTYPE]);
    for (int k = GND_PREDICT_RAW; k < GND_PREDICTORS; k++)
        if (w[k] > MAJORITY_WEIGHT)
            GND_TRY(resample(e, (gnd_predictor)k, err));
out:
    return st;
}

double gnd_expected_accuracy(const gnd_ensemble *e)
{
    const bool uncorrelated = e->z->heterophily > 0;
    const double prior_labels =
        uncorrelated ? CALIBRATE_PRIOR_LABELS_UNCORRELATED : CALIBRATE_PRIOR_LABELS;
    const double chance = 1 / (double)e->C;
    const double agreement = gnd_confidence(e->vote, e->n, e->C, e->excluded);
    const double confidence = (gnd_confidence(e->mix, e->n, e->C, e->excluded) + agreement) / 2;
    const double discounted = chance + CALIBRATE_DISCOUNT * (1 - chance) * (confidence - chance);
    const double rule = CALIBRATE_CONFIDENCE_SHARE * discounted +
                        CALIBRATE_STABILITY_SHARE * e->stability * agreement;
    double hits = 0;

    for (int k = 0; k < GND_PREDICTORS; k++)
        hits += e->weight[k] * e->hits[k];
    if (e->labels_per_class <
        (uncorrelated ? CALIBRATE_LABELS_MIN_UNCORRELATED : CALIBRATE_LABELS_MIN))
        return rule;
    return (hits + prior_labels * rule) / ((double)e->found.n_held_out + prior_labels);
}
