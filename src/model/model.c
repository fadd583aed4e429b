/* SPDX-License-Identifier: MIT
 * model.c - creation of models, preparation of their inputs, and losses of a pass. */
#include "model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

int32_t gnd_n_class(const gnd_model *m)
{
    return (int32_t)gnd_names_count(m->cls);
}

gnd_var gnd_weight(const gnd_model *m, gnd_tape *t, const char *fmt, ...)
{
    char name[32];
    va_list ap;
    int i;

    va_start(ap, fmt);
    vsnprintf(name, sizeof name, fmt, ap);
    va_end(ap);
    i = gnd_params_find(&m->params, name);
    return i >= 0
               ? gnd_param_var(t, &m->params, i)
               : gnd_tape_fail(t, GND_ERR_ARG, "%s: no parameter %s", m->config.method->name, name);
}

void gnd_model_free(gnd_model *m)
{
    if (!m)
        return;
    gnd_params_fini(&m->params);
    gnd_names_free(m->cls);
    gnd_names_free(m->ids);
    gnd_free(m->seen);
    gnd_names_free(m->kept);
    gnd_free(m->kept_cls);
    gnd_free(m->prior);
    for (int k = 0; k < GND_HISTORY_COLUMNS; k++)
        gnd_free(m->history[k]);
    gnd_free(m);
}

gnd_status gnd_model_shell(gnd_model **out, const gnd_config *c, int64_t n_feat, gnd_names *cls,
                           int64_t max_size, gnd_error *err)
{
    gnd_model *m = gnd_alloc(1, sizeof *m);
    gnd_status st = GND_OK;

    *out = NULL;
    if (!m) {
        gnd_names_free(cls);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a model");
    }
    m->config = *c;
    m->n_feat = n_feat;
    m->cls = cls;
    m->seen = gnd_alloc(n_feat, 1);
    if (!m->seen)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a model"));
    if (c->method->init)
        GND_TRY(c->method->init(m, err));
    if (m->params.size > max_size)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "the settings need %lld weights; there are %lld",
                         (long long)m->params.size, (long long)max_size));
    GND_TRY(gnd_params_alloc(&m->params, err));
    *out = m;
    m = NULL;
out:
    gnd_model_free(m);
    return st;
}

static gnd_status names_copy(gnd_names **out, const gnd_names *from, gnd_error *err)
{
    gnd_names *t = gnd_names_new();

    for (int64_t i = 0; t && i < gnd_names_count(from); i++) {
        const char *s = gnd_names_get(from, i);

        if (gnd_names_add(t, s, strlen(s)) < 0) {
            gnd_names_free(t);
            t = NULL;
        }
    }
    *out = t;
    return t ? GND_OK : gnd_fail(err, GND_ERR_NOMEM, "no memory for names");
}

bool gnd_method_needs_features(const gnd_method *method)
{
    return !method->no_features && !method->keeps_labels;
}

gnd_status gnd_method_check_parts(const gnd_method *method, const gnd_graph *g, gnd_error *err)
{
    char able[256] = "";

    if (!g->part)
        return GND_OK;
    for (int i = 0; gnd_method_at(i); i++) {
        const size_t n = strlen(able);

        if (gnd_method_at(i)->on_parts)
            snprintf(able + n, sizeof able - n, "%s%s", n > 0 ? ", " : "", gnd_method_at(i)->name);
    }
    if (!method->on_parts)
        return gnd_fail(err, GND_ERR_ARG,
                        "method %s runs in one process only; in several run: %s; choose one with "
                        "--method, or start gnd without mpirun",
                        method->name, able);
    if (g->n_feat == 0 && gnd_method_needs_features(method))
        return gnd_fail(err, GND_ERR_ARG,
                        "%s has no features, and method %s needs them in several processes; auto "
                        "and ls do not",
                        g->name, method->name);
    return GND_OK;
}

/* Identity features: store the vertex id of each column. Vertices numbered 0, 1, ... need no ids.
 */
