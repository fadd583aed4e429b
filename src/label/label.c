/* SPDX-License-Identifier: MIT
 * label.c - labels from a handful of labels and nothing else.
 *
 *     Z_v = leading directions of  a (I - (1-a) S)^-1 X_v,   v in {rare, plain}     (embed/views)
 *     P   = w_1 mean_{v, fit} P_{v, fit}^kappa  +  sum_k w_k P_k                    (few/seeded)
 *     X_plain = X,  X_rare = X diag(sqrt(log(n / df)));   Z_v: [n, r]   P: [n, C], shares of a row
 *     X: words as they are, amounts by rank (embed/measures), few of either beside links
 *     P <- P Q^k, Q of own features, or mean over neighbours                        (few/revise)
 *
 * Nothing is learnt by gradients and nothing is held out. The fits train themselves: classes grow
 * from the labels over directions as they are (plain), over directions of which small ones count
 * less, or more where few directions hold most (shaped), over nearer neighbourhoods (near), or by
 * the same number of vertices each (quota). Beside them stand plain prototypes, which cannot run
 * away, and where links join unlike vertices a fit to features that were not diffused. Where
 * features and links are strangers to each other (embed/kinship), fits to features with alternating
 * signs of the hops and to links alone join them, as much as halves of the features agree and links
 * foretell others. From two labels a class on, labels left out in turn say how much each counts.
 * Then each vertex is looked at again, by its own features or, where those tell little of the
 * classes found, by its neighbours. The model is the labels it remembers, fitted anew to a graph.
 *
 * Probabilities are raised to the power at which their mean is the accuracy to expect: of labels
 * left out in turn where there are three a class (two, of strangers), else as much as the fits
 * agree and other labels would have told the same (few/rehearse). */
#include "label.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "signal_test.h"
#include "calibrate.h"
#include "cross_validation.h"
#include "diagnose.h"
#include "stability.h"
#include "refine.h"
#include "self_train.h"
#include "class_priors.h"

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

enum { FIT_PLAIN, FIT_FLAT, FIT_STEEP, FIT_NEAR, FIT_QUOTA, FIT_PROTOTYPE, FIT_SHAPED, N_FIT };

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

/* Of the whole graph, if it is known; else 0. */
static gnd_status init(gnd_model *m, gnd_error *err)
{
    return gnd_param_add(&m->params, "prior", 1, gnd_n_class(m), GND_INIT_ZERO, GND_NO_DECAY, err);
}

/* ---- before any label is known ---- */

static void release(gnd_inputs *in)
{
    gnd_coordinates_fini(in->own);
    gnd_free(in->own);
    in->own = NULL;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    const gnd_coordinates_opts o = {.weighting = {gnd_hp_has(m, FEATURE_WEIGHTS, GND_WEIGHT_IDF),
                                                  gnd_hp_has(m, FEATURE_WEIGHTS, GND_WEIGHT_EQUAL)},
                                    .raw = gnd_hp_choice(m, ENSEMBLE) && !m->identity,
                                    .heterophily =
                                        gnd_hp_choice(m, ENSEMBLE) && gnd_hp_choice(m, HETEROPHILY),
                                    .numeric_raw = !gnd_hp_choice(m, NUMERIC_BY_RANK),
                                    .near = gnd_hp_has(m, FITS, FIT_NEAR),
                                    .own = gnd_hp_choice(m, REFINE),
                                    .teleport = gnd_hp_real(m, TELEPORT),
                                    .teleport_near = gnd_hp_real(m, TELEPORT_NEAR),
                                    .n_class = gnd_n_class(m)};

    if (o.teleport > 0 && o.teleport < 0.01)
        return gnd_fail(err, GND_ERR_ARG, "auto: teleport is %g; expected 0 or 0.01 to 1",
                        o.teleport);
    in->own = gnd_alloc(1, sizeof(gnd_coordinates));
    if (!in->own)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n_node);
    return gnd_coordinates_init(in->own, m->identity ? NULL : &in->x, &g->adj, &o, pool, err);
}

const gnd_coordinates *gnd_auto_coordinates(const gnd_inputs *in)
{
    return in->own;
}

/* ---- fits ---- */

