/* SPDX-License-Identifier: MIT
 * op_wanted.c - some rows of x, mostly those that the pass is asked for: y_i = x_row(i).
 * x: [n, f] dense or sparse, y: [n_row, f].
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

/* Rows of a sparse x, on the arena; room for them is the same in every epoch. */
static gnd_var rows_sparse(gnd_tape *t, const gnd_csr *x, const int32_t *row, int64_t n)
{
    gnd_csr *y = gnd_tape_alloc(t, 1, sizeof *y);
    int64_t nnz = 0;
    gnd_var out;

    for (int64_t i = 0; i < n; i++)
        nnz += x->ptr[row[i] + 1] - x->ptr[row[i]];
    if (!y)
        return GND_NONE;
    *y = (gnd_csr){.n_row = n, .n_col = x->n_col};
    y->ptr = gnd_tape_alloc(t, n + 1, sizeof *y->ptr);
    y->col = gnd_tape_alloc(t, nnz, sizeof *y->col);
    y->val = x->val ? gnd_tape_alloc(t, nnz, sizeof *y->val) : NULL;
    if (!gnd_tape_ok(t))
        return GND_NONE;
    y->ptr[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t p = x->ptr[row[i]], len = x->ptr[row[i] + 1] - p;

        memcpy(y->col + y->ptr[i], x->col + p, (size_t)len * sizeof *y->col);
        if (x->val)
            memcpy(y->val + y->ptr[i], x->val + p, (size_t)len * sizeof *y->val);
        y->ptr[i + 1] = y->ptr[i] + len;
    }
    out = gnd_sparse(t, y);
    if (gnd_tape_ok(t)) {
        gnd_tape_node(t, out)->row = row;
        gnd_tape_node(t, out)->whole = x;
    }
    return out;
}

gnd_var gnd_rows(gnd_tape *t, gnd_var x, const int32_t *row, int64_t n)
{
    const gnd_node *xn;
    gnd_var y;

    if (!gnd_tape_ok(t))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    for (int64_t i = 0; i < n; i++)
        if (row[i] < 0 || row[i] >= xn->rows)
            return gnd_tape_fail(t, GND_ERR_SHAPE, "wanted: row %d of [%lld,%lld]", row[i],
                                 (long long)xn->rows, (long long)xn->cols);
    if (xn->sp)
        return rows_sparse(t, xn->sp, row, n);
    y = gnd_tape_record(t, &gnd_op_wanted, 1, &x, n, xn->cols, row);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = row;
    return y;
}

gnd_var gnd_wanted(gnd_tape *t, gnd_var x)
{
    if (!gnd_tape_ok(t))
        return GND_NONE;
    if (!t->want || gnd_tape_node(t, x)->row)
        return x;
    return gnd_rows(t, x, t->want, t->n_want);
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