static gnd_status identity_ids(gnd_model *m, const gnd_graph *g, gnd_error *err)
{
    char buf[32];

    m->identity = true;
    m->partial = g->part != NULL;
    if (!g->ids && !g->old)
        return GND_OK;
    m->ids = gnd_names_new();
    for (int64_t i = 0; m->ids && i < g->n_node; i++) {
        const char *id = gnd_graph_id(g, i, buf);

        if (gnd_names_add(m->ids, id, strlen(id)) != i) {
            gnd_names_free(m->ids);
            m->ids = NULL;
        }
    }
    return m->ids ? GND_OK : gnd_fail(err, GND_ERR_NOMEM, "no memory for vertex ids");
}

gnd_status gnd_model_new(gnd_model **out, const gnd_graph *g, const gnd_config *c, uint64_t seed,
                         gnd_error *err)
{
    const bool identity = g->n_feat == 0 || c->method->no_features;
    gnd_names *cls = NULL;
    gnd_model *m = NULL;
    gnd_status st = GND_OK;

    *out = NULL;
    if (g->n_class < 2)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "%s has %s; at least two classes are needed", g->name,
                         g->n_class ? "one class" : "no labels"));
    GND_TRY(names_copy(&cls, g->cls, err));
    GND_TRY(gnd_model_shell(&m, c, identity ? g->n_node : g->n_feat, cls, INT64_MAX, err));
    m->mode = g->mode;
    if (identity)
        GND_TRY(identity_ids(m, g, err));
    gnd_params_draw(&m->params, seed);
    if (c->method->start)
        c->method->start(m);
    *out = m;
    m = NULL;
out:
    gnd_model_free(m);
    return st;
}

/* Identity features: the column of a vertex; -1: the vertex is not in the training graph. */
static int64_t identity_column(const gnd_model *m, const gnd_graph *g, int64_t vertex)
{
    char buf[32];
    const char *id = m->ids || g->ids ? gnd_graph_id(g, vertex, buf) : NULL;
    int64_t j = g->old ? g->old[vertex] : vertex;

    if (m->ids)
        return gnd_names_find(m->ids, id, strlen(id));
    if (!id) /* the id is a number: it need not be written to be read */
        return j < m->n_feat ? j : -1;
    return gnd_parse_int(&j, id, strlen(id)) && j >= 0 && j < m->n_feat ? j : -1;
}

static gnd_status identity_features(gnd_csr *x, const gnd_model *m, const gnd_graph *g,
                                    gnd_error *err)
{
    const gnd_status st = gnd_csr_init(x, g->n_node, m->n_feat, g->n_node, true, err);
    int64_t p = 0;

    if (st != GND_OK)
        return st;
    for (int64_t i = 0; i < g->n_node; i++) {
        const int64_t j = identity_column(m, g, i);

        if (j >= 0) {
            x->col[p] = (int32_t)j;
            x->val[p++] = 1;
        }
        x->ptr[i + 1] = p;
    }
    return GND_OK;
}

gnd_status gnd_model_keep_labels(gnd_model *m, const gnd_graph *g, const int32_t *train,
                                 int64_t n_train, gnd_error *err)
{
    char buf[32];
    int64_t n = 0;

    if (!m->config.method->keeps_labels)
        return GND_OK;
    gnd_names_free(m->kept);
    gnd_free(m->kept_cls);
    m->kept = gnd_names_new();
    m->kept_cls = gnd_alloc(n_train, sizeof *m->kept_cls);
    if (!m->kept || !m->kept_cls)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)n_train);
    for (int64_t i = 0; i < n_train; i++) {
        const char *id = gnd_graph_id(g, train[i], buf);

        if (g->label[train[i]] < 0)
            continue;
        if (gnd_names_add(m->kept, id, strlen(id)) != n)
            return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)n_train);
        m->kept_cls[n++] = g->label[train[i]];
    }
    return GND_OK;
}