/* What one labelling needs; all of it is on the tape. */
typedef struct {
    const gnd_model *m;
    const gnd_coordinates *g;
    gnd_remarks *remarks; /* NULL: nobody listens */
    gnd_paths paths;      /* by which links alone are seen */
    gnd_resampling again; /* what other labels would have told the same, of what fits tell; */
    double same;          /* and of all, by what counts most */
    gnd_labelled labelled;
    int64_t n, C, r;
    double q;                /* labels a class */
    double kappa;            /* how sharp the fits' probabilities are mixed */
    gnd_real *prob;          /* [n, C] of one fit */
    gnd_real *sum;           /* [n, C] of all */
    gnd_real *vote;          /* [n, C] shares of the fits that find the class most probable */
    unsigned char *excluded; /* [n] 1: its label is known, or nothing at all is */
    gnd_pool *pool;
} labelling;

/* Do few directions hold most? */
static bool is_narrow(const labelling *l)
{
    return gnd_points_leading_share(&l->g->diffused[l->g->first], l->C, GND_RANK_LOW) > 0.7;
}

/* Coordinates: 64 where directions are few and labels can fill them. */
static int64_t rank_of(const labelling *l)
{
    const int64_t wish = gnd_hp_int(l->m, RANK);

    return wish ? wish : is_narrow(l) && l->q >= 2 ? GND_RANK_HIGH : GND_RANK_LOW;
}

/* l->prob by a fit to the points, their first r coordinates to a power, prob^sharpness. */
static gnd_status fit_to(labelling *l, gnd_fit_fn *fit, const gnd_points *p, int64_t r,
                         double power, double sharpness, gnd_error *err)
{
    gnd_labelled s = l->labelled;

    s.sharpness = sharpness;
    return gnd_fit_shaped(l->prob, fit, p, r, power, &s, l->pool, err);
}

/* sum += by prob, and a vote of that weight. */
static void add(labelling *l, double by)
{
    for (int64_t i = 0; i < l->n; i++) {
        const gnd_real *row = l->prob + i * l->C;

        for (int64_t c = 0; c < l->C; c++)
            l->sum[i * l->C + c] += (gnd_real)by * row[c];
        l->vote[i * l->C + gnd_argmax(row, l->C)] += (gnd_real)by;
    }
}

/* The fits that train themselves, each of each view as much. */
static gnd_status add_fits(labelling *l, gnd_error *err)
{
    static const struct {
        gnd_fit_fn *fit;
        double power;
    } how[N_FIT] = {[FIT_PLAIN] = {gnd_fit_soft, 1},   [FIT_FLAT] = {gnd_fit_soft, 0.5},
                    [FIT_STEEP] = {gnd_fit_soft, 1.5}, [FIT_NEAR] = {gnd_fit_soft, 1},
                    [FIT_QUOTA] = {gnd_fit_quota, 1},  [FIT_PROTOTYPE] = {gnd_fit_prototype, 1}};
    const int shape = is_narrow(l) ? FIT_FLAT : FIT_STEEP;
    int64_t n = 0;
    gnd_status st = GND_OK;

    for (int v = 0; v < GND_WEIGHTINGS; v++)
        for (int k = 0; k < N_FIT; k++)
            n += l->g->diffused[v].n > 0 && gnd_hp_has(l->m, FITS, k);
    if (n == 0)
        return gnd_fail(err, GND_ERR_ARG, "auto needs one of its fits at least; fits is none");
    for (int v = 0; v < GND_WEIGHTINGS; v++)
        for (int k = 0; k < N_FIT; k++) {
            const gnd_points *p = k == FIT_NEAR ? &l->g->near[v] : &l->g->diffused[v];
            const int as = k == FIT_SHAPED ? shape : k;

            if (l->g->diffused[v].n == 0 || !gnd_hp_has(l->m, FITS, k))
                continue;
            GND_TRY(fit_to(l, how[as].fit, p, k == FIT_PROTOTYPE ? GND_RANK_HIGH : l->r,
                           how[as].power, l->kappa, err));
            add(l, 1 / (double)n);
        }
out:
    return st;
}

/* ---- what counts how much ---- */

/* Fits to diffused features (one stands for all), prototypes; and where links may join unlike
 * vertices, fits to features alone, to features whose neighbours are opposites, to links alone. */
