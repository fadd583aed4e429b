/* SPDX-License-Identifier: MIT
 * arc_blocks.c - cut a buffer of arcs to blocks, and read the arcs of a range of keys again.
 *
 * The arcs are moved to bins by the highest bits of their keys. Bins side by side become a block;
 * a bin that is too large is moved to bins by the next bits, and so on. The lowest key that a bin
 * may have is known, so that a key in the file is a short difference. */
#include "arc_blocks.h"

#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"

enum {
    SLICES = 16,      /* most threads that move one buffer: each has its own counters */
    TASKS = 4,        /* tasks of a thread that cuts bins */
    STAGE = 1 << 18,  /* bytes of blocks that are written at once, at least */
    ARC_MOST = 8 + 4, /* most bytes of an arc with its weight */
    SPARE = 8         /* a key is written as 8 bytes, whatever its length */
};

typedef struct cutting cutting;

/* A part of the bins. */
typedef struct {
    cutting *c;
    int first, last; /* bins */
    gnd_arc_block *block;
    int64_t n_block, cap_block;
    int64_t n_arc; /* of the blocks */
    char *stage;
    int64_t staged;
    int64_t first_staged; /* block whose place is not known yet */
    gnd_error err;
    gnd_status st;
} task;

struct cutting {
    const gnd_arc_buffer *b;
    int bits;
    gnd_arc_bins bins;
    int64_t *count; /* [n_slice][GND_ARC_BINS] of each slice, then where it puts them */
    int64_t *start; /* [GND_ARC_BINS + 1] */
    int n_slice;
    int64_t n_task;
    task *task;
    uint64_t any[SLICES], least[SLICES], largest[SLICES];
    _Atomic int64_t file_size;
};

int64_t gnd_arc_block_bytes(int64_t n)
{
    return n * ARC_MOST + SPARE;
}

/* ---- move to bins ---- */

static int64_t slice_begin(const cutting *c, int64_t k)
{
    return c->b->n * k / c->n_slice;
}

/* What the keys of slices have in common. */
static void slices_scan(int64_t first, int64_t last, void *arg)
{
    cutting *c = arg;

    for (int64_t k = first; k < last; k++) {
        const uint64_t *key = c->b->side[0].key;
        uint64_t any = 0, least = UINT64_MAX, largest = 0;

        for (int64_t i = slice_begin(c, k); i < slice_begin(c, k + 1); i++) {
            any |= key[i];
            least = key[i] < least ? key[i] : least;
            largest = key[i] > largest ? key[i] : largest;
        }
        c->any[k] = any;
        c->least[k] = least;
        c->largest[k] = largest;
    }
}

static void slices_count(int64_t first, int64_t last, void *arg)
{
    cutting *c = arg;

    for (int64_t k = first; k < last; k++) {
        const uint64_t *key = c->b->side[0].key;
        int64_t *count = c->count + k * GND_ARC_BINS;

        for (int64_t i = slice_begin(c, k); i < slice_begin(c, k + 1); i++)
            count[(gnd_arc_packed(key[i], c->bits) - c->bins.lo) >> c->bins.shift]++;
    }
}

static void slices_move(int64_t first, int64_t last, void *arg)
{
    cutting *c = arg;

    for (int64_t k = first; k < last; k++) {
        const gnd_arc_list from = c->b->side[0], to = c->b->side[1];
        int64_t *place = c->count + k * GND_ARC_BINS;

        for (int64_t i = slice_begin(c, k); i < slice_begin(c, k + 1); i++) {
            const uint64_t key = gnd_arc_packed(from.key[i], c->bits);
            const int64_t p = place[(key - c->bins.lo) >> c->bins.shift]++;

            to.key[p] = key;
            if (to.val)
                to.val[p] = from.val[i];
        }
    }
}

/* Which bits of keys are the bin. The lowest bin starts at a multiple of its size, so that bins of
 * runs alike are the same. */
static void bins_choose(cutting *c)
{
    uint64_t any = 0, least = UINT64_MAX, largest = 0;
    int length;

    for (int k = 0; k < c->n_slice; k++) {
        any |= c->any[k];
        least = c->least[k] < least ? c->least[k] : least;
        largest = c->largest[k] > largest ? c->largest[k] : largest;
    }
    c->bits = gnd_bit_length(any >> 32 | (any & UINT32_MAX));
    least = gnd_arc_packed(least, c->bits);
    largest = gnd_arc_packed(largest, c->bits);
    length = gnd_bit_length(largest - least);
    c->bins.shift = length > GND_ARC_DIGIT ? length - GND_ARC_DIGIT : 0;
    while ((largest >> c->bins.shift) - (least >> c->bins.shift) >= GND_ARC_BINS)
        c->bins.shift++; /* because of the start at a multiple */
    c->bins.lo = least >> c->bins.shift << c->bins.shift;
}