/* labelled_find where the ids are 0, 1, ..: no id of the graph is written only to be looked up. */
static gnd_status labelled_by_number(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                                     gnd_error *err)
{
    int32_t *at = gnd_alloc(g->n_node, sizeof *at); /* 1 + number of the kept label; 0: none */
    char buf[32];

    if (!at)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n_node);
    for (int64_t k = 0; k < gnd_names_count(m->kept); k++) {
        const char *id = gnd_names_get(m->kept, k);
        int64_t i;

        if (gnd_parse_int(&i, id, strlen(id)) && i >= 0 && i < g->n_node &&
            strcmp(gnd_graph_id(g, i, buf), id) == 0)
            at[i] = (int32_t)k + 1;
    }
    for (int64_t i = 0; i < g->n_node; i++)
        if (at[i]) {
            in->labelled[in->n_labelled] = (int32_t)i;
            in->labelled_cls[in->n_labelled++] = m->kept_cls[at[i] - 1];
        }
    gnd_free(at);
    return GND_OK;
}

/* Find the vertices of this graph whose labels the model keeps. */
static gnd_status labelled_find(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                                gnd_error *err)
{
    const int64_t n = m->kept ? gnd_names_count(m->kept) : 0;
    char buf[32];

    if (n == 0)
        return GND_OK;
    in->labelled = gnd_alloc(n, sizeof *in->labelled);
    in->labelled_cls = gnd_alloc(n, sizeof *in->labelled_cls);
    if (!in->labelled || !in->labelled_cls)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)n);
    if (!g->ids && !g->old)
        return labelled_by_number(in, m, g, err);
    for (int64_t i = 0; i < g->n_node && in->n_labelled < n; i++) {
        const char *id = gnd_graph_id(g, i, buf);
        const int64_t k = gnd_names_find(m->kept, id, strlen(id));

        if (k < 0)
            continue;
        in->labelled[in->n_labelled] = (int32_t)i;
        in->labelled_cls[in->n_labelled++] = m->kept_cls[k];
    }
    return GND_OK;
}

static gnd_status features_check(const gnd_model *m, const gnd_graph *g, gnd_error *err)
{
    if (m->config.method->no_features)
        return GND_OK;
    if (m->identity && g->n_feat > 0)
        return gnd_fail(err, GND_ERR_SHAPE,
                        "%s has features, but the model was trained on a graph without any",
                        g->name);
    if (!m->identity && g->n_feat != m->n_feat)
        return gnd_fail(err, GND_ERR_SHAPE, "%s has %lld features; the model was trained on %lld",
                        g->name, (long long)g->n_feat, (long long)m->n_feat);
    return GND_OK;
}

/* Number the entries of the features as in the whole graph, so that dropout drops the same. */
static gnd_status entries_number(gnd_inputs *in, gnd_error *err)
{
    gnd_part *p = in->part;
    const int64_t *ptr = in->x.ptr;
    int64_t before;

    in->nnz_x_total = p ? ptr[p->end] - ptr[p->begin] : gnd_csr_nnz(&in->x);
    if (!p)
        return GND_OK;
    before = gnd_part_before(p, in->nnz_x_total);
    gnd_part_counts(p, &in->nnz_x_total, 1);
    in->x_start = gnd_alloc(in->n_node, sizeof *in->x_start);
    if (!in->x_start)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)in->n_node);
    for (int64_t i = p->begin; i < p->end; i++)
        in->x_start[i] = before + ptr[i] - ptr[p->begin];
    gnd_part_fill(p, in->x_start, sizeof *in->x_start);
    in->x.start = in->x_start;
    return gnd_part_check(p, err);
}

gnd_status gnd_inputs_init(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                           gnd_error *err)
{
    return gnd_inputs_prepare(in, m, g, &(gnd_inputs_opts){.pool = pool}, err);
}

