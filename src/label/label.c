/* SPDX-License-Identifier: MIT
 * label.c - a probability of every class for every vertex, from a few known labels. Nothing is
 * trained by gradients and no validation set is needed; the model is the labels it keeps, fitted
 * anew to each graph.
 *
 *     1. prepare       vertices in canonical order; links, features, coordinates,
 *                      roles: no labels are needed                                 prepare.c
 *     2. predictors    scores of the classes, [n, C] each                          predict_*.c
 *     3. mixture       P = softmax(sum_m w_m log p_m), w by held-out labels        mixture.c
 *     4. reach         a class that no label or feature connects with is left out  label.c
 *     5. diagnosis     notes and warnings for the user                             diagnose.c
 *     6. calibration   P <- P^b, so that the mean confidence is the expected
 *                      accuracy; known class shares are met                        calibrate.c
 *     7. balance       on request, P <- w P with class weights w for a larger
 *                      macro-F1, and calibration again                             class_priors.c
 *
 * gnd_method.prepare does step 1, once per graph. */
#include "label.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "calibrate.h"
#include "class_priors.h"
#include "diagnose.h"
#include "mixture.h"
#include "train/predict.h"

enum { PREDICTORS, NUMERIC_BY_RANK, TELEPORT, CALIBRATION, BALANCE };

static const gnd_hparam hparams[] = {
    [PREDICTORS] = GND_HP_SET(
        "predictors", 511,
        "self_training|features|links|roles|pagerank|blocks|feature_groups|link_groups|"
        "diffused_features",
        "predictors that are combined. self_training: on diffused features; features: own features "
        "alone; links: neighbourhoods of two steps; roles: degree and position; pagerank: walks "
        "from the labels; blocks: which classes are linked to which; feature_groups, link_groups: "
        "self-training on features or on links alone, where they are uncorrelated; "
        "diffused_features: features after two steps over the links"),
    [NUMERIC_BY_RANK] =
        GND_HP_CHOICE("numeric_by_rank", 1, "off|on",
                      "replace numeric features (ages, lengths, embeddings) by the normal score of "
                      "their rank; off keeps the values, for features that share one unit"),
    [TELEPORT] = GND_HP_REAL("teleport", 0, 0, 1,
                             "restart probability of the PageRank diffusion (0.01 to 1); 1: no "
                             "diffusion; 0 picks it from the class size, at most 0.1"),
    [CALIBRATION] = GND_HP_CHOICE("calibration", 1, "off|on",
                                  "scale probabilities so that their mean is the expected "
                                  "accuracy; off: as the mixture gives them"),
    [BALANCE] = GND_HP_CHOICE("balance", 0, "accuracy|macro-f1",
                              "what labels are chosen for. accuracy: the most probable class; "
                              "macro-f1: classes with few vertices get more weight, for a larger "
                              "macro-F1"),
    GND_HP_END,
};

static double value(const gnd_config *c, int i)
{
    return c->value[GND_HP_COMMON + i];
}

gnd_label_settings gnd_label_settings_of(const gnd_config *c)
{
    return (gnd_label_settings){.predictors = (uint32_t)value(c, PREDICTORS),
                                .numeric_by_rank = value(c, NUMERIC_BY_RANK) > 0,
                                .calibration = value(c, CALIBRATION) > 0,
                                .macro_f1 = value(c, BALANCE) > 0,
                                .teleport = value(c, TELEPORT)};
}

gnd_coordinates_opts gnd_label_coordinates(const gnd_label_settings *s, int64_t n_class)
{
    return (gnd_coordinates_opts){
        .numeric_raw = !s->numeric_by_rank, .teleport = s->teleport, .n_class = n_class};
}

/* ---- steps ---- */

/* Without features, a class has evidence only in components with one of its labels. Rows stay of
 * sum 1; components without any label are not touched. */
static gnd_status restrict_to_reach(gnd_real *prob, const gnd_prepared *g, const gnd_labelled *s,
                                    gnd_error *err)
{
    const int64_t n = g->n, C = s->n_class;
    unsigned char *has = g->x.n_row > 0 ? NULL : gnd_alloc(n * (C + 1), 1);

    if (g->x.n_row > 0)
        return GND_OK;
    if (!has)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n);
    for (int64_t k = 0; k < s->n; k++) { /* has[component, C]: there is a label of any class */
        has[g->component[s->point[k]] * (C + 1) + s->cls[k]] = 1;
        has[g->component[s->point[k]] * (C + 1) + C] = 1;
    }
    for (int64_t i = 0; i < n; i++) {
        const unsigned char *in = has + g->component[i] * (C + 1);
        double sum = 0;

        for (int64_t c = 0; c < C && in[C]; c++)
            sum += (double)(prob[i * C + c] *= in[c]);
        for (int64_t c = 0; c < C && in[C]; c++)
            prob[i * C + c] = (gnd_real)((double)prob[i * C + c] / sum);
    }
    gnd_free(has);
    return GND_OK;
}

