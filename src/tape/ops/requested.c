/* SPDX-License-Identifier: MIT
 * requested.c - some rows of x, usually the requested ones: y_i = x_row(i).  x: [n, f] dense or
 * sparse, y: [n_row, f].
 *
 * A loss reads few rows. After the last operator that combines rows, only these are computed.
 * Elements keep their index in the whole matrix, so that dropout masks are the same. */
#include <string.h>

#include "tape/op.h"

static void requested_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]);
    const int32_t *row = y->arg;

    for (int64_t i = 0; i < y->rows; i++)
        memcpy(y->v + i * y->cols, x->v + row[i] * y->cols, (size_t)y->cols * sizeof *y->v);
}

static void requested_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]);
    const int32_t *row = y->arg;

    for (int64_t i = 0; i < y->rows; i++)
        t->kern->axpy(x->g + row[i] * y->cols, 1, y->g + i * y->cols, y->cols);
}

const gnd_op gnd_op_requested = {
    .name = "requested",
    .forward = requested_forward,
    .backward = requested_backward,
};

/* Copies rows of a sparse x; alloc: gnd_tape_alloc or gnd_tape_store. NULL if memory is short. */
static gnd_csr *rows_copy(gnd_tape *t, void *(*alloc)(gnd_tape *t, int64_t n, size_t size),
                          const gnd_csr *x, const int32_t *row, int64_t n)
{
    gnd_csr *y = alloc(t, 1, sizeof *y);
    int64_t nnz = 0;

    for (int64_t i = 0; i < n; i++)
        nnz += x->ptr[row[i] + 1] - x->ptr[row[i]];
    if (!y)
        return NULL;
    *y = (gnd_csr){.n_row = n, .n_col = x->n_col};
    y->ptr = alloc(t, n + 1, sizeof *y->ptr);
    y->col = alloc(t, nnz, sizeof *y->col);
    y->val = x->val ? alloc(t, nnz, sizeof *y->val) : NULL;
    if (!gnd_tape_ok(t))
        return NULL;
    y->ptr[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t p = x->ptr[row[i]], len = x->ptr[row[i] + 1] - p;

        memcpy(y->col + y->ptr[i], x->col + p, (size_t)len * sizeof *y->col);
        if (x->val)
            memcpy(y->val + y->ptr[i], x->val + p, (size_t)len * sizeof *y->val);
        y->ptr[i + 1] = y->ptr[i] + len;
    }
    return y;
}

/* Rows of a sparse x. lasting: row and x outlive the pass, and the copy is stored for later
 * passes. */
static gnd_var rows_sparse(gnd_tape *t, const gnd_csr *x, const int32_t *row, int64_t n,
                           bool lasting)
{
    static const char kind[] = "rows";
    const gnd_kept_key key = {.kind = kind, .of = x, .rows = row, .n = n};
    gnd_csr *y = lasting ? gnd_tape_kept(t, &key) : NULL;
    gnd_var out;

    if (!y) {
        y = rows_copy(t, lasting ? gnd_tape_store : gnd_tape_alloc, x, row, n);
        if (lasting && y)
            gnd_tape_keep(t, &key, y);
    }
    if (!gnd_tape_ok(t))
        return GND_NONE;
    out = gnd_sparse(t, y);
    if (gnd_tape_ok(t)) {
        gnd_tape_node(t, out)->row = row;
        gnd_tape_node(t, out)->whole = x;
        gnd_tape_node(t, out)->lasts = lasting;
    }
    return out;
}

static gnd_var rows_take(gnd_tape *t, gnd_var x, const int32_t *row, int64_t n, bool lasting)
{
    const gnd_node *xn;
    gnd_var y;

    if (!gnd_tape_ok(t))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    for (int64_t i = 0; i < n; i++)
        if (row[i] < 0 || row[i] >= xn->rows)
            return gnd_tape_fail(t, GND_ERR_SHAPE, "requested: row %d of [%lld,%lld]", row[i],
                                 (long long)xn->rows, (long long)xn->cols);
    if (xn->sp)
        return rows_sparse(t, xn->sp, row, n, lasting && xn->lasts);
    y = gnd_tape_record(t, &gnd_op_requested, 1, &x, (gnd_shape){n, xn->cols}, row);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = row;
    return y;
}

gnd_var gnd_rows(gnd_tape *t, gnd_var x, const int32_t *row, int64_t n)
{
    return rows_take(t, x, row, n, false);
}

gnd_var gnd_rows_lasting(gnd_tape *t, gnd_var x, const int32_t *row, int64_t n)
{
    return rows_take(t, x, row, n, true);
}

gnd_var gnd_requested(gnd_tape *t, gnd_var x)
{
    if (!gnd_tape_ok(t))
        return GND_NONE;
    if (!t->request || gnd_tape_node(t, x)->row)
        return x;
    return rows_take(t, x, t->request, t->n_request, t->request == t->lasting);
}

gnd_var gnd_as_requested(gnd_tape *t, gnd_var x)
{
    gnd_node *xn;

    if (!gnd_tape_ok(t) || !t->request)
        return x;
    xn = gnd_tape_node(t, x);
    if (xn->rows != t->n_request)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "as_requested: %lld rows; the pass requests %lld",
                             (long long)xn->rows, (long long)t->n_request);
    xn->row = t->request;
    return x;
}