gnd_status gnd_inputs_prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                              const gnd_inputs_opts *o, gnd_error *err)
{
    gnd_status st = GND_OK;

    *in = (gnd_inputs){.n_node = g->n_node,
                       .part = g->adj.part,
                       .method = m->config.method,
                       .checkpoint = o->checkpoint,
                       .budget = gnd_budget_of(o->memory, gnd_csr_nnz_total(&g->adj)),
                       .plan_wish = o->plan ? gnd_plan_find(o->plan) : GND_PLANS};
    if (o->plan && in->plan_wish == GND_PLANS)
        GND_TRY(gnd_fail(err, GND_ERR_ARG,
                         "unknown plan '%s'; known are whole, powers, stored, features", o->plan));
    GND_TRY(features_check(m, g, err));
    GND_TRY(m->identity ? identity_features(&in->x, m, g, err)
                        : gnd_feat_normalise(&in->x, &g->feat, m->config.method->features, err));
    GND_TRY(entries_number(in, err));
    if (m->config.method->prepare)
        GND_TRY(m->config.method->prepare(in, m, g, o->pool, err));
    GND_TRY(labelled_find(in, m, g, err));
out:
    if (st != GND_OK)
        gnd_inputs_fini(in);
    return st;
}

gnd_status gnd_inputs_borrow(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                             const gnd_inputs *shared, gnd_error *err)
{
    gnd_status st;

    *in = *shared;
    in->borrowed = true;
    memset(in->rows, 0, sizeof in->rows);
    in->labelled = in->labelled_cls = NULL;
    in->n_labelled = 0;
    st = labelled_find(in, m, g, err);
    if (st != GND_OK)
        gnd_inputs_fini(in);
    return st;
}

static void row_set_fini(const gnd_inputs *in, gnd_row_set *h)
{
    gnd_csr_fini(&h->part);
    if (h->own)
        in->method->release_rows(h);
    *h = (gnd_row_set){0};
}

void gnd_inputs_fini(gnd_inputs *in)
{
    if (!in->borrowed) {
        gnd_csr_fini(&in->x);
        gnd_free(in->x_start);
        gnd_operator_fini(&in->op);
        if (in->own)
            in->method->release(in);
    }
    for (int k = 0; k < GND_ROW_SETS; k++)
        row_set_fini(in, &in->rows[k]);
    gnd_free(in->labelled);
    gnd_free(in->labelled_cls);
    *in = (gnd_inputs){0};
}

gnd_status gnd_inputs_add_rows(gnd_inputs *in, const gnd_model *m, gnd_row_set_id set,
                               gnd_row_list rows, gnd_pool *pool, gnd_error *err)
{
    if (rows.n == 0 || !m->config.method->prepare_rows)
        return GND_OK;
    row_set_fini(in, &in->rows[set]);
    in->rows[set] = (gnd_row_set){.row = rows.row, .n = rows.n};
    return m->config.method->prepare_rows(in, m, set, pool, err);
}

gnd_var gnd_loss(const gnd_model *m, gnd_tape *t, gnd_var logits, const gnd_target *y)
{
    if (m->config.method->loss)
        return m->config.method->loss(t, logits, y);
    return gnd_cross_entropy(t, logits, y->label, y->rows, y->n_rows);
}

gnd_var gnd_objective(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, const gnd_target *y,
                      gnd_var *logits)
{
    const gnd_method *method = m->config.method;
    gnd_var own;

    logits = logits ? logits : &own;
    if (method->objective)
        return method->objective(m, in, t, y, logits);
    *logits = method->forward(m, in, t);
    return gnd_loss(m, t, *logits, y);
}

gnd_var gnd_penalty(const gnd_model *m, gnd_tape *t)
{
    return m->config.method->penalty ? m->config.method->penalty(m, t) : (gnd_var){-1};
}

void gnd_mass_logits(gnd_real *logits, const gnd_real *mass, int64_t n, int64_t n_class)
{
    static const double least = 1e-12;

    for (int64_t i = 0; i < n; i++) {
        double sum = 0;

        for (int64_t c = 0; c < n_class; c++)
            sum += (double)mass[i * n_class + c];
        for (int64_t c = 0; c < n_class; c++) {
            const double share = sum > 0 ? (double)mass[i * n_class + c] / sum : 1;

            logits[i * n_class + c] = (gnd_real)log(share > least ? share : least);
        }
    }
}

