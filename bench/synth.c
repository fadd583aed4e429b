/* SPDX-License-Identifier: MIT
 * synth.c - drawing a graph with hubs and communities. */
#include "synth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t a)
{
    a = (a ^ (a >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    a = (a ^ (a >> 27)) * UINT64_C(0x94d049bb133111eb);
    return a ^ (a >> 31);
}

/* splitmix64. */
static uint64_t next(uint64_t *state)
{
    return mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}

/* A whole number below n, n < 2^32. */
static int64_t below(uint64_t *state, int64_t n)
{
    return (int64_t)((next(state) >> 32) * (uint64_t)n >> 32);
}

static double unit(uint64_t *state)
{
    return (double)(next(state) >> 11) * 0x1p-53;
}

/* What is drawn: links by pairs of vertices, communities being ranges of vertices. */
typedef struct {
    int64_t n, n_link;
    int32_t *from, *to; /* [n_link] */
    int32_t *begin;     /* [n] first vertex of the community of each */
    int32_t *size;      /* [n] of that community */
    int32_t *name;      /* [n] shuffled ids */
} drawing;

static void draw_communities(drawing *d, uint64_t *state)
{
    for (int64_t i = 0; i < d->n;) {
        int64_t size = 100 + below(state, 301);

        size = d->n - i < size + 100 ? d->n - i : size;
        for (int64_t k = 0; k < size; k++) {
            d->begin[i + k] = (int32_t)i;
            d->size[i + k] = (int32_t)size;
        }
        i += size;
    }
    for (int64_t i = 0; i < d->n; i++)
        d->name[i] = (int32_t)i;
    for (int64_t i = d->n - 1; i > 0; i--) {
        const int64_t k = below(state, i + 1);
        const int32_t keep = d->name[i];

        d->name[i] = d->name[k];
        d->name[k] = keep;
    }
}

/* Vertex i starts as many links as a Pareto law of exponent 2.5 says; the mean is n_link / n. Links
 * that leave the community end where some link starts, so hubs attract. */
static void draw_links(drawing *d, uint64_t *state)
{
    const double least = (double)d->n_link / (double)d->n / 3, most = (double)d->n / 20;
    int64_t q = 0;

    for (int64_t i = 0; q < d->n_link; i = (i + 1) % d->n) {
        const double degree = fmin(least * pow(1 - unit(state), -1 / 1.5), most);
        int64_t k = (int64_t)(degree + unit(state));

        for (; k > 0 && q < d->n_link; k--)
            d->from[q++] = (int32_t)i;
    }
    for (q = 0; q < d->n_link; q++) {
        const int32_t i = d->from[q];

        d->to[q] = unit(state) < 0.7 ? (int32_t)(d->begin[i] + below(state, d->size[i]))
                                     : d->from[below(state, d->n_link)];
    }
}

/* Both directions of every link and the diagonal, rows not yet sorted. */
static void fill(synth_graph *g, const drawing *d)
{
    for (int64_t i = 0; i < d->n; i++)
        g->ptr[i + 1] = 1;
    for (int64_t q = 0; q < d->n_link; q++) {
        g->ptr[d->name[d->from[q]] + 1]++;
        g->ptr[d->name[d->to[q]] + 1]++;
    }
    for (int64_t i = 0; i < d->n; i++)
        g->ptr[i + 1] += g->ptr[i];
    for (int64_t i = 0; i < d->n; i++)
        g->col[g->ptr[i]++] = (int32_t)i;
    for (int64_t q = 0; q < d->n_link; q++) {
        const int32_t u = d->name[d->from[q]], v = d->name[d->to[q]];

        g->col[g->ptr[u]++] = v;
        g->col[g->ptr[v]++] = u;
    }
    memmove(g->ptr + 1, g->ptr, (size_t)g->n * sizeof *g->ptr);
    g->ptr[0] = 0;
}

static int by_value(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

/* Each row ascending, each column in it once. */
static void tidy(synth_graph *g)
{
    int64_t q = 0, begin = 0;

    for (int64_t i = 0; i < g->n; i++) {
        const int64_t first = q, end = g->ptr[i + 1];

        qsort(g->col + begin, (size_t)(end - begin), sizeof *g->col, by_value);
        for (int64_t p = begin; p < end; p++)
            if (q == first || g->col[p] != g->col[q - 1])
                g->col[q++] = g->col[p];
        begin = end;
        g->ptr[i + 1] = q;
    }
    g->nnz = q;
}

bool synth_make(synth_graph *out, int64_t n, int64_t nnz, uint64_t seed)
{
    drawing d = {.n = n, .n_link = (nnz - n) / 2};
    uint64_t state = mix(seed);
    const size_t m = (size_t)d.n_link, v = (size_t)n;
    bool ok;

    d.from = malloc(m * sizeof *d.from);
    d.to = malloc(m * sizeof *d.to);
    d.begin = malloc(v * sizeof *d.begin);
    d.size = malloc(v * sizeof *d.size);
    d.name = malloc(v * sizeof *d.name);
    *out = (synth_graph){.n = n, .nnz = n + 2 * d.n_link};
    out->ptr = calloc(v + 1, sizeof *out->ptr);
    out->col = malloc((size_t)out->nnz * sizeof *out->col);
    ok = d.from && d.to && d.begin && d.size && d.name && out->ptr && out->col;
    if (ok) {
        draw_communities(&d, &state);
        draw_links(&d, &state);
        fill(out, &d);
        tidy(out);
    } else
        synth_fini(out);
    free(d.from);
    free(d.to);
    free(d.begin);
    free(d.size);
    free(d.name);
    return ok;
}

void synth_fini(synth_graph *g)
{
    free(g->ptr);
    free(g->col);
    *g = (synth_graph){0};
}
