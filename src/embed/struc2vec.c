/* SPDX-License-Identifier: MIT
 * struc2vec.c - struc2vec: random walks on a graph of structural similarity, used as sentences of
 * skip-gram.
 *
 *     f_k(u, v) = f_{k-1}(u, v) + warp(s_k(u), s_k(v))     s_k(u): degrees at hop k of u, sorted
 *     layer k: u - v with weight e^-f_k(u,v);  up from u: log(G_k(u) + e), down: 1
 *     G_k(u) = number of u's weights in layer k above the mean weight of the layer
 *
 * Ribeiro, Saverese and Figueiredo, KDD 2017, arXiv:1704.03165, with the authors' optimisations:
 * runs of equal degrees, comparison only with vertices that are close in the order of degrees,
 * few layers. A walk starts in layer 0. In each turn it steps inside its layer with probability
 * 0.3, else it tries to change the layer. Steps have weights e^-(f - smallest f), which gives
 * the same probabilities and does not underflow. Here vertices are identified by their
 * place in the order of degrees. */
#include "struc2vec.h"

#include <math.h>
#include <stdlib.h>

#include "alias.h"
#include "base/alloc.h"
#include "base/rng.h"
#include "hop_distances.h"
#include "rings.h"
#include "skipgram.h"

enum { WALKS = 10, WALK_LENGTH = 80, PASSES = 5, MAX_SIDE = 64, GRAIN = 64 };
static const double step_share = 0.3;
static const float first_rate = 0.025f, last_rate = 0.0001f;

enum { STREAM_WALK = 1, STREAM_ORDER, STREAM_LEARN };

typedef struct {
    int64_t n;
    int32_t *vertex;          /* [n] vertex at each place in the order of degrees */
    int64_t side;             /* number of partners on either side */
    int64_t offset[MAX_SIDE]; /* [side] distances in places of the partners, ascending */
    int64_t near;             /* adjacent partners; the others must have the same degree */
    gnd_rings rings;
    int size;       /* number of threads of the pool */
    float *scratch; /* [size, 2 longest] */
    float *f;       /* [GND_RINGS, n, side]: place p with p + offset[q]; INFINITY: no such pair */
    int32_t *top;   /* [n] number of layers the place is in */
    double mean[GND_RINGS]; /* mean weight of each layer */
    float *up;              /* [GND_RINGS, n] probability of up, given a change of layer */
    uint32_t *keep;         /* [GND_RINGS, n, 2 side] alias tables of the partners */
    int32_t *other;
    uint64_t seed;
    int round;
    int32_t *walk; /* [n, WALK_LENGTH] walks of the current round */
} likeness;

/* ---- order ---- */

typedef struct {
    int64_t degree, around; /* around: sum of the neighbours' degrees, which orders equal degrees */
    int32_t vertex;
} placed;

static int by_degree(const void *p, const void *q)
{
    const placed *a = p, *b = q;

    if (a->degree != b->degree)
        return a->degree < b->degree ? -1 : 1;
    if (a->around != b->around)
        return a->around < b->around ? -1 : 1;
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

static gnd_status order_vertices(likeness *l, const gnd_csr *links, gnd_error *err)
{
    placed *p = gnd_alloc(l->n, sizeof *p);

    l->vertex = gnd_alloc(l->n, sizeof *l->vertex);
    if (!p || !l->vertex) {
        gnd_free(p);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for the order of %lld vertices",
                        (long long)l->n);
    }
    for (int64_t v = 0; v < l->n; v++) {
        p[v] = (placed){.degree = links->ptr[v + 1] - links->ptr[v], .vertex = (int32_t)v};
        for (int64_t e = links->ptr[v]; e < links->ptr[v + 1]; e++)
            p[v].around += links->ptr[links->col[e] + 1] - links->ptr[links->col[e]];
    }
    qsort(p, (size_t)l->n, sizeof *p, by_degree);
    for (int64_t i = 0; i < l->n; i++)
        l->vertex[i] = p[i].vertex;
    gnd_free(p);
    return GND_OK;
}

/* ---- layers ---- */

static float *pair_at(const likeness *l, int k, int64_t place, int64_t q)
{
    return l->f + ((int64_t)k * l->n + place) * l->side + q;
}

/* Computes f_0, f_1, .. of place p and its q-th partner after it. */
static void compare_pair(const likeness *l, int64_t p, int64_t q, float *scratch)
{
    const gnd_rings *r = &l->rings;
    const int64_t other = p + l->offset[q], u = l->vertex[p];
    const int64_t v = other < l->n ? l->vertex[other] : -1;
    const bool out = v < 0 || (q >= l->near && gnd_ring_degree(r, u) != gnd_ring_degree(r, v));
    double f = 0;

    for (int k = 0; k < GND_RINGS; k++) {
        if (out || !gnd_ring_length(r, u, k) || !gnd_ring_length(r, v, k))
            f = INFINITY;
        else
            f += gnd_ring_distance(r, u, v, k, scratch);
        *pair_at(l, k, p, q) = (float)f;
    }
}

