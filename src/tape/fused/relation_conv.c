/* SPDX-License-Identifier: MIT
 * relation_conv.c - several operators with separate weights on one sparse matrix, concatenated.
 *
 *     y_v = [ sum_u A_0[v,u] x_u W_0 | .. | sum_u A_{K-1}[v,u] x_u W_{K-1} ] for the listed rows v
 *     dW_k = x^T dz_k,   dz_k,u = sum_v A_k[v,u] dy_v,k
 *     A_k: [n, n]   x: rows of a sparse [n, d]   w: [K d, h], block k is W_k   y: [rows, K h]
 *
 * z_k,u = x_u W_k is computed once for each pair (k, u) that a listed row reads: if few rows are
 * requested, most u are read through one operator only. Pairs are ordered by (k, row of x), so
 * that runs of them are one product. If half of all pairs or more are read, all pairs are
 * computed in one product with [ W_0 | .. | W_{K-1} ], ordered by (row of x, k). The operators'
 * rows with renumbered columns are stored if the list is lasting. Operators share neither z nor
 * W, so each is a separate piece of the backward pass. */
#include <string.h>

#include "relations.h"

enum { RUN = 64 }; /* rows that are copied to their columns of y together */

typedef struct {
    int32_t *pair; /* [K, n] index of pair (k, u), -1: not read */
    gnd_csr *op;   /* [K] each [listed rows, pairs] */
    int64_t n_pair;
    const int32_t *x_row; /* the rows of x when the pairs were numbered */
    bool wide;            /* all pairs are computed, ordered by (row of x, k) */
} read_pairs;

typedef struct {
    gnd_operators a;
    gnd_row_list to;
    const read_pairs *pairs;
    const int32_t *x_row; /* [rows of x] u */
    int64_t n;
} conv_arg;

typedef struct {
    const conv_arg *r;
    const gnd_kern *kern;
    const gnd_csr *x;
    const gnd_real *w, *dy;
    gnd_real *z, *y, *dw; /* z: [n_pair, h], or its gradient */
    gnd_real *part;       /* forward: [rows, h]; backward: [K, RUN, h] */
    int64_t h;
} job;

static int32_t pair_at(const conv_arg *r, int64_t k, int64_t row)
{
    return r->pairs->pair[k * r->n + (r->x_row ? r->x_row[row] : row)];
}

/* Finds the next run of rows in row .. end-1 of x that have pairs with k. Returns its length, or
 * 0. */
static int64_t next_run(const conv_arg *r, int64_t k, int64_t *row, int64_t end)
{
    int64_t stop;

    while (*row < end && pair_at(r, k, *row) < 0)
        ++*row;
    for (stop = *row; stop < end && pair_at(r, k, stop) >= 0;)
        stop++;
    return stop - *row;
}

/* Rows row .. row + n - 1 of x as a matrix that shares its entries. */
static gnd_csr view(const gnd_csr *x, int64_t row, int64_t n)
{
    gnd_csr v = *x;

    v.ptr += row;
    v.n_row = n;
    return v;
}

/* Computes z for the rows begin..end-1 of x. */
static void project_rows(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const int64_t size = j->x->n_col * j->h;
    int64_t n;

    if (j->r->pairs->wide) {
        j->kern->spmm(j->z, j->x, j->w, j->r->a.n * j->h, 0, NULL, begin, end);
        return;
    }
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
    const int64_t K = j->r->a.n, h = j->h;

    for (int64_t first = begin; first < end; first += RUN) {
        const int64_t stop = first + RUN < end ? first + RUN : end;

        for (int64_t k = 0; k < K; k++) {
            j->kern->spmm(j->part, &j->r->pairs->op[k], j->z, h, 0, NULL, first, stop);
            for (int64_t i = first; i < stop; i++)
                memcpy(j->y + (i * K + k) * h, j->part + i * h, (size_t)h * sizeof *j->y);
        }
    }
}

/* Copies the stacked W_k of w: [K d, h] to [ W_0 | .. | W_{K-1} ], or adds them back. */
static void weights_beside(gnd_real *beside, const gnd_real *w, int64_t K, int64_t d, int64_t h)
{
    for (int64_t k = 0; k < K; k++)
        for (int64_t i = 0; i < d; i++)
            memcpy(beside + (i * K + k) * h, w + (k * d + i) * h, (size_t)h * sizeof *w);
}