/* Move the arcs to side[1], by bins. */
static void move_all(cutting *c)
{
    const int64_t n = c->b->n;
    int64_t at = 0;

    gnd_parallel_for(c->b->pool, c->n_slice, 1, 2 * n, slices_scan, c);
    bins_choose(c);
    gnd_parallel_for(c->b->pool, c->n_slice, 1, 2 * n, slices_count, c);
    for (int d = 0; d < GND_ARC_BINS; d++) {
        c->start[d] = at;
        for (int k = 0; k < c->n_slice; k++) {
            int64_t *count = &c->count[k * GND_ARC_BINS + d];
            const int64_t more = *count;

            *count = at;
            at += more;
        }
    }
    c->start[GND_ARC_BINS] = at;
    gnd_parallel_for(c->b->pool, c->n_slice, 1, 4 * n, slices_move, c);
}

/* ---- blocks ---- */

/* Write what is staged to a place of its own in the file. */
static gnd_status stage_write(task *t, gnd_error *err)
{
    const int64_t at = atomic_fetch_add(&t->c->file_size, t->staged);

    for (; t->first_staged < t->n_block; t->first_staged++)
        t->block[t->first_staged].at += at;
    if (t->staged > 0) {
        const gnd_status st = gnd_tempfile_write(t->c->b->file, t->stage, t->staged, at, err);

        t->staged = 0;
        return st;
    }
    return GND_OK;
}

/* Stage n arcs; their keys are lo .. lo + size - 1. */
static gnd_status block_stage(task *t, gnd_arc_block *block, gnd_arc_list from, int64_t n,
                              uint64_t lo, uint64_t size)
{
    const int width = size > 1 ? (gnd_bit_length(size - 1) + 7) / 8 : 1;
    char *to = t->stage + t->staged;

    block->at = t->staged;
    block->width = width;
    for (int64_t i = 0; i < n; i++, to += width) {
        const uint64_t more = from.key[i] - lo;

        memcpy(to, &more, sizeof more); /* little-endian: the low bytes come first */
    }
    if (from.val)
        memcpy(to, from.val, (size_t)n * sizeof *from.val);
    t->staged += n * width + (from.val ? n * (int64_t)sizeof *from.val : 0);
    return t->staged >= STAGE ? stage_write(t, &t->err) : GND_OK;
}

/* Arcs begin .. begin + n - 1 of a side are a block; their keys are lo .. lo + size - 1. */
static gnd_status block_put(task *t, int side, int64_t begin, int64_t n, uint64_t lo, uint64_t size)
{
    const gnd_arc_buffer *b = t->c->b;
    const gnd_arc_list from = gnd_arcs_at(b->side[side], begin),
                       to = gnd_arcs_at(b->side[1], begin);
    gnd_arc_block *block;

    if (t->n_block == t->cap_block) {
        const int64_t cap = t->cap_block ? 2 * t->cap_block : 64;

        block = gnd_realloc(t->block, cap, sizeof *block);
        if (!block)
            return GND_ERR_NOMEM;
        t->block = block;
        t->cap_block = cap;
    }
    block = &t->block[t->n_block++];
    *block = (gnd_arc_block){
        .lo = gnd_arc_unpacked(lo, t->c->bits), .at = begin, .before = t->n_arc, .width = 8};
    t->n_arc += n;
    if (b->file)
        return block_stage(t, block, from, n, lo, size);
    if (side == 0) {
        memcpy(to.key, from.key, (size_t)n * sizeof *to.key);
        if (to.val)
            memcpy(to.val, from.val, (size_t)n * sizeof *to.val);
    }
    return GND_OK;
}

static gnd_status cut(task *t, int side, const int64_t *start, int n_bin, gnd_arc_bins bins);

/* The n arcs from begin on have keys from lo on that differ in their low bits only, but are too
 * many for a block. A level takes off 11 bits. */
