/* SPDX-License-Identifier: MIT
 * batch_norm.c - y = (x - mean) / sqrt(var + 1e-3) + 1 b^T, column by column, for the listed rows.
 * The statistics are those of all rows.  x: [n, f], b: [1, f], y: [rows, f].
 *
 *     dx = (dy - mean(dy) - xn mean(dy xn)) / sqrt(var + 1e-3)     xn = y - b     db = sum dy
 *
 * norm_relu: relu(y). Its backward pass sets dy to 0 where the result is 0, and computes xn from x,
 * so that dropout may overwrite the result.
 *
 * The variance is the biased one. Evaluation uses the statistics of x too, not running averages.
 * Sums are in double, in blocks of rows that are added in order. The variance uses differences
 * to the first row, so that one pass suffices. Rows that are not listed have dy = 0, but dx !=
 * 0. */
#include <math.h>

#include "tape/op.h"

enum { BLOCK = 256 };
static const double floor_of_var = 1e-3;

typedef struct {
    const gnd_kern *kern;
    const gnd_real *x, *b, *y;
    gnd_real *out;       /* backward: dy, then dx */
    double *part;        /* [n_block, 2 f] */
    const gnd_real *fit; /* [2 f] factor and shift of each column */
    const int32_t *row;
    int64_t f;
    bool relu;
} job;

/* Sums of d and d^2, d the difference to the first row. */
static void sum_values(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const int64_t f = j->f;
    double *s = j->part + begin / BLOCK * 2 * f;

    for (int64_t c = 0; c < 2 * f; c++)
        s[c] = 0;
    j->kern->moments(s, j->x + begin * f, j->x, f, end - begin);
}

/* Sums of dy and dy xn; norm_relu: dy is set to 0 where the result is 0. */
static void sum_slopes(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const int64_t f = j->f;
    double *s = j->part + begin / BLOCK * 2 * f;
    const gnd_column_fit fit = {j->fit, j->fit + f, j->row ? j->row + begin : NULL, f};

    for (int64_t c = 0; c < 2 * f; c++)
        s[c] = 0;
    j->kern->slopes(s, j->out + begin * f, j->relu ? j->y + begin * f : NULL,
                    j->row ? j->x : j->x + begin * f, &fit, j->b, end - begin);
}

/* Both sums of each column over n rows, in sum[0 .. 2 f - 1]. */
static double *column_sums(gnd_tape *t, int64_t n, job j,
                           void (*fn)(int64_t begin, int64_t end, void *arg))
{
    const int64_t n_block = (n + BLOCK - 1) / BLOCK;

    j.kern = t->kern;
    j.part = gnd_tape_alloc(t, (n_block + 1) * 2 * j.f, sizeof *j.part);
    if (!j.part)
        return NULL;
    for (int64_t c = 0; n == 0 && c < 2 * j.f; c++)
        j.part[c] = 0;
    gnd_parallel_for(t->pool, n, BLOCK, n * j.f * 2, fn, &j);
    for (int64_t k = 1; k < n_block; k++)
        for (int64_t c = 0; c < 2 * j.f; c++)
            j.part[c] += j.part[k * 2 * j.f + c];
    return j.part;
}

static void value_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const int64_t f = j->f;
    const gnd_column_fit fit = {j->fit, j->fit + f, j->row ? j->row + begin : NULL, f};

    j->kern->fit(j->out + begin * f, j->row ? j->x : j->x + begin * f, &fit, j->relu, end - begin);
}

static void batch_norm_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]), *b = gnd_tape_node(t, y->in[1]);
    const int64_t f = y->cols;
    const double n = (double)x->rows;
    const double *s = column_sums(t, x->rows, (job){.x = x->v, .f = f}, sum_values);
    gnd_real *fit = gnd_tape_alloc(t, 2 * f, sizeof *fit);

    if (!s || !fit)
        return;
    for (int64_t c = 0; c < f; c++) {
        const double mean = s[c] / n, var = s[f + c] / n - mean * mean;
        const double factor = 1 / sqrt((var > 0 ? var : 0) + floor_of_var);

        fit[c] = (gnd_real)factor;
        fit[f + c] = (gnd_real)((double)b->v[c] - factor * ((double)x->v[c] + mean));
    }
    y->save = fit;
    gnd_parallel_for(t->pool, y->rows, BLOCK, gnd_node_size(y), value_rows,
                     &(job){.kern = t->kern,
                            .x = x->v,
                            .out = y->v,
                            .fit = fit,
                            .row = y->arg,
                            .f = f,
                            .relu = y->op == &gnd_op_norm_relu});
}

