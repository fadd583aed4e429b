/* SPDX-License-Identifier: MIT
 * predict.c - predictions of a trained model on the graph it was trained on or on another one. */
#include "predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/str.h"
#include "metric.h"

/* comp[i]: component of vertex i. Caller frees. */
static gnd_status components_new(int32_t **comp, int64_t *n_comp, const gnd_graph *g,
                                 gnd_error *err)
{
    *comp = gnd_alloc(g->n_node, sizeof **comp);
    *n_comp = *comp ? gnd_components(*comp, &g->adj) : -1;
    if (*n_comp >= 0)
        return GND_OK;
    gnd_free(*comp);
    *comp = NULL;
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for the components of %s", g->name);
}

/* flag[k] becomes 1 if it is 1 in any process. */
static gnd_status flags_join(unsigned char *flag, int64_t n, gnd_part *part, gnd_error *err)
{
    double *v = part ? gnd_alloc(n, sizeof *v) : NULL;

    if (!part)
        return GND_OK;
    if (!v)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)n);
    for (int64_t k = 0; k < n; k++)
        v[k] = flag[k];
    part->calls->max(part, v, n);
    for (int64_t k = 0; k < n; k++)
        flag[k] = v[k] > 0;
    gnd_free(v);
    return GND_OK;
}

gnd_status gnd_model_mark_seen(gnd_model *m, const gnd_graph *g, const int32_t *train,
                               int64_t n_train, gnd_error *err)
{
    unsigned char *reached = NULL, *flag = NULL;
    int32_t *comp = NULL;
    int64_t n_comp;
    gnd_status st = GND_OK;

    GND_TRY(components_new(&comp, &n_comp, g, err));
    reached = gnd_alloc(n_comp, 1);
    flag = gnd_alloc(g->n_node, 1);
    if (!reached || !flag)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld components", (long long)n_comp));
    for (int64_t i = 0; i < n_train; i++)
        reached[comp[train[i]]] = 1;
    gnd_component_any(reached, comp, flag, g->adj.part);
    memset(m->seen, 0, (size_t)m->n_feat);
    for (int64_t i = 0; i < g->n_node; i++) {
        if (!reached[comp[i]])
            continue;
        if (m->identity)
            m->seen[i] = 1; /* the model was made from this graph: column i is vertex i */
        else
            for (int64_t p = g->feat.ptr[i]; p < g->feat.ptr[i + 1]; p++)
                m->seen[g->feat.col[p]] = 1;
    }
    if (!m->identity)
        GND_TRY(flags_join(m->seen, m->n_feat, g->adj.part, err));
out:
    gnd_free(flag);
    gnd_free(reached);
    gnd_free(comp);
    return st;
}

gnd_status gnd_mark_informed(unsigned char *informed, const int32_t *comp, const gnd_model *m,
                             const gnd_inputs *in, gnd_error *err)
{
    unsigned char *has = gnd_alloc(in->n_node, 1); /* components are not more than vertices */

    if (!has)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)in->n_node);
    for (int64_t i = 0; i < in->n_node; i++)
        for (int64_t q = in->x.ptr[i]; q < in->x.ptr[i + 1]; q++)
            has[comp[i]] |= m->seen[in->x.col[q]];
    for (int64_t k = 0; k < in->n_labelled; k++)
        has[comp[in->labelled[k]]] = 1;
    gnd_component_any(has, comp, informed, in->part);
    for (int64_t i = 0; i < in->n_node; i++)
        informed[i] = has[comp[i]];
    gnd_free(has);
    return GND_OK;
}

/* Vertices that are not informed are not known. */
static gnd_status mark_known(gnd_prediction *p, const gnd_model *m, const gnd_inputs *in,
                             const gnd_graph *g, gnd_error *err)
{
    unsigned char *informed = gnd_alloc(g->n_node, 1);
    int32_t *comp = NULL;
    int64_t n_comp;
    gnd_status st = GND_OK;

    if (!informed)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n_node));
    GND_TRY(components_new(&comp, &n_comp, g, err));
    GND_TRY(gnd_mark_informed(informed, comp, m, in, err));
    for (int64_t i = 0; i < g->n_node; i++)
        if (!informed[i])
            p->label[i] = -1;
    for (int64_t k = 0; k < in->n_labelled; k++)
        p->given[in->labelled[k]] = 1;
