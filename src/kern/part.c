/* SPDX-License-Identifier: MIT
 * part.c - products, sums and choices over the vertices of all processes by the calls of part.h. */
#include "part.h"

#include <string.h>

#include "base/alloc.h"

/* A graph has at most BLOCKS blocks, and a block at least BLOCK_ROWS rows: enough blocks to share
 * them out evenly, and few enough to send the sums of all. */
enum { BLOCKS = 4096, BLOCK_ROWS = 16 };

void gnd_part_free(gnd_part *p)
{
    if (p)
        p->calls->free(p);
}

gnd_status gnd_part_check(const gnd_part *p, gnd_error *err)
{
    if (!p || !p->failed)
        return GND_OK;
    return gnd_fail(err, GND_ERR_IO, "the exchange with the other processes failed");
}

gnd_row_range gnd_part_own(const gnd_part *p, int64_t n)
{
    return p ? (gnd_row_range){p->begin, p->end} : (gnd_row_range){0, n};
}

int64_t gnd_part_total(const gnd_part *p, int64_t n)
{
    return p ? p->n_global : n;
}

void gnd_part_fill(gnd_part *p, void *x, int64_t bytes)
{
    if (!p)
        return;
    p->calls->fill_begin(p, x, bytes);
    p->calls->fill_end(p, x, bytes);
}

void gnd_part_share(gnd_part *p, void *x, int64_t bytes, const int32_t *at, int64_t n)
{
    if (p)
        p->calls->share(p, x, bytes, at, n);
}

void gnd_part_sum(gnd_part *p, double *v, int64_t n)
{
    if (p)
        p->calls->sum(p, v, n);
}

void gnd_part_counts(gnd_part *p, int64_t *v, int64_t n)
{
    if (p)
        p->calls->sum_counts(p, v, n);
}

double gnd_part_max(gnd_part *p, double v)
{
    if (p)
        p->calls->max(p, &v, 1);
    return v;
}

bool gnd_part_any(gnd_part *p, bool yes)
{
    return gnd_part_max(p, yes ? 1 : 0) > 0;
}

int64_t gnd_part_before(gnd_part *p, int64_t n)
{
    if (!p)
        return 0;
    p->calls->before(p, &n, 1);
    return n;
}

static gnd_status team_agree(void *part, gnd_status st, gnd_error *err)
{
    gnd_part *p = part;

    return p->calls->agree(p, st, err);
}

static bool team_any(void *part, bool yes)
{
    return gnd_part_any(part, yes);
}

gnd_team gnd_part_team(gnd_part *p)
{
    return p ? (gnd_team){p->rank, p->size, team_agree, team_any, p} : (gnd_team){.size = 1};
}

/* ---- products ---- */

typedef struct {
    const gnd_row_range *piece;
    void (*fn)(int64_t begin, int64_t end, void *arg);
    void *arg;
} pieces_job;

static void pieces(int64_t begin, int64_t end, void *arg)
{
    const pieces_job *j = arg;

    for (int64_t k = begin; k < end; k++)
        j->fn(j->piece[k].begin, j->piece[k].end, j->arg);
}

void gnd_rows_product(gnd_pool *pool, const gnd_rows_of *y,
                      void (*fn)(int64_t begin, int64_t end, void *arg), void *arg)
{
    gnd_part *p = y->part;
    pieces_job j = {.fn = fn, .arg = arg};

    if (!p) {
        gnd_parallel_for(pool, y->n, y->grain, y->cost, fn, arg);
        return;
    }
    j.piece = p->piece;
    gnd_parallel_for(pool, p->n_early, 1, y->cost, pieces, &j);
    p->calls->fill_begin(p, y->y, y->bytes);
    j.piece = p->piece + p->n_early;
    gnd_parallel_for(pool, p->n_piece - p->n_early, 1, y->cost, pieces, &j);
    p->calls->fill_end(p, y->y, y->bytes);
}

/* ---- sums ---- */

int64_t gnd_vertex_block(int64_t n)
{
    const int64_t rows = (n + BLOCKS - 1) / BLOCKS;

    return rows < BLOCK_ROWS ? BLOCK_ROWS : rows;
}

typedef struct {
    const gnd_vertex_terms *t;
    double *part;  /* [blocks of this process, k] */
    int64_t begin; /* first row of this process */
    int64_t end, rows;
} sum_job;

static void sum_blocks(int64_t begin, int64_t end, void *arg)
{
    const sum_job *j = arg;

    for (int64_t b = begin; b < end; b++) {
        const int64_t first = j->begin + b * j->rows, next = first + j->rows;

        j->t->fn(j->part + b * j->t->k, first, next < j->end ? next : j->end, j->t->arg);
    }
}

gnd_status gnd_vertex_sum(double *sum, const gnd_vertex_terms *t, gnd_pool *pool, gnd_error *err)
{
    const gnd_row_range own = gnd_part_own(t->part, t->n);
    const int64_t rows = gnd_vertex_block(gnd_part_total(t->part, t->n)), k = t->k;
    const int64_t n_mine = (own.end - own.begin + rows - 1) / rows;
    const int64_t n_all = (gnd_part_total(t->part, t->n) + rows - 1) / rows;
    double *mine = gnd_alloc(n_mine * k, sizeof *mine);
    double *all = t->part ? gnd_alloc(n_all * k, sizeof *all) : mine;
    gnd_status st = GND_OK;

    if (!mine || !all)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for sums over %lld blocks of vertices",
                         (long long)n_all));
    gnd_parallel_for(pool, n_mine, 1, (own.end - own.begin) * k, sum_blocks,
                     &(sum_job){t, mine, own.begin, own.end, rows});
    if (t->part)
        t->part->calls->collect(t->part, all, mine, n_mine, k);
    memset(sum, 0, (size_t)k * sizeof *sum);
    for (int64_t b = 0; b < n_all; b++)
        for (int64_t i = 0; i < k; i++)
            sum[i] += all[b * k + i];
out:
    if (all != mine)
        gnd_free(all);
    gnd_free(mine);
    return st;
}

/* ---- choices ---- */

uint64_t gnd_part_select(gnd_part *p, const uint64_t *key, int64_t n, int64_t k)
{
    uint64_t found = 0;

    /* The largest key that at least k keys reach, bit by bit. */
    for (int bit = 63; bit >= 0; bit--) {
        const uint64_t tried = found | (uint64_t)1 << bit;
        int64_t count = 0;

        for (int64_t i = 0; i < n; i++)
            count += key[i] >= tried;
        gnd_part_counts(p, &count, 1);
        if (count >= k)
            found = tried;
    }
    return found;
}