/* dx += slope x + at */
static void grad_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const int64_t f = j->f;
    const gnd_column_fit fit = {j->fit, j->fit + f, NULL, f};

    j->kern->fit_add(j->out + begin * f, j->x + begin * f, &fit, end - begin);
}

static void batch_norm_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]), *b = gnd_tape_node(t, y->in[1]);
    const int64_t f = y->cols;
    const gnd_real *factor = y->save, *shift = factor + f;
    const double n = (double)x->rows;
    const double *s;
    gnd_real *fit;

    s = column_sums(t, y->rows,
                    (job){.x = x->v,
                          .b = b->v,
                          .y = y->v,
                          .out = y->g,
                          .fit = factor,
                          .row = y->arg,
                          .f = f,
                          .relu = y->op == &gnd_op_norm_relu},
                    sum_slopes);
    fit = gnd_tape_alloc(t, 2 * f, sizeof *fit);

    if (!s || !fit)
        return;
    for (int64_t c = 0; c < f; c++) { /* xn = factor x + shift - b */
        const double slope = (double)factor[c] * s[f + c] / n;
        const double at = (double)shift[c] - (double)b->v[c];

        fit[c] = -(gnd_real)(slope * (double)factor[c]);
        fit[f + c] = -(gnd_real)((double)factor[c] * s[c] / n + slope * at);
        if (b->g)
            b->g[c] += (gnd_real)s[c];
    }
    if (!x->g)
        return;
    gnd_parallel_for(t->pool, x->rows, BLOCK, gnd_node_size(x) * 2, grad_rows,
                     &(job){.kern = t->kern, .x = x->v, .out = x->g, .fit = fit, .f = f});
    t->kern->fit_add(x->g, y->g, &(gnd_column_fit){factor, NULL, y->arg, f}, y->rows);
}

const gnd_op gnd_op_batch_norm = {
    .name = "batch_norm",
    .forward = batch_norm_forward,
    .backward = batch_norm_backward,
};

const gnd_op gnd_op_norm_relu = {
    .name = "norm_relu",
    .forward = batch_norm_forward,
    .backward = batch_norm_backward,
};

static gnd_var norm_record(gnd_tape *t, const gnd_op *op, gnd_var x, gnd_var b, gnd_row_list to)
{
    const gnd_node *xn, *bn;
    gnd_var y;

    if (!gnd_check_dense(t, "batch_norm", x) || !gnd_check_dense(t, "batch_norm", b))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    bn = gnd_tape_node(t, b);
    if (bn->rows != 1 || bn->cols != xn->cols || xn->rows < 1)
        return gnd_tape_fail(
            t, GND_ERR_SHAPE, "batch_norm: [%lld,%lld] with a shift of [%lld,%lld]",
            (long long)xn->rows, (long long)xn->cols, (long long)bn->rows, (long long)bn->cols);
    if (xn->row)
        return gnd_tape_fail(t, GND_ERR_ARG,
                             "batch_norm: x has some rows only; the mean needs all");
    for (int64_t i = 0; to.row && i < to.n; i++)
        if (to.row[i] < 0 || to.row[i] >= xn->rows)
            return gnd_tape_fail(t, GND_ERR_SHAPE, "batch_norm: row %d of %lld", to.row[i],
                                 (long long)xn->rows);
    y = gnd_tape_record(t, op, 2, (gnd_var[]){x, b},
                        (gnd_shape){to.row ? to.n : xn->rows, xn->cols}, to.row);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = to.row;
    return y;
}

gnd_var gnd_batch_norm(gnd_tape *t, gnd_var x, gnd_var b, gnd_row_list to)
{
    return norm_record(t, &gnd_op_batch_norm, x, b, to);
}

gnd_var gnd_norm_relu(gnd_tape *t, gnd_var x, gnd_var b, gnd_row_list to)
{
    return norm_record(t, &gnd_op_norm_relu, x, b, to);
}
