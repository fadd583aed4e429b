/* SPDX-License-Identifier: MIT
 * arc_sort.c - external sort of arcs: radix sort of a buffer in slices, one for each thread, then a
 * merge of all slices by a heap.
 *
 * A slice in the file is a run: the differences of successive keys, source << bits | target, each
 * without its leading zero bytes. Two lengths, 0 to 8, are in a byte before the two differences.
 * Weights follow all keys, as they are. */
#include "arc_sort.h"

#include <string.h>

#include "base/alloc.h"
#include "base/tempfile.h"

enum {
    DIGIT = 11, /* bits that a pass of the radix sort looks at: its 2048 counters fit into L1 */
    N_BIN = 1 << DIGIT,
    MAX_PASS = 6,
    MIN_ARCS = 256,   /* of a buffer */
    PAIR = 1 + 2 * 8, /* most bytes of two arcs of a run */
    SPARE = 8,        /* a difference is read and written as 8 bytes, whatever its length */
    SLICE_MORE = 128, /* most bytes of a run beyond 8 for each arc, see slice_encode, and SPARE */
    MIN_BLOCK = PAIR + SPARE, /* bytes of a run that are in memory */
    MAX_BLOCK = 1 << 20
};

/* Sorted arcs: in the file, or in the buffer if nothing was written. */
typedef struct {
    int64_t n;    /* arcs that were not taken yet */
    uint64_t arc; /* the present one, its key and weight */
    float weight;
    const uint64_t *key; /* in memory: the others */
    const float *val;
    int64_t at, end;      /* in the file: bytes that were not read yet */
    int64_t val_at;       /* and weights */
    unsigned char *byte;  /* [block + SPARE] bytes that were read */
    int64_t used, n_byte; /* of these */
    float *some;          /* [block / 8] weights that were read */
    int64_t n_some, used_some;
    int64_t dropped; /* bytes of the file before this place were given back */
    uint64_t packed; /* key of the present arc, source << bits | target */
    int bits;
    unsigned lengths; /* of the next difference, and that after it */
    bool second;      /* the next difference is the second of a pair */
} run;

typedef struct {
    uint64_t key;
    int64_t run;
} head;

