/* SPDX-License-Identifier: MIT
 * hop_features.c - features projected at random and diffused k times.
 *
 *     Z_k = W^k X Theta,     W = D^-1 (A + I)
 *     X: [n, d], rows divided by their sums, or the identity;   Theta: [d, r];   Z_k: [n, r]
 *
 * Ye et al., arXiv:2201.09698, Figure 1. Theta is that which method gnd-slp starts from. */
#include "hop_features.h"

#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/parallel.h"
#include "graph/graph.h"
#include "graph/norm.h"
#include "graph/operator.h"
#include "kern/kern.h"
#include "tape/params.h"

enum { FILTERS = 16, FILTERS_MAX = 4096, ROWS = 1024, REPORT_EVERY = 64 };

static gnd_status check(const gnd_hop_features_opts *o, gnd_error *err)
{
    if (o->n_hop < 1 || !o->hops)
        return gnd_fail(err, GND_ERR_ARG,
                        "no powers of the random walk are given; expected a list");
    for (int64_t i = 0; i < o->n_hop; i++) {
        if (o->hops[i] < 0)
            return gnd_fail(err, GND_ERR_ARG, "power %d of the random walk; expected at least 0",
                            o->hops[i]);
        if (i > 0 && o->hops[i] <= o->hops[i - 1])
            return gnd_fail(err, GND_ERR_ARG,
                            "power %d of the random walk is listed after %d; expected an ascending "
                            "list",
                            o->hops[i], o->hops[i - 1]);
    }
    if (o->filters < 1 || o->filters > FILTERS_MAX)
        return gnd_fail(err, GND_ERR_ARG, "%d filters; expected 1 to %d", o->filters, FILTERS_MAX);
    return GND_OK;
}

typedef struct {
    const gnd_csr *a;
    const gnd_real *x;
    gnd_real *y;
    int64_t r;
} product;

static void product_rows(int64_t begin, int64_t end, void *arg)
{
    const product *p = arg;

    gnd_kern_get()->spmm(p->y, p->a, p->x, p->r, 0, NULL, begin, end);
}

/* y = A x;  x, y: [n, r] */
static void multiply(gnd_real *y, const gnd_csr *a, const gnd_real *x, int64_t r, gnd_pool *pool)
{
    gnd_parallel_for(pool, a->n_row, ROWS, gnd_csr_nnz(a) * r, product_rows,
                     &(product){.a = a, .x = x, .y = y, .r = r});
}

/* z = X Theta */
static gnd_status project(gnd_real *z, const gnd_graph *g, const gnd_hop_features_opts *o,
                          gnd_pool *pool, gnd_error *err)
{
    const int64_t r = o->filters, d = g->n_feat > 0 ? g->n_feat : g->n_node;
    gnd_params params = {0};
    gnd_csr x = {0};
    gnd_status st;

    GND_TRY(gnd_param_add(&params, "Theta", d, r, GND_INIT_GLOROT, err));
    GND_TRY(gnd_params_alloc(&params, err));
    gnd_params_draw(&params, o->seed);
    if (g->n_feat > 0) {
        GND_TRY(gnd_feat_normalise(&x, &g->feat, GND_FEAT_ROW_L1, err));
        multiply(z, &x, params.v, r, pool);
    } else {
        memcpy(z, params.v, (size_t)(d * r) * sizeof *z);
    }
out:
    gnd_params_fini(&params);
    gnd_csr_fini(&x);
    return st;
}

static void keep(gnd_hop_features *h, int64_t i, const gnd_real *z)
{
    float *to = h->values + i * h->n * h->filters;

    for (int64_t p = 0; p < h->n * h->filters; p++)
        to[p] = (float)z[p];
}

