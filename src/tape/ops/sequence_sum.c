/* SPDX-License-Identifier: MIT
 * sequence_sum.c - weighted sums of sequences of T consecutive rows: y_i = sum_t a_it x_{i T + t}.
 * a: [n, T], x: [n T, f], y: [n, f].
 *
 *     da_it = <dy_i, x_{i T + t}>     dx_{i T + t} = a_it dy_i
 */
#include <string.h>

#include "tape/op.h"

typedef struct {
    const gnd_kern *kern;
    const gnd_real *a, *x;
    gnd_real *y;
    const gnd_real *dy; /* this and the next: backward only */
    gnd_real *da, *dx;  /* each may be NULL */
    int64_t T, f;
} job;

static void value_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    memset(j->y + begin * j->f, 0, (size_t)((end - begin) * j->f) * sizeof *j->y);
    for (int64_t i = begin; i < end; i++)
        for (int64_t s = i * j->T; s < (i + 1) * j->T; s++)
            j->kern->axpy(j->y + i * j->f, j->a[s], j->x + s * j->f, j->f);
}

static void grad_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++)
        for (int64_t s = i * j->T; s < (i + 1) * j->T; s++) {
            if (j->da)
                j->da[s] += (gnd_real)j->kern->dot(j->dy + i * j->f, j->x + s * j->f, j->f);
            if (j->dx)
                j->kern->axpy(j->dx + s * j->f, j->a[s], j->dy + i * j->f, j->f);
        }
}

static void run(gnd_tape *t, const gnd_node *y, job *j, void (*fn)(int64_t, int64_t, void *))
{
    const gnd_node *a = gnd_tape_node(t, y->in[0]), *x = gnd_tape_node(t, y->in[1]);
    const int64_t cost = gnd_node_size(x);

    j->kern = t->kern;
    j->a = a->v;
    j->x = x->v;
    j->T = a->cols;
    j->f = y->cols;
    gnd_parallel_for(t->pool, y->rows, gnd_row_grain(y->rows, cost), cost, fn, j);
}

static void sequence_sum_forward(gnd_tape *t, gnd_node *y)
{
    run(t, y, &(job){.y = y->v}, value_rows);
}

static void sequence_sum_backward(gnd_tape *t, gnd_node *y)
{
    run(t, y,
        &(job){
            .dy = y->g, .da = gnd_tape_node(t, y->in[0])->g, .dx = gnd_tape_node(t, y->in[1])->g},
        grad_rows);
}

const gnd_op gnd_op_sequence_sum = {
    .name = "sequence_sum", .forward = sequence_sum_forward, .backward = sequence_sum_backward};

gnd_var gnd_sequence_sum(gnd_tape *t, gnd_var a, gnd_var x)
{
    const gnd_node *an, *xn;

    if (!gnd_check_dense(t, "sequence_sum", a) || !gnd_check_dense(t, "sequence_sum", x))
        return GND_NONE;
    an = gnd_tape_node(t, a);
    xn = gnd_tape_node(t, x);
    if (an->cols < 1 || an->rows * an->cols != xn->rows)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "sequence_sum: weights [%lld,%lld] of [%lld,%lld]",
                             (long long)an->rows, (long long)an->cols, (long long)xn->rows,
                             (long long)xn->cols);
    return gnd_tape_record(t, &gnd_op_sequence_sum, 2, (gnd_var[]){a, x},
                           (gnd_shape){an->rows, xn->cols}, NULL);
}
