/* SPDX-License-Identifier: MIT
 * mixture.c - a log-linear pool of predictors, whose weights come from held-out labels.
 *
 *     P = softmax(sum_m w_m log p_m),   p_m = (1 - e) softmax(t_m score_m) + e / C
 *     w_m = (kappa pi_m + sum_i r_im) / (kappa + held-out labels)
 *     r_im = w_m p_m(y_i) / sum_k w_k p_k(y_i)               over held-out labels i (stacking)
 *     t_m: maximises sum_i log p_m(y_i) - (log t_m / t0_m)^2 / 2
 *     P, p_m: [n, C];   e = FLOOR_SHARE, kappa = PRIOR_LABELS, t0_m: predictors.def
 *
 * pi_m, the weight before labels are held out, follows from the graph (prior.c). With one label per
 * class nothing can be held out: w = pi. */
#include "mixture.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "class_priors.h"
#include "constants.h"
#include "folds.h"
#include "linalg/ridge.h"
#include "prior.h"
#include "saved.h"
#include "stability.h"

static const struct {
    gnd_predictor_fn *predict;
    double factor; /* usual factor of the scores */
} predictors[GND_PREDICTORS] = {
#define X(name, function, usual) [GND_PREDICT_##name] = {gnd_predict_##function, usual},
#include "predictors.def"
#undef X
};

/* Shares of the time at the end of two steps, for progress. */
static const double HELD_OUT_SHARE = 0.7, EVIDENCE_SHARE = 0.95;

enum {
    BY_LINKS = 1 << GND_PREDICT_LINKS | 1 << GND_PREDICT_ROLES | 1 << GND_PREDICT_PAGERANK |
               1 << GND_PREDICT_BLOCKS
};

/* Everything that the steps share. */
typedef struct {
    gnd_mixture *m;
    const gnd_prepared *g;
    const gnd_labelled *s;
    gnd_pool *pool;
    int64_t n, C;
    int32_t *walked;                /* [n] the class that PageRank gives; -1: none */
    int32_t *found;                 /* [n] scratch: classes of a predictor */
    gnd_real *kept[GND_PREDICTORS]; /* [n, C] scores by all labels, or NULL: not used */
    gnd_evidence evidence;
    gnd_real *held; /* [GND_PREDICTORS, labels, C] scores of held-out labels */
    double *row;    /* [2, C, C + 1] scratch */
    double *bias;   /* [C] 0, or -INFINITY for a class without a label */
    double *chance; /* [labels, GND_PREDICTORS] p_m(y_i) */
    int64_t *fold;  /* [labels] */
    gnd_folds folds[CV_FOLDS_MAX];
    int64_t n_fold;
    gnd_real *walk; /* [n, walks n_class] walks from the labels of some labellings; NULL: none */
    int64_t walk_first; /* number of the first of them */
    gnd_real *kernel;   /* [labels, labels] of gnd_design_links, or NULL */
    int32_t *at, *ask;  /* [labels] numbers of labels; points held out */
} work;

uint32_t gnd_predictors_for(const gnd_prepared *g)
{
    const bool links = g->n_link > 0, features = g->x.n_row > 0;

    return 1u << GND_PREDICT_SELF_TRAINING | (features ? 1u << GND_PREDICT_FEATURES : 0u) |
           (features && links ? 1u << GND_PREDICT_DIFFUSED_FEATURES : 0u) |
           (g->z.features.n > 0 ? 1u << GND_PREDICT_FEATURE_GROUPS : 0u) |
           (g->z.links.n > 0 ? 1u << GND_PREDICT_LINK_GROUPS : 0u) |
           (links ? (uint32_t)BY_LINKS : 0u);
}

static bool has_label(const gnd_labelled *s, int64_t cls)
{
    bool labelled = false;

    for (int64_t k = 0; k < s->n && !labelled; k++)
        labelled = s->cls[k] == cls;
    return labelled;
}