/* The accuracy to expect of the mixture: a rule of thumb from the stability of its classes, shrunk
 * towards the accuracy on held-out labels. */
static double expected_accuracy(const gnd_mixture *m, const gnd_labelled *s)
{
    const double chance = 1 / (double)s->n_class;
    const double stable = chance < 1 ? fmax(m->stability - chance, 0) / (1 - chance) : 0;
    const double rule = chance + (1 - chance) * CALIBRATE_SHARE * stable * stable;

    return ((double)gnd_held_out_hits(m, s) + CALIBRATE_PRIOR_LABELS * rule) /
           ((double)m->n_held_out + CALIBRATE_PRIOR_LABELS);
}

/* Rows of prob that do not count, both [n]. */
typedef struct {
    unsigned char *unreached; /* no label or feature reaches the vertex */
    unsigned char *excluded;  /* that, and what gnd_exclude says */
} skipped;

static void mark_skipped(const skipped *skip, const gnd_label_input *in, const gnd_labelled *s)
{
    const gnd_prepared *g = in->prepared;

    gnd_exclude(skip->excluded, &g->z.diffused, s);
    if (g->x.n_row == 0) /* links tell of it, also where it has no coordinates */
        for (int64_t i = 0; i < g->n; i++)
            skip->excluded[i] &= g->degree[i] == 0;
    for (int64_t k = 0; k < s->n; k++)
        skip->excluded[s->point[k]] = 1;
    for (int64_t i = 0; i < g->n && in->reached; i++) {
        skip->unreached[i] = !in->reached[gnd_prepared_vertex(g, i)];
        skip->excluded[i] |= skip->unreached[i];
    }
}

/* Multiply the held-out probabilities of m, which are still to be raised to `power`, so that they
 * are then multiplied by factor: [C], as all others were. */
static void scale_held_out(gnd_mixture *m, const gnd_label_input *in, const double *factor,
                           double power)
{
    const int64_t C = in->n_class;

    for (int64_t e = 0; e < in->n_labelled * C && m->n_held_out > 0; e++) /* (p v)^b = w p^b */
        m->held_prob[e] = (gnd_real)((double)m->held_prob[e] * pow(factor[e % C], 1 / power));
}

/* Raise prob to the power for which the mean confidence is `accuracy`. */
static gnd_status calibrate_to(double *power, gnd_real *prob, const gnd_label_input *in,
                               double accuracy, const skipped *skip, gnd_error *err)
{
    const gnd_calibrate_rows rows = {.n = in->prepared->n,
                                     .n_class = in->n_class,
                                     .skip = skip->excluded,
                                     .at = in->prepared->at};

    return gnd_calibrate_to(power, prob, accuracy, &rows, in->pool, err);
}

/* Class weights for a large macro-F1, also on the held-out labels of m. The expected accuracy
 * falls, and with it the mean confidence; the power for it goes into *power. weight: [C] scratch.
 */
static gnd_status balance(gnd_real *prob, gnd_mixture *m, double *power, const gnd_label_input *in,
                          const skipped *skip, double *weight, gnd_error *err)
{
    const gnd_prepared *g = in->prepared;
    double accuracy, further = 1;
    gnd_status st = GND_OK;

    gnd_balance_weights(weight, prob, g->n, in->n_class, skip->excluded, g->at.part);
    accuracy = gnd_balance_apply(prob, g->n, in->n_class, weight, skip->excluded, g->at.part);
    scale_held_out(m, in, weight, *power);
    if (in->settings->calibration && !isnan(accuracy))
        st = calibrate_to(&further, prob, in, accuracy, skip, err);
    *power *= further;
    return st;
}

/* Known class shares are met before and after: raised to a power they are others. *power: that
 * power. room: [2 C]. */
static gnd_status calibrate(gnd_real *prob, gnd_mixture *m, double *power,
                            const gnd_label_input *in, double accuracy, const skipped *skip,
                            double *room, gnd_error *err)
{
    const bool wanted = in->settings->calibration;
    const int64_t n = in->prepared->n, C = in->n_class;
    gnd_part *part = in->prepared->at.part;
    gnd_status st = GND_OK;

    *power = 1;
    if (in->prior) {
        gnd_match_priors(prob, n, C, skip->unreached, in->prior, room, room + C, part);
        scale_held_out(m, in, room, 1);
    }
    if (wanted)
        GND_TRY(calibrate_to(power, prob, in, accuracy, skip, err));
    if (in->prior && wanted) {
        gnd_match_priors(prob, n, C, skip->unreached, in->prior, room, room + C, part);
        scale_held_out(m, in, room, *power);
    }
out:
    return st;
}

