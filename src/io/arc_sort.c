/* SPDX-License-Identifier: MIT
 * arc_sort.c - external sort of arcs: radix sort of a buffer in slices, one for each thread, then a
 * merge of all slices by a heap. */
#include "arc_sort.h"

#include <string.h>

#include "base/alloc.h"
#include "base/tempfile.h"

enum {
    DIGIT = 11, /* bits that a pass of the radix sort looks at: its 2048 counters fit into L1 */
    N_BIN = 1 << DIGIT,
    MAX_PASS = 6,
    MIN_ARCS = 256, /* of a buffer */
    MIN_BLOCK = 8   /* arcs of a run that are read at once */
};

/* Sorted arcs: in the file, or in the buffer if nothing was written. */
typedef struct {
    int64_t n;      /* arcs not read yet */
    int64_t key_at; /* where they are in the file; -1: in memory */
    int64_t val_at;
    uint64_t *key; /* arcs that were read */
    float *val;
    int64_t at, end; /* of these */
} run;

typedef struct {
    uint64_t key;
    int64_t run;
} head;

struct gnd_arc_sort {
    gnd_pool *pool;
    const char *folder, *path;
    gnd_tempfile file;
    uint64_t *key, *key_other; /* [cap] the buffer, and the other side of the radix sort */
    float *val, *val_other;    /* [cap], NULL: not weighted */
    int64_t n, cap, n_added;
    int n_slice;
    int64_t slice_n[GND_THREADS_MAX]; /* arcs of each slice after it was sorted */
    run *runs;
    int64_t n_run, cap_run;
    head *heap;
    int64_t n_heap;
};

static gnd_status no_memory(const char *path, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory to sort its edges", path);
}

gnd_status gnd_arc_sort_new(gnd_arc_sort **out, int64_t memory, bool weighted, const char *folder,
                            const char *path, gnd_pool *pool, gnd_error *err)
{
    const int64_t each = 2 * (int64_t)(sizeof(uint64_t) + (weighted ? sizeof(float) : 0));
    gnd_arc_sort *s = gnd_alloc(1, sizeof *s);
    gnd_status st = GND_OK;

    *out = NULL;
    if (!s)
        return no_memory(path, err);
    s->file = GND_TEMPFILE_NONE;
    s->pool = pool;
    s->folder = folder;
    s->path = path;
    s->n_slice = gnd_pool_threads(pool) > 1 ? gnd_pool_threads(pool) : 1;
    s->cap = memory / each > MIN_ARCS ? memory / each : MIN_ARCS;
    s->key = gnd_alloc_raw(s->cap, sizeof *s->key);
    s->key_other = gnd_alloc_raw(s->cap, sizeof *s->key);
    if (weighted) {
        s->val = gnd_alloc_raw(s->cap, sizeof *s->val);
        s->val_other = gnd_alloc_raw(s->cap, sizeof *s->val);
    }
    if (!s->key || !s->key_other || (weighted && (!s->val || !s->val_other)))
        GND_TRY(no_memory(path, err));
    *out = s;
    s = NULL;
out:
    gnd_arc_sort_free(s);
    return st;
}

void gnd_arc_sort_free(gnd_arc_sort *s)
{
    if (!s)
        return;
    gnd_tempfile_close(&s->file);
    gnd_free(s->key);
    gnd_free(s->key_other);
    gnd_free(s->val);
    gnd_free(s->val_other);
    gnd_free(s->runs);
    gnd_free(s->heap);
    gnd_free(s);
}

int64_t gnd_arc_sort_count(const gnd_arc_sort *s)
{
    return s->n_added;
}

/* ---- one slice ---- */

static int64_t slice_begin(const gnd_arc_sort *s, int64_t slice)
{
    return s->n * slice / s->n_slice;
}

/* Bits of the largest source or target. */
static int bits_of(const uint64_t *key, int64_t n)
{
    uint64_t all = 1;

    for (int64_t i = 0; i < n; i++)
        all |= (key[i] >> 32) | (key[i] & UINT32_MAX);
    return 64 - __builtin_clzll(all);
}

/* Move arcs by one digit; start[d]: where those with digit d go. */
static void scatter(const gnd_arc_sort *s, int64_t begin, int64_t n, int shift, int64_t *start,
                    bool forth)
{
    const uint64_t *key = (forth ? s->key : s->key_other) + begin;
    uint64_t *to = (forth ? s->key_other : s->key) + begin;

    if (!s->val) {
        for (int64_t i = 0; i < n; i++)
            to[start[(key[i] >> shift) & (N_BIN - 1)]++] = key[i];
    } else {
        const float *val = (forth ? s->val : s->val_other) + begin;
        float *val_to = (forth ? s->val_other : s->val) + begin;

        for (int64_t i = 0; i < n; i++) {
            const int64_t p = start[(key[i] >> shift) & (N_BIN - 1)]++;

            to[p] = key[i];
            val_to[p] = val[i];
        }
    }
}