void gnd_scores_mask(gnd_real *score, int64_t n, const gnd_labelled *s)
{
    for (int64_t c = 0; c < s->n_class; c++)
        if (!has_label(s, c))
            for (int64_t i = 0; i < n; i++)
                score[i * s->n_class + c] = -(gnd_real)INFINITY;
}

void gnd_mixture_fini(gnd_mixture *m)
{
    gnd_free(m->held_out);
    gnd_free(m->held_prob);
    *m = (gnd_mixture){0};
}

int64_t gnd_held_out_hits(const gnd_mixture *m, const gnd_labelled *s)
{
    const int64_t C = s->n_class;
    int64_t hits = 0;

    for (int64_t i = 0; i < s->n; i++)
        hits += m->held_out[i] && gnd_argmax(m->held_prob + i * C, C) == s->cls[i];
    return hits;
}

static void work_fini(work *w)
{
    gnd_free(w->walked);
    gnd_free(w->found);
    for (int k = 0; k < GND_PREDICTORS; k++)
        gnd_free(w->kept[k]);
    gnd_free(w->walk);
    gnd_free(w->kernel);
    gnd_free(w->at);
    gnd_free(w->ask);
    for (int64_t k = 0; k < w->n_fold; k++)
        gnd_folds_fini(&w->folds[k]);
    gnd_free(w->held);
    gnd_free(w->row);
    gnd_free(w->bias);
    gnd_free(w->chance);
    gnd_free(w->fold);
}

static gnd_status work_init(work *w, gnd_error *err)
{
    const int64_t labels = w->s->n, C = w->C;

    w->walked = gnd_alloc_raw(w->n, sizeof *w->walked);
    w->found = gnd_alloc_raw(w->n, sizeof *w->found);
    w->held = gnd_alloc(GND_PREDICTORS * labels * C, sizeof *w->held);
    w->row = gnd_alloc(2 * C * (C + 1), sizeof *w->row);
    w->bias = gnd_alloc(C, sizeof *w->bias);
    w->at = gnd_alloc(labels, sizeof *w->at);
    w->ask = gnd_alloc(labels, sizeof *w->ask);
    w->chance = gnd_alloc(labels * GND_PREDICTORS, sizeof *w->chance);
    w->fold = gnd_alloc(labels, sizeof *w->fold);
    w->m->held_out = gnd_alloc(labels, sizeof *w->m->held_out);
    w->m->held_prob = gnd_alloc(labels * C, sizeof *w->m->held_prob);
    if (!w->walked || !w->found || !w->held || !w->row || !w->bias || !w->at || !w->ask ||
        !w->chance || !w->fold || !w->m->held_out || !w->m->held_prob)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to label %lld vertices", (long long)w->n);
    for (int64_t c = 0; c < C; c++)
        w->bias[c] = has_label(w->s, c) ? 0 : -INFINITY;
    return GND_OK;
}

static bool uses(const work *w, int k)
{
    return w->m->used >> k & 1;
}

/* row: [C] p_m of one vertex. */
static void probabilities(double *row, const gnd_real *score, int64_t C, double temperature)
{
    double top = -INFINITY, sum = 0;

    for (int64_t c = 0; c < C; c++)
        top = fmax(top, (double)score[c]);
    for (int64_t c = 0; c < C; c++) {
        row[c] = exp(temperature * ((double)score[c] - top));
        sum += row[c];
    }
    for (int64_t c = 0; c < C; c++)
        row[c] = (1 - FLOOR_SHARE) * row[c] / sum + FLOOR_SHARE / (double)C;
}

/* Walks from the labels of labelling number k, a fold or, after the last, all labels, into s. Those
 * of several labellings are made together, as many as fill two cache lines. */
