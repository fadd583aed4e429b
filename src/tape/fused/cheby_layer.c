/* SPDX-License-Identifier: MIT
 * cheby_layer.c - y = sum_{k=0}^K T_k(L) X Theta_k for Chebyshev polynomials T_k.  L: [n, n], x:
 * sparse [n, d], theta = [Theta_0; ..; Theta_K]: [(K+1) d, f], y: [n, f].
 *
 * Forward by Clenshaw:  Y_k = X Theta_k,  b_k = Y_k + 2 L b_{k+1} - b_{k+2},  y = Y_0 + L b_1 - b_2
 * Backward:             t_0 = dy,  t_1 = L^T t_0,  t_k = 2 L^T t_{k-1} - t_{k-2},
 *                       dTheta_k = X^T t_k
 *
 * The result has the same bits as cheby_sum of x [ Theta_0 | .. | Theta_K ], but the weights are
 * used where they are, each Y_k and t_k is contiguous, and neither they nor their gradients are
 * kept between the passes. A step is 2 (L b - b' / 2) + Y: products start with the older term.
 *
 * Defferrard et al., NIPS 2016, arXiv:1606.09375, eq. 4. */
#include <string.h>

#include "tape/drop_ahead.h"
#include "tape/narrow.h"

typedef struct {
    const gnd_csr *l, *lt, *x; /* x after dropout */
    int64_t K;
    gnd_ahead *ahead; /* the product with x is there, or is made for the next pass; NULL: neither */
} layer_arg;

/* Products of rows of x with the weights, and of their transpose with t. */
typedef struct {
    const gnd_kern *kern;
    const layer_arg *o;
    const gnd_real *from; /* theta; backward: t */
    gnd_real *y;
    int64_t f;
} blocks_job;

static void blocks_rows(int64_t begin, int64_t end, void *arg)
{
    const blocks_job *j = arg;
    const gnd_csr *x = j->o->x;

    j->kern->spmm_blocks(j->y, x->n_row * j->f, x, j->from, x->n_col * j->f, j->f, j->o->K + 1,
                         begin, end);
}

/* The same with the kept and the dropped entries apart. */
static void blocks_rows_ahead(int64_t begin, int64_t end, void *arg)
{
    const blocks_job *j = arg;
    const gnd_ahead *a = j->o->ahead;
    const int64_t K = j->o->K, f = j->f, xs = a->all->n_col * f, ys = a->all->n_row * f;
    gnd_rest r;

    r.row = begin;
    r.x.n_row = 0;
    while (gnd_rest_next(&r, j->kern, a, end)) {
        const int64_t first = r.row * f, n = r.x.n_row;

        j->kern->spmm_blocks(a->y + first, ys, &r.kept, j->from, xs, f, K + 1, 0, n);
        j->kern->spmm_blocks(j->y + first, ys, &r.x, j->from, xs, f, K + 1, 0, n);
        for (int64_t k = 0; k <= K && !r.whole; k++)
            j->kern->axpy(j->y + k * ys + first, 1 / a->scale, a->y + k * ys + first, n * f);
    }
}

static void theta_rows(gnd_real *out, int64_t begin, int64_t end, const void *arg)
{
    const blocks_job *j = arg;
    const gnd_csr *x = j->o->x;

    j->kern->spmm_t_blocks(out, x->n_col * j->f, x, j->from, x->n_row * j->f, j->f, j->o->K + 1,
                           begin, end);
}

/* b = s b + y for some rows, after the product;  y NULL: b = s b */
typedef struct {
    const gnd_kern *kern;
    gnd_real *b;
    const gnd_real *y;
    gnd_real s;
    int64_t f;
} step_job;

static void step_rows(int64_t begin, int64_t end, void *arg)
{
    const step_job *j = arg;
    const int64_t first = begin * j->f, n = (end - begin) * j->f;

    if (j->y)
        j->kern->axpby(j->b + first, j->s, 1, j->y + first, n);
    else
        for (int64_t e = first; e < first + n; e++)
            j->b[e] *= j->s;
}

