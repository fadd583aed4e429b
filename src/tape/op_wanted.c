/* SPDX-License-Identifier: MIT
 * op_wanted.c - the rows of x that the pass is asked for: y_i = x_want(i).  x: [n, f],
 * y: [n_want, f].
 *
 * A loss looks at a handful of rows. Once the operators that mix rows are behind, only these go on.
 * Their elements keep their place in the whole matrix, so dropout drops what it would drop
 * there. */
#include <string.h>

#include "op.h"

static void wanted_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]);
    const int32_t *row = y->arg;

    for (int64_t i = 0; i < y->rows; i++)
        memcpy(y->v + i * y->cols, x->v + row[i] * y->cols, (size_t)y->cols * sizeof *y->v);
}

static void wanted_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]);
    const int32_t *row = y->arg;

    for (int64_t i = 0; i < y->rows; i++)
        t->kern->axpy(x->g + row[i] * y->cols, 1, y->g + i * y->cols, y->cols);
}

const gnd_op gnd_op_wanted = {
    .name = "wanted",
    .forward = wanted_forward,
    .backward = wanted_backward,
};

gnd_var gnd_wanted(gnd_tape *t, gnd_var x)
{
    const gnd_node *xn;
    gnd_var y;

    if (!gnd_check_dense(t, "wanted", x))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    if (!t->want || xn->row)
        return x;
    for (int64_t i = 0; i < t->n_want; i++)
        if (t->want[i] < 0 || t->want[i] >= xn->rows)
            return gnd_tape_fail(t, GND_ERR_SHAPE, "wanted: row %d of [%lld,%lld]", t->want[i],
                                 (long long)xn->rows, (long long)xn->cols);
    y = gnd_tape_record(t, &gnd_op_wanted, 1, &x, t->n_want, xn->cols, t->want);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = t->want;
    return y;
}