struct gnd_arc_sort {
    gnd_pool *pool;
    const char *folder, *path;
    gnd_tempfile file;
    uint64_t *key, *key_other; /* [cap and more] the buffer, and the other side of the radix sort */
    float *val, *val_other;    /* [cap], NULL: not weighted */
    int64_t n, cap, n_added;
    int n_slice;
    int bits;                            /* of the largest source or target in the buffer */
    bool spill;                          /* slices are encoded for the file */
    int slice_bits[GND_THREADS_MAX];     /* of the largest source or target of each slice */
    bool slice_other[GND_THREADS_MAX];   /* it was sorted into key_other */
    int64_t slice_n[GND_THREADS_MAX];    /* arcs of each slice after it was sorted */
    int64_t slice_size[GND_THREADS_MAX]; /* bytes of each slice, if it was encoded */
    const unsigned char *slice_byte[GND_THREADS_MAX];
    int64_t block; /* bytes of a run that are in memory */
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
    int64_t more;
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
    more = s->n_slice * SLICE_MORE / (int64_t)sizeof *s->key;
    s->key = gnd_alloc_raw(s->cap + more, sizeof *s->key);
    s->key_other = gnd_alloc_raw(s->cap + more, sizeof *s->key);
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

/* The same, encoded in the buffer that does not have the sorted keys. At most 64 differences of
 * keys below 2^62 are 2^56 or more, all others have 7 bytes or less: with half a byte for each
 * length, n arcs take less than 8 n + SLICE_MORE bytes. */
static int64_t slice_encode(gnd_arc_sort *s, int64_t slice, int64_t n, bool other)
{
    const int64_t begin = slice_begin(s, slice);
    const uint64_t *from = (other ? s->key_other : s->key) + begin;
    const float *val = s->val ? (other ? s->val_other : s->val) + begin : NULL;
    unsigned char *const start =
        (unsigned char *)((other ? s->key : s->key_other) + begin) + slice * SLICE_MORE;
    unsigned char *to = start, *lengths = NULL;
    uint64_t last = 0;
    int64_t q = 0;

    for (int64_t i = 0; i < n; i++) {
        const uint64_t more = from[i] - last;

        if (q > 0 && more == 0) {
            if (val && val[i] > s->val[begin + q - 1])
                s->val[begin + q - 1] = val[i];
            continue;
        }
        const unsigned len = more ? 8 - (unsigned)__builtin_clzll(more) / 8 : 0;

        if (q % 2 == 0) {
            lengths = to++;
            *lengths = (unsigned char)len;
        } else {
            *lengths |= (unsigned char)(len << 4);
        }
        memcpy(to, &more, sizeof more); /* little-endian: the low bytes come first */
        to += len;
        last = from[i];
        if (val)
            s->val[begin + q] = val[i];
        q++;
    }
    s->slice_byte[slice] = start;
    s->slice_size[slice] = to - start;
    return q;
}

static void slices_bits(int64_t first, int64_t last, void *arg)
{
    gnd_arc_sort *s = arg;

    for (int64_t k = first; k < last; k++)
        s->slice_bits[k] =
            bits_of(s->key + slice_begin(s, k), slice_begin(s, k + 1) - slice_begin(s, k));
}

static void slices_sort(int64_t first, int64_t last, void *arg)
{
    gnd_arc_sort *s = arg;

    for (int64_t k = first; k < last; k++) {
        const int64_t begin = slice_begin(s, k), n = slice_begin(s, k + 1) - begin;

        s->slice_other[k] = radix_sort(s, begin, n, s->bits);
    }
}

/* After all were sorted, since a slice may be encoded to where another one was before. */
static void slices_pack(int64_t first, int64_t last, void *arg)
{
    gnd_arc_sort *s = arg;

    for (int64_t k = first; k < last; k++) {
        const int64_t begin = slice_begin(s, k), n = slice_begin(s, k + 1) - begin;

        s->slice_n[k] = s->spill ? slice_encode(s, k, n, s->slice_other[k])
                                 : merge_equal(s, begin, n, s->bits, s->slice_other[k]);
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
    **out = (run){.bits = s->bits};
    return GND_OK;
}

/* Write an encoded slice. */
static gnd_status run_write(run *r, gnd_arc_sort *s, int64_t slice, gnd_error *err)
{
    gnd_status st;

    r->at = r->dropped = s->file.size;
    GND_TRY(gnd_tempfile_append(&s->file, s->slice_byte[slice], s->slice_size[slice], err));
    r->end = r->val_at = s->file.size;
    if (s->val)
        GND_TRY(gnd_tempfile_append(&s->file, s->val + slice_begin(s, slice),
                                    s->slice_n[slice] * (int64_t)sizeof *s->val, err));
out:
    return st;
}

/* Sort the buffer; each slice becomes a run in memory or, if spill, in the file. */
static gnd_status buffer_sort(gnd_arc_sort *s, bool spill, gnd_error *err)
{
    gnd_status st = GND_OK;

    s->spill = spill;
    gnd_parallel_for(s->pool, s->n_slice, 1, 2 * s->n, slices_bits, s);
    s->bits = 1;
    for (int64_t k = 0; k < s->n_slice; k++)
        s->bits = s->slice_bits[k] > s->bits ? s->slice_bits[k] : s->bits;
    gnd_parallel_for(s->pool, s->n_slice, 1, 20 * s->n, slices_sort, s);
    gnd_parallel_for(s->pool, s->n_slice, 1, 4 * s->n, slices_pack, s);
    if (spill && s->file.fd < 0)
        GND_TRY(gnd_tempfile_open(&s->file, s->folder, err));
    for (int64_t k = 0; k < s->n_slice; k++) {
        run *r = NULL;

        if (s->slice_n[k] == 0)
            continue;
        GND_TRY(run_add(&r, s, err));
        r->n = s->slice_n[k];
        r->key = spill ? NULL : s->key + slice_begin(s, k);
        r->val = s->val ? s->val + slice_begin(s, k) : NULL;
        if (spill)
            GND_TRY(run_write(r, s, k, err));
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

/* Read more bytes of a run, after those that were not used. What was read is given back: a large
 * file leaves the memory of the system and the disk while the result grows. */
static gnd_status bytes_fill(gnd_arc_sort *s, run *r, gnd_error *err)
{
    const int64_t kept = r->n_byte - r->used, room = s->block - kept;
    const int64_t n = r->end - r->at < room ? r->end - r->at : room;
    gnd_status st = GND_OK;

    memmove(r->byte, r->byte + r->used, (size_t)kept);
    GND_TRY(gnd_tempfile_read(&s->file, r->byte + kept, n, r->at, err));
    r->at += n;
    r->used = 0;
    r->n_byte = kept + n;
    gnd_tempfile_forget(&s->file, r->dropped, r->at);
    r->dropped = r->at;
out:
    return st;
}

static gnd_status weights_fill(gnd_arc_sort *s, run *r, gnd_error *err)
{
    const int64_t most = s->block / (int64_t)sizeof(uint64_t), n = r->n < most ? r->n : most;
    gnd_status st = GND_OK;

    GND_TRY(gnd_tempfile_read(&s->file, r->some, n * (int64_t)sizeof *r->some, r->val_at, err));
    r->val_at += n * (int64_t)sizeof *r->some;
    r->used_some = 0;
    r->n_some = n;
out:
    return st;
}

/* Take the next arc of a run, which has one. */
static inline gnd_status run_next(gnd_arc_sort *s, run *r, gnd_error *err)
{
    gnd_status st = GND_OK;

    if (r->key) {
        r->arc = *r->key++;
        r->weight = r->val ? *r->val++ : 1;
    } else {
        uint64_t more;
        unsigned len;

        if (!r->second) {
            if (r->n_byte - r->used < PAIR && r->at < r->end)
                GND_TRY(bytes_fill(s, r, err));
            r->lengths = r->byte[r->used++];
        }
        if (s->val) {
            if (r->used_some == r->n_some)
                GND_TRY(weights_fill(s, r, err));
            r->weight = r->some[r->used_some++];
        }
        len = r->lengths & 15;
        r->lengths >>= 4;
        r->second = !r->second;
        memcpy(&more, r->byte + r->used, sizeof more);
        r->used += len;
        r->packed += len == 0 ? 0 : more << (64 - 8 * len) >> (64 - 8 * len);
        r->arc = r->packed >> r->bits << 32 | (r->packed & ((UINT64_C(1) << r->bits) - 1));
    }
    r->n--;
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

gnd_status gnd_arc_sort_finish(gnd_arc_sort *s, gnd_error *err)
{
    const bool spilled = s->file.fd >= 0;
    gnd_status st = GND_OK;

    GND_TRY(buffer_sort(s, spilled, err));
    if (spilled) { /* the buffer is free: each run gets a part of it */
        s->block = s->cap * (int64_t)sizeof *s->key / s->n_run - SPARE;
        s->block = s->block < MAX_BLOCK ? s->block : MAX_BLOCK;
    }
    if (spilled && s->block < MIN_BLOCK)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM,
                         "%s: the memory is too small to merge %lld sorted parts of its edges; "
                         "allow more (--memory)",
                         s->path, (long long)s->n_run));
    s->heap = gnd_alloc(s->n_run, sizeof *s->heap);
    if (!s->heap)
        GND_TRY(no_memory(s->path, err));
    for (int64_t k = 0; k < s->n_run; k++) {
        run *r = &s->runs[k];

        if (spilled) {
            r->byte = (unsigned char *)s->key + k * (s->block + SPARE);
            r->some = s->val ? s->val + k * (s->block / (int64_t)sizeof(uint64_t)) : NULL;
        }
        GND_TRY(run_next(s, r, err));
        s->heap[s->n_heap++] = (head){r->arc, k};
    }
    for (int64_t i = s->n_heap / 2 - 1; i >= 0; i--)
        heap_sink(s->heap, s->n_heap, i);
out:
    return st;
}

gnd_status gnd_arc_sort_next(gnd_arc_sort *s, uint64_t *key, float *weight, int64_t cap, int64_t *n,
                             gnd_error *err)
{
    int64_t q = 0;
    gnd_status st = GND_OK;

    *n = 0;
    while (s->n_heap > 0) {
        head *const top = &s->heap[0];
        run *r = &s->runs[top->run];

        if (q > 0 && key[q - 1] == top->key) {
            if (s->val && r->weight > weight[q - 1])
                weight[q - 1] = r->weight;
        } else if (q == cap) {
            break;
        } else {
            key[q] = top->key;
            if (s->val)
                weight[q] = r->weight;
            q++;
        }
        if (r->n > 0) {
            GND_TRY(run_next(s, r, err));
            top->key = r->arc;
        } else {
            *top = s->heap[--s->n_heap];
        }
        if (s->n_heap > 1)
            heap_sink(s->heap, s->n_heap, 0);
    }
    *n = q;
out:
    return st;
}
