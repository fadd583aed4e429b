/* SPDX-License-Identifier: MIT
 * cross_entropy.c - y = mean over the listed rows i of logsumexp(x_i) - x_i,label(i).  x: [n, C],
 * y: [1, 1].
 *
 *     dx_i = dy (softmax(x_i) - onehot(label(i))) / n_rows
 *
 * A row without a label (-1) adds 0 but counts in the mean. Computed in double, without threads:
 * the rows are few. */
#include <math.h>

#include "tape/op.h"

typedef struct {
    const int32_t *label, *rows;
    int64_t n_rows;
} entropy_arg;

/* The index in x of the r-th listed row: x holds either all rows or only the listed ones. */
static int64_t row_at(const gnd_node *x, const entropy_arg *e, int64_t r)
{
    return x->row ? r : e->rows[r];
}

/* Returns log sum_c exp(x_c - max) and sets *top to max. They are not added here, since a large
 * max would absorb the logarithm. */
static double logsumexp(double *top, const gnd_real *x, int64_t n)
{
    double max = (double)x[0], sum = 0;

    for (int64_t c = 1; c < n; c++)
        max = (double)x[c] > max ? (double)x[c] : max;
    for (int64_t c = 0; c < n; c++)
        sum += exp((double)x[c] - max);
    *top = max;
    return log(sum);
}

static void cross_entropy_forward(gnd_tape *t, gnd_node *y)
{
    const entropy_arg *e = y->arg;
    const gnd_node *x = gnd_tape_node(t, y->in[0]);
    double sum = 0;

    for (int64_t r = 0; r < e->n_rows; r++) {
        const gnd_real *xi = x->v + row_at(x, e, r) * x->cols;
        const int32_t label = e->label[e->rows[r]];
        double top;

        if (label >= 0) {
            const double lse = logsumexp(&top, xi, x->cols);

            sum += lse - ((double)xi[label] - top);
        }
    }
    y->v[0] = (gnd_real)(sum / (double)e->n_rows);
}

static void cross_entropy_backward(gnd_tape *t, gnd_node *y)
{
    const entropy_arg *e = y->arg;
    gnd_node *x = gnd_tape_node(t, y->in[0]);
    const double scale = (double)y->g[0] / (double)e->n_rows;

    for (int64_t r = 0; r < e->n_rows; r++) {
        const int64_t at = row_at(x, e, r) * x->cols;
        const int32_t label = e->label[e->rows[r]];
        double lse, top;

        if (label < 0)
            continue;
        lse = logsumexp(&top, x->v + at, x->cols);
        for (int64_t c = 0; c < x->cols; c++)
            x->g[at + c] +=
                (gnd_real)(scale * (exp((double)x->v[at + c] - top - lse) - (c == label)));
    }
}

const gnd_op gnd_op_cross_entropy = {
    .name = "cross_entropy",
    .forward = cross_entropy_forward,
    .backward = cross_entropy_backward,
};

gnd_var gnd_cross_entropy(gnd_tape *t, gnd_var x, const int32_t *label, const int32_t *rows,
                          int64_t n_rows)
{
    const gnd_node *xn;
    entropy_arg *e;

    if (!gnd_check_dense(t, "cross_entropy", x))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    if (n_rows < 1)
        return gnd_tape_fail(t, GND_ERR_ARG, "cross_entropy: no rows to take the mean of");
    if (xn->row && (xn->row != rows || xn->rows != n_rows))
        return gnd_tape_fail(t, GND_ERR_ARG, "cross_entropy: the pass requests other rows");
    for (int64_t r = 0; r < n_rows; r++)
        if ((!xn->row && (rows[r] < 0 || rows[r] >= xn->rows)) || label[rows[r]] < -1 ||
            label[rows[r]] >= xn->cols)
            return gnd_tape_fail(t, GND_ERR_SHAPE,
                                 "cross_entropy: row %d or its label lies outside [%lld,%lld]",
                                 rows[r], (long long)xn->rows, (long long)xn->cols);
    e = gnd_tape_alloc(t, 1, sizeof *e);
    if (!e)
        return GND_NONE;
    *e = (entropy_arg){.label = label, .rows = rows, .n_rows = n_rows};
    return gnd_tape_record(t, &gnd_op_cross_entropy, 1, &x, (gnd_shape){1, 1}, e);
}
