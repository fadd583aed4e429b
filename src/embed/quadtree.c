/* SPDX-License-Identifier: MIT
 * quadtree.c - a quadtree from points sorted along the Z curve (Morton order).
 *
 * A cell of the tree is a range of the sorted points whose positions have the same leading bits. A
 * level at which all points of a cell are in one quadrant is skipped, so that there are fewer cells
 * than 2 n. A cell of LEAF points, or of points that differ in no bit, is not divided. */
#include "quadtree.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

enum { LEAF = 8, BITS = 16, RADIX = 8, KINDS = 1 << RADIX };

gnd_status gnd_quadtree_init(gnd_quadtree *t, int64_t n, gnd_error *err)
{
    *t = (gnd_quadtree){.n = n};
    t->key = gnd_alloc(n, sizeof *t->key);
    t->other = gnd_alloc(n, sizeof *t->other);
    t->order = gnd_alloc(n, sizeof *t->order);
    t->y = gnd_alloc(2 * n, sizeof *t->y);
    t->cell = gnd_alloc(2 * n, sizeof *t->cell);
    if (t->key && t->other && t->order && t->y && t->cell)
        return GND_OK;
    gnd_quadtree_fini(t);
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for a tree of %lld points", (long long)n);
}

void gnd_quadtree_fini(gnd_quadtree *t)
{
    gnd_free(t->key);
    gnd_free(t->other);
    gnd_free(t->order);
    gnd_free(t->y);
    gnd_free(t->cell);
    *t = (gnd_quadtree){0};
}

/* Bit i of v becomes bit 2 i. */
static uint32_t spread(uint32_t v)
{
    v = (v | v << 8) & 0x00ff00ff;
    v = (v | v << 4) & 0x0f0f0f0f;
    v = (v | v << 2) & 0x33333333;
    return (v | v << 1) & 0x55555555;
}

/* Position in the high half, index in the low half. */
static void set_keys(gnd_quadtree *t, const gnd_real *y)
{
    const gnd_real last = (1 << BITS) - 1;
    gnd_real low[2] = {y[0], y[1]}, high[2] = {y[0], y[1]}, scale, width;

    for (int64_t i = 0; i < 2 * t->n; i++) {
        low[i & 1] = y[i] < low[i & 1] ? y[i] : low[i & 1];
        high[i & 1] = y[i] > high[i & 1] ? y[i] : high[i & 1];
    }
    width = high[0] - low[0] > high[1] - low[1] ? high[0] - low[0] : high[1] - low[1];
    scale = width > 0 && last / width < INFINITY ? last / width : 0;
    for (int64_t i = 0; i < t->n; i++) {
        const gnd_real a = (y[2 * i] - low[0]) * scale, b = (y[2 * i + 1] - low[1]) * scale;
        const uint32_t code =
            spread((uint32_t)(a < last ? a : last)) | spread((uint32_t)(b < last ? b : last)) << 1;

        t->key[i] = (uint64_t)code << 32 | (uint64_t)i;
    }
}

/* Sort by the high half: least significant digit first. An even number of passes, so that the
 * result is in key. */
static void sort_keys(gnd_quadtree *t)
{
    for (int shift = 32; shift < 64; shift += RADIX) {
        int64_t at[KINDS + 1] = {0};
        uint64_t *swap = t->key;

        for (int64_t i = 0; i < t->n; i++)
            at[(t->key[i] >> shift & (KINDS - 1)) + 1]++;
        for (int k = 0; k < KINDS; k++)
            at[k + 1] += at[k];
        for (int64_t i = 0; i < t->n; i++)
            t->other[at[t->key[i] >> shift & (KINDS - 1)]++] = t->key[i];
        t->key = t->other;
        t->other = swap;
    }
}

typedef struct {
    gnd_real low[2], high[2], sum[2];
} extent;

static extent extent_of(const gnd_quadtree *t, int32_t begin, int32_t end)
{
    const gnd_real *y = t->y + 2 * (int64_t)begin;
    extent e = {.low = {y[0], y[1]}, .high = {y[0], y[1]}};

    for (int32_t i = begin; i < end; i++, y += 2)
        for (int c = 0; c < 2; c++) {
            e.low[c] = y[c] < e.low[c] ? y[c] : e.low[c];
            e.high[c] = y[c] > e.high[c] ? y[c] : e.high[c];
            e.sum[c] += y[c];
        }
    return e;
}

static void extend(extent *e, const extent *by)
{
    for (int c = 0; c < 2; c++) {
        e->low[c] = by->low[c] < e->low[c] ? by->low[c] : e->low[c];
        e->high[c] = by->high[c] > e->high[c] ? by->high[c] : e->high[c];
        e->sum[c] += by->sum[c];
    }
}

/* The first point from begin on whose bits from `shift` up differ from those of begin. */
static int32_t quadrant_end(const gnd_quadtree *t, int32_t begin, int32_t end, int shift)
{
    const uint64_t kind = t->key[begin] >> shift;
    int32_t low = begin + 1, high = end;

    while (low < high) {
        const int32_t middle = low + (high - low) / 2;

        if (t->key[middle] >> shift == kind)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds the cell of the points begin .. end - 1, and those inside it. At most BITS levels deep. */
static extent add_cell(gnd_quadtree *t, int32_t begin, int32_t end)
{
    gnd_cell_node *c = t->cell + t->n_cell++;
    const uint64_t differ = (t->key[begin] ^ t->key[end - 1]) >> 32;
    extent e;

    *c = (gnd_cell_node){.begin = begin, .end = end, .leaf = end - begin <= LEAF || differ == 0};
    if (c->leaf) {
        e = extent_of(t, begin, end);
    } else {
        const int shift = 32 + (31 - __builtin_clz((uint32_t)differ)) / 2 * 2; /* first pair of bits
                                                                                  that differs */
        int32_t from = begin, to = quadrant_end(t, begin, end, shift);

        e = add_cell(t, from, to);
        for (from = to; from < end; from = to) {
            extent part;

            to = quadrant_end(t, from, end, shift);
            part = add_cell(t, from, to);
            extend(&e, &part);
        }
    }
    c->side =
        e.high[0] - e.low[0] > e.high[1] - e.low[1] ? e.high[0] - e.low[0] : e.high[1] - e.low[1];
    /* The mean of points that coincide would be rounded. */
    c->x = c->side > 0 ? e.sum[0] / (gnd_real)(end - begin) : e.low[0];
    c->y = c->side > 0 ? e.sum[1] / (gnd_real)(end - begin) : e.low[1];
    c->next = (int32_t)t->n_cell;
    return e;
}

void gnd_quadtree_build(gnd_quadtree *t, const gnd_real *y)
{
    t->n_cell = 0;
    if (t->n == 0)
        return;
    set_keys(t, y);
    sort_keys(t);
    for (int64_t i = 0; i < t->n; i++) {
        t->order[i] = (int32_t)(t->key[i] & UINT32_MAX);
        memcpy(t->y + 2 * i, y + 2 * (int64_t)t->order[i], 2 * sizeof *y);
    }
    add_cell(t, 0, (int32_t)t->n);
}
