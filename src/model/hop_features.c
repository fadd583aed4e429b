/* SPDX-License-Identifier: MIT
 * hop_features.c - features projected at random and diffused k times.
 *
 *     Z_k = W^k X Theta,     W = D^-1 (A + I)
 *     X: [n, d], rows divided by their sums, or the identity;   Theta: [d, r];   Z_k: [n, r]
 *
 * Ye et al., arXiv:2201.09698, Figure 1. Theta is that which method gnd-slp starts from. W is
 * applied in double, and its rows are not rounded to float: after thousands of products the
 * vertices of a component differ by less than a float's rounding, and with float arithmetic the
 * result would be a pattern of rounding errors. */
#include "hop_features.h"

#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/parallel.h"
#include "graph/graph.h"
#include "graph/norm.h"
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
    const double *x;
    double *y;
    int64_t r;
    bool walk; /* y_i = (x_i + sum_j a_ij x_j) / (1 + sum_j a_ij); otherwise y = a x */
} product;

static void product_rows(int64_t begin, int64_t end, void *arg)
{
    const product *p = arg;
    const int64_t r = p->r;

    for (int64_t i = begin; i < end; i++) {
        double *y = p->y + i * r, sum = 1;

        for (int64_t c = 0; c < r; c++)
            y[c] = p->walk ? p->x[i * r + c] : 0;
        for (int64_t e = p->a->ptr[i]; e < p->a->ptr[i + 1]; e++) {
            const double v = (double)gnd_csr_val(p->a, e), *x = p->x + p->a->col[e] * r;

            sum += v;
            for (int64_t c = 0; c < r; c++)
                y[c] += v * x[c];
        }
        for (int64_t c = 0; c < r && p->walk; c++)
            y[c] /= sum;
    }
}

static void multiply(const product *p, gnd_pool *pool)
{
    product job = *p;

    gnd_parallel_for(pool, p->a->n_row, ROWS, gnd_csr_nnz(p->a) * p->r, product_rows, &job);
}

/* z = X Theta */
static gnd_status project(double *z, const gnd_graph *g, const gnd_hop_features_opts *o,
                          gnd_pool *pool, gnd_error *err)
{
    const int64_t r = o->filters, d = g->n_feat > 0 ? g->n_feat : g->n_node;
    gnd_params params = {0};
    double *theta = NULL;
    gnd_csr x = {0};
    gnd_status st;

    GND_TRY(gnd_param_add(&params, "Theta", d, r, GND_INIT_GLOROT, err));
    GND_TRY(gnd_params_alloc(&params, err));
    gnd_params_draw(&params, o->seed);
    theta = gnd_alloc(d * r, sizeof *theta);
    if (!theta)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)d));
    for (int64_t i = 0; i < d * r; i++)
        theta[i] = (double)params.v[i];
    if (g->n_feat > 0) {
        GND_TRY(gnd_feat_normalise(&x, &g->feat, GND_FEAT_ROW_L1, err));
        multiply(&(product){.a = &x, .x = theta, .y = z, .r = r}, pool);
    } else {
        memcpy(z, theta, (size_t)(d * r) * sizeof *z);
    }
out:
    gnd_params_fini(&params);
    gnd_free(theta);
    gnd_csr_fini(&x);
    return st;
}

static void keep(gnd_hop_features *h, int64_t i, const double *z)
{
    float *to = h->values + i * h->n * h->filters;

    for (int64_t p = 0; p < h->n * h->filters; p++)
        to[p] = (float)z[p];
}

/* Apply W up to the highest power. z: two buffers [n, r]; the first has X Theta. */
static gnd_status diffuse(gnd_hop_features *h, double *z[2], const gnd_csr *adj,
                          const gnd_hop_features_opts *o, gnd_pool *pool, gnd_error *err)
{
    const int64_t last = o->hops[o->n_hop - 1];
    bool same = false; /* one more product changes no bit */

    for (int64_t k = 0, i = 0; k <= last; k++) {
        if (k == o->hops[i])
            keep(h, i++, z[k & 1]);
        if (k < last && !same) {
            multiply(&(product){adj, z[k & 1], z[~k & 1], h->filters, true}, pool);
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
    double *z[2] = {NULL, NULL};
    gnd_status st = GND_OK;

    z[0] = gnd_alloc(h->n * h->filters, sizeof *z[0]);
    z[1] = gnd_alloc(h->n * h->filters, sizeof *z[1]);
    if (!pool || !z[0] || !z[1])
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the diffused features of %lld vertices",
                         (long long)h->n));
    GND_TRY(project(z[0], g, o, pool, err));
    GND_TRY(diffuse(h, z, &g->adj, o, pool, err));
out:
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
