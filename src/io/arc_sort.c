/* SPDX-License-Identifier: MIT
 * arc_sort.c - external sort of arcs: each full buffer becomes a run, a list of blocks of arcs with
 * ascending ranges of keys (arc_blocks.c). At the end the arcs of one range of keys after another
 * are read from all runs and sorted in memory (arc_radix.c); a thread sorts a range. */
#include "arc_sort.h"

#include <string.h>

#include "arc_blocks.h"
#include "base/alloc.h"

enum {
    MIN_ARCS = 256,     /* of a buffer */
    MIN_ROOM = 1 << 13, /* arcs that there is room for in any case, to sort ranges */
    BLOCKS = 1 << 10,   /* of a full buffer, about */
    MIN_BLOCK = 16,     /* arcs of a block */
    MAX_BLOCK = 1 << 12,
    MIN_RANGE = 1 << 17, /* arcs of a range, if there is room */
    RANGE_BLOCKS = 16,   /* blocks of each run in a range, if there is room; 2 are necessary */
    FORGET = 1 << 20     /* bytes of the file that are given back at once */
};

/* A range of keys that a thread sorts. */
typedef struct {
    gnd_arc_range range;
    gnd_arc_list a, out; /* [most + 1] */
    char *scratch;
    int64_t n;
    gnd_error err;
    gnd_status st;
} part;

/* The first blocks of a run are not needed any more; of these, those at from .. to - 1 in the file
 * are to be given back. */
typedef struct {
    int64_t n, from, to;
} given_back;

struct gnd_arc_sort {
    gnd_pool *pool;
    const char *folder, *path;
    gnd_tempfile file;
    gnd_arc_list side[2]; /* [room] the buffer is side[0] */
    int64_t n, cap, room, n_added;
    int64_t block; /* arcs of a block */
    gnd_arc_run *runs;
    int64_t n_run, cap_run;
    given_back *back; /* [n_run] */
    /* after finish */
    int bits;      /* of the largest number */
    uint64_t next; /* key of the next range, source << bits | target */
    int64_t most;  /* arcs of a range */
    int n_part;
    part *part;
    gnd_arc_part *ready;
    char *scratch;
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
    s->cap = memory / each > MIN_ARCS ? memory / each : MIN_ARCS;
    s->room = s->cap > MIN_ROOM ? s->cap : MIN_ROOM;
    s->block = s->cap / BLOCKS;
    s->block = s->block < MIN_BLOCK ? MIN_BLOCK : s->block > MAX_BLOCK ? MAX_BLOCK : s->block;
    for (int k = 0; k < 2; k++) {
        s->side[k].key = gnd_alloc_raw(s->room, sizeof *s->side[k].key);
        s->side[k].val = weighted ? gnd_alloc_raw(s->room, sizeof *s->side[k].val) : NULL;
        if (!s->side[k].key || (weighted && !s->side[k].val))
            GND_TRY(no_memory(path, err));
    }
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
    for (int k = 0; k < 2; k++) {
        gnd_free(s->side[k].key);
        gnd_free(s->side[k].val);
    }
    for (int64_t k = 0; k < s->n_run; k++)
        gnd_arc_run_fini(&s->runs[k]);
    gnd_free(s->runs);
    gnd_free(s->back);
    gnd_free(s->part);
    gnd_free(s->ready);
    gnd_free(s->scratch);
    gnd_free(s);
}

int64_t gnd_arc_sort_count(const gnd_arc_sort *s)
{
    return s->n_added;
}

int gnd_arc_sort_parts(const gnd_arc_sort *s)
{
    return s->n_part;
}

int64_t gnd_arc_sort_most(const gnd_arc_sort *s)
{
    return s->most;
}

/* ---- runs ---- */

/* Blocks overlap ranges at both ends, so that a range has room for two of each run, and its end is
 * always found. */
static int64_t range_least(const gnd_arc_sort *s, int64_t n_run)
{
    return 2 * n_run * s->block;
}

/* Fails before a run that cannot be merged with those before, even by one thread. */
static gnd_status run_check(const gnd_arc_sort *s, gnd_error *err)
{
    if (s->room / 2 - 1 >= range_least(s, s->n_run + 1))
        return GND_OK;
    return gnd_fail(
        err, GND_ERR_NOMEM,
        "%s: the memory is too small to merge more than %lld sorted parts of its edges; "
        "allow more (--memory)",
        s->path, (long long)s->n_run);
}

/* Make the arcs of the buffer a run in the file if spill, else in side[1]. */
static gnd_status run_add(gnd_arc_sort *s, bool spill, gnd_error *err)
{
    const gnd_arc_buffer b = {.pool = s->pool,
                              .side = {s->side[0], s->side[1]},
                              .n = s->n,
                              .most = s->block,
                              .file = spill ? &s->file : NULL};
    gnd_status st = GND_OK;

    if (s->n == 0)
        return GND_OK;
    GND_TRY(run_check(s, err));
    if (s->n_run == s->cap_run) {
        const int64_t cap = s->cap_run ? 2 * s->cap_run : 16;
        gnd_arc_run *more = gnd_realloc(s->runs, cap, sizeof *more);

        if (!more)
            return no_memory(s->path, err);
        s->runs = more;
        s->cap_run = cap;
    }
    if (spill && s->file.fd < 0)
        GND_TRY(gnd_tempfile_open(&s->file, s->folder, err));
    st = gnd_arc_run_make(&s->runs[s->n_run++], &b, err);
    if (st == GND_ERR_NOMEM)
        GND_TRY(no_memory(s->path, err));
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

        memcpy(s->side[0].key + s->n, key, (size_t)some * sizeof *key);
        if (s->side[0].val)
            memcpy(s->side[0].val + s->n, weight, (size_t)some * sizeof *weight);
        s->n += some;
        key += some;
        weight = weight ? weight + some : NULL;
        n -= some;
        if (s->n == s->cap && n > 0)
            GND_TRY(run_add(s, true, err));
    }
