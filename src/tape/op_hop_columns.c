/* SPDX-License-Identifier: MIT
 * op_hop_columns.c - y = [ z_0 | A z_1 | A^2 z_2 | .. ] for z = [ z_0 | z_1 | z_2 | .. ].
 * A: [n, n], y, z: [n, f]; z_k has width[k] columns.
 *
 *     dz_k = (A^T)^k dy_k: the same with the transpose
 *
 * Columns that have a hop to go stand side by side in a buffer and take it in one product; those
 * that have arrived are taken out. */
#include <string.h>

#include "op.h"

typedef struct {
    const gnd_csr *a, *at;
    const int64_t *width;
    int n;
} hops_arg;

typedef struct {
    const gnd_real *from;
    gnd_real *to;
    int64_t f, stride_from, stride_to;
    bool add;
} copy_job;

static void copy_rows(int64_t begin, int64_t end, void *arg)
{
    const copy_job *j = arg;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real *restrict from = j->from + i * j->stride_from;
        gnd_real *restrict to = j->to + i * j->stride_to;

        for (int64_t c = 0; j->add && c < j->f; c++)
            to[c] += from[c];
        if (!j->add)
            memcpy(to, from, (size_t)j->f * sizeof *to);
    }
}

static void copy(gnd_tape *t, int64_t n, copy_job j)
{
    gnd_parallel_for(t->pool, n, gnd_row_grain(n, n * j.f), n * j.f, copy_rows, &j);
}

/* out = (or +=) the hops of z by a. */
static void run(gnd_tape *t, const gnd_node *y, const gnd_csr *a, gnd_real *out, const gnd_real *z,
                bool add)
{
    const hops_arg *h = y->arg;
    const int64_t n = y->rows, f = y->cols;
    int64_t left = f - h->width[0], at = 0;
    gnd_real *now = left ? gnd_tape_alloc(t, n * left, sizeof *now) : NULL;
    gnd_real *next = left ? gnd_tape_alloc(t, n * left, sizeof *next) : NULL;

    if (!gnd_tape_ok(t))
        return;
    if (left > 0)
        copy(t, n, (copy_job){z + h->width[0], now, left, f, left, false});
    for (int k = 0; k < h->n; k++) {
        const int64_t w = h->width[k];

        if (k > 0 && left > 0)
            gnd_spmm_all(t, next, a, now, left, 0, NULL);
        if (w > 0)
            copy(t, n, (copy_job){k > 0 ? next : z, out + at, w, k > 0 ? left : f, f, add});
        at += w;
        if (k > 0 && w < left)
            copy(t, n, (copy_job){next + w, now, left - w, left, left - w, false});
        if (k > 0)
            left -= w;
    }
}

static void hop_columns_forward(gnd_tape *t, gnd_node *y)
{
    const hops_arg *h = y->arg;

    run(t, y, h->a, y->v, gnd_tape_node(t, y->in[0])->v, false);
}

static void hop_columns_backward(gnd_tape *t, gnd_node *y)
{
    const hops_arg *h = y->arg;

    run(t, y, h->at, gnd_tape_node(t, y->in[0])->g, y->g, true);
}

const gnd_op gnd_op_hop_columns = {
    .name = "hop_columns",
    .forward = hop_columns_forward,
    .backward = hop_columns_backward,
};

gnd_var gnd_hop_columns(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var z,
                        const int64_t *width, int n)
{
    const gnd_operator_arg *o = gnd_operator_arg_new(t, "hop_columns", a, at, z, 0);
    int64_t *copied = o ? gnd_tape_alloc(t, n, sizeof *copied) : NULL, sum = 0;
    hops_arg *h = copied ? gnd_tape_alloc(t, 1, sizeof *h) : NULL;

    if (!h)
        return GND_NONE;
    for (int k = 0; k < n; k++)
        sum += copied[k] = width[k];
    if (n < 1 || sum != gnd_tape_node(t, z)->cols)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "hop_columns: widths sum to %lld; there are %lld",
                             (long long)sum, (long long)gnd_tape_node(t, z)->cols);
    *h = (hops_arg){a, at, copied, n};
    return gnd_tape_record(t, &gnd_op_hop_columns, 1, &z, a->n_row, sum, h);
}