/* Apply w up to the highest power. z: two buffers [n, r]; the first has X Theta. */
static gnd_status diffuse(gnd_hop_features *h, gnd_real *z[2], const gnd_csr *w,
                          const gnd_hop_features_opts *o, gnd_pool *pool, gnd_error *err)
{
    const int64_t last = o->hops[o->n_hop - 1];
    bool same = false; /* one more product changes no bit */

    for (int64_t k = 0, i = 0; k <= last; k++) {
        if (k == o->hops[i])
            keep(h, i++, z[k & 1]);
        if (k < last && !same) {
            multiply(z[~k & 1], w, z[k & 1], h->filters, pool);
            same = memcmp(z[0], z[1], (size_t)(h->n * h->filters) * sizeof *z[0]) == 0;
        }
        if (o->on_product && k % REPORT_EVERY == 0 && o->on_product(k, last, o->user))
            return gnd_fail(err, GND_ERR_STOPPED, "the diffusion was stopped after %lld products",
                            (long long)k);
    }
    return GND_OK;
}

static gnd_status compute(gnd_hop_features *h, const gnd_graph *g, const gnd_hop_features_opts *o,
                          gnd_error *err)
{
    gnd_pool *pool = gnd_pool_new(o->threads);
    gnd_operator w = {0};
    gnd_real *z[2] = {NULL, NULL};
    gnd_status st = GND_OK;

    z[0] = gnd_alloc(h->n * h->filters, sizeof *z[0]);
    z[1] = gnd_alloc(h->n * h->filters, sizeof *z[1]);
    if (!pool || !z[0] || !z[1])
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the diffused features of %lld vertices",
                         (long long)h->n));
    GND_TRY(project(z[0], g, o, pool, err));
    GND_TRY(gnd_operator_init(&w, GND_OP_W, &g->adj, err));
    GND_TRY(diffuse(h, z, &w.a, o, pool, err));
out:
    gnd_operator_fini(&w);
    gnd_free(z[0]);
    gnd_free(z[1]);
    gnd_pool_free(pool);
    return st;
}

gnd_status gnd_hop_features_new(gnd_hop_features **out, const gnd_graph *g,
                                const gnd_hop_features_opts *o, gnd_error *err)
{
    gnd_hop_features_opts opts;
    gnd_hop_features *h = NULL;
    gnd_status st;

    *out = NULL;
    gnd_error_clear(err);
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_hop_features_opts", err));
    opts.filters = opts.filters == 0 ? FILTERS : opts.filters;
    GND_TRY(check(&opts, err));
    h = gnd_alloc(1, sizeof *h);
    if (h) {
        *h = (gnd_hop_features){.n = g->n_node, .n_hop = opts.n_hop, .filters = opts.filters};
        h->hop = gnd_alloc(h->n_hop, sizeof *h->hop);
        h->values = gnd_alloc(h->n_hop, sizeof *h->values * (size_t)(h->n * h->filters));
    }
    if (!h || !h->hop || !h->values)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld powers of %lld vertices",
                         (long long)opts.n_hop, (long long)g->n_node));
    memcpy(h->hop, opts.hops, (size_t)h->n_hop * sizeof *h->hop);
    GND_TRY(compute(h, g, &opts, err));
    *out = h;
    h = NULL;
out:
    gnd_hop_features_free(h);
    return st;
}

void gnd_hop_features_free(gnd_hop_features *h)
{
    if (h) {
        gnd_free(h->hop);
        gnd_free(h->values);
    }
    gnd_free(h);
}

int64_t gnd_hop_features_n(const gnd_hop_features *h)
{
    return h->n_hop;
}

int64_t gnd_hop_features_n_node(const gnd_hop_features *h)
{
    return h->n;
}

int32_t gnd_hop_features_filters(const gnd_hop_features *h)
{
    return h->filters;
}

int32_t gnd_hop_features_hop(const gnd_hop_features *h, int64_t i)
{
    return i >= 0 && i < h->n_hop ? h->hop[i] : -1;
}

const float *gnd_hop_features_get(const gnd_hop_features *h, int64_t i)
{
    return i >= 0 && i < h->n_hop ? h->values + i * h->n * h->filters : NULL;
}
