/* SPDX-License-Identifier: MIT
 * spectrum.c - how fast the powers of the random walk W = D^-1 (A + I) converge, by component.
 *
 *     S = D^1/2 W D^-1/2 = D^-1/2 (A + I) D^-1/2,   D = diag(row sums of A + I),   A symmetric
 *
 * S is symmetric and has the eigenvalues of W. On a connected component they are 1, once, with the
 * vector D^1/2 1, and others of smaller modulus: the loops keep them above -1 also if the component
 * is bipartite. On a component C, W^k z therefore converges to one value, the mean of z weighted by
 * D, and
 *
 *     |W^k z - limit|_D <= |lambda_2|^k |z - limit|_D,   |x|_D^2 = x^T D x
 *
 * with the eigenvalue lambda_2 of second largest modulus on any component. Components do not
 * exchange anything: W^k z converges to one value for all vertices only if there is one
 * component. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/rng.h"
#include "graph.h"
#include "linalg/leading_pair.h"

enum { STREAM_START = 0x53706563 };

struct gnd_spectrum {
    gnd_spectrum_component *component; /* [n_component], the largest first */
    gnd_spectrum_power *power;         /* [n_power] */
    int64_t n_component, n_power;
};

/* The graph with its vertices in the order of its components. */
typedef struct {
    gnd_csr adj;            /* [n, n], rows and columns in that order */
    int32_t *old;           /* [n] vertices of the graph in that order */
    double *root;           /* [n] square roots of the row sums of A + I */
    double *unit;           /* [n] root / its norm on the component of each vertex */
    int64_t *first;         /* [n_component + 1] first vertex of each */
    double *x, *y, *vector; /* [n] scratch */
    int64_t n_component;
} walk;

/* A part of the matrix S: one component, times `sign`. */
typedef struct {
    const walk *w;
    int64_t begin, end;
    double sign;
} block;

static void block_product(double *y, const double *x, void *arg)
{
    const block *b = arg;
    const gnd_csr *a = &b->w->adj;
    const double *root = b->w->root;

    for (int64_t i = b->begin; i < b->end; i++) {
        double sum = x[i - b->begin] / root[i]; /* the loop */

        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
            sum += (double)gnd_csr_val(a, p) * x[a->col[p] - b->begin] / root[a->col[p]];
        y[i - b->begin] = b->sign * sum / root[i];
    }
}

/* ---- components ---- */

typedef struct {
    int64_t n;
    int32_t number;
} sized;

static int by_size(const void *p, const void *q)
{
    const sized *a = p, *b = q;

    if (a->n != b->n)
        return a->n > b->n ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Fills w->old and w->first. comp: [n] scratch. */
static gnd_status components_order(walk *w, int32_t *comp, const gnd_csr *adj, gnd_error *err)
{
    const int64_t n = adj->n_row;
    sized *size;
    int64_t *next;
    gnd_status st = GND_OK;

    w->n_component = gnd_components(comp, adj);
    size = gnd_alloc(w->n_component, sizeof *size);
    next = gnd_alloc(w->n_component, sizeof *next);
    w->first = gnd_alloc(w->n_component + 1, sizeof *w->first);
    if (w->n_component < 0 || !size || !next || !w->first)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the components of %lld vertices",
                         (long long)n));
    for (int64_t c = 0; c < w->n_component; c++)
        size[c].number = (int32_t)c;
    for (int64_t i = 0; i < n; i++)
        size[comp[i]].n++;
    qsort(size, (size_t)w->n_component, sizeof *size, by_size);
    for (int64_t c = 0; c < w->n_component; c++) {
        next[size[c].number] = w->first[c];
        w->first[c + 1] = w->first[c] + size[c].n;
    }
    for (int64_t i = 0; i < n; i++)
        w->old[next[comp[i]]++] = (int32_t)i;
out:
    gnd_free(size);
    gnd_free(next);
    return st;
}

static void roots_fill(walk *w)
{
    for (int64_t c = 0; c < w->n_component; c++) {
        double all = 0;

        for (int64_t i = w->first[c]; i < w->first[c + 1]; i++) {
            double sum = 1;

            for (int64_t p = w->adj.ptr[i]; p < w->adj.ptr[i + 1]; p++)
                sum += (double)gnd_csr_val(&w->adj, p);
            w->root[i] = sqrt(sum);
            all += sum;
        }
        for (int64_t i = w->first[c]; i < w->first[c + 1]; i++)
            w->unit[i] = w->root[i] / sqrt(all);
    }
}

