/* SPDX-License-Identifier: MIT
 * op.c - loops shared by several ops. */
#include "op.h"

#include <string.h>

typedef struct {
    const gnd_kern *kern;
    gnd_real *dst;
    const gnd_real *src;
    gnd_real c;
} axpy_job;

static void axpy_piece(int64_t begin, int64_t end, void *arg)
{
    const axpy_job *j = arg;

    j->kern->axpy(j->dst + begin, j->c, j->src + begin, end - begin);
}

void gnd_add_scaled(gnd_tape *t, gnd_real *dst, gnd_real c, const gnd_real *src, int64_t n)
{
    gnd_for_elements(t, n, 1, axpy_piece, &(axpy_job){t->kern, dst, src, c});
}

typedef struct {
    const gnd_kern *kern;
    gnd_real *y;
    const gnd_product *p;
} spmm_job;

static void spmm_piece(int64_t begin, int64_t end, void *arg)
{
    const spmm_job *j = arg;
    const gnd_product *p = j->p;
    const gnd_columns_of columns = gnd_columns_of_product(j->y, p, p->a->n_col);

    j->kern->spmm_columns(&columns, p->a, begin, end);
    if (p->then)
        p->then(begin, end, p->arg);
}

void gnd_spmm_all(gnd_tape *t, gnd_real *y, const gnd_product *p)
{
    const int64_t n = p->a->n_row, cost = (gnd_csr_nnz(p->a) + n) * p->f;

    gnd_rows_product(t->pool,
                     &(gnd_rows_of){.part = p->a->part,
                                    .y = y,
                                    .bytes = p->f * (int64_t)sizeof *y,
                                    .n = n,
                                    .grain = gnd_row_grain(n, cost),
                                    .cost = cost},
                     spmm_piece, &(spmm_job){t->kern, y, p});
}

/* Eight blocks keep eight CPUs busy. Each block that is summed at the same time needs a buffer, so
 * small sums use one block, and there are no more buffers than threads. */
enum { BLOCKS_MAX = 8, BLOCK_COST = 4000000 };

typedef struct {
    const gnd_row_sum *s;
    gnd_real *part; /* [n_part, size] of blocks first .. first + n_part - 1 */
    int64_t n_block, first, n_part;
    gnd_real *sum;
} sum_job;

static void sum_piece(int64_t begin, int64_t end, void *arg)
{
    const sum_job *j = arg;

    for (int64_t k = begin; k < end; k++) {
        gnd_real *part = j->part + k * j->s->size;
        const int64_t b = j->first + k;

        memset(part, 0, (size_t)j->s->size * sizeof *part);
        j->s->fn(part, j->s->rows * b / j->n_block, j->s->rows * (b + 1) / j->n_block, j->s->arg);
    }
}

static void join_piece(int64_t begin, int64_t end, void *arg)
{
    const sum_job *j = arg;

    for (int64_t k = 0; k < j->n_part; k++)
        for (int64_t i = begin; i < end; i++)
            j->sum[i] += j->part[k * j->s->size + i];
}

void gnd_sum_rows(gnd_tape *t, gnd_real *sum, const gnd_row_sum *s)
{
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    const int64_t threads = gnd_pool_threads(t->pool);
    sum_job j = {.s = s, .n_block = s->cost / BLOCK_COST, .sum = sum};

    if (j.n_block > BLOCKS_MAX)
        j.n_block = BLOCKS_MAX;
    if (j.n_block <= 1) {
        s->fn(sum, 0, s->rows, s->arg);
        return;
    }
    j.n_part = threads < j.n_block ? threads : j.n_block;
    j.part = gnd_tape_alloc(t, j.n_part * s->size, sizeof *j.part);
    if (!j.part)
        return;
    for (; j.first < j.n_block; j.first += j.n_part) {
        if (j.n_part > j.n_block - j.first)
            j.n_part = j.n_block - j.first;
        gnd_parallel_for(t->pool, j.n_part, 1, s->cost / j.n_block * j.n_part, sum_piece, &j);
        gnd_for_elements(t, s->size, j.n_part, join_piece, &j);
    }
    gnd_arena_release(&t->arena, mark);
}

/* Own rows of block b of n of the whole graph, in the local numbering. */
static gnd_row_range block_own(const gnd_part *p, int64_t b, int64_t n)
{
    const int64_t shift = p->begin - p->first;
    gnd_row_range r = {p->n_global * b / n + shift, p->n_global * (b + 1) / n + shift};

    if (r.begin < p->begin)
        r.begin = p->begin;
    if (r.end > p->end)
        r.end = p->end;
    return r;
}

/* Is row `at` of the whole graph inside of a block, not at its start? Then *block is it. */
static bool block_inside(int64_t *block, int64_t at, int64_t rows, int64_t n)
{
    for (*block = 0; *block < n; ++*block)
        if (rows * *block / n < at && at < rows * (*block + 1) / n)
            return true;
    return false;
}

/* The blocks of gnd_sum_rows, whose rows several processes have: each adds its rows to what the one
 * before has summed, so that there is one order of additions. part: [n, size], those of block b are
 * complete in the process that has its last row. Blocks that start here come first: only the block
 * that the process before has started must wait for it. */
