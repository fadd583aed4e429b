/* SPDX-License-Identifier: MIT
 * cheby_sum.c - out = sum_{k=0}^K T_k(L) Y_k for Chebyshev polynomials T_k.  L: [n, n], y = [Y_0 |
 * .. | Y_K]: [n, (K+1) f], out: [n, f].
 *
 * Forward by Clenshaw:  b_k = Y_k + 2 L b_{k+1} - b_{k+2},   out = Y_0 + L b_1 - b_2
 * Backward:             t_0 = dout,  t_1 = L^T t_0,  t_k = 2 L^T t_{k-1} - t_{k-2},  dY_k = t_k
 *
 * K products of width f in each direction. The blocks of y are side by side because they come from
 * one product with concatenated weights. Only b and t, which are contiguous, are multiplied by L. A
 * step is 2 (L b - b' / 2) + Y: products start with the older term.
 *
 * Defferrard et al., NIPS 2016, arXiv:1606.09375, eq. 4. */
#include "tape/op.h"

#include <string.h>

/* b_K: a copy of the last block of y. */
typedef struct {
    gnd_real *b;
    const gnd_real *y;
    int64_t f, stride;
} block_job;

static void block_rows(int64_t begin, int64_t end, void *arg)
{
    const block_job *j = arg;

    for (int64_t i = begin; i < end; i++)
        memcpy(j->b + i * j->f, j->y + i * j->stride, (size_t)j->f * sizeof *j->b);
}

/* b[i,:] = s b[i,:] + y[i,:], y a block */
typedef struct {
    const gnd_kern *kern;
    gnd_real *b;
    const gnd_real *y;
    gnd_real s;
    int64_t f, stride;
} step_job;

static void step_rows(int64_t begin, int64_t end, void *arg)
{
    const step_job *j = arg;

    for (int64_t i = begin; i < end; i++)
        j->kern->axpby(j->b + i * j->f, j->s, 1, j->y + i * j->stride, j->f);
}

static void cheby_forward(gnd_tape *t, gnd_node *out)
{
    const gnd_operator_arg *o = out->arg;
    const gnd_node *y = gnd_tape_node(t, out->in[0]);
    const int64_t n = out->rows, f = out->cols, K = o->k;
    gnd_real *spare = K ? gnd_tape_alloc(t, n * f, sizeof *spare) : NULL;
    gnd_real *const turn[2] = {out->v, spare}; /* b_k is in turn[k % 2] */

    if (!gnd_tape_ok(t))
        return;
    out->save = spare;
    gnd_parallel_for(t->pool, n, gnd_row_grain(n, n * f), n * f, block_rows,
                     &(block_job){turn[K % 2], y->v + K * f, f, y->cols});
    for (int64_t k = K - 1; k >= 0; k--) {
        gnd_real *b = turn[k % 2];
        step_job j = {t->kern, b, y->v + k * f, k > 0 ? 2 : 1, f, y->cols};

        gnd_spmm_operator(t, b,
                          &(gnd_product){.a = o->a,
                                         .x = turn[(k + 1) % 2],
                                         .f = f,
                                         .c = -1 / j.s,
                                         .z = k == K - 1 ? NULL : b});
        gnd_parallel_for(t->pool, n, gnd_row_grain(n, n * f), n * f, step_rows, &j);
    }
}

/* t_k for some rows, and its contribution to dY_k. */
typedef struct {
    const gnd_kern *kern;
    gnd_real *to;               /* t_k; NULL for k = 0: t_0 is `from` */
    const gnd_real *from, *old; /* t_{k-1}; t_{k-2}, NULL for k = 1 */
    gnd_real *dy;               /* start of block k */
    int64_t f, stride;
} back_job;

static void back_rows(int64_t begin, int64_t end, void *arg)
{
    const back_job *j = arg;

    for (int64_t i = begin; i < end; i++) {
        gnd_real *restrict dy = j->dy + i * j->stride;

        if (j->old) {
            gnd_real *restrict to = j->to + i * j->f;

            for (int64_t c = 0; c < j->f; c++)
                dy[c] += to[c] *= 2;
        } else
            j->kern->axpy(dy, 1, (j->to ? j->to : j->from) + i * j->f, j->f);
    }
}

static void cheby_backward(gnd_tape *t, gnd_node *out)
{
    const gnd_operator_arg *o = out->arg;
    gnd_node *y = gnd_tape_node(t, out->in[0]);
    const int64_t n = out->rows, f = out->cols, K = o->k;
    gnd_real *spare[2] = {out->save, NULL}; /* t_k is in spare[(k - 1) % 2] for k >= 1 */
    back_job j = {.kern = t->kern, .f = f, .stride = y->cols};

    if (K > 1) {
        spare[1] = gnd_tape_alloc(t, n * f, sizeof *spare[1]);
        if (!spare[1])
            return;
    }
    for (int64_t k = 0; k <= K; k++) {
        j.old = k == 2 ? out->g : k > 2 ? spare[(k - 1) % 2] : NULL;
        j.from = k < 2 ? out->g : spare[k % 2];
        j.to = k ? spare[(k - 1) % 2] : NULL;
        j.dy = y->g + k * f;
        if (k > 0)
            gnd_spmm_operator(
                t, j.to,
                &(gnd_product){.a = o->at, .x = j.from, .f = f, .c = (gnd_real)-0.5, .z = j.old});
        gnd_parallel_for(t->pool, n, gnd_row_grain(n, 2 * n * f), 2 * n * f, back_rows, &j);
    }
}

const gnd_op gnd_op_cheby_sum = {
    .name = "cheby_sum",
    .forward = cheby_forward,
    .backward = cheby_backward,
};

gnd_var gnd_cheby_sum(gnd_tape *t, const gnd_csr *l, const gnd_csr *lt, gnd_var y, int64_t K)
{
    const gnd_operator_arg *o = gnd_operator_arg_new(t, "cheby_sum", l, lt, y, K);
    int64_t cols;

    if (!o)
        return GND_NONE;
    cols = gnd_tape_node(t, y)->cols;
    if (cols % (K + 1) != 0)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "cheby_sum: %lld columns in %lld blocks",
                             (long long)cols, (long long)(K + 1));
    return gnd_tape_record(t, &gnd_op_cheby_sum, 1, &y, (gnd_shape){l->n_row, cols / (K + 1)}, o);
}