static void relation_conv_forward(gnd_tape *t, gnd_node *y)
{
    const conv_arg *r = y->arg;
    const gnd_node *x = gnd_tape_node(t, y->in[0]), *w = gnd_tape_node(t, y->in[1]);
    gnd_real *z = gnd_tape_alloc(t, r->pairs->n_pair * w->cols, sizeof *z);
    gnd_real *part = gnd_tape_alloc(t, y->rows * w->cols, sizeof *part);
    gnd_real *beside = r->pairs->wide ? gnd_tape_alloc(t, gnd_node_size(w), sizeof *z) : NULL;
    job j = {.r = r, .kern = t->kern, .x = x->sp, .w = w->v, .z = z, .y = y->v, .h = w->cols};
    int64_t cost = x->rows > 0 ? gnd_csr_nnz(x->sp) / x->rows * r->pairs->n_pair * w->cols : 0;

    if (!gnd_tape_ok(t))
        return;
    if (beside) {
        weights_beside(beside, w->v, r->a.n, x->cols, w->cols);
        j.w = beside;
    }
    j.part = part;
    gnd_parallel_for(t->pool, x->rows, gnd_row_grain(x->rows, cost), cost, project_rows, &j);
    cost = 4 * gnd_node_size(y);
    gnd_parallel_for(t->pool, y->rows, gnd_row_grain(y->rows, cost), cost, gather_rows, &j);
}

/* Computes dz of operator k. */
static void pairs_back(const job *j, int64_t k)
{
    const conv_arg *r = j->r;
    const int64_t K = r->a.n, h = j->h;
    gnd_real *part = j->part + k * RUN * h;

    for (int64_t first = 0; first < r->to.n; first += RUN) {
        const int64_t n = r->to.n - first < RUN ? r->to.n - first : RUN;
        const gnd_csr rows = view(&r->pairs->op[k], first, n);

        for (int64_t i = 0; i < n; i++)
            memcpy(part + i * h, j->dy + ((first + i) * K + k) * h, (size_t)h * sizeof *part);
        j->kern->spmm_t(j->z, &rows, part, h, 0, n);
    }
}

static void weights_back(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;
    const conv_arg *r = j->r;
    const int64_t size = j->x->n_col * j->h;
    int64_t n;

    for (int64_t k = begin; k < end; k++) {
        pairs_back(j, k);
        for (int64_t row = 0; !r->pairs->wide && (n = next_run(r, k, &row, j->x->n_row)) > 0;
             row += n) {
            const gnd_csr part = view(j->x, row, n);

            j->kern->spmm_t(j->dw + k * size, &part, j->z + pair_at(r, k, row) * j->h, j->h, 0, n);
        }
    }
}

/* Adds to dW, all operators side by side, for the rows begin..end-1 of x. */
static void wide_back(gnd_real *dw, int64_t begin, int64_t end, const void *arg)
{
    const job *j = arg;

    j->kern->spmm_t(dw, j->x, j->z, j->r->a.n * j->h, begin, end);
}

static void relation_conv_backward(gnd_tape *t, gnd_node *y)
{
    const conv_arg *r = y->arg;
    const gnd_node *x = gnd_tape_node(t, y->in[0]), *w = gnd_tape_node(t, y->in[1]);
    const int64_t h = w->cols, K = r->a.n, d = x->cols, size = gnd_node_size(w);
    const int64_t cost = gnd_csr_nnz(x->sp) * h;
    gnd_real *dz = gnd_tape_alloc(t, r->pairs->n_pair * h, sizeof *dz);
    gnd_real *part = gnd_tape_alloc(t, K * RUN * h, sizeof *part);
    gnd_real *beside = r->pairs->wide ? gnd_tape_alloc(t, size, sizeof *dz) : NULL;
    job j = {.r = r, .kern = t->kern, .x = x->sp, .dy = y->g, .z = dz, .dw = w->g, .h = h};

    if (!gnd_tape_ok(t))
        return;
    j.part = part;
    memset(dz, 0, (size_t)(r->pairs->n_pair * h) * sizeof *dz);
    gnd_parallel_for(t->pool, K, 1, cost, weights_back, &j);
    if (!beside)
        return;
    memset(beside, 0, (size_t)size * sizeof *beside);
    gnd_sum_rows(t, beside, &(gnd_row_sum){wide_back, &j, x->rows, size, cost * K});
    for (int64_t k = 0; k < K; k++)
        for (int64_t i = 0; i < d; i++)
            t->kern->axpy(w->g + (k * d + i) * h, 1, beside + (i * K + k) * h, h);
}

const gnd_op gnd_op_relation_conv = {
    .name = "relation_conv",
    .forward = relation_conv_forward,
    .backward = relation_conv_backward,
};

/* ---- which pairs are read ---- */

/* Marks the pairs that the listed rows read. Returns their number. */
static int64_t pairs_mark(int32_t *pair, const conv_arg *r)
{
    int64_t n = 0;

    memset(pair, 0xff, (size_t)(r->a.n * r->n) * sizeof *pair);
    for (int64_t k = 0; k < r->a.n; k++)
        for (int64_t i = 0; i < r->to.n; i++) {
            const gnd_csr *a = r->a.op[k];

            for (int64_t v = gnd_row_at(&r->to, i), p = a->ptr[v]; p < a->ptr[v + 1]; p++) {
                n += pair[k * r->n + a->col[p]] < 0;
                pair[k * r->n + a->col[p]] = 0;
            }
        }
    return n;
}