static gnd_status walk_for(work *w, gnd_labelled *s, int64_t k, gnd_error *err)
{
    enum { COLUMNS = 128 / sizeof(gnd_real) };
    const int64_t together = w->C < COLUMNS ? COLUMNS / w->C : 1, first = k - k % together;
    const int64_t last = first + together - 1 < w->n_fold ? first + together - 1 : w->n_fold;
    gnd_labelled set[COLUMNS];
    gnd_status st = GND_OK;

    if (!uses(w, GND_PREDICT_PAGERANK) && !uses(w, GND_PREDICT_BLOCKS))
        return GND_OK;
    if (!w->walk || w->walk_first != first) {
        gnd_free(w->walk);
        w->walk = gnd_alloc_raw(w->n * (last - first + 1) * w->C, sizeof *w->walk);
        if (!w->walk)
            GND_TRY(
                gnd_fail(err, GND_ERR_NOMEM, "no memory to label %lld vertices", (long long)w->n));
        for (int64_t e = first; e <= last; e++)
            set[e - first] = e < w->n_fold ? w->folds[e].train : *w->s;
        w->walk_first = first;
        GND_TRY(gnd_walk(w->walk, w->g, set, last - first + 1, w->pool, err));
    }
    s->walk = w->walk + (k - first) * w->C;
    s->walk_columns = (last - first + 1) * w->C;
out:
    return st;
}

/* The kernel of regression on links, where few labels are held out on a large graph: each fold is
 * solved by it. */
static gnd_status kernel_make(work *w, gnd_error *err)
{
    const gnd_design z = gnd_design_links(w->g);
    const int64_t m = w->s->n;
    gnd_status st = GND_OK;

    if (!uses(w, GND_PREDICT_LINKS) || w->g->n_link < LARGE_LINKS || m > KERNEL_LABELS)
        return GND_OK;
    w->kernel = gnd_alloc(m * m, sizeof *w->kernel);
    if (!w->kernel)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)m));
    GND_TRY(gnd_ridge_kernel(w->kernel, &z, w->s->point, m, w->pool, err));
out:
    return st;
}

/* The kernel into s, all labels or, if held_out is not NULL, those that are not held out. */
static void kernel_for(work *w, gnd_labelled *s, const bool *held_out)
{
    int64_t n = 0;

    for (int64_t i = 0; i < w->s->n; i++)
        if (!held_out || !held_out[i])
            w->at[n++] = (int32_t)i;
    s->kernel = w->kernel;
    s->at = w->at;
    s->kernel_point = w->s->point;
    s->n_kernel = w->s->n;
}

/* Points held out: their scores are enough. */
static void ask_for(work *w, gnd_labelled *s, const bool *held_out)
{
    for (int64_t i = 0; i < w->s->n; i++)
        if (held_out[i])
            w->ask[s->n_ask++] = w->s->point[i];
    s->ask = w->ask;
}

/* score: of predictor k by the labels s, which keep what later predictors use of it. */
static gnd_status predict(gnd_real *score, work *w, int k, gnd_labelled *s, gnd_error *err)
{
    gnd_status st;

    GND_TRY(predictors[k].predict(score, w->g, s, w->pool, err));
    GND_TRY(gnd_pool_check(w->pool, err));
    if (k == GND_PREDICT_PAGERANK) {
        gnd_walked_classes(w->walked, score, w->n, w->C);
        s->walked = w->walked;
    }
out:
    return st;
}

/* ---- scores by all labels, and what they show of the graph ---- */

