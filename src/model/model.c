/* SPDX-License-Identifier: MIT
 * model.c - a model's parameters, and what it makes of a graph. */
#include "model.h"

#include <string.h>

#include "base/alloc.h"

int32_t gnd_n_class(const gnd_model *m)
{
    return (int32_t)gnd_names_count(m->cls);
}

void gnd_model_free(gnd_model *m)
{
    if (!m)
        return;
    gnd_params_fini(&m->params);
    gnd_names_free(m->cls);
    gnd_names_free(m->ids);
    gnd_free(m->seen);
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
    GND_TRY(c->method->init(m, err));
    if (m->params.size > max_size)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "the settings demand %lld weights; there are %lld",
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

/* Whose feature is which column, in a graph without features. Vertices 0, 1, ... need no names. */
static gnd_status identity_ids(gnd_model *m, const gnd_graph *g, gnd_error *err)
{
    char buf[32];

    m->identity = true;
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
    const bool identity = g->n_feat == 0;
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
    *out = m;
    m = NULL;
out:
    gnd_model_free(m);
    return st;
}

/* Column of a vertex in a model whose vertices are their own features; -1: the model has not seen
 * it. */
static int64_t identity_column(const gnd_model *m, const gnd_graph *g, int64_t vertex)
{
    char buf[32];
    const char *id = gnd_graph_id(g, vertex, buf);
    int64_t j;

    if (m->ids)
        return gnd_names_find(m->ids, id, strlen(id));
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

gnd_status gnd_inputs_init(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_error *err)
{
    gnd_status st = GND_OK;

    *in = (gnd_inputs){.n_node = g->n_node};
    if (m->identity && g->n_feat > 0)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE,
                         "%s has features, but the model was trained on a graph without any",
                         g->name));
    if (!m->identity && g->n_feat != m->n_feat)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "%s has %lld features; the model was trained on %lld",
                         g->name, (long long)g->n_feat, (long long)m->n_feat));
    GND_TRY(m->identity ? identity_features(&in->x, m, g, err)
                        : gnd_feat_normalise(&in->x, &g->feat, m->config.method->features, err));
    if (m->config.method->prepare)
        GND_TRY(m->config.method->prepare(in, m, g, err));
out:
    if (st != GND_OK)
        gnd_inputs_fini(in);
    return st;
}

void gnd_inputs_fini(gnd_inputs *in)
{
    gnd_csr_fini(&in->x);
    gnd_operator_fini(&in->op);
    *in = (gnd_inputs){0};
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