/* out: [C] the class shares `share` of prob if labelled vertices have their labels, as they do in
 * the output. */
static void shares_with_labels(double *out, const double *share, const gnd_real *prob,
                               const skipped *skip, const gnd_prepared *g, const gnd_labelled *s)
{
    const gnd_row_range own = gnd_part_own(g->at.part, g->n);
    int64_t count = 0;

    for (int64_t i = own.begin; i < own.end; i++)
        count += !skip->unreached[i];
    gnd_part_counts(g->at.part, &count, 1);
    memcpy(out, share, (size_t)s->n_class * sizeof *out);
    for (int64_t k = 0; k < s->n; k++) {
        if (skip->unreached[s->point[k]])
            continue;
        for (int64_t c = 0; c < s->n_class; c++)
            out[c] -= (double)prob[s->point[k] * s->n_class + c] / (double)count;
        out[s->cls[k]] += 1 / (double)count;
    }
}

/* Shares of the vertices become what a label of the class stands for, times all labels. */
static void per_label(double *share, const gnd_labelled *s)
{
    for (int64_t c = 0; c < s->n_class; c++) {
        double labels = 0;

        for (int64_t k = 0; k < s->n; k++)
            labels += s->cls[k] == c;
        share[c] = labels > 0 ? share[c] * (double)s->n / labels : 0;
    }
}

/* Held-out labels with their confidence, raised to the same power as all probabilities. weight:
 * [C], of per_label. */
static gnd_status record_held_out(gnd_held_out *h, const gnd_mixture *m, const gnd_labelled *s,
                                  double power, const double *weight, gnd_error *err)
{
    const int64_t C = s->n_class;

    h->confidence = gnd_alloc(m->n_held_out, sizeof *h->confidence);
    h->right = gnd_alloc(m->n_held_out, 1);
    h->weight = gnd_alloc(m->n_held_out, sizeof *h->weight);
    if (!h->confidence || !h->right || !h->weight)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)s->n);
    for (int64_t i = 0; i < s->n; i++) {
        const gnd_real *row = m->held_prob + i * C;
        const int64_t top = gnd_argmax(row, C);
        double sum = 0;

        if (!m->held_out[i])
            continue;
        for (int64_t c = 0; c < C; c++)
            sum += row[c] > 0 ? pow((double)row[c] / (double)row[top], power) : 0;
        h->confidence[h->n] = (float)(1 / sum);
        h->weight[h->n] = (float)weight[s->cls[i]];
        h->right[h->n++] = top == s->cls[i];
    }
    return GND_OK;
}

/* Is the mean confidence of the held-out labels their accuracy, within two standard errors? */
static bool held_out_agree(const gnd_held_out *h)
{
    double right = 0, sum = 0, variance = 0;

    for (int64_t i = 0; i < h->n; i++) {
        right += h->right[i];
        sum += (double)h->confidence[i];
        variance += (double)h->confidence[i] * (1 - (double)h->confidence[i]);
    }
    return h->n > 0 && fabs(right - sum) <= 2 * sqrt(variance);
}