enum { DIFFUSED, PROTOTYPE, STILL, UNLIKE, LINKS, N_PREDICTOR };

static const gnd_points *points_of(const labelling *l, int k)
{
    const gnd_coordinates *g = l->g;

    return k == STILL    ? &g->raw
           : k == UNLIKE ? &g->alternating
           : k == LINKS  ? &g->links_only[l->paths]
                         : &g->diffused[g->first];
}

static gnd_status predict(labelling *l, int k, double sharpness, gnd_error *err)
{
    const gnd_points *p = points_of(l, k);

    if (k == PROTOTYPE)
        return fit_to(l, gnd_fit_prototype, p, GND_RANK_HIGH, 1, sharpness, err);
    return fit_to(l, gnd_fit_soft, p, l->r, k == LINKS ? GND_LINKS_ONLY_POWER : 1, sharpness, err);
}

/* Would other labels have told the same? Features alone and links alone have no prototypes. */
static gnd_status rehearse(labelling *l, int k, gnd_error *err)
{
    gnd_resampling again;
    const gnd_status st =
        gnd_stability(&again, points_of(l, k), l->r, k == LINKS ? GND_LINKS_ONLY_POWER : 1, l->sum,
                      &l->labelled, l->pool, err);

    l->same = k == DIFFUSED ? again.prototype : again.fit;
    l->again = k == DIFFUSED ? again : l->again;
    return st;
}

/* Share of the features alone: none where links join like vertices. */
static double still_share(double h)
{
    return 0.5 * gnd_ramp(h, 0.15, 0.05) + 0.5 * gnd_ramp(h, -0.02, -0.10);
}

/* What labels left out in turn showed. */
typedef struct {
    double hits[N_PREDICTOR]; /* labels found */
    int64_t n;                /* of so many */
} trial;

/* All predictors of one fold that count, w > 0, and the two that judge labels. says: [n labels] of
 * the prototypes. */
static gnd_status try_fold(trial *t, labelling *l, const gnd_folds *f, const double w[N_PREDICTOR],
                           int64_t *says, gnd_error *err)
{
    static const int order[N_PREDICTOR] = {PROTOTYPE, DIFFUSED, STILL, UNLIKE, LINKS};
    /* With many labels kappa makes every fit sure; hits do not depend on it, oddity would. */
    const double sharpness = gnd_hp_real(l->m, SHARPNESS) * sqrt(1 + fmin(l->q, 24));
    const gnd_labelled all = l->labelled;
    gnd_status st = GND_OK;

    for (int k = 0; k < N_PREDICTOR && st == GND_OK; k++) {
        if (w[order[k]] <= 0 && order[k] != PROTOTYPE && order[k] != DIFFUSED)
            continue;
        l->labelled = f->train;
        st = predict(l, order[k], sharpness, err);
        l->labelled = all;
        for (int64_t e = 0; e < all.n && st == GND_OK; e++) {
            const int64_t top = gnd_argmax(l->prob + all.point[e] * l->C, l->C);

            if (!f->held_out[e])
                continue;
            t->hits[order[k]] += top == all.cls[e];
            t->n += order[k] == DIFFUSED;
            if (order[k] == PROTOTYPE)
                says[e] = top;
            if (order[k] == DIFFUSED)
                st = gnd_diagnose_label(l->remarks, &all, e, l->prob, says[e], err);
        }
    }
    return st;
}

static gnd_status leave_out(trial *t, labelling *l, const double w[N_PREDICTOR], gnd_tape *tape,
                            gnd_error *err)
{
    enum { FOLDS_MAX = 5 };
    int64_t *says = gnd_tape_alloc(tape, l->labelled.n, sizeof *says);
    const int64_t n_remark = l->remarks ? l->remarks->n : 0;
    const gnd_labelled all = l->labelled;
    gnd_folds folds = {0};
    gnd_status st;

    if (!says)
        return gnd_tape_check(tape, err);
    GND_TRY(gnd_folds_init(&folds, &all, l->q < FOLDS_MAX ? (int64_t)l->q : FOLDS_MAX, err));
    for (int64_t k = 0; k < folds.n; k++) {
        gnd_folds_take(&folds, k);
        GND_TRY(try_fold(t, l, &folds, w, says, err));
    }
    if (l->remarks && 2 * t->hits[DIFFUSED] < (double)t->n)
        l->remarks->n = n_remark; /* who misses most labels cannot call one wrong */
out:
    gnd_folds_fini(&folds);
    return st;
}

