/* SPDX-License-Identifier: MIT
 * hop_weights.c - the weights that a trained model gives the hops of each vertex. */
#include "base/alloc.h"
#include "base/opts.h"
#include "model/model.h"

struct gnd_hop_weights {
    int64_t n, n_hop, first;
    int64_t n_row; /* 1: the same for all vertices; else n */
    float *w;      /* [n_row, n_hop] */
};

bool gnd_config_has_hop_weights(const gnd_config *c)
{
    return c->method->hop_weights != NULL;
}

static gnd_status check(const gnd_model *m, const gnd_graph *g, gnd_error *err)
{
    if (!m->config.method->hop_weights)
        return gnd_fail(err, GND_ERR_ARG, "method %s does not weigh hops; gnd-slp does",
                        m->config.method->name);
    if (g->mode != m->mode)
        return gnd_fail(err, GND_ERR_ARG, "the model needs a graph in mode %s; %s is in mode %s",
                        gnd_graph_mode_name(m->mode), g->name, gnd_graph_mode_name(g->mode));
    return GND_OK;
}

/* Copy weights [1, K] or [n, K] from the tape. */
static gnd_status copy(gnd_hop_weights **out, const gnd_node *a, int64_t n, int64_t first,
                       gnd_error *err)
{
    gnd_hop_weights *w = gnd_alloc(1, sizeof *w);

    if (w) {
        *w = (gnd_hop_weights){.n = n, .n_hop = a->cols, .first = first, .n_row = a->rows};
        w->w = gnd_alloc(a->rows * a->cols, sizeof *w->w);
    }
    if (!w || !w->w) {
        gnd_hop_weights_free(w);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for the hop weights of %lld vertices",
                        (long long)n);
    }
    for (int64_t i = 0; i < a->rows * a->cols; i++)
        w->w[i] = (float)a->v[i];
    *out = w;
    return GND_OK;
}

gnd_status gnd_model_hop_weights(gnd_hop_weights **out, const gnd_model *m, const gnd_graph *g,
                                 const gnd_train_opts *o, gnd_error *err)
{
    gnd_train_opts opts;
    gnd_pool *pool = NULL;
    gnd_inputs in = {0};
    gnd_tape *t = NULL;
    gnd_var a;
    int64_t first = 0;
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(check(m, g, err));
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_train_opts", err));
    pool = gnd_pool_new(opts.threads);
    if (!pool)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for threads"));
    GND_TRY(gnd_inputs_prepare(&in, m, g, &(gnd_inputs_opts){.pool = pool, .memory = opts.memory},
                               err));
    GND_TRY(gnd_tape_new(&t, pool, err));
    a = m->config.method->hop_weights(m, &in, t, &first);
    GND_TRY(gnd_tape_check(t, err));
    GND_TRY(copy(out, gnd_tape_node(t, a), g->n_node, first, err));
out:
    gnd_tape_free(t);
    gnd_inputs_fini(&in);
    gnd_pool_free(pool);
    return st;
}

void gnd_hop_weights_free(gnd_hop_weights *w)
{
    if (!w)
        return;
    gnd_free(w->w);
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