static gnd_status cut_more(task *t, int side, int64_t begin, int64_t n, uint64_t lo, int bits)
{
    const int digit = bits < GND_ARC_DIGIT ? bits : GND_ARC_DIGIT;
    const gnd_arc_bins bins = {lo, bits - digit};
    const gnd_arc_list from = gnd_arcs_at(t->c->b->side[side], begin);
    int64_t *start = gnd_alloc(2 * GND_ARC_BINS + 1, sizeof *start), at = begin;
    int64_t *place = start + GND_ARC_BINS + 1;
    gnd_status st = GND_OK;

    if (!start)
        return GND_ERR_NOMEM;
    gnd_arcs_count(place, bins, from.key, n);
    for (int d = 0; d < GND_ARC_BINS; d++) {
        start[d] = at;
        at += place[d];
        place[d] = start[d];
    }
    start[GND_ARC_BINS] = at;
    gnd_arcs_move(t->c->b->side[!side], place, bins, from, n);
    st = cut(t, !side, start, 1 << digit, bins);
    gnd_free(start);
    return st;
}

/* All n arcs from begin on are equal: one of them, with the largest weight. */
static gnd_status block_one(task *t, int side, int64_t begin, int64_t n, uint64_t lo)
{
    float *val = t->c->b->side[side].val;

    for (int64_t i = begin + 1; val && i < begin + n; i++)
        val[begin] = val[i] > val[begin] ? val[i] : val[begin];
    return block_put(t, side, begin, 1, lo, 1);
}

/* Cut arcs of a side to blocks; start: [n_bin + 1] of the bins. */
static gnd_status cut(task *t, int side, const int64_t *start, int n_bin, gnd_arc_bins bins)
{
    const int64_t most = t->c->b->most;
    gnd_status st = GND_OK;

    for (int d = 0, end; d < n_bin; d = end) {
        const uint64_t lo = bins.lo + ((uint64_t)d << bins.shift);
        int last = d; /* the last bin that has arcs */
        int64_t n;

        for (end = d + 1; end < n_bin && start[end + 1] - start[d] <= most; end++)
            last = start[end + 1] > start[end] ? end : last;
        n = start[end] - start[d];
        if (n == 0)
            continue;
        if (n <= most)
            GND_TRY(block_put(t, side, start[d], n, lo, (uint64_t)(last + 1 - d) << bins.shift));
        else if (bins.shift > 0)
            GND_TRY(cut_more(t, side, start[d], n, lo, bins.shift));
        else
            GND_TRY(block_one(t, side, start[d], n, lo));
    }
out:
    return st;
}

static void tasks_cut(int64_t first, int64_t last, void *arg)
{
    cutting *c = arg;

    for (int64_t k = first; k < last; k++) {
        task *t = &c->task[k];
        gnd_arc_bins bins = c->bins;

        bins.lo += (uint64_t)t->first << bins.shift;
        t->c = c;
        if (c->b->file) {
            t->stage = gnd_alloc_raw(STAGE + gnd_arc_block_bytes(c->b->most), 1);
            t->st = t->stage ? GND_OK : GND_ERR_NOMEM;
        }
        if (t->st == GND_OK)
            t->st = cut(t, 1, c->start + t->first, t->last - t->first, bins);
        if (t->st == GND_OK && c->b->file)
            t->st = stage_write(t, &t->err);
        gnd_free(t->stage);
    }
}

/* The blocks of all tasks, one after another. */
static gnd_status join(gnd_arc_run *out, cutting *c, gnd_error *err)
{
    int64_t n = 0, n_arc = 0;

    for (int64_t k = 0; k < c->n_task; k++) {
        const task *t = &c->task[k];

        if (t->st != GND_OK && t->err.code != GND_OK && err)
            *err = t->err;
        if (t->st != GND_OK)
            return t->st;
        n += t->n_block;
    }
    out->bits = c->bits;
    out->in_file = c->b->file != NULL;
    out->block = gnd_alloc(n + 1, sizeof *out->block);
    if (!out->block)
        return GND_ERR_NOMEM;
    for (int64_t k = 0; k < c->n_task; k++) {
        const task *t = &c->task[k];

        for (int64_t i = 0; i < t->n_block; i++) {
            out->block[out->n] = t->block[i];
            out->block[out->n++].before += n_arc;
        }
        n_arc += t->n_arc;
    }
    out->block[n].before = n_arc;
    return GND_OK;
}

/* Divide the bins among tasks, by arcs. */
static void tasks_divide(cutting *c)
{
    int d = 0;

    for (int64_t k = 0; k < c->n_task; k++) {
        c->task[k].first = d;
        while (d < GND_ARC_BINS && c->start[d] < c->b->n * (k + 1) / c->n_task)
            d++;
        c->task[k].last = d = k == c->n_task - 1 ? GND_ARC_BINS : d;
    }
}

