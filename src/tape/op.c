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
    const gnd_csr *a;
    const gnd_real *x, *z;
    int64_t f;
    gnd_real c;
} spmm_job;

static void spmm_piece(int64_t begin, int64_t end, void *arg)
{
    const spmm_job *j = arg;

    j->kern->spmm(j->y, j->a, j->x, j->f, j->c, j->z, begin, end);
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
                     spmm_piece, &(spmm_job){t->kern, y, p->a, p->x, p->z, p->f, p->c});
}

/* Eight blocks keep eight CPUs busy. Each block that is summed at the same time needs a buffer, so
 * small sums use one block, and there are no more buffers than threads. */
enum { BLOCKS_MAX = 8, BLOCK_COST = 4000000 };

typedef struct {
    const gnd_row_sum *s;
    gnd_row_range rows;
    gnd_real *part; /* [n_part, size] of blocks first .. first + n_part - 1 */
    int64_t n_block, first, n_part;
    gnd_real *sum;
} sum_job;

static void sum_piece(int64_t begin, int64_t end, void *arg)
{
    const sum_job *j = arg;
    const int64_t n = j->rows.end - j->rows.begin;

    for (int64_t k = begin; k < end; k++) {
        gnd_real *part = j->part + k * j->s->size;
        const int64_t b = j->first + k;

        memset(part, 0, (size_t)j->s->size * sizeof *part);
        j->s->fn(part, j->rows.begin + n * b / j->n_block, j->rows.begin + n * (b + 1) / j->n_block,
                 j->s->arg);
    }
}

static void join_piece(int64_t begin, int64_t end, void *arg)
{
    const sum_job *j = arg;

    for (int64_t k = 0; k < j->n_part; k++)
        for (int64_t i = begin; i < end; i++)
            j->sum[i] += j->part[k * j->s->size + i];
}

static void sum_range(gnd_tape *t, gnd_real *sum, const gnd_row_sum *s, gnd_row_range rows)
{
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    const int64_t threads = gnd_pool_threads(t->pool);
    sum_job j = {.s = s, .rows = rows, .n_block = s->cost / BLOCK_COST, .sum = sum};

    if (j.n_block > BLOCKS_MAX)
        j.n_block = BLOCKS_MAX;
    if (j.n_block <= 1) {
        s->fn(sum, rows.begin, rows.end, s->arg);
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

void gnd_sum_rows(gnd_tape *t, gnd_real *sum, const gnd_row_sum *s)
{
    sum_range(t, sum, s, (gnd_row_range){0, s->rows});
}

void gnd_sum_vertices(gnd_tape *t, gnd_real *sum, const gnd_row_sum *s)
{
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    gnd_real *here;
    double *all;

    if (!t->part) {
        gnd_sum_rows(t, sum, s);
        return;
    }
    here = gnd_tape_alloc(t, s->size, sizeof *here);
    all = gnd_tape_alloc(t, s->size, sizeof *all);
    if (!here || !all)
        return;
    memset(here, 0, (size_t)s->size * sizeof *here);
    sum_range(t, here, s, gnd_part_own(t->part, s->rows));
    for (int64_t i = 0; i < s->size; i++)
        all[i] = (double)here[i];
    t->part->calls->sum(t->part, all, s->size);
    for (int64_t i = 0; i < s->size; i++)
        sum[i] += (gnd_real)all[i];
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
