/* SPDX-License-Identifier: MIT
 * layer_norm.c - each row with mean 0 and variance 1, then a gain and a shift per column.
 *
 *     h_ic = (x_ic - mean_i) / sqrt(var_i + 1e-5),  y_ic = gain_c h_ic + shift_c
 *     x, y: [n, f]   gain, shift: [1, f];   var_i divides by f
 *
 *     e_ic = gain_c dy_ic,  dx_ic = (e_ic - mean_c(e_i) - h_ic mean_c(e_i h_i)) / sqrt(var_i +
 * 1e-5) dgain_c = sum_i dy_ic h_ic,  dshift_c = sum_i dy_ic
 *
 * Sums over a row are in double. Sums over rows are in double too, in blocks of rows that are added
 * in order. */
#include <math.h>

#include "tape/op.h"

enum { BLOCK = 256 };

typedef struct {
    const gnd_real *x, *gain, *shift;
    gnd_real *y;
    double *stat;       /* [n, 2] mean and 1 / sqrt(var + 1e-5) of each row */
    const gnd_real *dy; /* this and the fields below: backward only */
    gnd_real *dx;       /* or NULL */
    double *part;       /* [n_block, 2 f] sums for gain and shift */
    int64_t f;
} job;

static void value_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const double f = (double)j->f;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real *x = j->x + i * j->f;
        double mean = 0, var = 0, scale;

        for (int64_t c = 0; c < j->f; c++)
            mean += (double)x[c];
        mean /= f;
        for (int64_t c = 0; c < j->f; c++)
            var += ((double)x[c] - mean) * ((double)x[c] - mean);
        scale = 1 / sqrt(var / f + 1e-5);
        j->stat[2 * i] = mean;
        j->stat[2 * i + 1] = scale;
        for (int64_t c = 0; c < j->f; c++)
            j->y[i * j->f + c] =
                j->gain[c] * (gnd_real)(((double)x[c] - mean) * scale) + j->shift[c];
    }
}

static void layer_norm_forward(gnd_tape *t, gnd_node *y)
{
    double *stat = gnd_tape_alloc(t, 2 * y->rows, sizeof *stat);

    if (!stat)
        return;
    y->save = stat;
    gnd_parallel_for(t->pool, y->rows, BLOCK, gnd_node_size(y) * 4, value_rows,
                     &(job){.x = gnd_tape_node(t, y->in[0])->v,
                            .gain = gnd_tape_node(t, y->in[1])->v,
                            .shift = gnd_tape_node(t, y->in[2])->v,
                            .y = y->v,
                            .stat = stat,
                            .f = y->cols});
}

/* Adds the gradient of row i, and its terms of the sums for gain and shift. */
static void grad_row(const job *j, int64_t i, double *gain, double *shift)
{
    const gnd_real *x = j->x + i * j->f, *dy = j->dy + i * j->f;
    const double at = j->stat[2 * i], scale = j->stat[2 * i + 1];
    double mean = 0, along = 0;

    for (int64_t c = 0; c < j->f; c++) {
        const double h = ((double)x[c] - at) * scale, e = (double)j->gain[c] * (double)dy[c];

        gain[c] += (double)dy[c] * h;
        shift[c] += (double)dy[c];
        mean += e / (double)j->f;
        along += e * h / (double)j->f;
    }
    for (int64_t c = 0; j->dx && c < j->f; c++) {
        const double h = ((double)x[c] - at) * scale, e = (double)j->gain[c] * (double)dy[c];

        j->dx[i * j->f + c] += (gnd_real)((e - mean - h * along) * scale);
    }
}

static void grad_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    double *part = j->part + begin / BLOCK * 2 * j->f;

    for (int64_t c = 0; c < 2 * j->f; c++)
        part[c] = 0;
    for (int64_t i = begin; i < end; i++)
        grad_row(j, i, part, part + j->f);
}

static void layer_norm_backward(gnd_tape *t, gnd_node *y)
{
    gnd_node *x = gnd_tape_node(t, y->in[0]), *gain = gnd_tape_node(t, y->in[1]);
    gnd_node *shift = gnd_tape_node(t, y->in[2]);
    const int64_t n_block = (y->rows + BLOCK - 1) / BLOCK, f = y->cols;
    job j = {.x = x->v, .gain = gain->v, .stat = y->save, .dy = y->g, .dx = x->g, .f = f};

    j.part = gnd_tape_alloc(t, n_block * 2 * f, sizeof *j.part);
    if (!j.part)
        return;
    gnd_parallel_for(t->pool, y->rows, BLOCK, gnd_node_size(y) * 8, grad_rows, &j);
    for (int64_t c = 0; c < 2 * f; c++) {
        gnd_real *to = c < f ? gain->g : shift->g;
        double sum = 0;

        for (int64_t b = 0; b < n_block; b++)
            sum += j.part[b * 2 * f + c];
        if (to)
            to[c % f] += (gnd_real)sum;
    }
}

const gnd_op gnd_op_layer_norm = {
    .name = "layer_norm",
    .forward = layer_norm_forward,
    .backward = layer_norm_backward,
};

static bool row_fits(gnd_tape *t, gnd_var x, gnd_var b)
{
    const gnd_node *xn, *bn;

    if (!gnd_check_dense(t, "layer_norm", b))
        return false;
    xn = gnd_tape_node(t, x);
    bn = gnd_tape_node(t, b);
    if (bn->rows == 1 && bn->cols == xn->cols && xn->cols > 0)
        return true;
    gnd_tape_fail(t, GND_ERR_SHAPE, "layer_norm: [%lld,%lld] with [%lld,%lld]", (long long)xn->rows,
                  (long long)xn->cols, (long long)bn->rows, (long long)bn->cols);
    return false;
}

gnd_var gnd_layer_norm(gnd_tape *t, gnd_var x, gnd_var gain, gnd_var shift)
{
    const gnd_node *xn;

    if (!gnd_check_dense(t, "layer_norm", x) || !row_fits(t, x, gain) || !row_fits(t, x, shift))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    return gnd_tape_record(t, &gnd_op_layer_norm, 3, (gnd_var[]){x, gain, shift},
                           (gnd_shape){xn->rows, xn->cols}, NULL);
}