static gnd_status find_evidence(work *w, gnd_error *err)
{
    gnd_evidence *e = &w->evidence;
    gnd_labelled all = *w->s;
    gnd_status st = GND_OK;

    *e = (gnd_evidence){.features = w->g->x.n_row > 0,
                        .links = w->g->n_link > 0,
                        .uncorrelated = w->g->uncorrelated};
    GND_TRY(walk_for(w, &all, w->n_fold, err));
    kernel_for(w, &all, NULL);
    for (int k = 0; k < GND_PREDICTORS; k++) {
        if (!uses(w, k))
            continue;
        w->kept[k] = gnd_alloc_raw(w->n * w->C, sizeof *w->kept[k]);
        if (!w->kept[k])
            GND_TRY(
                gnd_fail(err, GND_ERR_NOMEM, "no memory to label %lld vertices", (long long)w->n));
        gnd_pool_done(w->pool, (double)k / GND_PREDICTORS);
        GND_TRY(predict(w->kept[k], w, k, &all, err));
        if (k == GND_PREDICT_PAGERANK) { /* room for what follows */
            gnd_free(w->walk);
            w->walk = NULL;
            all.walk = NULL;
        }
        e->information[k] = gnd_link_information(&w->g->links, w->kept[k], w->C, w->row, w->found);
        if (k == GND_PREDICT_SELF_TRAINING || k == GND_PREDICT_FEATURE_GROUPS ||
            k == GND_PREDICT_LINK_GROUPS) {
            const gnd_fit_shape shape = gnd_self_training_shape(w->g, w->s, (gnd_predictor)k);

            GND_TRY(gnd_stability(&e->stability[k], &shape, w->kept[k], w->s, w->pool, err));
        }
    }
out:
    return st;
}

/* Stability of the predictors by self-training, by their weight; of self-training on diffused
 * features, if none has any. */
static double stability_of(const work *w)
{
    double sum = 0, weights = 0;

    for (int k = 0; k < GND_PREDICTORS; k++)
        if (w->evidence.stability[k] > 0) {
            sum += w->m->weight[k] * w->evidence.stability[k];
            weights += w->m->weight[k];
        }
    return weights > 0 ? sum / weights : w->evidence.stability[GND_PREDICT_SELF_TRAINING];
}

/* ---- weights by held-out labels ---- */

/* Scores of held-out labels by every predictor. */
static gnd_status hold_out(work *w, gnd_error *err)
{
    const int64_t labels = w->s->n, C = w->C;
    const double per_class = (double)labels / (double)C;
    gnd_real *score = NULL;                           /* [n, C] of one predictor */
    const int64_t size = GND_PREDICTORS * labels * C; /* of w->held */
    int64_t n_fold = per_class < CV_FOLDS_MAX ? (int64_t)per_class : CV_FOLDS_MAX, done = 0;
    gnd_status st = GND_OK;

    if (per_class < CV_LABELS_MIN)
        return GND_OK;
    score = gnd_alloc_raw(w->n * C, sizeof *score);
    if (!score)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to label %lld vertices", (long long)w->n));
    for (; w->n_fold < n_fold; w->n_fold++) {
        GND_TRY(gnd_folds_init(&w->folds[w->n_fold], w->s, n_fold, err));
        gnd_folds_take(&w->folds[w->n_fold], w->n_fold);
    }
    GND_TRY(gnd_saved_folds(&done, w->held, size, w->g->checkpoint, err));
    GND_TRY(kernel_make(w, err));
    for (int64_t fold = 0; fold < n_fold; fold++) {
        const bool *held_out = w->folds[fold].held_out;
        gnd_labelled train = w->folds[fold].train;

        if (fold >= done)
            GND_TRY(walk_for(w, &train, fold, err));
        kernel_for(w, &train, held_out);
        ask_for(w, &train, held_out);
        for (int k = 0; k < GND_PREDICTORS && fold >= done; k++) {
            if (!uses(w, k))
                continue;
            gnd_pool_done(w->pool,
                          (double)(fold * GND_PREDICTORS + k) / (double)(n_fold * GND_PREDICTORS));
            GND_TRY(predict(score, w, k, &train, err));
            for (int64_t i = 0; i < labels; i++)
                if (held_out[i])
                    memcpy(w->held + (k * labels + i) * C, score + w->s->point[i] * C,
                           (size_t)C * sizeof *w->held);
        }
        for (int64_t i = 0; i < labels; i++)
            if (held_out[i]) {
                w->fold[i] = fold;
                w->m->held_out[i] = true;
                w->m->n_held_out++;
            }
        if (fold >= done)
            GND_TRY(gnd_saved_put(w->g->checkpoint, &w->g->z, fold + 1, w->held, size, err));
    }
out:
    gnd_free(score);
    return st;
}

