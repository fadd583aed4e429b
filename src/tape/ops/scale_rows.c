/* SPDX-License-Identifier: MIT
 * scale_rows.c - y = diag(f_c) x for column c of f.  f: [n, m], x, y: [n, w].
 *
 *     dx = diag(f_c) dy     df_ic = sum_j dy_ij x_ij
 *
 * For small matrices, for example one row per eigenvalue: it uses no threads. */
#include "tape/op.h"

static void scale_rows_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *f = gnd_tape_node(t, y->in[0]), *x = gnd_tape_node(t, y->in[1]);
    const int64_t col = *(const int64_t *)y->arg, w = y->cols;

    for (int64_t i = 0; i < y->rows; i++)
        for (int64_t j = 0; j < w; j++)
            y->v[i * w + j] = f->v[i * f->cols + col] * x->v[i * w + j];
}

static void scale_rows_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *f = gnd_tape_node(t, y->in[0]), *x = gnd_tape_node(t, y->in[1]);
    const int64_t col = *(const int64_t *)y->arg, w = y->cols;

    for (int64_t i = 0; i < y->rows; i++) {
        const gnd_real *dy = y->g + i * w;

        if (x->g)
            t->kern->axpy(x->g + i * w, f->v[i * f->cols + col], dy, w);
        if (f->g)
            f->g[i * f->cols + col] += (gnd_real)t->kern->dot(dy, x->v + i * w, w);
    }
}

const gnd_op gnd_op_scale_rows = {
    .name = "scale_rows",
    .forward = scale_rows_forward,
    .backward = scale_rows_backward,
};

gnd_var gnd_scale_rows(gnd_tape *t, gnd_var f, int64_t col, gnd_var x)
{
    const gnd_node *fn, *xn;
    int64_t *arg;

    if (!gnd_check_dense(t, "scale_rows", f) || !gnd_check_dense(t, "scale_rows", x))
        return GND_NONE;
    fn = gnd_tape_node(t, f);
    xn = gnd_tape_node(t, x);
    if (fn->rows != xn->rows || col < 0 || col >= fn->cols)
        return gnd_tape_fail(t, GND_ERR_SHAPE,
                             "scale_rows: column %lld of [%lld,%lld] by [%lld,%lld]",
                             (long long)col, (long long)fn->rows, (long long)fn->cols,
                             (long long)xn->rows, (long long)xn->cols);
    arg = gnd_tape_alloc(t, 1, sizeof *arg);
    if (!arg)
        return GND_NONE;
    *arg = col;
    xn = gnd_tape_node(t, x);
    return gnd_tape_record(t, &gnd_op_scale_rows, 2, (gnd_var[]){f, x},
                           (gnd_shape){xn->rows, xn->cols}, arg);
}