static void blocks_chain(gnd_part *p, const gnd_row_sum *s, gnd_real *part, int64_t n)
{
    const int64_t bytes = s->size * (int64_t)sizeof *part, end = p->first + p->end - p->begin;
    int64_t in = -1, out = -1;

    if (p->rank == 0 || !block_inside(&in, p->first, p->n_global, n))
        in = -1;
    if (p->rank == p->size - 1 || !block_inside(&out, end, p->n_global, n))
        out = -1;
    for (int64_t k = 0; k < n; k++) {
        const int64_t b = n - 1 - k; /* the one that the next process waits for comes first */
        const gnd_row_range own = block_own(p, b, n);

        if (b == in || own.begin >= own.end)
            continue;
        s->fn(part + b * s->size, own.begin, own.end, s->arg);
        if (b == out)
            p->calls->pass_on(p, part + b * s->size, bytes);
    }
    if (in < 0)
        return;
    p->calls->take_over(p, part + in * s->size, bytes);
    if (block_own(p, in, n).begin < block_own(p, in, n).end)
        s->fn(part + in * s->size, block_own(p, in, n).begin, block_own(p, in, n).end, s->arg);
    if (in == out)
        p->calls->pass_on(p, part + in * s->size, bytes);
}

/* The sums of all blocks, in all processes. */
static void blocks_share(gnd_part *p, gnd_real *part, int64_t size, int64_t n)
{
    const int64_t first = p->first, end = first + p->end - p->begin;
    int32_t at[BLOCKS_MAX];
    int64_t n_at = 0;

    for (int64_t b = 0; b < n; b++) {
        const int64_t last = p->n_global * (b + 1) / n;

        if (last > first && last <= end)
            at[n_at++] = (int32_t)b;
    }
    gnd_part_share(p, part, size * (int64_t)sizeof *part, at, n_at);
}

void gnd_sum_vertices(gnd_tape *t, gnd_real *sum, const gnd_row_sum *s)
{
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    int64_t n_block = s->cost;
    gnd_real *part;

    if (!t->part) {
        gnd_sum_rows(t, sum, s);
        return;
    }
    gnd_part_counts(t->part, &n_block, 1);
    n_block /= BLOCK_COST;
    n_block = n_block > BLOCKS_MAX ? BLOCKS_MAX : n_block < 1 ? 1 : n_block;
    part = gnd_tape_alloc(t, n_block * s->size, sizeof *part);
    if (!part)
        return;
    memset(part, 0, (size_t)(n_block * s->size) * sizeof *part);
    if (n_block == 1)
        memcpy(part, sum, (size_t)s->size * sizeof *part);
    blocks_chain(t->part, s, part, n_block);
    blocks_share(t->part, part, s->size, n_block);
    if (n_block == 1)
        memcpy(sum, part, (size_t)s->size * sizeof *part);
    for (int64_t b = 0; n_block > 1 && b < n_block; b++)
        for (int64_t i = 0; i < s->size; i++)
            sum[i] += part[b * s->size + i];
    gnd_arena_release(&t->arena, mark);
}

bool gnd_check_dense(gnd_tape *t, const char *op, gnd_var x)
{
    if (!gnd_tape_ok(t))
        return false;
    if (!gnd_tape_node(t, x)->sp)
        return true;
    gnd_tape_fail(t, GND_ERR_SHAPE, "%s: takes no sparse matrix", op);
    return false;
}

const gnd_operator_arg *gnd_operator_arg_new(gnd_tape *t, const char *op, const gnd_csr *a,
                                             const gnd_csr *at, gnd_var z, int64_t k)
{
    gnd_operator_arg *arg;
    const gnd_node *zn;

    if (!gnd_check_dense(t, op, z))
        return NULL;
    zn = gnd_tape_node(t, z);
    if (a->n_row != a->n_col || a->n_col != zn->rows) {
        gnd_tape_fail(t, GND_ERR_SHAPE, "%s: [%lld,%lld] x [%lld,%lld]", op, (long long)a->n_row,
                      (long long)a->n_col, (long long)zn->rows, (long long)zn->cols);
        return NULL;
    }
    if (at->n_row != a->n_col || at->n_col != a->n_row || gnd_csr_nnz(at) != gnd_csr_nnz(a)) {
        gnd_tape_fail(t, GND_ERR_SHAPE, "%s: the second operator is not the first one's transpose",
                      op);
        return NULL;
    }
    if (k < 0) {
        gnd_tape_fail(t, GND_ERR_ARG, "%s: a power of %lld; expected 0 or more", op, (long long)k);
        return NULL;
    }
    arg = gnd_tape_alloc(t, 1, sizeof *arg);
    if (arg)
        *arg = (gnd_operator_arg){.a = a, .at = at, .k = k};
    return arg;
}

gnd_var gnd_elements_record(gnd_tape *t, const gnd_op *op, gnd_var x)
{
    if (!gnd_check_dense(t, op->name, x))
        return GND_NONE;
    return gnd_tape_record(t, op, 1, &x,
                           (gnd_shape){gnd_tape_node(t, x)->rows, gnd_tape_node(t, x)->cols}, NULL);
}

void gnd_elements_forward(gnd_tape *t, gnd_node *y, int64_t cost_each,
                          void (*fn)(int64_t begin, int64_t end, void *arg))
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]);

    gnd_for_elements(t, gnd_node_size(y), cost_each, fn,
                     &(gnd_elements){.kern = t->kern, .x = x->v, .out = y->v});
}

void gnd_elements_backward(gnd_tape *t, gnd_node *y,
                           void (*fn)(int64_t begin, int64_t end, void *arg))
{
    gnd_node *x = gnd_tape_node(t, y->in[0]);

    gnd_for_elements(
        t, gnd_node_size(y), 1, fn,
        &(gnd_elements){.kern = t->kern, .x = x->v, .y = y->v, .dy = y->g, .out = x->g});
}
