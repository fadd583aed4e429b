/* SPDX-License-Identifier: MIT
 * add_bias.c - y = x + 1 b^T.  x, y: [n, f], b: [1, f].
 *
 *     dx = dy     db = column sums of dy
 *
 * db is summed in double, in blocks of rows that are added in order. */
#include "tape/op.h"

enum { BLOCK = 1024 };

typedef struct {
    const gnd_real *x, *b;
    gnd_real *y;
    double *part; /* [n_block, f] */
    int64_t f;
} job;

static void add_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++)
        for (int64_t c = 0; c < j->f; c++)
            j->y[i * j->f + c] = j->x[i * j->f + c] + j->b[c];
}

static void add_bias_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]), *b = gnd_tape_node(t, y->in[1]);

    gnd_parallel_for(t->pool, y->rows, BLOCK, gnd_node_size(y), add_rows,
                     &(job){.x = x->v, .b = b->v, .y = y->v, .f = y->cols});
}

static void sum_block(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    double *part = j->part + begin / BLOCK * j->f;

    for (int64_t c = 0; c < j->f; c++)
        part[c] = 0;
    for (int64_t i = begin; i < end; i++)
        for (int64_t c = 0; c < j->f; c++)
            part[c] += (double)j->x[i * j->f + c];
}

static void add_bias_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]), *b = gnd_tape_node(t, y->in[1]);
    const int64_t n_block = (y->rows + BLOCK - 1) / BLOCK, f = y->cols;

    if (x->g)
        gnd_add_scaled(t, x->g, 1, y->g, gnd_node_size(y));
    if (b->g) {
        double *part = gnd_tape_alloc(t, n_block * f, sizeof *part);

        if (!part)
            return;
        gnd_parallel_for(t->pool, y->rows, BLOCK, gnd_node_size(y), sum_block,
                         &(job){.x = y->g, .part = part, .f = f});
        for (int64_t c = 0; c < f; c++) {
            double sum = 0;

            for (int64_t k = 0; k < n_block; k++)
                sum += part[k * f + c];
            b->g[c] += (gnd_real)sum;
        }
    }
}

const gnd_op gnd_op_add_bias = {
    .name = "add_bias",
    .forward = add_bias_forward,
    .backward = add_bias_backward,
};

gnd_var gnd_add_bias(gnd_tape *t, gnd_var x, gnd_var b)
{
    const gnd_node *xn, *bn;

    if (!gnd_check_dense(t, "add_bias", x) || !gnd_check_dense(t, "add_bias", b))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    bn = gnd_tape_node(t, b);
    if (bn->rows != 1 || bn->cols != xn->cols)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "add_bias: [%lld,%lld] + [%lld,%lld]",
                             (long long)xn->rows, (long long)xn->cols, (long long)bn->rows,
                             (long long)bn->cols);
    return gnd_tape_record(t, &gnd_op_add_bias, 2, (gnd_var[]){x, b},
                           (gnd_shape){xn->rows, xn->cols}, NULL);
}
