/* SPDX-License-Identifier: MIT
 * op_relate.c - several operators, each with weights of its own, on one sparse matrix, side by
 * side:  y_v = [ sum_u A_0[v,u] x_u W_0 | .. | sum_u A_{K-1}[v,u] x_u W_{K-1} ] for the rows
 * listed. A_k: [n, n], x: rows of a sparse [n, d], w: [K d, h] (block k is W_k), y: [rows, K h].
 *
 *     dW_k = x^T dz_k,   dz_k,u = sum_v A_k[v,u] dy_v,k
 *
 * z_k,u = x_u W_k is made for the pairs (k, u) that some row listed hears, once each: where few
 * rows are asked for, most u are heard through one operator only, and the others would be wasted.
 * Pairs are in the order (k, row of x), so that runs of them are one product. Divisions share
 * neither z nor W, so on the way back each is a piece of its own. */
#include <string.h>

#include "relate.h"

typedef struct {
    gnd_operators a;
    gnd_row_list to;
    const int32_t *pair;  /* [K, n] number of (k, u), -1: not heard */
    const int32_t *x_row; /* [rows of x] u */
    int64_t n, n_pair;
} relate_arg;

typedef struct {
    const relate_arg *r;
    const gnd_kern *kern;
    const gnd_csr *x;
    const gnd_real *w, *dy;
    gnd_real *z, *y, *dw; /* z: [n_pair, h], or its gradient */
    int64_t h;
} job;

static int32_t pair_at(const relate_arg *r, int64_t k, int64_t row)
{
    return r->pair[k * r->n + (r->x_row ? r->x_row[row] : row)];
}

/* The next run of rows row .. end-1 of x that have pairs with k: its length, 0 if there is none. */
static int64_t next_run(const relate_arg *r, int64_t k, int64_t *row, int64_t end)
{
    int64_t stop;

    while (*row < end && pair_at(r, k, *row) < 0)
        ++*row;
    for (stop = *row; stop < end && pair_at(r, k, stop) >= 0;)
        stop++;
    return stop - *row;
}

/* Rows row .. of x as a matrix of their own. */
static gnd_csr view(const gnd_csr *x, int64_t row, int64_t n)
{
    gnd_csr v = *x;

    v.ptr += row;
    v.n_row = n;
    return v;
}

/* z of the rows begin..end-1 of x */
static void project_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const int64_t size = j->x->n_col * j->h;
    int64_t n;

    for (int64_t k = 0; k < j->r->a.n; k++)
        for (int64_t row = begin; (n = next_run(j->r, k, &row, end)) > 0; row += n) {
            const gnd_csr part = view(j->x, row, n);

            j->kern->spmm(j->z + pair_at(j->r, k, row) * j->h, &part, j->w + k * size, j->h, 0,
                          NULL, 0, n);
        }
}

static void gather_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const relate_arg *r = j->r;

    for (int64_t i = begin; i < end; i++)
        for (int64_t k = 0; k < r->a.n; k++) {
            const gnd_csr *a = r->a.op[k];
            const int64_t v = gnd_row_at(&r->to, i);
            gnd_real *y = j->y + (i * r->a.n + k) * j->h;

            memset(y, 0, (size_t)j->h * sizeof *y);
            for (int64_t p = a->ptr[v]; p < a->ptr[v + 1]; p++)
                j->kern->axpy(y, gnd_csr_val(a, p), j->z + r->pair[k * r->n + a->col[p]] * j->h,
                              j->h);
        }
}

static void relate_forward(gnd_tape *t, gnd_node *y)
{
    const relate_arg *r = y->arg;
    const gnd_node *x = gnd_tape_node(t, y->in[0]), *w = gnd_tape_node(t, y->in[1]);
    gnd_real *z = gnd_tape_alloc(t, r->n_pair * w->cols, sizeof *z);
    job j = {.r = r, .kern = t->kern, .x = x->sp, .w = w->v, .z = z, .y = y->v, .h = w->cols};
    int64_t cost = x->rows > 0 ? gnd_csr_nnz(x->sp) / x->rows * r->n_pair * w->cols : 0;

    if (!z)
        return;
    gnd_parallel_for(t->pool, x->rows, gnd_row_grain(x->rows, cost), cost, project_rows, &j);
    cost = 4 * gnd_node_size(y);
    gnd_parallel_for(t->pool, y->rows, gnd_row_grain(y->rows, cost), cost, gather_rows, &j);
}