out:
    gnd_free(informed);
    gnd_free(comp);
    return st;
}

gnd_status gnd_mark_reached(unsigned char *reached, const gnd_graph *g, const int32_t *train,
                            int64_t n_train, gnd_error *err)
{
    unsigned char *has_label = NULL, *seen = gnd_alloc(g->n_feat, 1);
    int32_t *comp = NULL;
    int64_t n_comp;
    gnd_status st = GND_OK;

    GND_TRY(components_new(&comp, &n_comp, g, err));
    has_label = gnd_alloc(n_comp, 1);
    if (!has_label || !seen)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld components", (long long)n_comp));
    for (int64_t i = 0; i < n_train; i++)
        has_label[comp[train[i]]] = 1;
    for (int64_t i = 0; i < g->n_node && g->n_feat > 0; i++)
        for (int64_t p = g->feat.ptr[i]; p < g->feat.ptr[i + 1]; p++)
            seen[g->feat.col[p]] |= has_label[comp[i]];
    for (int64_t i = 0; i < g->n_node && g->n_feat > 0; i++)
        for (int64_t p = g->feat.ptr[i]; p < g->feat.ptr[i + 1]; p++)
            has_label[comp[i]] |= seen[g->feat.col[p]];
    for (int64_t i = 0; i < g->n_node; i++)
        reached[i] = has_label[comp[i]];
out:
    gnd_free(has_label);
    gnd_free(seen);
    gnd_free(comp);
    return st;
}

/* gnd_mass_logits gives zeros for a row without mass; otherwise some logarithm is below 0. */
static bool has_mass(const gnd_real *row, int32_t n_class)
{
    for (int32_t c = 0; c < n_class; c++)
        if (row[c] < 0)
            return true;
    return false;
}

/* Softmax of a row of logits, in double. */
static void probabilities(float *prob, const gnd_real *row, int32_t n_class)
{
    const double top = (double)row[gnd_argmax(row, n_class)];
    double sum = 0;

    for (int32_t c = 0; c < n_class; c++)
        sum += exp((double)row[c] - top);
    for (int32_t c = 0; c < n_class; c++)
        prob[c] = (float)(exp((double)row[c] - top) / sum);
}

/* Are all values in [0, 1] and is their sum 1 up to rounding? */
static bool are_probabilities(const float *prob, int32_t n_class)
{
    double sum = 0;

    for (int32_t c = 0; c < n_class; c++) {
        if (!(prob[c] >= 0 && prob[c] <= 1)) /* also NaN */
            return false;
        sum += (double)prob[c];
    }
    return fabs(sum - 1) < 1e-4;
}

/* Row i is not finite: give all classes the same probability and mark the vertex unknown. */
static void row_reset(gnd_prediction *p, int64_t i)
{
    for (int32_t c = 0; c < p->n_class; c++)
        p->prob[i * p->n_class + c] = 1 / (float)p->n_class;
    p->top[i] = 0;
    p->label[i] = -1;
    p->n_not_finite++;
}

gnd_status gnd_prediction_new(gnd_prediction **out, const gnd_real *logits, int64_t n,
                              int32_t n_class, gnd_output kind, gnd_error *err)
{
    gnd_prediction *p = gnd_alloc(1, sizeof *p);

    if (p) {
        p->n = n;
        p->n_class = n_class;
        p->prob = gnd_alloc(n * n_class, sizeof *p->prob);
        p->top = gnd_alloc(n, sizeof *p->top);
        p->label = gnd_alloc(n, sizeof *p->label);
        p->given = gnd_alloc(n, 1);
    }
    *out = p;
    if (!p || !p->prob || !p->top || !p->label || !p->given) {
        gnd_prediction_free(p);
        *out = NULL;
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to predict %lld vertices", (long long)n);
    }
    for (int64_t i = 0; i < n; i++) {
        const gnd_real *row = logits + i * n_class;

        p->top[i] = gnd_argmax(row, n_class);
        p->label[i] = kind != GND_OUT_MASS || has_mass(row, n_class) ? p->top[i] : -1;
        probabilities(p->prob + i * n_class, row, n_class);
        if (!are_probabilities(p->prob + i * n_class, n_class))
            row_reset(p, i);
    }
    return GND_OK;
}