/* Sort a slice by (source << bits | target), digit by digit from the lowest. Afterwards key has
 * such keys; returns whether they are in key_other instead. */
static bool radix_sort(gnd_arc_sort *s, int64_t begin, int64_t n, int bits)
{
    const int n_pass = (2 * bits + DIGIT - 1) / DIGIT;
    int64_t count[MAX_PASS][N_BIN];
    uint64_t *key = s->key + begin;
    bool forth = true;

    memset(count, 0, sizeof count);
    for (int64_t i = 0; i < n; i++) {
        key[i] = (key[i] >> 32) << bits | (key[i] & UINT32_MAX);
        for (int k = 0; k < n_pass; k++)
            count[k][(key[i] >> (k * DIGIT)) & (N_BIN - 1)]++;
    }
    for (int k = 0; k < n_pass; k++) {
        int64_t at = 0;

        for (int d = 0; d < N_BIN; d++) {
            const int64_t c = count[k][d];

            count[k][d] = at;
            at += c;
        }
        scatter(s, begin, n, k * DIGIT, count[k], forth);
        forth = !forth;
    }
    return !forth;
}

/* Merge equal arcs into key and val, with keys in their own form again. Returns how many are left.
 */
static int64_t merge_equal(gnd_arc_sort *s, int64_t begin, int64_t n, int bits, bool other)
{
    const uint64_t *from = (other ? s->key_other : s->key) + begin;
    const float *val = s->val ? (other ? s->val_other : s->val) + begin : NULL;
    const uint64_t low = (UINT64_C(1) << bits) - 1;
    uint64_t *to = s->key + begin, last = 0;
    int64_t q = 0;

    for (int64_t i = 0; i < n; i++) {
        const uint64_t key = from[i];

        if (q > 0 && key == last) {
            if (val && val[i] > s->val[begin + q - 1])
                s->val[begin + q - 1] = val[i];
            continue;
        }
        last = key;
        to[q] = (key >> bits) << 32 | (key & low);
        if (val)
            s->val[begin + q] = val[i];
        q++;
    }
    return q;
}

static void slices_sort(int64_t first, int64_t last, void *arg)
{
    gnd_arc_sort *s = arg;

    for (int64_t k = first; k < last; k++) {
        const int64_t begin = slice_begin(s, k), n = slice_begin(s, k + 1) - begin;
        const int bits = bits_of(s->key + begin, n);

        s->slice_n[k] = merge_equal(s, begin, n, bits, radix_sort(s, begin, n, bits));
    }
}

/* ---- runs ---- */

static gnd_status run_add(run **out, gnd_arc_sort *s, gnd_error *err)
{
    if (s->n_run == s->cap_run) {
        const int64_t cap = s->cap_run ? 2 * s->cap_run : 16;
        run *more = gnd_realloc(s->runs, cap, sizeof *more);

        if (!more)
            return no_memory(s->path, err);
        s->runs = more;
        s->cap_run = cap;
    }
    *out = &s->runs[s->n_run++];
    **out = (run){.key_at = -1, .val_at = -1};
    return GND_OK;
}

/* Sort the buffer; each slice becomes a run in memory or, if spill, in the file. */
static gnd_status buffer_sort(gnd_arc_sort *s, bool spill, gnd_error *err)
{
    gnd_status st = GND_OK;

    gnd_parallel_for(s->pool, s->n_slice, 1, 20 * s->n, slices_sort, s);
    if (spill && s->file.fd < 0)
        GND_TRY(gnd_tempfile_open(&s->file, s->folder, err));
    for (int64_t k = 0; k < s->n_slice; k++) {
        const int64_t begin = slice_begin(s, k);
        run *r = NULL;

        if (s->slice_n[k] == 0)
            continue;
        GND_TRY(run_add(&r, s, err));
        if (!spill) {
            r->key = s->key + begin;
            r->val = s->val ? s->val + begin : NULL;
            r->end = s->slice_n[k];
            continue;
        }
        r->n = s->slice_n[k];
        r->key_at = s->file.size;
        GND_TRY(gnd_tempfile_append(&s->file, s->key + begin,
                                    s->slice_n[k] * (int64_t)sizeof *s->key, err));
        r->val_at = s->file.size;
        if (s->val)
            GND_TRY(gnd_tempfile_append(&s->file, s->val + begin,
                                        s->slice_n[k] * (int64_t)sizeof *s->val, err));
    }
    if (spill)
        s->n = 0;
out:
    return st;
}