static void walk_fini(walk *w)
{
    gnd_csr_fini(&w->adj);
    gnd_free(w->old);
    gnd_free(w->root);
    gnd_free(w->unit);
    gnd_free(w->first);
    gnd_free(w->x);
    gnd_free(w->y);
    gnd_free(w->vector);
}

static gnd_status walk_init(walk *w, const gnd_graph *g, gnd_error *err)
{
    const int64_t n = g->n_node;
    int32_t *comp = gnd_alloc(n, sizeof *comp);
    gnd_csr rows = {0}, back = {0};
    gnd_status st = GND_OK;

    *w = (walk){.old = gnd_alloc(n, sizeof *w->old),
                .root = gnd_alloc(n, sizeof *w->root),
                .unit = gnd_alloc(n, sizeof *w->unit),
                .x = gnd_alloc(n, sizeof *w->x),
                .y = gnd_alloc(n, sizeof *w->y),
                .vector = gnd_alloc(n, sizeof *w->vector)};
    if (!w->old || !comp || !w->root || !w->unit || !w->x || !w->y || !w->vector)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the spectrum of %lld vertices",
                         (long long)n));
    GND_TRY(gnd_csr_transpose_or_borrow(&back, &g->adj, err));
    if (!back.borrowed)
        GND_TRY(gnd_fail(err, GND_ERR_ARG,
                         "%s: the graph is directed, and its random walk has no real spectrum; use "
                         "graph mode und or std",
                         g->name));
    GND_TRY(components_order(w, comp, &g->adj, err));
    /* Columns must ascend in the new order: select rows, transpose, select again. */
    GND_TRY(gnd_csr_select(&rows, &g->adj, (gnd_row_list){w->old, n}, NULL, n, err));
    gnd_csr_fini(&back);
    GND_TRY(gnd_csr_transpose(&back, &rows, err));
    GND_TRY(gnd_csr_select(&w->adj, &back, (gnd_row_list){w->old, n}, NULL, n, err));
    roots_fill(w);
out:
    gnd_csr_fini(&rows);
    gnd_csr_fini(&back);
    gnd_free(comp);
    return st;
}

/* ---- eigenvalues ---- */

/* The largest (sign 1) or smallest (sign -1) eigenvalue of component c other than its 1. */
static gnd_status extreme(double *out, walk *w, int64_t c, double sign, gnd_error *err)
{
    block b = {.w = w, .begin = w->first[c], .end = w->first[c + 1], .sign = sign};
    double *const lock[] = {w->unit + b.begin};
    const gnd_leading a = {.n = b.end - b.begin,
                           .product = block_product,
                           .arg = &b,
                           .lock = lock,
                           .n_lock = 1,
                           .scale = 1,
                           .seed = 1};
    const gnd_status st = gnd_leading_pair(out, w->vector, &a, err);

    if (st != GND_OK)
        gnd_error_prefix(err, "component of %lld vertices", (long long)a.n);
    *out = fabs(*out) < GND_LEADING_TOLERANCE ? 0 : sign * *out;
    return st;
}

static gnd_status component_fill(gnd_spectrum_component *o, walk *w, int64_t c, gnd_error *err)
{
    gnd_status st = GND_OK;

    *o = (gnd_spectrum_component){.n_node = w->first[c + 1] - w->first[c]};
    if (o->n_node == 1) { /* W is 1 */
        o->second = o->smallest = NAN;
        return GND_OK;
    }
    GND_TRY(extreme(&o->second, w, c, 1, err));
    if (o->n_node == 2)
        o->smallest = o->second;
    else
        GND_TRY(extreme(&o->smallest, w, c, -1, err));
    o->modulus = fmax(fabs(o->second), fabs(o->smallest));
out:
    return st;
}

/* ---- powers ---- */

/* The product of unit and x, and the sum of D, on component c. */
static double limit_of(const walk *w, int64_t c, double *mass)
{
    double dot = 0;

    *mass = 0;
    for (int64_t i = w->first[c]; i < w->first[c + 1]; i++) {
        dot += w->unit[i] * w->x[i];
        *mass += w->root[i] * w->root[i];
    }
    return dot; /* the limit is dot / sqrt(mass) */
}

/* x = x minus its limits, which are projections. */
static void limits_remove(const walk *w)
{
    for (int64_t c = 0; c < w->n_component; c++) {
        double mass;
        const double dot = limit_of(w, c, &mass);

        for (int64_t i = w->first[c]; i < w->first[c + 1]; i++)
            w->x[i] -= dot * w->unit[i];
    }
}