void gnd_finished_fini(gnd_finished *f)
{
    gnd_held_out_fini(&f->held_out);
    gnd_notes_fini(&f->notes);
    gnd_free(f->own);
    *f = (gnd_finished){0};
}

gnd_status gnd_finish(gnd_finished *out, const gnd_model *m, const gnd_inputs *in,
                      const gnd_graph *g, gnd_tape *t, gnd_error *err)
{
    const gnd_method *method = m->config.method;
    const int64_t C = gnd_n_class(m);
    gnd_estimate e = {.notes = g ? &out->notes : NULL};
    gnd_var logits;
    gnd_status st = GND_OK;

    *out = (gnd_finished){0};
    if (!method->estimate) {
        gnd_tape_reset(t, false, 0);
        logits = gnd_final_logits(m, in, t);
        GND_TRY(gnd_tape_check(t, err));
        out->logits = gnd_tape_node(t, logits)->v;
        if (g)
            GND_TRY(gnd_notes_add(&out->notes, GND_NOTE, "not_calibrated_method", err,
                                  "calibrated: no, %s does not check its probabilities against "
                                  "held-out labels; they may be too high",
                                  method->name));
        goto out;
    }
    e.prob = out->own = gnd_alloc(in->n_node * C, sizeof *e.prob);
    if (!e.prob)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to predict %lld vertices",
                         (long long)in->n_node));
    st = method->estimate(&e, m, in, g, t->pool, err);
    out->held_out = e.held_out;
    GND_TRY(st);
    GND_TRY(gnd_pool_check(t->pool, err));
    gnd_mass_logits(e.prob, e.prob, in->n_node, C);
    out->logits = out->own;
    out->calibrated = e.calibrated;
out:
    return st;
}

/* n_not_finite of all processes, which count their copies too. */
static gnd_status count_not_finite(gnd_prediction *p, gnd_error *err)
{
    const gnd_row_range own = gnd_part_own(p->part, p->n);
    int64_t n = 0;

    for (int64_t i = own.begin; p->n_not_finite > 0 && i < own.end; i++)
        n += p->label[i] < 0;
    gnd_part_counts(p->part, &n, 1);
    if (p->part)
        p->n_not_finite = n;
    return gnd_part_check(p->part, err);
}

gnd_status gnd_prediction_of(gnd_prediction **out, gnd_finished *f, const gnd_model *m,
                             const gnd_inputs *in, const gnd_graph *g, gnd_error *err)
{
    gnd_prediction *p = NULL;
    gnd_status st;

    *out = NULL;
    GND_TRY(gnd_prediction_new(&p, f->logits, g->n_node, gnd_n_class(m), m->config.method->output,
                               err));
    GND_TRY(mark_known(p, m, in, g, err));
    p->part = g->part;
    GND_TRY(count_not_finite(p, err));
    p->calibrated = f->calibrated;
    p->notes = f->notes;
    f->notes = (gnd_notes){0};
    p->held_out = f->held_out;
    f->held_out = (gnd_held_out){0};
    if (p->n_not_finite > 0)
        GND_TRY(gnd_notes_add(&p->notes, GND_WARNING, "not_finite", err,
                              "%lld vert%s no label, since their probabilities are not finite "
                              "numbers: features or weights are too large to compute with; scale "
                              "the features, or train the model again",
                              (long long)p->n_not_finite,
                              p->n_not_finite == 1 ? "ex gets" : "ices get"));
    *out = p;
    p = NULL;
out:
    gnd_prediction_free(p);
    return st;
}

/* How much of the time the inputs of a prediction take, for progress. */
static const double PREPARE_SHARE = 0.5;