/* Prototypes' share: a tenth; more where fits disagree or have few vertices to grow on; most of it
 * where classes grown from other labels are others, and hardly closer to these than prototypes. */
static double prototype_share(const labelling *l)
{
    const double usual = 0.87 - 0.08 / l->q, few = 20 * (double)l->C;
    const double lack =
        gnd_ramp(gnd_agreement(l->vote, l->sum, l->n, l->C), usual + 0.03, usual - 0.03);
    const double vain = gnd_instability(&l->again);
    const double caution = gnd_hp_real(l->m, FALLBACK_WEIGHT);
    const double share = fmax(0.1 + caution * lack, few / (few + (double)l->n));

    return caution > 0 ? fmax(share, 0.9 * vain * (1 - l->g->heterophily)) : share;
}

/* Features and links have nothing to do with each other: how much features alone, more than before,
 * and links alone count, by how far each can be believed and how well it tells the labels of
 * classes apart. */
static gnd_status weigh_strangers(double *features, double *links, labelling *l, gnd_error *err)
{
    const gnd_coordinates *g = l->g;
    gnd_labelled s = l->labelled;
    gnd_signal b;
    double f, k, most;
    gnd_status st;

    s.sharpness = 1;
    GND_TRY(gnd_signal_test(&b, l->prob, g, l->r, &s, l->excluded, l->pool, err));
    l->paths = b.paths;
    f = b.features;
    /* Links that foretell count as halves of them agree, or as features are noise; that less where
     * labels left out can decide. */
    k = b.link_prediction * fmax(b.links, (1 - f) * (l->q < 2 ? 0.7 : 0.4));
    most = 0.9 * g->heterophily * fmax(f, k);
    if (l->q < 2 && f > 0.5 && k > 0.5)
        GND_TRY(gnd_remark_add(l->remarks, (gnd_remark){.kind = GND_REMARK_TWO_GROUPINGS}, err));
    if (l->q < 2) { /* else labels left out say it better */
        f *= gnd_separation_odds(&g->raw, &l->labelled);
        k *= gnd_separation_odds(&g->links_only[l->paths], &l->labelled);
    }
    *links = f + k > 0 ? most * k / (f + k) : 0;
    *features = fmax(f + k > 0 ? most * f / (f + k) : 0, *features * (1 - *links));
out:
    return st;
}

/* Weights before any label was left out. */
static gnd_status weigh_before(double w[N_PREDICTOR], labelling *l, gnd_tape *tape, gnd_error *err)
{
    const gnd_coordinates *g = l->g;
    const double plain = prototype_share(l);
    double *mass = gnd_tape_alloc(tape, l->C, sizeof *mass), links = 0, alone = 0, h = 0;
    gnd_status st = GND_OK;

    if (!mass)
        return gnd_tape_check(tape, err);
    if (g->raw.n > 0) {
        GND_TRY(predict(l, STILL, 1, err));
        h = gnd_homophily(l->prob, l->C, &g->links, mass);
        alone = still_share(h);
        if (g->heterophily > 0)
            GND_TRY(weigh_strangers(&alone, &links, l, err));
        if (alone >= 0.5 && still_share(h) >= 0.5)
            GND_TRY(gnd_remark_add(l->remarks,
                                   (gnd_remark){.kind = GND_REMARK_UNLIKE_LINKS, .value = h}, err));
    } else if (g->links_only[GND_PATHS_EVEN].n > 0) {
        /* common neighbours, if links rather join unlike than like */
        GND_TRY(predict(l, LINKS, 1, err));
        h = gnd_homophily(l->prob, l->C, &g->links, mass);
        GND_TRY(predict(l, DIFFUSED, 1, err));
        h += gnd_homophily(l->prob, l->C, &g->links, mass);
        links = 0.05 + 0.75 * gnd_ramp(h, 0, -0.1);
    }
    w[LINKS] = links;
    w[UNLIKE] = g->alternating.n > 0 ? 0.3 * alone * gnd_ramp(h, 0.04, -0.04) : 0;
    w[STILL] = alone - w[UNLIKE];
    w[PROTOTYPE] = (1 - links - alone) * plain;
    w[DIFFUSED] = (1 - links - alone) * (1 - plain);
out:
    return st;
}