/* Numbers the marked pairs in the order of the rows of x. Returns their number. */
static int64_t pairs_number(read_pairs *h, const conv_arg *r, const gnd_node *x)
{
    int64_t n = 0;

    for (int64_t k = 0; k < r->a.n; k++)
        for (int64_t row = 0; row < x->rows; row++) {
            int32_t *p = &h->pair[k * r->n + (x->row ? x->row[row] : row)];

            if (*p >= 0)
                *p = (int32_t)(h->wide ? row * r->a.n + k : n);
            n += *p >= 0;
        }
    return n;
}

/* The listed rows of operator k, with columns numbered by pairs. Stored if the list is lasting. */
static gnd_csr rows_renumbered(gnd_tape *t, const conv_arg *r, const read_pairs *h, int64_t k,
                               void *(*get)(gnd_tape *t, int64_t n, size_t size))
{
    const gnd_csr *a = r->a.op[k];
    gnd_csr y = {.n_row = r->to.n, .n_col = h->n_pair};
    int64_t nnz = 0;

    for (int64_t i = 0; i < r->to.n; i++)
        nnz += a->ptr[gnd_row_at(&r->to, i) + 1] - a->ptr[gnd_row_at(&r->to, i)];
    y.ptr = get(t, r->to.n + 1, sizeof *y.ptr);
    y.col = get(t, nnz, sizeof *y.col);
    y.val = get(t, nnz, sizeof *y.val);
    if (!gnd_tape_ok(t))
        return (gnd_csr){0};
    y.ptr[0] = nnz = 0;
    for (int64_t i = 0; i < r->to.n; i++) {
        for (int64_t v = gnd_row_at(&r->to, i), p = a->ptr[v]; p < a->ptr[v + 1]; p++) {
            y.col[nnz] = h->pair[k * r->n + a->col[p]];
            y.val[nnz++] = gnd_csr_val(a, p);
        }
        y.ptr[i + 1] = nnz;
    }
    return y;
}

/* NULL after an error. */
static read_pairs *pairs_make(gnd_tape *t, const conv_arg *r, const gnd_node *x,
                              void *(*get)(gnd_tape *t, int64_t n, size_t size))
{
    read_pairs *h = get(t, 1, sizeof *h);
    int32_t *pair = get(t, r->a.n * r->n, sizeof *pair);
    gnd_csr *op = get(t, r->a.n, sizeof *op);
    int64_t n, there;

    if (!h || !pair || !op)
        return NULL;
    n = pairs_mark(pair, r);
    *h = (read_pairs){.pair = pair, .op = op, .x_row = x->row, .wide = 2 * n >= r->a.n * x->rows};
    there = pairs_number(h, r, x);
    if (there != n) { /* the row of a pair is missing in x, or is there twice */
        gnd_tape_fail(t, GND_ERR_SHAPE, "relation_conv: %lld pairs are read, x holds %lld",
                      (long long)n, (long long)there);
        return NULL;
    }
    h->n_pair = h->wide ? r->a.n * x->rows : n;
    for (int64_t k = 0; k < r->a.n; k++)
        op[k] = rows_renumbered(t, r, h, k, get);
    return gnd_tape_ok(t) ? h : NULL;
}

/* The stored pairs if the list is lasting, else new ones. x holds the rows that are read, or
 * all. */
static const read_pairs *pairs_get(gnd_tape *t, const conv_arg *r, const gnd_node *x)
{
    static const char kind[] = "relation_conv";
    const gnd_kept_key key = {kind, r->a.op[0], r->to.row, r->to.n, x->row ? 1 : 0};
    const bool lasts = gnd_rows_last(t, &r->a, r->to) &&
                       (!x->row || gnd_rows_last(t, &r->a, (gnd_row_list){x->row, x->rows}));
    read_pairs *h = lasts ? gnd_tape_kept(t, &key) : NULL;

    if (h && h->x_row == x->row)
        return h;
    h = pairs_make(t, r, x, lasts ? gnd_tape_store : gnd_tape_alloc);
    if (h && lasts)
        gnd_tape_keep(t, &key, h);
    return h;
}

gnd_var gnd_relation_conv(gnd_tape *t, const gnd_operators *a, gnd_row_list to, gnd_var x,
                          gnd_var w)
{
    const gnd_node *xn, *wn;
    conv_arg *r;
    gnd_var y;

    if (!gnd_relations_check(t, "relation_conv", a, &to, x, w))
        return GND_NONE;
    xn = gnd_tape_node(t, x);
    wn = gnd_tape_node(t, w);
    if (!xn->sp)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "relation_conv: takes no dense matrix");
    r = gnd_tape_alloc(t, 1, sizeof *r);
    if (!r)
        return GND_NONE;
    *r = (conv_arg){.a = *a, .to = to, .x_row = xn->row, .n = a->op[0]->n_row};
    r->pairs = pairs_get(t, r, xn);
    y = gnd_tape_record(t, &gnd_op_relation_conv, 2, (gnd_var[]){x, w},
                        (gnd_shape){to.n, a->n * wn->cols}, r);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = to.row;
    return y;
}
