/* SPDX-License-Identifier: MIT
 * walk.c - which vertices come last, and the links in that order; see the header. */
#include "walk.h"

#include "base/alloc.h"
#include "kern/rows_by_length.h"

enum { GRAIN = 1024, WINDOW = 512 };

typedef struct {
    gnd_walk *w;
    const gnd_csr *links;
    const int32_t *number;
    uint64_t *key;       /* [n] of each vertex: its number of links, then a mixed number */
    unsigned char *last; /* [n] does it come last? */
    int32_t *place;      /* [n] of each vertex */
    int32_t n_kept;      /* places of kept vertices */
} job;

/* Numbers are mixed, since neighbours often have consecutive ones: then few vertices would have the
 * smallest number among their neighbours. An odd factor keeps them different. */
static void keys(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const gnd_part *p = j->links->part;

    for (int64_t i = begin; i < end; i++) {
        const int64_t number = j->number ? j->number[i] : p ? p->global[i] : i;
        const uint32_t mixed = (uint32_t)number * 0x9e3779b1u;

        j->key[i] = (uint64_t)(j->links->ptr[i + 1] - j->links->ptr[i]) << 32 | mixed;
    }
}

static void choose(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const gnd_csr *a = j->links;

    for (int64_t i = begin; i < end; i++) {
        int64_t p = a->ptr[i];

        while (p < a->ptr[i + 1] && j->key[a->col[p]] > j->key[i])
            p++;
        j->last[i] = p == a->ptr[i + 1];
    }
}

/* The vertices at the places, and the first kept row of each block. */
static void list(const job *j)
{
    gnd_walk *w = j->w;
    const gnd_row_range own = gnd_part_own(w->part, w->n);
    int64_t place = 0;

    for (int last = 0; last < 2; last++) {
        for (int64_t i = 0; i < w->n; i++) {
            if (i == own.begin)
                *(last ? &w->other : &w->at) = place;
            if (!last && i >= own.begin && i < own.end && (i - own.begin) % w->block == 0)
                w->first[(i - own.begin) / w->block] = (int32_t)(place - w->at);
            if (j->last[i] == last)
                w->order[place++] = (int32_t)i;
            if (!last && i + 1 == own.end)
                w->kept = place - w->at;
        }
    }
    w->first[w->n_block] = (int32_t)w->kept;
}

/* Places, and where own rows begin. */
static void places(job *j)
{
    gnd_walk *w = j->w;
    const int64_t others = w->a.n_row - w->kept;

    for (int64_t k = 0; k < others; k += WINDOW)
        gnd_rows_by_length(w->order + w->other + k, others - k < WINDOW ? others - k : WINDOW,
                           j->links);
    for (int64_t k = 0; k < w->n; k++) {
        j->place[w->order[k]] = (int32_t)k;
        j->n_kept += !j->last[w->order[k]];
    }
    w->a.ptr[0] = 0;
    for (int64_t r = 0; r < w->a.n_row; r++) {
        const int64_t i = w->order[gnd_walk_place(w, r)];

        w->a.ptr[r + 1] = w->a.ptr[r] + j->links->ptr[i + 1] - j->links->ptr[i];
    }
}

/* The links of some rows: those to kept vertices, ascending, then the others, descending. Each is
 * written to both ends of the part of the row that is left, which costs no branch; one stays. */
static void fill(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const gnd_csr *from = j->links;
    const int32_t kept = j->n_kept;
    gnd_csr *to = &j->w->a;

    for (int64_t r = begin; r < end; r++) {
        const int64_t i = j->w->order[gnd_walk_place(j->w, r)];
        int64_t first = to->ptr[r], last = to->ptr[r + 1] - 1;
        double sum = 0;

        for (int64_t p = from->ptr[i]; p < from->ptr[i + 1]; p++) {
            const int32_t place = j->place[from->col[p]];

            sum += (double)gnd_csr_val(from, p);
            to->col[first] = to->col[last] = place;
            if (to->val)
                to->val[first] = to->val[last] = from->val[p];
            first += place < kept;
            last -= place >= kept;
        }
        j->w->degree[r] = sum > 0 ? sum : 1;
    }
}

static bool arrays(job *j, int64_t rows, int64_t nnz)
{
    gnd_walk *w = j->w;

    w->a = (gnd_csr){.n_row = rows, .n_col = w->n};
    w->a.ptr = gnd_alloc_raw(rows + 1, sizeof *w->a.ptr);
    w->a.col = gnd_alloc_raw(nnz, sizeof *w->a.col);
    w->a.val = j->links->val ? gnd_alloc_raw(nnz, sizeof *w->a.val) : NULL;
    w->order = gnd_alloc_raw(w->n, sizeof *w->order);
    w->degree = gnd_alloc_raw(rows, sizeof *w->degree);
    w->first = gnd_alloc_raw(w->n_block + 1, sizeof *w->first);
    j->key = gnd_alloc_raw(w->n, sizeof *j->key);
    j->last = gnd_alloc_raw(w->n, sizeof *j->last);
    j->place = gnd_alloc_raw(w->n, sizeof *j->place);
    return w->a.ptr && w->a.col && (w->a.val || !j->links->val) && w->order && w->degree &&
           w->first && j->key && j->last && j->place;
}

gnd_status gnd_walk_new(gnd_walk **out, const gnd_csr *links, const int32_t *number, gnd_pool *pool,
                        gnd_error *err)
{
    const int64_t n = links->n_row, nnz = gnd_csr_nnz(links);
    const gnd_row_range own = gnd_part_own(links->part, n);
    const int64_t rows = own.end - own.begin;
    job j = {.links = links, .number = number};
    gnd_walk *w = gnd_alloc(1, sizeof *w);
    gnd_status st = GND_OK;

    *out = NULL;
    j.w = w;
    if (w) {
        w->part = links->part;
        w->n = n;
        w->block = gnd_vertex_block(gnd_part_total(links->part, n));
        w->n_block = (rows + w->block - 1) / w->block;
    }
    if (!w || !arrays(&j, rows, nnz))
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "no memory for a walk on %lld vertices", (long long)n));
    gnd_parallel_for(pool, n, GRAIN, n, keys, &j);
    gnd_part_fill(w->part, j.key, sizeof *j.key);
    gnd_parallel_for(pool, n, GRAIN, nnz, choose, &j);
    gnd_part_fill(w->part, j.last, sizeof *j.last);
    list(&j);
    places(&j);
    gnd_parallel_for(pool, rows, GRAIN, nnz, fill, &j);
    GND_TRY(gnd_pool_check(pool, err));
    *out = w;
    w = NULL;
out:
    gnd_free(j.place);
    gnd_free(j.last);
    gnd_free(j.key);
    gnd_walk_free(w);
    return st;
}

void gnd_walk_free(gnd_walk *w)
{
    if (!w)
        return;
    gnd_csr_fini(&w->a);
    gnd_free(w->first);
    gnd_free(w->degree);
    gnd_free(w->order);
    gnd_free(w);
}