static void cheby_layer_forward(gnd_tape *t, gnd_node *out)
{
    const layer_arg *o = out->arg;
    const int64_t K = o->K, f = out->cols, size = gnd_node_size(out);
    const int64_t cost = gnd_csr_nnz(o->x) * f * (K + 1);
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    const bool made = t->training && o->ahead;
    gnd_real *y = made    ? o->ahead->y
                  : K > 0 ? gnd_tape_alloc(t, (K + 1) * size, sizeof *y)
                          : out->v;
    gnd_real *spare = K > 1 ? gnd_tape_alloc(t, size, sizeof *spare) : NULL;
    const gnd_real *old = NULL, *from = y + K * size; /* b_{k+2} and b_{k+1} */

    if (!gnd_tape_ok(t))
        return;
    if (!made)
        gnd_parallel_for(t->pool, out->rows, gnd_row_grain(out->rows, cost), cost,
                         o->ahead ? blocks_rows_ahead : blocks_rows,
                         &(blocks_job){t->kern, o, gnd_tape_node(t, out->in[0])->v, y, f});
    else if (K == 0)
        memcpy(out->v, y, (size_t)size * sizeof *y);
    if (made)
        o->ahead->epoch = -1;              /* y is overwritten */
    for (int64_t k = K - 1; k >= 0; k--) { /* b_k overwrites b_{k+2}, but for b_0 */
        gnd_real *b = k == 0 ? out->v : (K - k) % 2 ? spare : y + K * size;
        step_job j = {t->kern, b, y + k * size, k > 0 ? 2 : 1, f};

        gnd_spmm_operator(t, b,
                          &(gnd_product){.a = o->l,
                                         .x = from,
                                         .f = f,
                                         .c = -1 / j.s,
                                         .z = old,
                                         .then = step_rows,
                                         .arg = &j});
        old = from;
        from = b;
    }
    gnd_arena_release(&t->arena, mark);
}

static void cheby_layer_backward(gnd_tape *t, gnd_node *out)
{
    const layer_arg *o = out->arg;
    gnd_node *theta = gnd_tape_node(t, out->in[0]);
    const int64_t K = o->K, f = out->cols, size = gnd_node_size(out);
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    gnd_real *all = gnd_tape_alloc(t, (K + 1) * size, sizeof *all); /* t_0 .. t_K */

    if (!all)
        return;
    memcpy(all, out->g, (size_t)size * sizeof *all);
    for (int64_t k = 1; k <= K; k++) {
        gnd_real *to = all + k * size;
        step_job j = {.b = to, .s = 2, .f = f};

        gnd_spmm_operator(t, to,
                          &(gnd_product){.a = o->lt,
                                         .x = to - size,
                                         .f = f,
                                         .c = (gnd_real)-0.5,
                                         .z = k > 1 ? to - 2 * size : NULL,
                                         .then = k > 1 ? step_rows : NULL,
                                         .arg = &j});
    }
    if (gnd_tape_ok(t))
        gnd_sum_rows(t, theta->g,
                     &(gnd_row_sum){.fn = theta_rows,
                                    .arg = &(blocks_job){t->kern, o, all, NULL, f},
                                    .rows = out->rows,
                                    .size = gnd_node_size(theta),
                                    .cost = gnd_csr_nnz(o->x) * f * (K + 1)});
    gnd_arena_release(&t->arena, mark);
}

const gnd_op gnd_op_cheby_layer = {
    .name = "cheby_layer",
    .forward = cheby_layer_forward,
    .backward = cheby_layer_backward,
};

gnd_var gnd_cheby_layer(gnd_tape *t, const gnd_csr *l, const gnd_csr *lt, const gnd_dropped *x,
                        gnd_var theta, int64_t K)
{
    const gnd_node *xn = gnd_tape_ok(t) ? gnd_tape_node(t, x->x) : NULL, *wn;
    layer_arg *o;
    gnd_var y, kept;

    if (!xn || !gnd_check_dense(t, "cheby_layer", theta))
        return GND_NONE;
    if (!xn->sp || xn->row)
        return gnd_cheby_sum(
            t, l, lt,
            gnd_matmul(t, gnd_dropout(t, x->x, x->p, x->place), gnd_unstack(t, theta, K + 1)), K);
    wn = gnd_tape_node(t, theta);
    if (K < 0 || wn->rows != (K + 1) * xn->cols || l->n_row != l->n_col || l->n_col != xn->rows ||
        lt->n_row != l->n_row || lt->n_col != l->n_row)
        return gnd_tape_fail(
            t, GND_ERR_SHAPE, "cheby_layer: [%lld,%lld] x [%lld,%lld] x [%lld,%lld] of order %lld",
            (long long)l->n_row, (long long)l->n_col, (long long)xn->rows, (long long)xn->cols,
            (long long)wn->rows, (long long)wn->cols, (long long)K);
    o = gnd_tape_alloc(t, 1, sizeof *o);
    if (!o)
        return GND_NONE;
    *o = (layer_arg){.l = l, .lt = lt, .K = K};
    o->ahead = gnd_ahead_get(t, x->x, x->p, x->place, (K + 1) * wn->cols);
    kept =
        o->ahead ? x->x : gnd_dropout(t, gnd_narrow(t, x->x, (K + 1) * wn->cols), x->p, x->place);
    if (!gnd_tape_ok(t))
        return GND_NONE;
    xn = gnd_tape_node(t, kept); /* gnd_dropout may move the nodes */
    o->x = t->training && o->ahead ? &o->ahead->x : xn->sp;
    y = gnd_tape_record(t, &gnd_op_cheby_layer, 1, &theta,
                        (gnd_shape){xn->rows, gnd_tape_node(t, theta)->cols}, o);
    if (gnd_tape_ok(t)) /* y has rows of x, not of theta */
        gnd_tape_node(t, y)->row = NULL;
    return y;
}
