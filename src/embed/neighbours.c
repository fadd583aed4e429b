/* SPDX-License-Identifier: MIT
 * neighbours.c - exact nearest neighbours by blocks of the distance matrix.
 *
 * A block has the distances of ROWS points to COLS points. Each point collects candidates that are
 * nearer than its bound; when its buffer is full, the k nearest stay and lower the bound. Distances
 * are sums of squared differences: |x|^2 + |y|^2 - 2 x.y would lose the small ones to rounding.
 *
 * Points at equal distances are taken in an order that is random but fixed, another one for each
 * point: by index, all of many coinciding points would have the same few neighbours. */
#include "neighbours.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "kern/kern.h"

enum { ROWS = 32, COLS = 512 };

typedef struct {
    const gnd_real *x; /* [n, d] */
    gnd_real *columns; /* blocks [d, COLS], one after the other; the last is padded with zeros */
    int64_t n, d, k, room;
    gnd_real *block; /* [pieces, ROWS, COLS] */
    uint64_t *found; /* [pieces, ROWS, room] */
    gnd_neighbours *out;
    const gnd_kern *kern;
    int64_t first; /* row of the first piece of this batch */
} search;

/* A permutation of the 32-bit numbers, other for each mask, and its inverse (the finaliser of
 * MurmurHash3). */
static uint32_t permute(uint32_t v, uint32_t mask)
{
    v ^= mask;
    v = (v ^ v >> 16) * 0x85ebca6b;
    v = (v ^ v >> 13) * 0xc2b2ae35;
    return v ^ v >> 16;
}

static uint32_t permute_back(uint32_t v, uint32_t mask)
{
    v = (v ^ v >> 16) * 0x7ed1b41d;
    v = (v ^ v >> 13 ^ v >> 26) * 0xa5cb9243;
    return (v ^ v >> 16) ^ mask;
}

/* Distance and permuted index as one number: the bits of a float that is not negative have its
 * order. */
static uint64_t key_of(float square, int64_t index, uint32_t mask)
{
    uint32_t bits;

    memcpy(&bits, &square, sizeof bits);
    return (uint64_t)bits << 32 | permute((uint32_t)index, mask);
}

static float key_square(uint64_t key)
{
    const uint32_t bits = (uint32_t)(key >> 32);
    float square;

    memcpy(&square, &bits, sizeof square);
    return square;
}

static void swap(uint64_t *a, uint64_t *b)
{
    const uint64_t t = *a;

    *a = *b;
    *b = t;
}

/* Move the k smallest of n distinct keys to the front, 0 < k < n. */
static void select_smallest(uint64_t *key, int64_t n, int64_t k)
{
    int64_t low = 0, high = n - 1;

    while (low < high) {
        const uint64_t a = key[low], b = key[low + (high - low) / 2], c = key[high];
        const uint64_t pivot = a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b;
        int64_t i = low, j = high;

        while (i <= j) {
            while (key[i] < pivot)
                i++;
            while (key[j] > pivot)
                j--;
            if (i <= j)
                swap(&key[i++], &key[j--]);
        }
        if (k - 1 <= j)
            high = j;
        else if (k - 1 >= i)
            low = i;
        else
            return;
    }
}

static void sort_keys(uint64_t *key, int64_t n)
{
    for (int64_t gap = n / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) /* Shell's method */
        for (int64_t i = gap; i < n; i++) {
            const uint64_t v = key[i];
            int64_t j = i;

            for (; j >= gap && key[j - gap] > v; j -= gap)
                key[j] = key[j - gap];
            key[j] = v;
        }
}

typedef struct {
    uint64_t *key; /* [room] */
    int64_t n;
    uint64_t bound; /* the k nearest have at most this key, */
    float far;      /* and at most this distance */
    uint32_t mask;
} candidates;

