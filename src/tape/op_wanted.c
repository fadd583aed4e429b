/* SPDX-License-Identifier: MIT
 * op_wanted.c - the rows of x that the pass is asked for: y_i = x_want(i).  x: [n, f] dense or
 * sparse, y: [n_want, f].
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

/* The rows of a sparse x, on the arena; room for them is the same in every epoch. */
static gnd_var wanted_sparse(gnd_tape *t, const gnd_csr *x)
{
    gnd_csr *y = gnd_tape_alloc(t, 1, sizeof *y);
    int64_t nnz = 0;
    gnd_var out;

    for (int64_t i = 0; i < t->n_want; i++)
        nnz += x->ptr[t->want[i] + 1] - x->ptr[t->want[i]];
    if (!y)
        return GND_NONE;
    *y = (gnd_csr){.n_row = t->n_want, .n_col = x->n_col};
    y->ptr = gnd_tape_alloc(t, t->n_want + 1, sizeof *y->ptr);
    y->col = gnd_tape_alloc(t, nnz, sizeof *y->col);
    y->val = x->val ? gnd_tape_alloc(t, nnz, sizeof *y->val) : NULL;
    if (!gnd_tape_ok(t))
        return GND_NONE;
    y->ptr[0] = 0;
    for (int64_t i = 0; i < t->n_want; i++) {
        const int64_t p = x->ptr[t->want[i]], n = x->ptr[t->want[i] + 1] - p;

        memcpy(y->col + y->ptr[i], x->col + p, (size_t)n * sizeof *y->col);
        if (x->val)
            memcpy(y->val + y->ptr[i], x->val + p, (size_t)n * sizeof *y->val);
        y->ptr[i + 1] = y->ptr[i] + n;
    }
    out = gnd_sparse(t, y);
    if (gnd_tape_ok(t)) {
        gnd_tape_node(t, out)->row = t->want;
        gnd_tape_node(t, out)->whole = x;
    }
    return out;
}

gnd_var gnd_wanted(gnd_tape *t, gnd_var x)
{
    const gnd_node *xn;
    gnd_var y;

    if (!gnd_tape_ok(t))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    if (!t->want || xn->row)
        return x;
    for (int64_t i = 0; i < t->n_want; i++)
        if (t->want[i] < 0 || t->want[i] >= xn->rows)
            return gnd_tape_fail(t, GND_ERR_SHAPE, "wanted: row %d of [%lld,%lld]", t->want[i],
                                 (long long)xn->rows, (long long)xn->cols);
    if (xn->sp)
        return wanted_sparse(t, xn->sp);
    y = gnd_tape_record(t, &gnd_op_wanted, 1, &x, t->n_want, xn->cols, t->want);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = t->want;
    return y;
}

gnd_var gnd_as_wanted(gnd_tape *t, gnd_var x)
{
    gnd_node *xn;

    if (!gnd_tape_ok(t) || !t->want)
        return x;
    xn = gnd_tape_node(t, x);
    if (xn->rows != t->n_want)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "as_wanted: %lld rows; the pass is asked for %lld",
                             (long long)xn->rows, (long long)t->n_want);
    xn->row = t->want;
    return x;
}