static void weights_back(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const relate_arg *r = j->r;
    const int64_t size = j->x->n_col * j->h;
    int64_t n;

    for (int64_t k = begin; k < end; k++) {
        const gnd_csr *a = r->a.op[k];

        for (int64_t i = 0; i < r->to.n; i++)
            for (int64_t v = gnd_row_at(&r->to, i), p = a->ptr[v]; p < a->ptr[v + 1]; p++)
                j->kern->axpy(j->z + r->pair[k * r->n + a->col[p]] * j->h, gnd_csr_val(a, p),
                              j->dy + (i * r->a.n + k) * j->h, j->h);
        for (int64_t row = 0; (n = next_run(r, k, &row, j->x->n_row)) > 0; row += n) {
            const gnd_csr part = view(j->x, row, n);

            j->kern->spmm_t(j->dw + k * size, &part, j->z + pair_at(r, k, row) * j->h, j->h, 0, n);
        }
    }
}

static void relate_backward(gnd_tape *t, gnd_node *y)
{
    const relate_arg *r = y->arg;
    const gnd_node *x = gnd_tape_node(t, y->in[0]), *w = gnd_tape_node(t, y->in[1]);
    gnd_real *dz = gnd_tape_alloc(t, r->n_pair * w->cols, sizeof *dz);
    job j = {.r = r, .kern = t->kern, .x = x->sp, .dy = y->g, .z = dz, .dw = w->g, .h = w->cols};

    if (!dz)
        return;
    memset(dz, 0, (size_t)(r->n_pair * w->cols) * sizeof *dz);
    gnd_parallel_for(t->pool, r->a.n, 1, gnd_csr_nnz(x->sp) * w->cols, weights_back, &j);
}

const gnd_op gnd_op_relate = {
    .name = "relate",
    .forward = relate_forward,
    .backward = relate_backward,
};

/* Number the pairs that the rows listed hear. */
static void pairs_make(gnd_tape *t, relate_arg *r, const gnd_node *x)
{
    int32_t *pair = gnd_tape_alloc(t, r->a.n * r->n, sizeof *pair);
    int64_t heard = 0;

    if (!pair)
        return;
    memset(pair, 0xff, (size_t)(r->a.n * r->n) * sizeof *pair);
    for (int64_t k = 0; k < r->a.n; k++)
        for (int64_t i = 0; i < r->to.n; i++) {
            const gnd_csr *a = r->a.op[k];

            for (int64_t v = gnd_row_at(&r->to, i), p = a->ptr[v]; p < a->ptr[v + 1]; p++) {
                heard += pair[k * r->n + a->col[p]] < 0;
                pair[k * r->n + a->col[p]] = 0;
            }
        }
    r->pair = pair;
    for (int64_t k = 0; k < r->a.n; k++)
        for (int64_t row = 0; row < x->rows; row++) {
            int32_t *p = &pair[k * r->n + (x->row ? x->row[row] : row)];

            if (*p >= 0)
                *p = (int32_t)r->n_pair++;
        }
    if (r->n_pair != heard) /* a pair without its row, or a row twice */
        gnd_tape_fail(t, GND_ERR_SHAPE, "relate: %lld pairs are heard, x holds %lld",
                      (long long)heard, (long long)r->n_pair);
}

gnd_var gnd_relate(gnd_tape *t, const gnd_operators *a, gnd_row_list to, gnd_var x, gnd_var w)
{
    const gnd_node *xn, *wn;
    relate_arg *r;
    gnd_var y;

    if (!gnd_relate_check(t, "relate", a, &to, x, w))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    wn = gnd_tape_node(t, w);
    if (!xn->sp)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "relate: takes no dense matrix");
    r = gnd_tape_alloc(t, 1, sizeof *r);
    if (!r)
        return GND_NONE;
    *r = (relate_arg){.a = *a, .to = to, .x_row = xn->row, .n = a->op[0]->n_row};
    pairs_make(t, r, xn);
    y = gnd_tape_record(t, &gnd_op_relate, 2, (gnd_var[]){x, w}, to.n, a->n * wn->cols, r);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = to.row;
    return y;
}