/* Weights of the predictors, and the trial they rest on. */
static gnd_status weigh(double w[N_PREDICTOR], trial *t, labelling *l, gnd_tape *tape,
                        gnd_error *err)
{
    const gnd_coordinates *g = l->g;
    double sum = 0, most = -INFINITY, say[N_PREDICTOR];
    gnd_status st;

    GND_TRY(weigh_before(w, l, tape, err));
    if (g->heterophily > 0 && l->q >= 2) /* labels may say what nothing else did */
        for (int k = 0; k < N_PREDICTOR; k++)
            w[k] = points_of(l, k)->n > 0 ? fmax(w[k], 0.05) : 0;
    if (l->q >= 2)
        GND_TRY(leave_out(t, l, w, tape, err));
    for (int k = 0; k < N_PREDICTOR; k++) {
        say[k] = g->links_only[GND_PATHS_EVEN].n > 0
                     ? gnd_log_evidence(t->hits[k], (double)t->n, l->C)
                     : 0.3 * t->hits[k];
        most = w[k] > 0 ? fmax(most, say[k]) : most;
    }
    for (int k = 0; k < N_PREDICTOR; k++) /* below 1, so that thousands of hits do not overflow */
        sum += w[k] *= w[k] > 0 ? exp(say[k] - most) : 0;
    for (int k = 0; k < N_PREDICTOR; k++)
        w[k] /= sum;
    if (g->heterophily > 0 && w[LINKS] > 0.5)
        GND_TRY(gnd_remark_add(l->remarks, (gnd_remark){.kind = GND_REMARK_VAIN_FEATURES}, err));
out:
    return st;
}

/* ---- probabilities ---- */

/* The accuracy to expect: what predictors found of left-out labels, each as much as it counts. */
static double expected(const labelling *l, const trial *t, const double w[N_PREDICTOR])
{
    const double doubt =
        l->g->heterophily > 0 ? 8 : 40; /* left-out labels that weigh as the rule */
    const double chance = 1 / (double)l->C;
    const double agreed = gnd_confidence(l->vote, l->n, l->C, l->excluded);
    const double sure = (gnd_confidence(l->sum, l->n, l->C, l->excluded) + agreed) / 2;
    const double careful = chance + 0.985 * (1 - chance) * (sure - chance);
    const double thumb = 0.4 * careful + 0.6 * l->same * agreed;
    double hits = 0;

    for (int k = 0; k < N_PREDICTOR; k++)
        hits += w[k] * t->hits[k];
    if (l->q < (l->g->heterophily > 0 ? 2 : 3))
        return thumb;
    return (hits + doubt * thumb) / ((double)t->n + doubt);
}

/* By own features, as fits are mixed, or by neighbours; as much as diffusion counts, and where
 * features and links are no strangers. */
static gnd_status look_again(labelling *l, double diffused, gnd_error *err)
{
    const double counts = diffused * (1 - l->g->uncorrelated);

    if (l->g->own.n == 0)
        return GND_OK;
    return gnd_refine(l->sum, NULL,
                      &(gnd_refine_opts){.own = &l->g->own,
                                         .links = &l->g->links,
                                         .labelled = &l->labelled,
                                         .excluded = l->excluded,
                                         .own_power = 0.7 * l->kappa * counts,
                                         .neighbour_weight = 0.5 * counts,
                                         .trust = 1 - gnd_instability(&l->again)},
                      l->pool, err);
}