out:
    return st;
}

/* ---- ranges ---- */

/* Divide the room of side[0] among threads. */
static gnd_status parts_init(gnd_arc_sort *s, gnd_error *err)
{
    const int64_t least = range_least(s, s->n_run), bytes = gnd_arc_block_bytes(s->block);
    const int64_t good = RANGE_BLOCKS * s->n_run * s->block;
    int64_t threads = gnd_pool_threads(s->pool);

    if (threads > s->room / 2 / (least + 1))
        threads = s->room / 2 / (least + 1);
    threads = threads < 1 ? 1 : threads;
    s->most = s->room / 2 / threads - 1;
    if (s->most > good && s->most > MIN_RANGE)
        s->most = good > MIN_RANGE ? good : MIN_RANGE;
    s->n_part = (int)threads;
    s->part = gnd_alloc(threads, sizeof *s->part);
    s->ready = gnd_alloc(threads, sizeof *s->ready);
    s->scratch = gnd_alloc_raw(threads, (size_t)bytes);
    s->back = gnd_alloc(s->n_run, sizeof *s->back);
    if (!s->part || !s->ready || !s->scratch || !s->back)
        return no_memory(s->path, err);
    for (int64_t k = 0; k < threads; k++) {
        s->part[k].a = gnd_arcs_at(s->side[0], 2 * k * (s->most + 1));
        s->part[k].out = gnd_arcs_at(s->side[0], (2 * k + 1) * (s->most + 1));
        s->part[k].scratch = s->scratch + k * bytes;
    }
    return GND_OK;
}

gnd_status gnd_arc_sort_finish(gnd_arc_sort *s, gnd_error *err)
{
    gnd_status st = GND_OK;

    GND_TRY(run_add(s, false, err)); /* side[1] is not used any more */
    s->bits = 1;
    for (int64_t k = 0; k < s->n_run; k++)
        s->bits = s->runs[k].bits > s->bits ? s->runs[k].bits : s->bits;
    GND_TRY(parts_init(s, err));
out:
    return st;
}

static bool fits(const gnd_arc_sort *s, gnd_arc_range range)
{
    int64_t n = 0;

    for (int64_t k = 0; k < s->n_run && n <= s->most; k++)
        n += gnd_arc_run_count(&s->runs[k], range);
    return n <= s->most;
}

/* The next range: as many keys as there is room for. */
static gnd_arc_range range_next(gnd_arc_sort *s)
{
    const uint64_t end = UINT64_C(1) << (2 * s->bits);
    gnd_arc_range range = {s->next, end, s->bits};
    uint64_t low = s->next + 1, high = end; /* low fits; high does not, or is the end */

    if (!fits(s, range)) {
        while (high - low > 1) {
            range.hi = low + (high - low) / 2;
            if (fits(s, range))
                low = range.hi;
            else
                high = range.hi;
        }
        range.hi = low;
    }
    s->next = range.hi;
    return range;
}

static void parts_sort(int64_t first, int64_t last, void *arg)
{
    gnd_arc_sort *s = arg;

    for (int64_t k = first; k < last; k++) {
        part *p = &s->part[k];
        const gnd_arc_range range = p->range;
        int64_t n = 0;

        p->st = GND_OK;
        for (int64_t r = 0; r < s->n_run && p->st == GND_OK; r++)
            p->st = gnd_arc_run_read(p->a, &n, &s->runs[r], range, &s->file, s->side[1], p->scratch,
                                     &p->err);
        if (p->st != GND_OK)
            continue;
        p->n = gnd_arcs_sort(p->out, p->a, n, gnd_bit_length(range.hi - range.lo - 1));
        for (int64_t i = 0; i < p->n; i++)
            p->out.key[i] = gnd_arc_unpacked(p->out.key[i] + range.lo, range.bits);
    }
}

/* Blocks before the next range leave the memory of the system and the disk while the result grows.
 */
static void forget(gnd_arc_sort *s)
{
    const int64_t weight = s->side[0].val ? sizeof(float) : 0;

    for (int64_t k = 0; k < s->n_run && s->runs[k].in_file; k++) {
        const gnd_arc_block *block = s->runs[k].block;
        given_back *b = &s->back[k];

        for (; b->n + 1 < s->runs[k].n && gnd_arc_packed(block[b->n + 1].lo, s->bits) <= s->next;
             b->n++) {
            const gnd_arc_block *one = &block[b->n];

            if (one->at != b->to || b->to - b->from >= FORGET) {
                gnd_tempfile_forget(&s->file, b->from, b->to);
                b->from = one->at;
            }
            b->to = one->at + (one[1].before - one->before) * (one->width + weight);
        }
    }
}

gnd_status gnd_arc_sort_next(gnd_arc_sort *s, const gnd_arc_part **out, int *n_part, gnd_error *err)
{
    const uint64_t end = UINT64_C(1) << (2 * s->bits);
    int n = 0;
    gnd_status st = GND_OK;

    *out = s->ready;
    *n_part = 0;
    for (; n < s->n_part && s->n_run > 0 && s->next < end; n++)
        s->part[n].range = range_next(s);
    gnd_parallel_for(s->pool, n, 1, 20 * s->most * n, parts_sort, s);
    for (int k = 0; k < n; k++) {
        const part *p = &s->part[k];

        if (p->st != GND_OK && err)
            *err = p->err;
        GND_TRY(p->st);
        s->ready[k] = (gnd_arc_part){p->out.key, p->out.val, p->a.key, p->n};
    }
    forget(s);
    *n_part = n;
out:
    return st;
}