gnd_status gnd_predict(gnd_prediction **out, const gnd_model *m, const gnd_graph *g,
                       const gnd_train_opts *o, gnd_error *err)
{
    gnd_train_opts opts;
    gnd_pool *pool = NULL;
    gnd_inputs in = {0};
    gnd_finished f = {0};
    gnd_tape *t = NULL;
    gnd_span all;
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    *out = NULL;
    if (g->mode != m->mode)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "the model needs a graph in mode %s; %s is in mode %s",
                         gnd_graph_mode_name(m->mode), g->name, gnd_graph_mode_name(g->mode)));
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_train_opts", err));
    pool = gnd_pool_new(opts.threads);
    if (!pool)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for threads"));
    gnd_pool_set_tick(pool, opts.on_tick, opts.tick_user, "labelling");
    all = gnd_pool_enter(pool, 0, PREPARE_SHARE);
    GND_TRY(gnd_inputs_prepare(&in, m, g, &(gnd_inputs_opts){.pool = pool, .memory = opts.memory},
                               err));
    gnd_pool_leave(pool, all);
    GND_TRY(gnd_tape_new(&t, pool, err));
    all = gnd_pool_enter(pool, PREPARE_SHARE, 1);
    GND_TRY(gnd_finish(&f, m, &in, g, t, err));
    gnd_pool_leave(pool, all);
    GND_TRY(gnd_pool_check(pool, err));
    GND_TRY(gnd_prediction_of(out, &f, m, &in, g, err));
out:
    gnd_finished_fini(&f);
    gnd_tape_free(t);
    gnd_inputs_fini(&in);
    gnd_pool_free(pool);
    return st;
}

gnd_status gnd_prediction_clamp(gnd_prediction *p, const gnd_model *m, const gnd_graph *g,
                                gnd_error *err)
{
    gnd_error_clear(err);
    if (p->n != g->n_node)
        return gnd_fail(err, GND_ERR_SHAPE, "the prediction is of %lld vertices, %s has %lld",
                        (long long)p->n, g->name, (long long)g->n_node);
    for (int64_t i = 0; i < p->n; i++) {
        const char *name = gnd_graph_class_name(g, g->label[i]);
        const int64_t c = name ? gnd_names_find(m->cls, name, strlen(name)) : -1;

        if (c < 0)
            continue;
        memset(p->prob + i * p->n_class, 0, (size_t)p->n_class * sizeof *p->prob);
        p->prob[i * p->n_class + c] = 1;
        p->top[i] = p->label[i] = (int32_t)c;
        p->given[i] = 1;
    }
    return GND_OK;
}

void gnd_prediction_free(gnd_prediction *p)
{
    if (!p)
        return;
    gnd_free(p->prob);
    gnd_free(p->top);
    gnd_free(p->label);
    gnd_free(p->given);
    gnd_held_out_fini(&p->held_out);
    gnd_notes_fini(&p->notes);
    gnd_free(p);
}

int64_t gnd_prediction_n_note(const gnd_prediction *p)
{
    return p->notes.n;
}

const gnd_note *gnd_prediction_note(const gnd_prediction *p, int64_t i)
{
    return gnd_notes_at(&p->notes, i);
}

bool gnd_prediction_calibrated(const gnd_prediction *p)
{
    return p->calibrated;
}

int64_t gnd_prediction_n(const gnd_prediction *p)
{
    return p->n;
}

static bool has_vertex(const gnd_prediction *p, int64_t vertex)
{
    return vertex >= 0 && vertex < p->n;
}

int32_t gnd_prediction_label(const gnd_prediction *p, int64_t vertex)
{
    return has_vertex(p, vertex) ? p->label[vertex] : -1;
}

int32_t gnd_prediction_argmax(const gnd_prediction *p, int64_t vertex)
{
    return has_vertex(p, vertex) ? p->top[vertex] : -1;
}

const int32_t *gnd_prediction_labels(const gnd_prediction *p)
{
    return p->label;
}

const float *gnd_prediction_probs(const gnd_prediction *p, int32_t *n_class)
{
    if (n_class)
        *n_class = p->n_class;
    return p->prob;
}

const float *gnd_prediction_prob(const gnd_prediction *p, int64_t vertex)
{
    return has_vertex(p, vertex) ? p->prob + vertex * p->n_class : NULL;
}
