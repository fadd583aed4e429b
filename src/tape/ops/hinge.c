/* SPDX-License-Identifier: MIT
 * hinge.c - multiclass hinge loss: y = mean over the listed rows i of max(0, 1 + max_{c !=
 * label(i)} x_ic - x_i,label(i)).  x: [n, C], y: [1, 1].
 *
 *     dx_i,rival = dy / n_rows     dx_i,label(i) = -dy / n_rows     where the hinge is positive
 *
 * rival is the other class with the largest score, on ties the first. A row without a label (-1)
 * adds 0 but counts in the mean. Crammer and Singer, JMLR 2, 2001. */
#include "tape/op.h"

typedef struct {
    const int32_t *label, *rows;
    int64_t n_rows;
} hinge_arg;

/* The offset in x of the r-th listed row: x holds either all rows or only the listed ones. */
static int64_t row_begin(const gnd_node *x, const hinge_arg *e, int64_t r)
{
    return (x->row ? r : e->rows[r]) * x->cols;
}

/* The other class with the largest score. */
static int64_t rival_of(const gnd_real *x, int64_t n, int64_t label)
{
    int64_t best = label == 0;

    for (int64_t c = best + 1; c < n; c++)
        if (c != label && x[c] > x[best])
            best = c;
    return best;
}

static void hinge_forward(gnd_tape *t, gnd_node *y)
{
    const hinge_arg *e = y->arg;
    const gnd_node *x = gnd_tape_node(t, y->in[0]);
    double sum = 0;

    for (int64_t r = 0; r < e->n_rows; r++) {
        const gnd_real *xi = x->v + row_begin(x, e, r);
        const int32_t label = e->label[e->rows[r]];

        if (label >= 0) {
            const double gap = 1 + (double)xi[rival_of(xi, x->cols, label)] - (double)xi[label];

            sum += gap > 0 ? gap : 0;
        }
    }
    y->v[0] = (gnd_real)(sum / (double)e->n_rows);
}

static void hinge_backward(gnd_tape *t, gnd_node *y)
{
    const hinge_arg *e = y->arg;
    gnd_node *x = gnd_tape_node(t, y->in[0]);
    const gnd_real slope = (gnd_real)((double)y->g[0] / (double)e->n_rows);

    for (int64_t r = 0; r < e->n_rows; r++) {
        const int64_t at = row_begin(x, e, r);
        const int32_t label = e->label[e->rows[r]];
        int64_t rival;

        if (label < 0)
            continue;
        rival = rival_of(x->v + at, x->cols, label);
        if (1 + (double)x->v[at + rival] - (double)x->v[at + label] > 0) {
            x->g[at + rival] += slope;
            x->g[at + label] -= slope;
        }
    }
}

const gnd_op gnd_op_hinge = {.name = "hinge", .forward = hinge_forward, .backward = hinge_backward};

gnd_var gnd_hinge(gnd_tape *t, gnd_var x, const int32_t *label, const int32_t *rows, int64_t n_rows)
{
    const gnd_node *xn;
    hinge_arg *e;

    if (!gnd_check_dense(t, "hinge", x))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    if (n_rows < 1 || xn->cols < 2)
        return gnd_tape_fail(t, GND_ERR_ARG,
                             "hinge: %lld rows of %lld classes; expected >= 1 and >= 2",
                             (long long)n_rows, (long long)xn->cols);
    if (xn->row && (xn->row != rows || xn->rows != n_rows))
        return gnd_tape_fail(t, GND_ERR_ARG, "hinge: the pass requests other rows");
    for (int64_t r = 0; r < n_rows; r++)
        if ((!xn->row && (rows[r] < 0 || rows[r] >= xn->rows)) || label[rows[r]] < -1 ||
            label[rows[r]] >= xn->cols)
            return gnd_tape_fail(t, GND_ERR_SHAPE,
                                 "hinge: row %d or its label lies outside [%lld,%lld]", rows[r],
                                 (long long)xn->rows, (long long)xn->cols);
    e = gnd_tape_alloc(t, 1, sizeof *e);
    if (!e)
        return GND_NONE;
    *e = (hinge_arg){.label = label, .rows = rows, .n_rows = n_rows};
    return gnd_tape_record(t, &gnd_op_hinge, 1, &x, (gnd_shape){1, 1}, e);
}