static gnd_var mass_logits(gnd_tape *t, gnd_var mass)
{
    const gnd_node *x = gnd_tape_ok(t) ? gnd_tape_node(t, mass) : NULL;
    gnd_real *y = x ? gnd_tape_alloc(t, x->rows * x->cols, sizeof *y) : NULL;
    gnd_var out;

    if (!y)
        return mass;
    gnd_mass_logits(y, x->v, x->rows, x->cols);
    out = gnd_constant(t, y, x->rows, x->cols);
    if (gnd_tape_ok(t)) /* gnd_constant may move nodes: look both up again */
        gnd_tape_node(t, out)->row = gnd_tape_node(t, mass)->row;
    return out;
}

gnd_var gnd_final_logits(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_method *method = m->config.method;
    gnd_var y;

    if (method->refine)
        gnd_tape_request(t, NULL, 0); /* refine reads all rows */
    y = method->forward(m, in, t);
    if (method->refine)
        y = method->refine(m, in, t, y);
    return method->output == GND_OUT_MASS ? mass_logits(t, y) : y;
}

int32_t gnd_model_n_tensor(const gnd_model *m)
{
    return m->params.n;
}

const float *gnd_model_tensor(const gnd_model *m, int32_t i, const char **name, int64_t *rows,
                              int64_t *cols)
{
    const gnd_param *p = i >= 0 && i < m->params.n ? &m->params.p[i] : NULL;

    if (name)
        *name = p ? p->name : NULL;
    if (rows)
        *rows = p ? p->rows : 0;
    if (cols)
        *cols = p ? p->cols : 0;
    /* The library built in double, which is for tests only, has no float values. */
    return p && sizeof(gnd_real) == sizeof(float) ? (const void *)(m->params.v + p->at) : NULL;
}

const double *gnd_model_history(const gnd_model *m, gnd_history_column column, int64_t *n)
{
    const bool any = (unsigned)column < GND_HISTORY_COLUMNS && m->n_epoch > 0;

    if (n)
        *n = any ? m->n_epoch : 0;
    return any ? m->history[column] : NULL;
}

const gnd_config *gnd_model_config(const gnd_model *m)
{
    return &m->config;
}

gnd_graph_mode gnd_model_graph_mode(const gnd_model *m)
{
    return m->mode;
}

int32_t gnd_model_n_class(const gnd_model *m)
{
    return gnd_n_class(m);
}

const char *gnd_model_class_name(const gnd_model *m, int32_t cls)
{
    return cls >= 0 && cls < gnd_n_class(m) ? gnd_names_get(m->cls, cls) : NULL;
}

gnd_status gnd_model_set_prior(gnd_model *m, const double *prior, gnd_error *err)
{
    const int32_t C = gnd_n_class(m);
    double sum = 0;

    if (!prior)
        return GND_OK;
    if (!m->config.method->uses_prior)
        return gnd_fail(err, GND_ERR_ARG,
                        "method %s cannot use known shares of the classes; auto can",
                        m->config.method->name);
    for (int32_t c = 0; c < C; c++) {
        if (!(prior[c] > 0 && prior[c] <= 1))
            return gnd_fail(err, GND_ERR_ARG,
                            "the share of class '%s' is %g; expected more than 0 and at most 1",
                            gnd_model_class_name(m, c), prior[c]);
        sum += prior[c];
    }
    if (fabs(sum - 1) > 1e-6)
        return gnd_fail(err, GND_ERR_ARG, "the shares of the classes sum to %g; expected 1", sum);
    m->prior = gnd_alloc(C, sizeof *m->prior);
    if (!m->prior)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %d classes", C);
    for (int32_t c = 0; c < C; c++)
        m->prior[c] = (gnd_real)prior[c];
    return GND_OK;
}

void gnd_held_out_fini(gnd_held_out *h)
{
    gnd_free(h->confidence);
    gnd_free(h->right);
    gnd_free(h->weight);
    *h = (gnd_held_out){0};
}