/* Thread m compares every size-th place with its partners after it. */
static void compare_pairs(int64_t begin, int64_t end, void *arg)
{
    const likeness *l = arg;

    for (int64_t m = begin; m < end; m++)
        for (int64_t p = m; p < l->n; p += l->size)
            for (int64_t q = 0; q < l->side; q++)
                compare_pair(l, p, q, l->scratch + m * 2 * l->rings.longest);
}

/* The t-th partner of place p, if there is one: first those before it, then those after it. */
static int64_t partner_place(const likeness *l, int64_t p, int64_t t)
{
    return t < l->side ? p - l->offset[t] : p + l->offset[t - l->side];
}

/* f_k of place p and its t-th partner. */
static double partner(const likeness *l, int k, int64_t p, int64_t t)
{
    if (t >= l->side)
        return (double)*pair_at(l, k, p, t - l->side);
    return p < l->offset[t] ? INFINITY : (double)*pair_at(l, k, p - l->offset[t], t);
}

static void mean_weights(likeness *l)
{
    for (int k = 0; k < GND_RINGS; k++) {
        const float *f = pair_at(l, k, 0, 0);
        double sum = 0;
        int64_t count = 0;

        for (int64_t i = 0; i < l->n * l->side; i++)
            if (isfinite(f[i])) {
                sum += exp(-(double)f[i]);
                count++;
            }
        l->mean[k] = count ? sum / (double)count : 0;
    }
}

/* Computes the step probabilities of place p in layer k. Returns false if it has no partner
 * there. */
static bool prepare_place(const likeness *l, int k, int64_t p)
{
    const int64_t n = 2 * l->side, at = ((int64_t)k * l->n + p) * n;
    double weight[2 * MAX_SIDE], least = INFINITY, up;
    int32_t stack[2 * MAX_SIDE];
    int64_t strong = 0;

    for (int64_t t = 0; t < n; t++) {
        weight[t] = partner(l, k, p, t);
        least = fmin(least, weight[t]);
        strong += exp(-weight[t]) > l->mean[k];
    }
    if (isinf(least))
        return false;
    for (int64_t t = 0; t < n; t++)
        weight[t] = exp(least - weight[t]);
    gnd_alias_build(l->keep + at, l->other + at, weight, stack, n);
    up = log((double)strong + exp(1));
    l->up[(int64_t)k * l->n + p] = (float)(up / (up + 1));
    return true;
}

static void prepare_places(int64_t begin, int64_t end, void *arg)
{
    const likeness *l = arg;

    for (int64_t p = begin; p < end; p++) {
        int k = 0;

        while (k < GND_RINGS && prepare_place(l, k, p))
            k++;
        l->top[p] = k;
    }
}

/* Chooses the 2 log2 n nearest places on either side, and farther ones at doubling distances.
 * Hundreds of vertices of one degree are equally near; with adjacent places only, a walk would
 * need very many steps to cross them. */
static void choose_offsets(likeness *l)
{
    l->near = (int64_t)ceil(2 * log2((double)l->n));
    if (l->near > MAX_SIDE)
        l->near = MAX_SIDE;
    for (l->side = 0; l->side < l->near; l->side++)
        l->offset[l->side] = l->side + 1;
    for (int64_t o = 2 * l->near; o < l->n && l->side < MAX_SIDE; o *= 2)
        l->offset[l->side++] = o;
}

static gnd_status likeness_init(likeness *l, const gnd_csr *links, uint64_t seed, gnd_pool *pool,
                                gnd_error *err)
{
    const int64_t n = links->n_row, cells = GND_RINGS * n;
    gnd_status st;

    *l = (likeness){.n = n, .seed = seed, .size = gnd_pool_threads(pool)};
    choose_offsets(l);
    GND_TRY(order_vertices(l, links, err));
    GND_TRY(gnd_rings_init(&l->rings, links, pool, err));
    l->scratch = gnd_alloc(l->size * 2 * l->rings.longest, sizeof *l->scratch);
    l->f = gnd_alloc(cells * l->side, sizeof *l->f);
    l->top = gnd_alloc(n, sizeof *l->top);
    l->up = gnd_alloc(cells, sizeof *l->up);
    l->keep = gnd_alloc(cells * 2 * l->side, sizeof *l->keep);
    l->other = gnd_alloc(cells * 2 * l->side, sizeof *l->other);
    l->walk = gnd_alloc(n * WALK_LENGTH, sizeof *l->walk);
    if (!l->scratch || !l->f || !l->top || !l->up || !l->keep || !l->other || !l->walk)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the similarities of %lld vertices",
                         (long long)n));
    gnd_parallel_for(pool, l->size, 1, n * l->side * 1000, compare_pairs, l);
    mean_weights(l);
    gnd_parallel_for(pool, n, GRAIN, cells * l->side * 50, prepare_places, l);
out:
    return st;
}

static void likeness_fini(likeness *l)
{
    gnd_rings_fini(&l->rings);
    gnd_free(l->vertex);
    gnd_free(l->scratch);
    gnd_free(l->f);
    gnd_free(l->top);
    gnd_free(l->up);
    gnd_free(l->keep);
    gnd_free(l->other);
    gnd_free(l->walk);
}