static gnd_status label(labelling *l, gnd_tape *tape, gnd_error *err)
{
    const gnd_real *prior = l->m->params.v;
    double *mass = gnd_tape_alloc(tape, l->C, sizeof *mass);
    double w[N_PREDICTOR] = {[DIFFUSED] = 1};
    trial t = {0};
    gnd_status st = GND_OK;

    if (!mass)
        return gnd_tape_check(tape, err);
    GND_TRY(add_fits(l, err));
    GND_TRY(rehearse(l, DIFFUSED, err));
    if (gnd_hp_choice(l->m, ENSEMBLE))
        GND_TRY(weigh(w, &t, l, tape, err));
    for (int64_t e = 0; e < l->n * l->C; e++) {
        l->sum[e] *= (gnd_real)w[DIFFUSED];
        l->vote[e] *= (gnd_real)w[DIFFUSED];
    }
    for (int k = STILL; k < N_PREDICTOR; k++)
        if (w[k] > 0) {
            GND_TRY(predict(l, k, l->kappa, err));
            add(l, w[k]);
        }
    GND_TRY(predict(l, PROTOTYPE, 1, err));
    add(l, w[PROTOTYPE]);
    for (int k = STILL; k < N_PREDICTOR; k++)
        if (w[k] > 0.5)
            GND_TRY(rehearse(l, k, err));
    GND_TRY(look_again(l, w[DIFFUSED] + w[PROTOTYPE], err));
    GND_TRY(gnd_diagnose(
        l->remarks,
        &(gnd_diagnose_input){.prob = l->sum,
                              .prototype = w[DIFFUSED] + w[PROTOTYPE] > 0.5 ? l->prob : NULL,
                              .excluded = l->excluded,
                              .z = &l->g->diffused[l->g->first],
                              .labelled = &l->labelled},
        err));
    if (prior[0] > 0)
        gnd_match_priors(l->sum, l->n, l->C, prior, mass);
    if (gnd_hp_choice(l->m, CALIBRATION))
        gnd_calibrate_to(l->sum, l->n, l->C, l->excluded, expected(l, &t, w), l->pool);
    if (prior[0] > 0 && gnd_hp_choice(l->m, CALIBRATION)) /* a power of shares has others */
        gnd_match_priors(l->sum, l->n, l->C, prior, mass);
    if (l->remarks)
        l->remarks->calibrated =
            gnd_hp_choice(l->m, CALIBRATION) && l->q >= 3 && t.n == l->labelled.n;
out:
    return st;
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const int64_t n = in->n_node, C = gnd_n_class(m);
    labelling l = {.m = m, .g = in->own, .remarks = in->remarks, .n = n, .C = C, .pool = t->pool};
    gnd_error err = {0};
    gnd_status st;

    l.prob = gnd_tape_alloc(t, n * C, sizeof *l.prob);
    l.sum = gnd_tape_alloc(t, n * C, sizeof *l.sum);
    l.vote = gnd_tape_alloc(t, n * C, sizeof *l.vote);
    l.excluded = gnd_tape_alloc(t, n, 1);
    if (!gnd_tape_ok(t))
        return (gnd_var){-1};
    if (in->n_labelled == 0)
        return gnd_tape_fail(t, GND_ERR_ARG,
                             "none of the vertices whose labels the model knows is in this graph");
    memset(l.sum, 0, (size_t)(n * C) * sizeof *l.sum);
    memset(l.vote, 0, (size_t)(n * C) * sizeof *l.vote);
    l.labelled = (gnd_labelled){.point = in->labelled,
                                .cls = in->labelled_cls,
                                .n = in->n_labelled,
                                .n_class = C,
                                .temperature = gnd_hp_real(m, TEMPERATURE),
                                .shrink = gnd_hp_real(m, SHRINKAGE),
                                .label_weight = gnd_hp_real(m, LABEL_WEIGHT)};
    gnd_exclude(l.excluded, &l.g->diffused[l.g->first], &l.labelled);
    l.q = (double)in->n_labelled / (double)C;
    l.kappa = gnd_hp_real(m, SHARPNESS) * sqrt(1 + l.q);
    l.r = rank_of(&l);
    st = label(&l, t, &err);
    if (st != GND_OK)
        return gnd_tape_fail(t, st, "%s", err.msg);
    return gnd_requested(t, gnd_constant(t, l.sum, n, C));
}

/* All of it is in a pass. */
static gnd_status solve(gnd_model *m, const gnd_inputs *in, const gnd_target *train,
                        const gnd_target *val, uint64_t seed, gnd_pool *pool, gnd_error *err)
{
    (void)m, (void)in, (void)train, (void)val, (void)seed, (void)pool, (void)err;
    return GND_OK;
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
    .output = GND_OUT_MASS,
    .init = init,
    .prepare = prepare,
    .release = release,
    .forward = forward,
    .solve = solve,
};
