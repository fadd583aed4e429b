/* SPDX-License-Identifier: MIT
 * hop_weights.c - the weights that a trained model gives the hops of each vertex, and the attention
 * between the hops. */
#include "base/alloc.h"
#include "base/opts.h"
#include "model/model.h"

struct gnd_hop_weights {
    int64_t n, n_hop, first;
    int64_t n_row;    /* 1: the same for all vertices; else n */
    float *w;         /* [n_row, n_hop] */
    int64_t n_block;  /* 0: no attention */
    float *attention; /* [n, n_block, n_hop, n_hop] */
};

bool gnd_config_has_hop_weights(const gnd_config *c)
{
    return c->method->hop_weights != NULL;
}

bool gnd_config_has_hop_attention(const gnd_config *c)
{
    return c->method->hop_attention != NULL;
}

static gnd_status check(const gnd_model *m, const gnd_graph *g, bool attention, gnd_error *err)
{
    const gnd_method *method = m->config.method;

    if (!method->hop_weights)
        return gnd_fail(err, GND_ERR_ARG, "method %s does not weigh hops; gnd-slp does",
                        method->name);
    if (attention && !method->hop_attention)
        return gnd_fail(err, GND_ERR_ARG, "method %s has no attention between hops; gnd-attn does",
                        method->name);
    if (g->mode != m->mode)
        return gnd_fail(err, GND_ERR_ARG, "the model needs a graph in mode %s; %s is in mode %s",
                        gnd_graph_mode_name(m->mode), g->name, gnd_graph_mode_name(g->mode));
    return GND_OK;
}

/* Copy a value of the tape. */
static gnd_status copy(float **out, gnd_tape *t, gnd_var x, gnd_error *err)
{
    const gnd_node *v;

    if (gnd_tape_check(t, err) != GND_OK)
        return t->status;
    v = gnd_tape_node(t, x);
    *out = gnd_alloc(v->rows * v->cols, sizeof **out);
    if (!*out)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld x %lld weights of hops",
                        (long long)v->rows, (long long)v->cols);
    for (int64_t i = 0; i < v->rows * v->cols; i++)
        (*out)[i] = (float)v->v[i];
    return GND_OK;
}

/* The weights and, if requested, the attention; each by a pass over all vertices. */
static gnd_status fill(gnd_hop_weights *w, gnd_tape *t, const gnd_model *m, const gnd_inputs *in,
                       bool attention, gnd_error *err)
{
    const gnd_method *method = m->config.method;
    gnd_var a;
    gnd_status st;

    a = method->hop_weights(m, in, t, &w->first);
    GND_TRY(copy(&w->w, t, a, err));
    w->n_row = gnd_tape_node(t, a)->rows;
    w->n_hop = gnd_tape_node(t, a)->cols;
    if (!attention)
        goto out;
    gnd_tape_reset(t, false, 0);
    a = method->hop_attention(m, in, t);
    GND_TRY(copy(&w->attention, t, a, err));
    w->n_block = w->n ? gnd_tape_node(t, a)->rows / (w->n * w->n_hop) : 0;
out:
    return st;
}

static gnd_status compute(gnd_hop_weights **out, const gnd_model *m, const gnd_graph *g,
                          const gnd_train_opts *o, bool attention, gnd_error *err)
{
    gnd_hop_weights *w = NULL;
    gnd_train_opts opts;
    gnd_pool *pool = NULL;
    gnd_inputs in = {0};
    gnd_tape *t = NULL;
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(check(m, g, attention, err));
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_train_opts", err));
    pool = gnd_pool_new(opts.threads);
    w = gnd_alloc(1, sizeof *w);
    if (!pool || !w)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for hop weights"));
    gnd_pool_set_tick(pool, opts.on_tick, opts.tick_user, "labelling");
    w->n = g->n_node;
    GND_TRY(gnd_inputs_prepare(&in, m, g, &(gnd_inputs_opts){.pool = pool, .memory = opts.memory},
                               err));
    GND_TRY(gnd_tape_new(&t, pool, err));
    GND_TRY(fill(w, t, m, &in, attention, err));
    *out = w;
    w = NULL;
out:
    gnd_hop_weights_free(w);
    gnd_tape_free(t);
    gnd_inputs_fini(&in);
    gnd_pool_free(pool);
    return st;
}

gnd_status gnd_model_hop_weights(gnd_hop_weights **out, const gnd_model *m, const gnd_graph *g,
                                 const gnd_train_opts *o, gnd_error *err)
{
    return compute(out, m, g, o, false, err);
}

gnd_status gnd_model_hop_attention(gnd_hop_weights **out, const gnd_model *m, const gnd_graph *g,
                                   const gnd_train_opts *o, gnd_error *err)
{
    return compute(out, m, g, o, true, err);
}

void gnd_hop_weights_free(gnd_hop_weights *w)
{
    if (!w)
        return;
    gnd_free(w->w);
    gnd_free(w->attention);
    gnd_free(w);
}

int64_t gnd_hop_weights_n(const gnd_hop_weights *w)
{
    return w->n;
}

int64_t gnd_hop_weights_n_hop(const gnd_hop_weights *w)
{
    return w->n_hop;
}

int64_t gnd_hop_weights_first(const gnd_hop_weights *w)
{
    return w->first;
}

bool gnd_hop_weights_shared(const gnd_hop_weights *w)
{
    return w->n_row == 1;
}

const float *gnd_hop_weights_get(const gnd_hop_weights *w, int64_t vertex)
{
    if (vertex < 0 || vertex >= w->n)
        return NULL;
    return w->w + (w->n_row == 1 ? 0 : vertex) * w->n_hop;
}

const float *gnd_hop_weights_all(const gnd_hop_weights *w)
{
    return w->w;
}

int64_t gnd_hop_weights_n_block(const gnd_hop_weights *w)
{
    return w->n_block;
}

const float *gnd_hop_weights_attention(const gnd_hop_weights *w, int64_t vertex, int64_t block)
{
    if (vertex < 0 || vertex >= w->n || block < 0 || block >= w->n_block)
        return NULL;
    return w->attention + (vertex * w->n_block + block) * w->n_hop * w->n_hop;
}
