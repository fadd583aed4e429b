/* SPDX-License-Identifier: MIT
 * matmul.c - y = x w.  x: [n, k] dense or sparse, w: [k, f], y: [n, f].
 *
 *     dw = x^T dy     dx = dy w^T  (x dense)
 */
#include "tape/op.h"

typedef struct {
    const gnd_kern *kern;
    const gnd_node *x;
    const gnd_real *w;
    gnd_real *y;
    int64_t f;
} forward_job;

static void forward_piece(int64_t begin, int64_t end, void *arg)
{
    const forward_job *j = arg;

    j->kern->gemm(j->y, j->x->v, j->w, j->x->cols, j->f, begin, end);
}

static void matmul_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]), *w = gnd_tape_node(t, y->in[1]);
    const int64_t cost = x->rows * x->cols * y->cols;

    if (x->sp)
        gnd_spmm_all(t, y->v, &(gnd_product){.a = x->sp, .x = w->v, .f = y->cols});
    else
        gnd_parallel_for(t->pool, y->rows, gnd_row_grain(y->rows, cost), cost, forward_piece,
                         &(forward_job){t->kern, x, w->v, y->v, y->cols});
}

/* dw += x^T dy over rows begin..end-1. */
static void dw_rows(gnd_real *dw, int64_t begin, int64_t end, const void *arg)
{
    const forward_job *j = arg; /* here j->y is dy */

    if (j->x->sp)
        j->kern->spmm_t(dw, j->x->sp, j->y, j->f, begin, end);
    else
        j->kern->gemm_t(dw, j->x->v, j->y, j->x->cols, j->f, begin, end);
}

typedef struct {
    const gnd_kern *kern;
    gnd_real *dx, *part; /* [n, k] */
    const gnd_real *dy, *wt;
    int64_t k, f;
} dx_job;

static void dx_piece(int64_t begin, int64_t end, void *arg)
{
    const dx_job *j = arg;

    j->kern->gemm(j->part, j->dy, j->wt, j->f, j->k, begin, end);
    j->kern->axpy(j->dx + begin * j->k, 1, j->part + begin * j->k, (end - begin) * j->k);
}

static void matmul_dx(gnd_tape *t, const gnd_node *y, gnd_node *x, const gnd_node *w)
{
    const int64_t k = x->cols, f = y->cols, cost = x->rows * k * f;
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    gnd_real *wt = gnd_tape_alloc(t, k * f, sizeof *wt); /* [f, k] */
    gnd_real *part = gnd_tape_alloc(t, x->rows * k, sizeof *part);

    if (!wt || !part)
        return;
    for (int64_t i = 0; i < k; i++)
        for (int64_t c = 0; c < f; c++)
            wt[c * k + i] = w->v[i * f + c];
    gnd_parallel_for(t->pool, x->rows, gnd_row_grain(x->rows, cost), cost, dx_piece,
                     &(dx_job){t->kern, x->g, part, y->g, wt, k, f});
    gnd_arena_release(&t->arena, mark);
}

static void matmul_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]), *w = gnd_tape_node(t, y->in[1]);
    const gnd_row_range own = gnd_part_own(x->row ? NULL : t->part, x->rows);
    const int64_t entries =
        x->sp ? x->sp->ptr[own.end] - x->sp->ptr[own.begin] : (own.end - own.begin) * x->cols;

    if (w->g)
        (x->row ? gnd_sum_rows
                : gnd_sum_vertices)(t, w->g,
                                    &(gnd_row_sum){
                                        .fn = dw_rows,
                                        .arg = &(forward_job){t->kern, x, NULL, y->g, y->cols},
                                        .rows = x->rows,
                                        .size = gnd_node_size(w),
                                        .cost = entries * y->cols,
                                    });
    if (x->g)
        matmul_dx(t, y, x, w);
}

const gnd_op gnd_op_matmul = {
    .name = "matmul",
    .forward = matmul_forward,
    .backward = matmul_backward,
};

gnd_var gnd_matmul(gnd_tape *t, gnd_var x, gnd_var w)
{
    const gnd_node *xn, *wn;

    if (!gnd_check_dense(t, "matmul", w))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    wn = gnd_tape_node(t, w);
    if (xn->cols != wn->rows)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "matmul: [%lld,%lld] x [%lld,%lld]",
                             (long long)xn->rows, (long long)xn->cols, (long long)wn->rows,
                             (long long)wn->cols);
    return gnd_tape_record(t, &gnd_op_matmul, 2, (gnd_var[]){x, w}, (gnd_shape){xn->rows, wn->cols},
                           NULL);
}