/* Does label i count when weights are fitted without fold `left` (-1: with all)? */
static bool counts(const work *w, int64_t i, int64_t left)
{
    return w->m->held_out[i] && w->fold[i] != left;
}

static gnd_real *held_score(const work *w, int k, int64_t i)
{
    return w->held + (k * w->s->n + i) * w->C;
}

static double chance_of(const work *w, int k, int64_t i, double temperature)
{
    probabilities(w->row, held_score(w, k, i), w->C, temperature);
    return w->row[w->s->cls[i]];
}

static double fit_temperature(const work *w, int k, int64_t left)
{
    double best = 0, most = -INFINITY;

    for (int step = -TEMPERATURE_STEPS; step <= TEMPERATURE_STEPS; step++) {
        const double by = step * TEMPERATURE_STEP;
        double sum = -by * by / 2;

        for (int64_t i = 0; i < w->s->n; i++)
            if (counts(w, i, left))
                sum += log(chance_of(w, k, i, predictors[k].factor * exp(by)));
        if (sum > most) {
            most = sum;
            best = by;
        }
    }
    return predictors[k].factor * exp(best);
}

/* Temperatures and weights from the held-out labels of all folds but `left`. */
static void stack(work *w, double *weight, double *temperature, int64_t left)
{
    const int64_t labels = w->s->n;
    int64_t n = 0;

    for (int64_t i = 0; i < labels; i++)
        n += counts(w, i, left);
    for (int k = 0; k < GND_PREDICTORS; k++) {
        weight[k] = w->m->prior[k];
        temperature[k] = n > 0 && uses(w, k) ? fit_temperature(w, k, left) : predictors[k].factor;
        for (int64_t i = 0; i < labels; i++)
            if (uses(w, k) && counts(w, i, left))
                w->chance[i * GND_PREDICTORS + k] = chance_of(w, k, i, temperature[k]);
    }
    for (int step = 0; step < STACKING_STEPS && n > 0; step++) {
        double next[GND_PREDICTORS];

        for (int k = 0; k < GND_PREDICTORS; k++)
            next[k] = PRIOR_LABELS * w->m->prior[k];
        for (int64_t i = 0; i < labels; i++) {
            double sum = 0;

            if (!counts(w, i, left))
                continue;
            for (int k = 0; k < GND_PREDICTORS; k++)
                sum += weight[k] * w->chance[i * GND_PREDICTORS + k];
            for (int k = 0; k < GND_PREDICTORS; k++)
                next[k] += weight[k] * w->chance[i * GND_PREDICTORS + k] / sum;
        }
        for (int k = 0; k < GND_PREDICTORS; k++)
            weight[k] = next[k] / (PRIOR_LABELS + (double)n);
    }
}

/* ---- mixture ---- */

/* to: [C] P of one vertex. row[k]: [C] scores of it by predictor k. room: [2, C]. */
static void mix_row(gnd_real *to, const work *w, gnd_real *const *row, const double *weight,
                    const double *temperature, double *room)
{
    const int64_t C = w->C;
    double *p = room, *logit = room + C, top = -INFINITY, sum = 0;

    memcpy(logit, w->bias, (size_t)C * sizeof *logit);
    for (int k = 0; k < GND_PREDICTORS; k++) {
        if (!uses(w, k))
            continue;
        probabilities(p, row[k], C, temperature[k]);
        for (int64_t c = 0; c < C; c++)
            logit[c] += weight[k] * log(p[c]);
    }
    for (int64_t c = 0; c < C; c++)
        top = fmax(top, logit[c]);
    for (int64_t c = 0; c < C; c++)
        sum += exp(logit[c] - top);
    for (int64_t c = 0; c < C; c++)
        to[c] = (gnd_real)(exp(logit[c] - top) / sum);
}

