/* SPDX-License-Identifier: MIT
 * concat.c - concatenation of matrices by columns, and a range of columns of a matrix.
 *
 *     concat   y = [x_1 | x_2 | ...]      x_k: [n, f_k], y: [n, sum f_k]
 *     columns  y = x[:, first .. first + f - 1] */
#include <string.h>

#include "tape/op.h"

/* to[i, 0..f-1] = (or +=) from[i, 0..f-1], with separate row strides. */
typedef struct {
    const gnd_kern *kern;
    gnd_real *to;
    const gnd_real *from;
    int64_t f, stride_to, stride_from;
    bool add;
} job;

static void copy_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    if (!j->add)
        j->kern->put(j->to + begin * j->stride_to, j->stride_to, j->from + begin * j->stride_from,
                     j->stride_from, j->f, NULL, end - begin);
    else
        j->kern->put_add(j->to + begin * j->stride_to, j->stride_to,
                         j->from + begin * j->stride_from, j->stride_from, j->f, end - begin);
}

static void copy(gnd_tape *t, int64_t n, job j)
{
    j.kern = t->kern;
    gnd_parallel_for(t->pool, n, gnd_row_grain(n, n * j.f), n * j.f, copy_rows, &j);
}

/* ---- concat --------------------------------------------------------------------------------- */

/* All inputs: a node has room for few. The node itself has one input, which needs a gradient if
 * any of them does. */
typedef struct {
    const gnd_var *x;
    int n;
} concat_arg;

static void concat_forward(gnd_tape *t, gnd_node *y)
{
    const concat_arg *c = y->arg;
    int64_t at = 0;

    for (int k = 0; k < c->n; k++) {
        const gnd_node *x = gnd_tape_node(t, c->x[k]);

        copy(t, y->rows,
             (job){.to = y->v + at,
                   .from = x->v,
                   .f = x->cols,
                   .stride_to = y->cols,
                   .stride_from = x->cols});
        at += x->cols;
    }
}

static void concat_backward(gnd_tape *t, gnd_node *y)
{
    const concat_arg *c = y->arg;
    int64_t at = 0;

    for (int k = 0; k < c->n; k++) {
        gnd_node *x = gnd_tape_node(t, c->x[k]);

        if (x->g)
            copy(t, y->rows,
                 (job){.to = x->g,
                       .from = y->g + at,
                       .f = x->cols,
                       .stride_to = x->cols,
                       .stride_from = y->cols,
                       .add = true});
        at += x->cols;
    }
}

const gnd_op gnd_op_concat = {
    .name = "concat",
    .forward = concat_forward,
    .backward = concat_backward,
};

gnd_var gnd_concat(gnd_tape *t, const gnd_var *x, int n)
{
    int64_t cols = 0;
    int lead = 0;
    gnd_var *list;
    concat_arg *c;

    if (n < 1)
        return gnd_tape_fail(t, GND_ERR_ARG, "concat: no matrices");
    if (n == 1)
        return x[0];
    for (int k = 0; k < n; k++) {
        if (!gnd_check_dense(t, "concat", x[k]))
            return GND_NONE;
        if (gnd_tape_node(t, x[k])->rows != gnd_tape_node(t, x[0])->rows)
            return gnd_tape_fail(t, GND_ERR_SHAPE, "concat: %lld rows beside %lld",
                                 (long long)gnd_tape_node(t, x[0])->rows,
                                 (long long)gnd_tape_node(t, x[k])->rows);
        cols += gnd_tape_node(t, x[k])->cols;
        if (gnd_wants_grad(gnd_tape_node(t, x[k])))
            lead = k;
    }
    c = gnd_tape_alloc(t, 1, sizeof *c);
    list = gnd_tape_alloc(t, n, sizeof *list);
    if (!c || !list)
        return GND_NONE;
    memcpy(list, x, (size_t)n * sizeof *list);
    *c = (concat_arg){list, n};
    return gnd_tape_record(t, &gnd_op_concat, 1, &x[lead],
                           (gnd_shape){gnd_tape_node(t, x[0])->rows, cols}, c);
}

/* ---- columns -------------------------------------------------------------------------------- */

static void columns_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]);
    const int64_t *first = y->arg;

    copy(t, y->rows,
         (job){.to = y->v,
               .from = x->v + *first,
               .f = y->cols,
               .stride_to = y->cols,
               .stride_from = x->cols});
}

static void columns_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]);
    const int64_t *first = y->arg;

    copy(t, y->rows,
         (job){.to = x->g + *first,
               .from = y->g,
               .f = y->cols,
               .stride_to = x->cols,
               .stride_from = y->cols,
               .add = true});
}

const gnd_op gnd_op_columns = {
    .name = "columns",
    .forward = columns_forward,
    .backward = columns_backward,
};

gnd_var gnd_columns(gnd_tape *t, gnd_var x, int64_t first, int64_t f)
{
    const gnd_node *xn;
    int64_t *arg;

    if (!gnd_check_dense(t, "columns", x))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    if (first < 0 || f < 1 || first + f > xn->cols)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "columns: %lld from %lld on, of [%lld,%lld]",
                             (long long)f, (long long)first, (long long)xn->rows,
                             (long long)xn->cols);
    if (f == xn->cols)
        return x;
    arg = gnd_tape_alloc(t, 1, sizeof *arg);
    if (!arg)
        return GND_NONE;
    *arg = first;
    return gnd_tape_record(t, &gnd_op_columns, 1, &x, (gnd_shape){xn->rows, f}, arg);
}