/* ---- walks ---- */

static uint64_t key_of(uint64_t seed, uint64_t stream, uint64_t a, uint64_t b)
{
    return gnd_hash_at(gnd_hash_at(gnd_hash_at(seed, stream), a), b);
}

/* 24 bits per choice, 32 per draw: one word serves a turn. */
static void walk_from(const likeness *l, int32_t *walk, int64_t place)
{
    const uint64_t key = key_of(l->seed, STREAM_WALK, (uint64_t)l->round, (uint64_t)place);
    const int64_t n = 2 * l->side;
    int64_t p = place, length = 0;
    int k = 0;

    walk[length++] = (int32_t)p;
    for (uint64_t turn = 0; length < WALK_LENGTH; turn++) {
        const uint64_t h = gnd_hash_at(key, turn);

        if ((double)(h >> 40) * 0x1p-24 < step_share) {
            const int64_t at = ((int64_t)k * l->n + p) * n;

            p = partner_place(l, p, gnd_alias_draw(l->keep + at, l->other + at, n, (uint32_t)h));
            walk[length++] = (int32_t)p;
        } else if ((double)(uint32_t)h * 0x1p-32 < (double)l->up[(int64_t)k * l->n + p]) {
            k += k + 1 < l->top[p];
        } else {
            k -= k > 0;
        }
    }
}

static void walk_all(int64_t begin, int64_t end, void *arg)
{
    const likeness *l = arg;

    for (int64_t p = begin; p < end; p++)
        walk_from(l, l->walk + p * WALK_LENGTH, p);
}

static void make_walks(likeness *l, int round, gnd_pool *pool)
{
    l->round = round;
    gnd_parallel_for(pool, l->n, GRAIN, l->n * WALK_LENGTH * 10, walk_all, l);
}

/* ---- learning ---- */

static void shuffle(int32_t *order, int64_t n, uint64_t key)
{
    for (int64_t i = 0; i < n; i++)
        order[i] = (int32_t)i;
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t j =
            (int64_t)((gnd_hash_at(key, (uint64_t)i) >> 32) * (uint64_t)(i + 1) >> 32);
        const int32_t t = order[i];

        order[i] = order[j];
        order[j] = t;
    }
}

/* Learns from the same walks in each pass. They are computed again each time, since storing all
 * of them would take too much memory. */
static void learn_walks(gnd_skipgram *s, likeness *l, int32_t *order, gnd_pool *pool)
{
    const double total = (double)PASSES * WALKS * (double)l->n;
    double done = 0;

    for (int pass = 0; pass < PASSES; pass++)
        for (int round = 0; round < WALKS; round++) {
            const uint64_t at = (uint64_t)(pass * WALKS + round);

            make_walks(l, round, pool);
            shuffle(order, l->n, key_of(l->seed, STREAM_ORDER, at, 0));
            for (int64_t i = 0; i < l->n; i++, done++) {
                const float rate = first_rate * (float)(1 - done / total);

                gnd_skipgram_learn(s, l->walk + order[i] * (int64_t)WALK_LENGTH, WALK_LENGTH,
                                   rate > last_rate ? rate : last_rate,
                                   key_of(l->seed, STREAM_LEARN, at, (uint64_t)i));
            }
        }
}

static gnd_status learn(double *z, likeness *l, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = l->n;
    int64_t *count = gnd_alloc(n, sizeof *count);
    int32_t *order = gnd_alloc(n, sizeof *order);
    gnd_skipgram s = {0};
    gnd_status st = GND_OK;

    if (!count || !order)
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "no memory for the walks of %lld vertices", (long long)n));
    for (int round = 0; round < WALKS; round++) {
        make_walks(l, round, pool);
        for (int64_t i = 0; i < n * WALK_LENGTH; i++)
            count[l->walk[i]]++;
    }
    GND_TRY(gnd_skipgram_init(&s, count, n, l->seed, err));
    learn_walks(&s, l, order, pool);
    for (int64_t p = 0; p < n; p++)
        for (int c = 0; c < 2; c++)
            z[2 * l->vertex[p] + c] = (double)s.in[p][c];
out:
    gnd_skipgram_fini(&s);
    gnd_free(order);
    gnd_free(count);
    return st;
}

gnd_status gnd_struc2vec(double *z, const gnd_csr *adj, uint64_t seed, gnd_pool *pool,
                         gnd_error *err)
{
    gnd_csr links = {0};
    likeness l = {0};
    gnd_status st;

    for (int64_t i = 0; i < 2 * adj->n_row; i++)
        z[i] = 0;
    GND_TRY(gnd_links_init(&links, adj, err));
    if (links.n_row > 1) { /* a single vertex has no similar vertex */
        GND_TRY(likeness_init(&l, &links, seed, pool, err));
        GND_TRY(learn(z, &l, pool, err));
    }
out:
    likeness_fini(&l);
    gnd_csr_fini(&links);
    return st;
}
