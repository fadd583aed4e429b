/* SPDX-License-Identifier: MIT
 * block_sum.c - y = sum_g q_g x_g for the column blocks of x = [x_1 | .. | x_G].  x: [n, G f], q:
 * [1, G], y: [n, f].
 *
 *     dx_g = q_g dy     dq_g = sum_ij dy_ij x_g,ij
 *
 * For the few requested rows: it uses no threads. */
#include "tape/op.h"

static void block_sum_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]), *q = gnd_tape_node(t, y->in[1]);

    for (int64_t i = 0; i < y->rows; i++) {
        gnd_real *yi = y->v + i * y->cols;

        for (int64_t c = 0; c < y->cols; c++)
            yi[c] = 0;
        for (int64_t g = 0; g < q->cols; g++)
            t->kern->axpy(yi, q->v[g], x->v + i * x->cols + g * y->cols, y->cols);
    }
}

static void block_sum_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]), *q = gnd_tape_node(t, y->in[1]);

    for (int64_t g = 0; g < q->cols; g++) {
        double sum = 0;

        for (int64_t i = 0; i < y->rows; i++) {
            const gnd_real *dy = y->g + i * y->cols;
            const int64_t at = i * x->cols + g * y->cols;

            if (x->g)
                t->kern->axpy(x->g + at, q->v[g], dy, y->cols);
            for (int64_t c = 0; q->g && c < y->cols; c++)
                sum += (double)dy[c] * (double)x->v[at + c];
        }
        if (q->g)
            q->g[g] += (gnd_real)sum;
    }
}

const gnd_op gnd_op_block_sum = {
    .name = "block_sum",
    .forward = block_sum_forward,
    .backward = block_sum_backward,
};

gnd_var gnd_block_sum(gnd_tape *t, gnd_var x, gnd_var q)
{
    const gnd_node *xn, *qn;

    if (!gnd_check_dense(t, "block_sum", x) || !gnd_check_dense(t, "block_sum", q))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    qn = gnd_tape_node(t, q);
    if (qn->rows != 1 || qn->cols < 1 || xn->cols % qn->cols != 0)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "block_sum: [%lld,%lld] by weights [%lld,%lld]",
                             (long long)xn->rows, (long long)xn->cols, (long long)qn->rows,
                             (long long)qn->cols);
    return gnd_tape_record(t, &gnd_op_block_sum, 2, (gnd_var[]){x, q},
                           (gnd_shape){xn->rows, xn->cols / qn->cols}, NULL);
}
