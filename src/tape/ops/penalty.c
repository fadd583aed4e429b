/* SPDX-License-Identifier: MIT
 * penalty.c - penalties on a weight matrix x: [n, f] -> [1, 1].
 *
 *     group_lasso   c sum_j |x_j|, Euclidean norms of the columns; the gradient of a zero column is
 *     0
 *     mean_square   c mean(x^2) */
#include <math.h>
#include <string.h>

#include "tape/op.h"

/* length[j] = |x_j| */
static double *column_lengths(gnd_tape *t, const gnd_node *x)
{
    const int64_t f = x->cols;
    double *sum = gnd_tape_alloc(t, 2 * f, sizeof *sum), *length;
    gnd_real *zero = gnd_tape_alloc(t, f, sizeof *zero);

    if (!sum || !zero)
        return NULL;
    memset(sum, 0, 2 * (size_t)f * sizeof *sum);
    memset(zero, 0, (size_t)f * sizeof *zero);
    t->kern->moments(sum, x->v, zero, f, x->rows);
    length = sum + f;
    for (int64_t j = 0; j < f; j++)
        length[j] = sqrt(length[j]);
    return length;
}

static void group_lasso_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]);
    const double *c = y->arg, *length = y->save = column_lengths(t, x);
    double sum = 0;

    for (int64_t j = 0; length && j < x->cols; j++)
        sum += length[j];
    y->v[0] = (gnd_real)(*c * sum);
}

static void group_lasso_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]);
    const double *c = y->arg, *length = y->save;
    gnd_real *slope = gnd_tape_alloc(t, x->cols, sizeof *slope);

    if (!slope)
        return;
    for (int64_t j = 0; j < x->cols; j++)
        slope[j] = (gnd_real)(length[j] > 0 ? *c * (double)y->g[0] / length[j] : 0);
    t->kern->fit_add(x->g, x->v, &(gnd_column_fit){.a = slope, .f = x->cols}, x->rows);
}

const gnd_op gnd_op_group_lasso = {
    .name = "group_lasso",
    .forward = group_lasso_forward,
    .backward = group_lasso_backward,
};

static void mean_square_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]);
    const double *c = y->arg;

    y->v[0] =
        (gnd_real)(*c * t->kern->dot(x->v, x->v, gnd_node_size(x)) / (double)gnd_node_size(x));
}

static void mean_square_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]);
    const double *c = y->arg;

    gnd_add_scaled(t, x->g, (gnd_real)(*c * 2 * (double)y->g[0] / (double)gnd_node_size(x)), x->v,
                   gnd_node_size(x));
}

const gnd_op gnd_op_mean_square = {
    .name = "mean_square",
    .forward = mean_square_forward,
    .backward = mean_square_backward,
};

static gnd_var record(gnd_tape *t, const gnd_op *op, gnd_var x, double c)
{
    double *arg = gnd_check_dense(t, op->name, x) ? gnd_tape_alloc(t, 1, sizeof *arg) : NULL;

    if (!arg)
        return GND_NONE;
    *arg = c;
    return gnd_tape_record(t, op, 1, &x, (gnd_shape){1, 1}, arg);
}

gnd_var gnd_group_lasso(gnd_tape *t, gnd_var x, double c)
{
    return record(t, &gnd_op_group_lasso, x, c);
}

gnd_var gnd_mean_square(gnd_tape *t, gnd_var x, double c)
{
    return record(t, &gnd_op_mean_square, x, c);
}