gnd_status gnd_label_fit(gnd_estimate *out, const gnd_label_input *in, gnd_error *err)
{
    const gnd_prepared *g = in->prepared;
    gnd_labelled s = {
        .point = in->point, .cls = in->cls, .n = in->n_labelled, .n_class = in->n_class};
    int32_t *own = NULL;
    skipped skip = {gnd_alloc(g->n, 1), gnd_alloc(g->n, 1)};
    double *room = gnd_alloc(2 * in->n_class, sizeof *room);
    double *sizes = gnd_alloc(in->n_class, sizeof *sizes);
    gnd_mixture m = {0};
    gnd_chance chance;
    double power;
    gnd_status st = GND_OK;

    if (!skip.unreached || !skip.excluded || !room || !sizes)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to label %lld vertices", (long long)g->n));
    if (in->n_labelled == 0)
        GND_TRY(gnd_fail(err, GND_ERR_ARG,
                         "none of the vertices whose labels the model knows is in this graph"));
    GND_TRY(gnd_canonical_labels(&own, &s.point, &s.cls, s.n, gnd_prepared_order(g), &g->at, err));
    mark_skipped(&skip, in, &s);
    GND_TRY(gnd_mixture_fit(&m, out->prob, g, &s, in->settings->predictors, in->pool, err));
    GND_TRY(restrict_to_reach(out->prob, g, &s, err));
    GND_TRY(gnd_pool_check(in->pool, err));
    GND_TRY(gnd_chance_test(&chance, &m, &s, err));
    GND_TRY(gnd_diagnose(&(gnd_diagnosis){out->notes, in->graph, in->names},
                         &(gnd_diagnose_input){.prob = out->prob,
                                               .excluded = skip.excluded,
                                               .prepared = g,
                                               .labelled = &s,
                                               .mixture = &m,
                                               .chance = chance},
                         err));
    GND_TRY(gnd_pool_check(in->pool, err));
    GND_TRY(calibrate(out->prob, &m, &power, in, expected_accuracy(&m, &s), &skip, room, err));
    gnd_class_shares(sizes, out->prob, g->n, s.n_class, skip.unreached, g->at.part);
    if (in->prior) {
        shares_with_labels(room, sizes, out->prob, &skip, g, &s);
        GND_TRY(gnd_diagnose_prior(&(gnd_diagnosis){out->notes, in->graph, in->names}, room,
                                   in->prior, s.n_class, err));
    }
    GND_TRY(gnd_pool_check(in->pool, err));
    if (in->settings->macro_f1)
        GND_TRY(balance(out->prob, &m, &power, in, &skip, room, err));
    per_label(sizes, &s);
    GND_TRY(record_held_out(&out->held_out, &m, &s, power, sizes, err));
    out->calibrated = in->settings->calibration &&
                      in->n_labelled >= CALIBRATE_LABELS_MIN * in->n_class &&
                      m.n_held_out == in->n_labelled && held_out_agree(&out->held_out) &&
                      chance.errors > CHANCE_ERRORS;
    GND_TRY(gnd_canonical_restore(out->prob, in->n_class, gnd_prepared_order(g), err));
out:
    gnd_mixture_fini(&m);
    gnd_free(own);
    gnd_free(room);
    gnd_free(sizes);
    gnd_free(skip.unreached);
    gnd_free(skip.excluded);
    return st;
}

/* ---- the method ---- */

static void release(gnd_inputs *in)
{
    gnd_prepared_fini(in->own);
    gnd_free(in->own);
    in->own = NULL;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    const gnd_label_settings s = gnd_label_settings_of(&m->config);
    gnd_coordinates_opts o = gnd_label_coordinates(&s, gnd_n_class(m));

    o.checkpoint = in->checkpoint;
    if (o.teleport > 0 && o.teleport < TELEPORT_MIN)
        return gnd_fail(err, GND_ERR_ARG, "auto: teleport is %g; expected 0 or %g to 1", o.teleport,
                        TELEPORT_MIN);
    in->own = gnd_alloc(1, sizeof(gnd_prepared));
    if (!in->own)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n_node);
    return gnd_prepare_graph(in->own, g, m->identity ? NULL : &in->x, &o, pool, err);
}

/* reached: [n] vertices of the graph that a label or feature reaches. */
static gnd_status mark_reached(unsigned char *reached, const gnd_model *m, const gnd_inputs *in,
                               gnd_error *err)
{
    const gnd_prepared *g = in->own;
    int32_t *component = gnd_alloc(g->n, sizeof *component);
    gnd_status st = GND_OK;

    if (!component || !reached)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n));
    for (int64_t i = 0; i < g->n; i++)
        component[gnd_prepared_vertex(g, i)] = g->component[i];
    GND_TRY(gnd_mark_informed(reached, component, m, in, err));
out:
    gnd_free(component);
    return st;
}

static gnd_status estimate(gnd_estimate *out, const gnd_model *m, const gnd_inputs *in,
                           const gnd_graph *g, gnd_pool *pool, gnd_error *err)
{
    const gnd_label_settings s = gnd_label_settings_of(&m->config);
    unsigned char *reached = gnd_alloc(in->n_node, 1);
    const gnd_label_input input = {.prepared = in->own,
                                   .settings = &s,
                                   .point = in->labelled,
                                   .cls = in->labelled_cls,
                                   .n_labelled = in->n_labelled,
                                   .n_class = gnd_n_class(m),
                                   .reached = reached,
                                   .prior = m->prior,
                                   .graph = g,
                                   .names = m->cls,
                                   .pool = pool};
    gnd_status st;

    GND_TRY(mark_reached(reached, m, in, err));
    GND_TRY(gnd_label_fit(out, &input, err));
    GND_TRY(gnd_diagnose_calibration(out, &input, err));
out:
    gnd_free(reached);
    return st;
}

const gnd_method gnd_method_auto = {
    .name = "auto",
    .title = "Predictors combined by held-out labels",
    .formula = "softmax(sum_m w_m log p_m), p_m by self-training, features, links, ...",
    .paper = "this project",
    .hparams = hparams,
    .features = GND_FEAT_RAW,
    .keeps_labels = true,
    .uses_prior = true,
    .output = GND_OUT_MASS,
    .on_parts = true,
    .prepare = prepare,
    .release = release,
    .estimate = estimate,
};
