/* SPDX-License-Identifier: MIT
 * op_batch_norm.c - y = (x - mean) / sqrt(var + 1e-3) + 1 b^T, column by column over all rows.
 * x, y: [n, f], b: [1, f].
 *
 *     dx = (dy - mean(dy) - xn mean(dy xn)) / sqrt(var + 1e-3)     xn = y - b     db = sum dy
 *
 * The variance is the biased one; the statistics are those of x in evaluation too. Sums are taken
 * in double, by blocks of rows that are then added in order; var by differences to the first row,
 * so that one pass is enough. */
#include <math.h>

#include "op.h"

enum { BLOCK = 256 };
static const double floor_of_var = 1e-3;

typedef struct {
    const gnd_real *x, *b, *y, *dy;
    gnd_real *out;
    double *part;        /* [n_block, 2 f] */
    const gnd_real *fit; /* [2 f] forward: factor and shift; backward: three rows */
    int64_t f;
} job;

/* Sums of d and d^2, d the difference to the first row; or of dy and dy xn. */
static void sum_block(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const int64_t f = j->f;
    double *s = j->part + begin / BLOCK * 2 * f, *q = s + f;

    for (int64_t c = 0; c < 2 * f; c++)
        s[c] = 0;
    for (int64_t i = begin; i < end; i++)
        for (int64_t c = 0; c < f; c++) {
            const double u = j->dy ? (double)j->dy[i * f + c] : (double)(j->x[i * f + c] - j->x[c]);
            const double v = j->dy ? (double)(j->y[i * f + c] - j->b[c]) : u;

            s[c] += u;
            q[c] += u * v;
        }
}

/* Both sums of each column, in sum[0 .. 2 f - 1]. */
static double *column_sums(gnd_tape *t, int64_t n, job j)
{
    const int64_t n_block = (n + BLOCK - 1) / BLOCK;

    j.part = gnd_tape_alloc(t, (n_block + 1) * 2 * j.f, sizeof *j.part);
    if (!j.part)
        return NULL;
    gnd_parallel_for(t->pool, n, BLOCK, n * j.f * 2, sum_block, &j);
    for (int64_t k = 1; k < n_block; k++)
        for (int64_t c = 0; c < 2 * j.f; c++)
            j.part[c] += j.part[k * 2 * j.f + c];
    return j.part;
}

static void value_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const gnd_real *restrict x = j->x, *restrict factor = j->fit, *restrict shift = j->fit + j->f;
    gnd_real *restrict out = j->out;

    for (int64_t i = begin; i < end; i++)
        for (int64_t c = 0; c < j->f; c++)
            out[i * j->f + c] = x[i * j->f + c] * factor[c] + shift[c];
}

static void batch_norm_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_node *x = gnd_tape_node(t, y->in[0]), *b = gnd_tape_node(t, y->in[1]);
    const int64_t f = y->cols;
    const double n = (double)y->rows;
    const double *s = column_sums(t, y->rows, (job){.x = x->v, .f = f});
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
                     &(job){.x = x->v, .out = y->v, .fit = fit, .f = f});
}

/* dx += factor dy - at - slope (y - b) */
static void grad_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const int64_t f = j->f;
    const gnd_real *restrict y = j->y, *restrict dy = j->dy;
    const gnd_real *restrict factor = j->fit, *restrict at = factor + f, *restrict slope = at + f;
    gnd_real *restrict out = j->out;

    for (int64_t i = begin; i < end; i++)
        for (int64_t c = 0; c < f; c++)
            out[i * f + c] += factor[c] * dy[i * f + c] - at[c] - slope[c] * y[i * f + c];
}

static void batch_norm_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]), *b = gnd_tape_node(t, y->in[1]);
    const int64_t f = y->cols;
    const gnd_real *factor = y->save;
    const double n = (double)y->rows;
    const double *s = column_sums(t, y->rows, (job){.y = y->v, .b = b->v, .dy = y->g, .f = f});
    gnd_real *fit = gnd_tape_alloc(t, 3 * f, sizeof *fit);

    if (!s || !fit)
        return;
    for (int64_t c = 0; c < f; c++) {
        const double slope = (double)factor[c] * s[f + c] / n;

        fit[c] = factor[c];
        fit[f + c] = (gnd_real)((double)factor[c] * s[c] / n - slope * (double)b->v[c]);
        fit[2 * f + c] = (gnd_real)slope;
        if (b->g)
            b->g[c] += (gnd_real)s[c];
    }
    if (x->g)
        gnd_parallel_for(t->pool, y->rows, BLOCK, gnd_node_size(y) * 2, grad_rows,
                         &(job){.y = y->v, .dy = y->g, .out = x->g, .fit = fit, .f = f});
}

const gnd_op gnd_op_batch_norm = {
    .name = "batch_norm",
    .forward = batch_norm_forward,
    .backward = batch_norm_backward,
};

gnd_var gnd_batch_norm(gnd_tape *t, gnd_var x, gnd_var b)
{
    const gnd_node *xn, *bn;

    if (!gnd_check_dense(t, "batch_norm", x) || !gnd_check_dense(t, "batch_norm", b))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    bn = gnd_tape_node(t, b);
    if (bn->rows != 1 || bn->cols != xn->cols || xn->rows < 1)
        return gnd_tape_fail(
            t, GND_ERR_SHAPE, "batch_norm: [%lld,%lld] with a shift of [%lld,%lld]",
            (long long)xn->rows, (long long)xn->cols, (long long)bn->rows, (long long)bn->cols);
    if (xn->row)
        return gnd_tape_fail(t, GND_ERR_ARG, "batch_norm: some rows only; its mean is over all");
    return gnd_tape_record(t, &gnd_op_batch_norm, 2, (gnd_var[]){x, b}, xn->rows, xn->cols, NULL);
}