/* The distance of the limits of x from one value for all vertices, their weighted mean. */
static double limits_spread(const walk *w)
{
    double mean = 0, all = 0, spread = 0, mass;

    for (int64_t c = 0; c < w->n_component; c++) {
        mean += limit_of(w, c, &mass) * sqrt(mass);
        all += mass;
    }
    mean /= fmax(all, 1);
    for (int64_t c = 0; w->n_component > 1 && c < w->n_component; c++) {
        const double dot = limit_of(w, c, &mass);

        spread += pow(dot - mean * sqrt(mass), 2);
    }
    return sqrt(spread);
}

/* Squares of small values underflow, so they are relative to the largest. */
static double norm_of(const double *x, int64_t n)
{
    double most = 0, sum = 0;

    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    for (int64_t i = 0; most > 0 && i < n; i++)
        sum += (x[i] / most) * (x[i] / most);
    return most * sqrt(sum);
}

/* |W^k z - limit| for the powers requested, which ascend. x is D^1/2 (W^k z - limit); the limits
 * are removed after each product, since rounding would bring them back. */
static void powers_fill(gnd_spectrum *s, walk *w, const gnd_spectrum_opts *o)
{
    const int64_t n = w->adj.n_row;
    block all = {.w = w, .begin = 0, .end = n, .sign = 1};
    const double tiny = 1e-300; /* below it, numbers lose digits */
    double between, start, modulus = 0;
    int64_t k = 0;

    for (int64_t c = 0; c < s->n_component; c++)
        modulus = fmax(modulus, s->component[c].modulus);
    for (int64_t i = 0; i < n; i++)
        w->x[i] =
            (2 * gnd_rng_uniform(o->seed, STREAM_START, (uint64_t)w->old[i]) - 1) * w->root[i];
    between = limits_spread(w);
    limits_remove(w);
    start = norm_of(w->x, n);
    for (int64_t j = 0; j < s->n_power; j++) {
        double left;

        for (; k < o->power[j]; k++) {
            block_product(w->y, w->x, &all);
            memcpy(w->x, w->y, (size_t)n * sizeof *w->x);
            limits_remove(w);
        }
        left = norm_of(w->x, n);
        s->power[j] = (gnd_spectrum_power){
            .k = k,
            .distance = left > tiny * start ? left / start : 0,
            .bound = pow(modulus, (double)k),
            .distance_to_one =
                left > tiny || between > 0 ? hypot(left, between) / hypot(start, between) : 0};
    }
}

/* ---- public functions ---- */

gnd_status gnd_spectrum_new(gnd_spectrum **out, const gnd_graph *g, const gnd_spectrum_opts *o,
                            gnd_error *err)
{
    gnd_spectrum_opts all;
    gnd_spectrum *s = NULL;
    walk w = {0};
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(gnd_opts_get(&all, sizeof all, o, "gnd_spectrum_opts", err));
    for (int64_t j = 0; j < all.n_power; j++)
        if (all.power[j] < 0 || (j > 0 && all.power[j] <= all.power[j - 1]))
            GND_TRY(gnd_fail(err, GND_ERR_ARG,
                             "gnd_spectrum_opts: the powers must ascend and not be negative"));
    GND_TRY(walk_init(&w, g, err));
    s = gnd_alloc(1, sizeof *s);
    if (s) {
        s->n_component = w.n_component;
        s->n_power = all.n_power;
        s->component = gnd_alloc(s->n_component, sizeof *s->component);
        s->power = gnd_alloc(s->n_power, sizeof *s->power);
    }
    if (!s || !s->component || !s->power)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a spectrum"));
    for (int64_t c = 0; c < s->n_component; c++)
        GND_TRY(component_fill(&s->component[c], &w, c, err));
    powers_fill(s, &w, &all);
    *out = s;
    s = NULL;
out:
    gnd_spectrum_free(s);
    walk_fini(&w);
    return st;
}

void gnd_spectrum_free(gnd_spectrum *s)
{
    if (!s)
        return;
    gnd_free(s->component);
    gnd_free(s->power);
    gnd_free(s);
}

int64_t gnd_spectrum_n_component(const gnd_spectrum *s)
{
    return s->n_component;
}

const gnd_spectrum_component *gnd_spectrum_component_get(const gnd_spectrum *s, int64_t i)
{
    return i >= 0 && i < s->n_component ? &s->component[i] : NULL;
}

const gnd_spectrum_power *gnd_spectrum_power_get(const gnd_spectrum *s, int64_t i)
{
    return i >= 0 && i < s->n_power ? &s->power[i] : NULL;
}
