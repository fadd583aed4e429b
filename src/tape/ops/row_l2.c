/* SPDX-License-Identifier: MIT
 * row_l2.c - a sparse constant with each row divided by its Euclidean length.  x, y: [n, f].
 *
 * A row without entries is unchanged. After dropout of features, the rows have length 1 at any
 * drop rate. The squared length is bounded below by 1e-12. */
#include <math.h>

#include "tape/op.h"

typedef struct {
    const gnd_csr *x;
    gnd_real *val;
} job;

static void scale_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const gnd_csr *x = j->x;

    for (int64_t i = begin; i < end; i++) {
        double sum = x->val ? 0 : (double)(x->ptr[i + 1] - x->ptr[i]);
        gnd_real scale;

        for (int64_t p = x->ptr[i]; x->val && p < x->ptr[i + 1]; p++)
            sum += (double)x->val[p] * (double)x->val[p];
        scale = (gnd_real)(1 / sqrt(sum > 1e-12 ? sum : 1e-12));
        for (int64_t p = x->ptr[i]; p < x->ptr[i + 1]; p++)
            j->val[p] = gnd_csr_val(x, p) * scale;
    }
}

gnd_var gnd_row_l2(gnd_tape *t, gnd_var x)
{
    const gnd_node *xn;
    gnd_csr *y;
    gnd_var out;
    int64_t cost;

    if (!gnd_tape_ok(t))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    if (!xn->sp)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "row_l2: takes a sparse matrix");
    y = gnd_tape_alloc(t, 1, sizeof *y);
    if (!y)
        return GND_NONE;
    *y = *xn->sp; /* shares the pattern */
    y->val = gnd_tape_alloc(t, xn->room > 0 ? xn->room : gnd_csr_nnz(y), sizeof *y->val);
    if (!y->val)
        return GND_NONE;
    cost = 2 * gnd_csr_nnz(y);
    gnd_parallel_for(t->pool, y->n_row, gnd_row_grain(y->n_row, cost), cost, scale_rows,
                     &(job){xn->sp, y->val});
    out = gnd_sparse(t, y);
    if (gnd_tape_ok(t)) {
        xn = gnd_tape_node(t, x); /* gnd_sparse may move the nodes */
        gnd_tape_node(t, out)->row = xn->row;
        gnd_tape_node(t, out)->whole = xn->whole;
        gnd_tape_node(t, out)->room = xn->room;
    }
    return out;
}