static void add_block(candidates *c, const search *s, const gnd_real *square, int64_t self,
                      int64_t from)
{
    const int64_t n = s->n - from < COLS ? s->n - from : COLS;

    for (int64_t j = 0; j < n; j++) {
        uint64_t key;

        if ((float)square[j] > c->far || from + j == self)
            continue;
        key = key_of((float)square[j], from + j, c->mask);
        if (key > c->bound)
            continue;
        c->key[c->n++] = key;
        if (c->n == s->room) {
            select_smallest(c->key, c->n, s->k);
            c->n = s->k;
            c->bound = 0;
            for (int64_t i = 0; i < c->n; i++)
                c->bound = c->key[i] > c->bound ? c->key[i] : c->bound;
            c->far = key_square(c->bound);
        }
    }
}

static void keep_nearest(candidates *c, const search *s, int64_t i)
{
    if (c->n > s->k)
        select_smallest(c->key, c->n, s->k);
    sort_keys(c->key, s->k);
    for (int64_t j = 0; j < s->k; j++) {
        s->out->index[i * s->k + j] = (int32_t)permute_back((uint32_t)c->key[j], c->mask);
        s->out->square[i * s->k + j] = key_square(c->key[j]);
    }
}

/* Pieces of ROWS points; each has its own block and buffers. */
static void search_pieces(int64_t begin, int64_t end, void *arg)
{
    const search *s = arg;

    for (int64_t piece = begin; piece < end; piece++) {
        const int64_t row = s->first + piece * ROWS;
        const int64_t n = s->n - row < ROWS ? s->n - row : ROWS;
        gnd_real *block = s->block + piece * ROWS * COLS;
        candidates c[ROWS];

        for (int64_t r = 0; r < n; r++)
            c[r] = (candidates){.key = s->found + (piece * ROWS + r) * s->room,
                                .bound = UINT64_MAX,
                                .far = INFINITY,
                                .mask = (uint32_t)gnd_mix64((uint64_t)(row + r))};
        for (int64_t from = 0; from < s->n; from += COLS) {
            s->kern->distances(block, s->x + row * s->d, s->columns + from * s->d, s->d, COLS, 0,
                               n);
            for (int64_t r = 0; r < n; r++)
                add_block(&c[r], s, block + r * COLS, row + r, from);
        }
        for (int64_t r = 0; r < n; r++)
            keep_nearest(&c[r], s, row + r);
    }
}

static void set_columns(const search *s)
{
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->d; j++)
            s->columns[i / COLS * COLS * s->d + j * COLS + i % COLS] = s->x[i * s->d + j];
}

gnd_status gnd_neighbours_init(gnd_neighbours *out, const gnd_neighbours_of *of, gnd_pool *pool,
                               gnd_error *err)
{
    const int64_t n = of->n, d = of->d, k = of->k;
    const int64_t batch = 2 * gnd_pool_threads(pool); /* pieces at a time; sets only the memory */
    search s = {.x = of->x, .n = n, .d = d, .k = k, .room = 4 * k + 16, .out = out};
    gnd_status st = GND_OK;

    *out = (gnd_neighbours){.n = n, .k = k};
    out->index = gnd_alloc(n * k, sizeof *out->index);
    out->square = gnd_alloc(n * k, sizeof *out->square);
    s.columns = gnd_alloc((n + COLS - 1) / COLS * COLS, sizeof *s.columns * (size_t)d);
    s.block = gnd_alloc_raw(batch * ROWS * COLS, sizeof *s.block);
    s.found = gnd_alloc_raw(batch * ROWS * s.room, sizeof *s.found);
    if (!out->index || !out->square || !s.columns || !s.block || !s.found)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the neighbours of %lld points",
                         (long long)n));
    s.kern = gnd_kern_get();
    set_columns(&s);
    for (; k > 0 && s.first < n; s.first += batch * ROWS) {
        const int64_t left = (n - s.first + ROWS - 1) / ROWS, pieces = left < batch ? left : batch;

        gnd_parallel_for(pool, pieces, 1, pieces * ROWS * n * d, search_pieces, &s);
    }
out:
    gnd_free(s.columns);
    gnd_free(s.block);
    gnd_free(s.found);
    if (st != GND_OK)
        gnd_neighbours_fini(out);
    return st;
}

void gnd_neighbours_fini(gnd_neighbours *nb)
{
    gnd_free(nb->index);
    gnd_free(nb->square);
    *nb = (gnd_neighbours){0};
}
