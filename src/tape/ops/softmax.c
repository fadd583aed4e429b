/* SPDX-License-Identifier: MIT
 * softmax.c - y_ic = exp(x_ic) / sum_k exp(x_ik), along each row.
 *
 *     dx_ic = y_ic (dy_ic - sum_k dy_ik y_ik)
 */
#include <tgmath.h>

#include "tape/op.h"

typedef struct {
    const gnd_real *x, *y, *dy;
    gnd_real *out;
    int64_t f;
} job;

static void value_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real *x = j->x + i * j->f;
        gnd_real *y = j->out + i * j->f, max = x[0];
        double sum = 0;

        for (int64_t c = 1; c < j->f; c++)
            max = x[c] > max ? x[c] : max;
        for (int64_t c = 0; c < j->f; c++) {
            y[c] = exp(x[c] - max);
            sum += (double)y[c];
        }
        for (int64_t c = 0; c < j->f; c++)
            y[c] = (gnd_real)((double)y[c] / sum);
    }
}

static void softmax_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]);
    const int64_t cost = gnd_node_size(y) * 8;

    gnd_parallel_for(t->pool, y->rows, gnd_row_grain(y->rows, cost), cost, value_rows,
                     &(job){.x = x->v, .out = y->v, .f = y->cols});
}

static void grad_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real *y = j->y + i * j->f, *dy = j->dy + i * j->f;
        double mean = 0;

        for (int64_t c = 0; c < j->f; c++)
            mean += (double)dy[c] * (double)y[c];
        for (int64_t c = 0; c < j->f; c++)
            j->out[i * j->f + c] += (gnd_real)((double)y[c] * ((double)dy[c] - mean));
    }
}

static void softmax_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]);
    const int64_t cost = gnd_node_size(y) * 2;

    gnd_parallel_for(t->pool, y->rows, gnd_row_grain(y->rows, cost), cost, grad_rows,
                     &(job){.y = y->v, .dy = y->g, .out = x->g, .f = y->cols});
}

const gnd_op gnd_op_softmax = {
    .name = "softmax",
    .forward = softmax_forward,
    .backward = softmax_backward,
};

gnd_var gnd_softmax(gnd_tape *t, gnd_var x)
{
    const gnd_node *xn;

    if (!gnd_check_dense(t, "softmax", x))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    if (xn->cols < 1)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "softmax: [%lld,%lld] has no columns",
                             (long long)xn->rows, (long long)xn->cols);
    return gnd_tape_record(t, &gnd_op_softmax, 1, &x, (gnd_shape){xn->rows, xn->cols}, NULL);
}