gnd_status gnd_arc_run_make(gnd_arc_run *out, const gnd_arc_buffer *b, gnd_error *err)
{
    const int threads = gnd_pool_threads(b->pool) > 1 ? gnd_pool_threads(b->pool) : 1;
    cutting *c = gnd_alloc(1, sizeof *c);
    gnd_status st = GND_ERR_NOMEM;

    *out = (gnd_arc_run){0};
    if (!c)
        return st;
    c->b = b;
    c->n_slice = threads < SLICES ? threads : SLICES;
    c->n_task = threads > 1 ? (int64_t)threads * TASKS : 1;
    atomic_init(&c->file_size, b->file ? b->file->size : 0);
    c->count = gnd_alloc((int64_t)c->n_slice * GND_ARC_BINS, sizeof *c->count);
    c->start = gnd_alloc(GND_ARC_BINS + 1, sizeof *c->start);
    c->task = gnd_alloc(c->n_task, sizeof *c->task);
    if (c->count && c->start && c->task) {
        move_all(c);
        tasks_divide(c);
        gnd_parallel_for(b->pool, c->n_task, 1, 10 * b->n, tasks_cut, c);
        st = join(out, c, err);
    }
    if (b->file)
        b->file->size = atomic_load(&c->file_size);
    for (int64_t k = 0; c->task && k < c->n_task; k++)
        gnd_free(c->task[k].block);
    gnd_free(c->task);
    gnd_free(c->start);
    gnd_free(c->count);
    gnd_free(c);
    return st;
}

void gnd_arc_run_fini(gnd_arc_run *r)
{
    gnd_free(r->block);
    *r = (gnd_arc_run){0};
}

/* ---- read ---- */

static uint64_t block_lo(const gnd_arc_run *r, int64_t k, gnd_arc_range range)
{
    return gnd_arc_packed(r->block[k].lo, range.bits);
}

/* The last block whose keys start at key or below, or the first one. */
static int64_t block_of(const gnd_arc_run *r, uint64_t key, gnd_arc_range range)
{
    int64_t low = 0, high = r->n;

    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;

        if (block_lo(r, middle, range) <= key)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int64_t gnd_arc_run_count(const gnd_arc_run *r, gnd_arc_range range)
{
    const int64_t last = block_of(r, range.hi - 1, range);

    if (r->n == 0 || block_lo(r, last, range) >= range.hi)
        return 0;
    return r->block[last + 1].before - r->block[block_of(r, range.lo, range)].before;
}

/* Append the arcs of a block that are in the range: keys are at `from`, `width` bytes each, less
 * lo; weights follow, or are NULL. Returns how many there are. */
static int64_t block_take(gnd_arc_list to, int64_t q, const gnd_arc_block *block, int64_t n,
                          const char *from, uint64_t lo, const char *val, const gnd_arc_run *r,
                          gnd_arc_range range)
{
    const uint64_t size = range.hi - range.lo, low = (UINT64_C(1) << r->bits) - 1;
    const uint64_t mask = UINT64_MAX >> (64 - 8 * block->width);

    for (int64_t i = 0; i < n; i++) {
        uint64_t x;

        memcpy(&x, from + i * block->width, sizeof x);
        x = (x & mask) + lo;
        x = ((x >> r->bits) << range.bits | (x & low)) - range.lo;
        to.key[q] = x;
        if (val)
            memcpy(&to.val[q], val + i * (int64_t)sizeof(float), sizeof(float));
        q += x < size;
    }
    return q;
}

gnd_status gnd_arc_run_read(gnd_arc_list to, int64_t *n, const gnd_arc_run *r, gnd_arc_range range,
                            const gnd_tempfile *file, gnd_arc_list memory, char *scratch,
                            gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int64_t k = block_of(r, range.lo, range); k < r->n; k++) {
        const gnd_arc_block *block = &r->block[k];
        const int64_t some = block[1].before - block->before;

        if (block_lo(r, k, range) >= range.hi)
            break;
        if (r->in_file) {
            const int64_t key_bytes = some * block->width;

            GND_TRY(gnd_tempfile_read(file, scratch,
                                      key_bytes + (to.val ? some * (int64_t)sizeof(float) : 0),
                                      block->at, err));
            *n = block_take(to, *n, block, some, scratch, gnd_arc_packed(block->lo, r->bits),
                            to.val ? scratch + key_bytes : NULL, r, range);
        } else {
            const gnd_arc_list from = gnd_arcs_at(memory, block->at);

            *n = block_take(to, *n, block, some, (const char *)from.key, 0, (const char *)from.val,
                            r, range);
        }
    }
out:
    return st;
}