/* Held-out labels, each by weights from the other folds. */
static gnd_status mix_held_out(work *w, gnd_error *err)
{
    double weight[GND_PREDICTORS], temperature[GND_PREDICTORS];
    gnd_real *row[GND_PREDICTORS];
    gnd_status st = GND_OK;

    for (int64_t fold = 0; fold < CV_FOLDS_MAX && w->m->n_held_out > 0; fold++) {
        GND_TRY(gnd_pool_check(w->pool, err));
        stack(w, weight, temperature, fold);
        for (int64_t i = 0; i < w->s->n; i++) {
            if (!w->m->held_out[i] || w->fold[i] != fold)
                continue;
            for (int k = 0; k < GND_PREDICTORS; k++)
                row[k] = held_score(w, k, i);
            mix_row(w->m->held_prob + i * w->C, w, row, weight, temperature, w->row);
        }
    }
out:
    return st;
}

enum { ROWS = 256, COST = 60 }; /* COST: of exp and log, in multiplications */

typedef struct {
    const work *w;
    gnd_real *prob; /* [n, C] */
    double *room;   /* [blocks of ROWS vertices, 2, C] */
} mix_job;

static void mix_rows(int64_t begin, int64_t end, void *arg)
{
    const mix_job *j = arg;
    const int64_t C = j->w->C;
    gnd_real *row[GND_PREDICTORS];

    for (int64_t i = begin; i < end; i++) {
        for (int k = 0; k < GND_PREDICTORS; k++)
            row[k] = uses(j->w, k) ? j->w->kept[k] + i * C : NULL;
        mix_row(j->prob + i * C, j->w, row, j->w->m->weight, j->w->m->temperature,
                j->room + begin / ROWS * 2 * C);
    }
}

static gnd_status mix(const work *w, gnd_real *prob, gnd_error *err)
{
    double *room = gnd_alloc((w->n / ROWS + 1) * 2 * w->C, sizeof *room);

    if (!room)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to label %lld vertices", (long long)w->n);
    gnd_parallel_for(w->pool, w->n, ROWS, w->n * w->C * COST * GND_PREDICTORS, mix_rows,
                     &(mix_job){w, prob, room});
    gnd_labelled_set_rows(prob, w->s, 1);
    gnd_free(room);
    return GND_OK;
}

gnd_status gnd_mixture_fit(gnd_mixture *m, gnd_real *prob, const gnd_prepared *g,
                           const gnd_labelled *s, uint32_t used, gnd_pool *pool, gnd_error *err)
{
    work w = {.m = m, .g = g, .s = s, .pool = pool, .n = g->n, .C = s->n_class};
    gnd_span all;
    gnd_status st;

    *m = (gnd_mixture){.used = used & gnd_predictors_for(g)};
    if (m->used == 0)
        m->used = gnd_predictors_for(g);
    GND_TRY(work_init(&w, err));
    gnd_pool_step(pool, "held-out labels");
    all = gnd_pool_enter(pool, 0, HELD_OUT_SHARE);
    GND_TRY(hold_out(&w, err)); /* first: scores by all labels are kept, and take memory */
    gnd_pool_leave(pool, all);
    gnd_pool_step(pool, "predictors");
    all = gnd_pool_enter(pool, HELD_OUT_SHARE, EVIDENCE_SHARE);
    GND_TRY(find_evidence(&w, err));
    gnd_pool_leave(pool, all);
    gnd_prior(m->prior, m->used, &w.evidence, w.C);
    GND_TRY(mix_held_out(&w, err));
    stack(&w, m->weight, m->temperature, -1);
    m->stability = stability_of(&w);
    GND_TRY(gnd_pool_check(pool, err));
    GND_TRY(mix(&w, prob, err));
    GND_TRY(gnd_pool_check(pool, err));
    gnd_pool_step(pool, NULL);
out:
    if (st != GND_OK)
        gnd_mixture_fini(m);
    work_fini(&w);
    return st;
}