gnd_status gnd_arc_sort_add(gnd_arc_sort *s, const uint64_t *key, const float *weight, int64_t n,
                            gnd_error *err)
{
    gnd_status st = GND_OK;

    s->n_added += n;
    while (n > 0) {
        const int64_t room = s->cap - s->n, some = n < room ? n : room;

        memcpy(s->key + s->n, key, (size_t)some * sizeof *key);
        if (s->val)
            memcpy(s->val + s->n, weight, (size_t)some * sizeof *weight);
        s->n += some;
        key += some;
        weight = weight ? weight + some : NULL;
        n -= some;
        if (s->n == s->cap && n > 0)
            GND_TRY(buffer_sort(s, true, err));
    }
out:
    return st;
}

/* ---- merge ---- */

/* Make sure that the run has an arc in memory; false: it has no more. */
static gnd_status run_fill(bool *has, gnd_arc_sort *s, run *r, int64_t block, gnd_error *err)
{
    const int64_t n = r->n < block ? r->n : block;
    gnd_status st = GND_OK;

    *has = r->at < r->end || n > 0;
    if (r->at < r->end || n == 0)
        return GND_OK;
    GND_TRY(gnd_tempfile_read(&s->file, r->key, n * (int64_t)sizeof *r->key, r->key_at, err));
    if (s->val)
        GND_TRY(gnd_tempfile_read(&s->file, r->val, n * (int64_t)sizeof *r->val, r->val_at, err));
    r->key_at += n * (int64_t)sizeof *r->key;
    r->val_at += n * (int64_t)sizeof *r->val;
    r->n -= n;
    r->at = 0;
    r->end = n;
out:
    return st;
}

static void heap_sink(head *h, int64_t n, int64_t i)
{
    const head moved = h[i];

    for (int64_t child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && h[child + 1].key < h[child].key;
        if (h[child].key >= moved.key)
            break;
        h[i] = h[child];
    }
    h[i] = moved;
}

static int64_t block_size(const gnd_arc_sort *s)
{
    return s->n_run > 0 ? s->cap / s->n_run : 0;
}

gnd_status gnd_arc_sort_finish(gnd_arc_sort *s, gnd_error *err)
{
    const bool spilled = s->file.fd >= 0;
    gnd_status st = GND_OK;

    GND_TRY(buffer_sort(s, spilled, err));
    if (spilled && block_size(s) < MIN_BLOCK)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM,
                         "%s: the memory is too small to merge %lld sorted parts of its edges; "
                         "allow more (--memory)",
                         s->path, (long long)s->n_run));
    s->heap = gnd_alloc(s->n_run, sizeof *s->heap);
    if (!s->heap)
        GND_TRY(no_memory(s->path, err));
    for (int64_t k = 0; k < s->n_run; k++) {
        run *r = &s->runs[k];
        bool has;

        if (spilled) { /* the buffer is free: each run gets a part of it */
            r->key = s->key + k * block_size(s);
            r->val = s->val ? s->val + k * block_size(s) : NULL;
        }
        GND_TRY(run_fill(&has, s, r, block_size(s), err));
        if (has)
            s->heap[s->n_heap++] = (head){r->key[r->at], k};
    }
    for (int64_t i = s->n_heap / 2 - 1; i >= 0; i--)
        heap_sink(s->heap, s->n_heap, i);
out:
    return st;
}

gnd_status gnd_arc_sort_next(gnd_arc_sort *s, uint64_t *key, float *weight, int64_t cap, int64_t *n,
                             gnd_error *err)
{
    const int64_t block = block_size(s);
    int64_t q = 0;
    gnd_status st = GND_OK;

    *n = 0;
    while (s->n_heap > 0) {
        head *const top = &s->heap[0];
        run *r = &s->runs[top->run];

        if (q > 0 && key[q - 1] == top->key) {
            if (s->val && r->val[r->at] > weight[q - 1])
                weight[q - 1] = r->val[r->at];
        } else if (q == cap) {
            break;
        } else {
            key[q] = top->key;
            if (s->val)
                weight[q] = r->val[r->at];
            q++;
        }
        if (++r->at == r->end) {
            bool has;

            GND_TRY(run_fill(&has, s, r, block, err));
            if (!has)
                *top = s->heap[--s->n_heap];
        }
        if (r->at < r->end)
            top->key = r->key[r->at];
        if (s->n_heap > 1)
            heap_sink(s->heap, s->n_heap, 0);
    }
    *n = q;
out:
    return st;
}
