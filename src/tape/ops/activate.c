/* SPDX-License-Identifier: MIT
 * activate.c - y = M(relu(x + 1 b^T)), M dropout, b optional.  x, y: [n, f], b: [1, f].
 *
 *     dx = s dy where y > 0, else 0, s = 1 / (1 - p);   db = column sums of dx
 *
 * y > 0 exactly where the ReLU is active and the element is kept, so the backward pass needs
 * only y. The value and gradient of a product are overwritten: three ops of a layer take one
 * pass over the data in each direction and no extra memory. db is summed in double, in blocks of
 * rows that are added in order. */
#include <string.h>

#include "tape/op.h"

enum { BLOCK = 1024 };

typedef struct {
    const uint64_t *keep; /* one bit per element; NULL: all are kept */
    gnd_real scale;
    bool has_bias;
} activate_arg;

typedef struct {
    const gnd_kern *kern;
    const activate_arg *o;
    const gnd_real *b, *x; /* b may be NULL */
    gnd_real *y;
    gnd_real *dy, *dx; /* dx may be dy */
    double *part;      /* [n_block, f] sums of dx; NULL: not needed */
    int64_t f;
} job;

static void value_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const int64_t first = begin * j->f, n = (end - begin) * j->f;

    for (int64_t i = begin; j->b && i < end; i++)
        for (int64_t c = 0; c < j->f; c++)
            j->y[i * j->f + c] = j->x[i * j->f + c] + j->b[c];
    if (!j->b && j->y != j->x)
        memcpy(j->y + first, j->x + first, (size_t)n * sizeof *j->y);
    for (int64_t e = first; e < first + n; e++)
        j->y[e] = j->y[e] > 0 ? j->y[e] : 0;
    if (j->o->keep) /* a block starts at a word of the mask */
        j->kern->choose(j->y + first, j->y + first, j->o->scale, j->o->keep + first / 64, n);
}

static void activate_forward(gnd_tape *t, gnd_node *y)
{
    const activate_arg *o = y->arg;

    gnd_parallel_for(t->pool, y->rows, BLOCK, gnd_node_size(y) * 3, value_rows,
                     &(job){.kern = t->kern,
                            .o = o,
                            .b = o->has_bias ? gnd_tape_node(t, y->in[1])->v : NULL,
                            .x = gnd_tape_node(t, y->in[0])->v,
                            .y = y->v,
                            .f = y->cols});
}

static void grad_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const gnd_real scale = j->o->scale;
    double *part = j->part ? j->part + begin / BLOCK * j->f : NULL;

    for (int64_t e = begin * j->f; e < end * j->f; e++) {
        const gnd_real g = j->dy[e] * scale;

        j->dy[e] = j->y[e] > 0 ? g : 0;
    }
    for (int64_t e = begin * j->f; j->dx && j->dx != j->dy && e < end * j->f; e++)
        j->dx[e] += j->dy[e];
    for (int64_t c = 0; part && c < j->f; c++)
        part[c] = 0;
    for (int64_t i = begin; part && i < end; i++)
        for (int64_t c = 0; c < j->f; c++)
            part[c] += (double)j->dy[i * j->f + c];
}

static void activate_backward(gnd_tape *t, gnd_node *y)
{
    const activate_arg *o = y->arg;
    gnd_node *b = o->has_bias ? gnd_tape_node(t, y->in[1]) : NULL;
    const int64_t n_block = (y->rows + BLOCK - 1) / BLOCK, f = y->cols;
    job j = {.o = o, .y = y->v, .dy = y->g, .dx = gnd_tape_node(t, y->in[0])->g, .f = f};

    if (b && b->g) {
        j.part = gnd_tape_alloc(t, n_block * f, sizeof *j.part);
        if (!j.part)
            return;
    }
    gnd_parallel_for(t->pool, y->rows, BLOCK, gnd_node_size(y) * 3, grad_rows, &j);
    for (int64_t c = 0; j.part && c < f; c++) {
        double sum = 0;

        for (int64_t k = 0; k < n_block; k++)
            sum += j.part[k * f + c];
        b->g[c] += (gnd_real)sum;
    }
}

const gnd_op gnd_op_activate = {
    .name = "activate",
    .forward = activate_forward,
    .backward = activate_backward,
};

static bool bias_fits(gnd_tape *t, gnd_var x, gnd_var b)
{
    const gnd_node *xn, *bn;

    if (!gnd_check_dense(t, "activate", b))
        return false;
    xn = gnd_tape_node(t, x);
    bn = gnd_tape_node(t, b);
    if (bn->rows == 1 && bn->cols == xn->cols)
        return true;
    gnd_tape_fail(t, GND_ERR_SHAPE, "activate: [%lld,%lld] + [%lld,%lld]", (long long)xn->rows,
                  (long long)xn->cols, (long long)bn->rows, (long long)bn->cols);
    return false;
}

gnd_var gnd_activate(gnd_tape *t, gnd_var x, gnd_var b, double p, const char *place)
{
    const gnd_var in[] = {x, b};
    const int n_in = b.i >= 0 ? 2 : 1;
    const gnd_node *xn;
    activate_arg *o;

    if (!gnd_check_dense(t, "activate", x) || (n_in == 2 && !bias_fits(t, x, b)))
        return GND_NONE;
    o = gnd_tape_alloc(t, 1, sizeof *o);
    if (!o)
        return GND_NONE;
    *o = (activate_arg){.scale = 1, .has_bias = n_in == 2};
    o->keep = gnd_keep_mask(t, x, p, place, &o->scale);
    xn = gnd_tape_ok(t) ? gnd_tape_node(t, x) : NULL;
    if (!xn)
        return GND_NONE;
    /* Overwriting requires a gradient of x if the bias has one, and an op that does not read its
     * result. */
    if ((xn->op == &gnd_op_spmm || xn->op == &gnd_op_matmul || xn->op == &gnd_op_cheby_layer) &&
        (xn->g || !t->training))
        return gnd_tape_record_over(t, &gnd_op_activate, n_in, in, o);
    return gnd_tape_record(t, &gnd_op_activate, n_in, in, (gnd_shape){xn->rows, xn->cols}, o);
}
