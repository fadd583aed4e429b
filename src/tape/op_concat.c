/* SPDX-License-Identifier: MIT
 * op_concat.c - y = [x_1 .. x_m], side by side.  x_i: [n, f_i], y: [n, sum f_i].
 *
 *     dx_i = the columns of dy that x_i became
 */
#include <string.h>

#include "op.h"

typedef struct {
    const gnd_kern *kern;
    const gnd_real *from;
    gnd_real *to;
    int64_t f, from_cols, to_cols; /* columns to take, and the length of a row on either side */
} job;

static void copy_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++)
        memcpy(j->to + i * j->to_cols, j->from + i * j->from_cols, (size_t)j->f * sizeof *j->to);
}

static void add_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    for (int64_t i = begin; i < end; i++)
        j->kern->axpy(j->to + i * j->to_cols, 1, j->from + i * j->from_cols, j->f);
}

static void over_rows(gnd_tape *t, int64_t rows, void (*fn)(int64_t, int64_t, void *), job j)
{
    const int64_t cost = rows * j.f;

    gnd_parallel_for(t->pool, rows, gnd_row_grain(rows, cost), cost, fn, &j);
}

static void concat_forward(gnd_tape *t, gnd_node *y)
{
    gnd_real *to = y->v;

    for (int32_t i = 0; i < y->n_in; i++) {
        const gnd_node *x = gnd_tape_node(t, y->in[i]);

        over_rows(t, y->rows, copy_rows, (job){t->kern, x->v, to, x->cols, x->cols, y->cols});
        to += x->cols;
    }
}

static void concat_backward(gnd_tape *t, gnd_node *y)
{
    const gnd_real *from = y->g;

    for (int32_t i = 0; i < y->n_in; i++) {
        const gnd_node *x = gnd_tape_node(t, y->in[i]);

        if (x->g)
            over_rows(t, y->rows, add_rows, (job){t->kern, from, x->g, x->cols, y->cols, x->cols});
        from += x->cols;
    }
}

const gnd_op gnd_op_concat = {
    .name = "concat",
    .forward = concat_forward,
    .backward = concat_backward,
};

/* At most as many as a node can take. */
static gnd_var join(gnd_tape *t, const gnd_var *x, int n)
{
    int64_t rows = 0, cols = 0;

    for (int i = 0; i < n; i++) {
        const gnd_node *xn;

        if (!gnd_check_dense(t, "concat", x[i]))
            return GND_NONE;
        xn = gnd_tape_node(t, x[i]);
        if (i > 0 && xn->rows != rows)
            return gnd_tape_fail(t, GND_ERR_SHAPE, "concat: %lld rows beside %lld",
                                 (long long)xn->rows, (long long)rows);
        rows = xn->rows;
        cols += xn->cols;
    }
    return gnd_tape_record(t, &gnd_op_concat, n, x, rows, cols, NULL);
}

gnd_var gnd_concat(gnd_tape *t, const gnd_var *x, int n)
{
    gnd_var part[GND_NODE_MAX_IN];

    part[0] = x[0];
    for (int i = 1; i < n;) {
        int m = 1;

        while (m < GND_NODE_MAX_IN && i < n)
            part[m++] = x[i++];
        part[0] = join(t, part, m);
    }
    return part[0];
}
