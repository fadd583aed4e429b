/* SPDX-License-Identifier: MIT
 * operator.c - all operators by one routine: choose a matrix B, then scale its rows and columns.
 *
 *     B = A or max(A, A^T), with or without its loops, plus s I;   d, c = row, column sums of B
 *     a_ij = l_i B_ij r_j,   or  [i = j] - l_i B_ij r_j  for a Laplacian;   transposed on request
 *
 * Everything is computed in double and rounded once. The product l_i r_j is computed first, because
 * it commutes: if l = r and B is symmetric, the result is exactly symmetric. */
#include "operator.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "graph.h"
#include "kern/hubs.h"
#include "plan/product.h"

typedef enum {
    BY_BOTH,      /* d^-1/2 on both sides */
    BY_ROW,       /* d^-1 from the left */
    BY_COL,       /* d^-1 from the right */
    BY_ROW_PLUS1, /* (d + 1)^-1 from the left */
    BY_COL_PLUS1  /* (c + 1)^-1 from the right */
} scaling;

typedef struct {
    bool symmetrise, drop_loops;
    double self; /* s */
    scaling scale;
    bool laplacian, transpose;
} recipe;

static const recipe recipes[] = {
    [GND_OP_W] = {.self = 1, .scale = BY_ROW},
    [GND_OP_S] = {.self = 1, .scale = BY_BOTH},
    [GND_OP_S_TRANSPOSED] = {.self = 1, .scale = BY_BOTH, .transpose = true},
    [GND_OP_S_SYMMETRISED] = {.symmetrise = true, .self = 1, .scale = BY_BOTH},
    [GND_OP_S_MIXHOP] = {.symmetrise = true, .drop_loops = true, .self = 1, .scale = BY_BOTH},
    [GND_OP_S_MIXHOP_PLAIN] = {.drop_loops = true, .self = 1, .scale = BY_BOTH},
    [GND_OP_S_MIXHOP_TRANSPOSED] = {.drop_loops = true,
                                    .self = 1,
                                    .scale = BY_BOTH,
                                    .transpose = true},
    [GND_OP_LN] = {.scale = BY_BOTH, .laplacian = true},
    [GND_OP_LN_TRANSPOSED] = {.scale = BY_BOTH, .laplacian = true, .transpose = true},
    [GND_OP_LN_SYMMETRISED] = {.symmetrise = true, .scale = BY_BOTH, .laplacian = true},
    [GND_OP_S0] = {.symmetrise = true, .drop_loops = true, .scale = BY_BOTH},
    [GND_OP_ADINV] = {.symmetrise = true, .drop_loops = true, .scale = BY_COL},
    [GND_OP_DINVA] = {.symmetrise = true, .drop_loops = true, .scale = BY_ROW},
    [GND_OP_P_DCNN] = {.symmetrise = true, .scale = BY_COL_PLUS1},
    [GND_OP_P_DCNN_PLAIN] = {.scale = BY_COL_PLUS1},
    [GND_OP_P_DCNN_TRANSPOSED] = {.scale = BY_ROW_PLUS1, .transpose = true},
};

/* 1/d, or 0 for a row without links. */
static double inverse(double d)
{
    return d > 0 ? 1 / d : 0;
}

/* Row sums of B, or column sums for BY_COL_PLUS1, which are the same in a part of a graph: it is
 * undirected. */
static void matrix_sums(double *sum, const gnd_csr *b, const recipe *r)
{
    const bool by_col = r->scale == BY_COL_PLUS1 && !b->part;

    for (int64_t i = 0; i < b->n_row; i++)
        sum[i] = r->self;
    for (int64_t i = 0; i < b->n_row; i++)
        for (int64_t p = b->ptr[i]; p < b->ptr[i + 1]; p++)
            sum[by_col ? b->col[p] : i] += (double)gnd_csr_val(b, p);
    gnd_part_fill(b->part, sum, sizeof *sum);
}

/* left[i] and right[i] from the sums of B. */
static void scale_factors(double *left, double *right, const gnd_csr *b, const recipe *r)
{
    matrix_sums(left, b, r);
    for (int64_t i = 0; i < b->n_row; i++) {
        const double d = left[i];

        left[i] = right[i] = 1;
        if (r->scale == BY_BOTH)
            left[i] = right[i] = sqrt(inverse(d));
        else if (r->scale == BY_ROW)
            left[i] = inverse(d);
        else if (r->scale == BY_ROW_PLUS1)
            left[i] = inverse(d + 1);
        else if (r->scale == BY_COL)
            right[i] = inverse(d);
        else
            right[i] = inverse(d + 1);
    }
}

/* Write row i of the operator to out (NULL: only count), from position q on; zeros are not stored.
 * Returns the position after the row. */
static int64_t emit_row(gnd_csr *out, int64_t q, const gnd_csr *b, const double *left,
                        const double *right, const recipe *r, int64_t i)
{
    const gnd_row_range own = gnd_part_own(b->part, b->n_row);
    const bool diagonal = (r->self != 0 || r->laplacian) && i >= own.begin && i < own.end;
    bool met = !diagonal; /* the diagonal entry is done */
    int64_t p = b->ptr[i];

    while (p < b->ptr[i + 1] || !met) {
        const bool stored = p < b->ptr[i + 1] && (met || b->col[p] <= i);
        const int32_t j = stored ? b->col[p] : (int32_t)i;
        double v = stored ? (double)gnd_csr_val(b, p) : 0;

        if (j == i) {
            met = true;
            v += r->self;
        }
        v *= left[i] * right[j];
        if (r->laplacian)
            v = (j == i ? 1 : 0) - v;
        p += stored;
        if (v == 0)
            continue;
        if (out) {
            out->col[q] = j;
            out->val[q] = (gnd_real)v;
        }
        q++;
    }
    return q;
}

/* B, without s I, as the recipe says; it borrows the arrays of adj where B = A. */
static gnd_status choose_matrix(gnd_csr *b, const gnd_csr *adj, const recipe *r, gnd_error *err)
{
    gnd_csr from = *adj;
    gnd_status st = GND_OK;

    from.borrowed = GND_CSR_ARRAYS;
    if (adj->part) { /* it is undirected and has no loops */
        *b = from;
        return GND_OK;
    }
    if (r->symmetrise)
        GND_TRY(gnd_csr_symmetrise(&from, adj, err));
    if (r->drop_loops && gnd_csr_has_loops(&from)) {
        GND_TRY(gnd_csr_drop_loops(b, &from, NULL, err));
        gnd_csr_fini(&from);
    } else {
        *b = from;
    }
    return GND_OK;
out:
    gnd_csr_fini(&from);
    return st;
}

gnd_status gnd_operator_links(gnd_csr *out, const gnd_csr *adj, gnd_error *err)
{
    *out = (gnd_csr){0};
    return choose_matrix(out, adj, &(recipe){.symmetrise = true, .drop_loops = true}, err);
}

/* out: b with rows and columns scaled. Where the pattern is the same, out takes ptr and col of b,
 * or borrows them if b does. flip: its transpose, if b is symmetric. */
static gnd_status scaled_matrix(gnd_csr *out, gnd_csr *b, const recipe *r, bool flip,
                                gnd_error *err)
{
    const int64_t n = b->n_row;
    double *left = gnd_alloc(n, sizeof *left), *right = gnd_alloc(n, sizeof *right);
    int64_t nnz = 0;
    gnd_status st = GND_OK;

    if (!left || !right)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for an operator on %lld vertices",
                         (long long)n));
    scale_factors(flip ? right : left, flip ? left : right, b, r);
    for (int64_t i = 0; i < n; i++)
        nnz = emit_row(NULL, nnz, b, left, right, r, i);
    if (r->self == 0 && !r->laplacian && nnz == gnd_csr_nnz(b)) {
        *out = *b;
        out->symmetric = b->symmetric && !b->part && r->scale == BY_BOTH;
        b->borrowed |= GND_CSR_PTR | GND_CSR_COL;
        out->borrowed &= ~(unsigned)GND_CSR_VAL;
        out->val = gnd_alloc_raw(nnz, sizeof *out->val);
        if (!out->val)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for an operator on %lld vertices",
                             (long long)n));
        for (int64_t i = 0; i < n; i++)
            for (int64_t p = b->ptr[i]; p < b->ptr[i + 1]; p++)
                out->val[p] = (gnd_real)((double)gnd_csr_val(b, p) * (left[i] * right[b->col[p]]));
    } else {
        GND_TRY(gnd_csr_init(out, n, n, nnz, true, err));
        for (int64_t i = 0; i < n; i++)
            out->ptr[i + 1] = emit_row(out, out->ptr[i], b, left, right, r, i);
    }
    out->part = b->part;
out:
    gnd_free(right);
    gnd_free(left);
    return st;
}

/* op->a and op->at have the same pattern: op->at takes what is equal from op->a. */
static void share_equal(gnd_operator *op)
{
    const size_t bytes = (size_t)gnd_csr_nnz(&op->a) * sizeof *op->a.val;
    gnd_csr at = op->a;

    at.borrowed = GND_CSR_ARRAYS;
    op->shared = bytes == 0 || memcmp(op->a.val, op->at.val, bytes) == 0;
    if (!op->shared) {
        at.val = op->at.val;
        at.borrowed = GND_CSR_PTR | GND_CSR_COL;
        op->at.borrowed |= GND_CSR_VAL;
    }
    gnd_csr_fini(&op->at);
    op->at = at;
}

/* The adjoint op->at of op->a, made of b. */
static gnd_status adjoint_make(gnd_operator *op, gnd_csr *b, const recipe *r, gnd_error *err)
{
    const bool symmetric = b->part || gnd_csr_is_symmetric(b);
    gnd_status st = GND_OK;

    if (symmetric && r->scale == BY_BOTH) {
        op->at = op->a;
        op->shared = true;
    } else if (symmetric) {
        GND_TRY(scaled_matrix(&op->at, b, r, true, err));
        if (!b->part) /* processes must all decide the same */
            share_equal(op);
    } else {
        GND_TRY(gnd_csr_transpose_or_borrow(&op->at, &op->a, err));
        op->shared = op->at.borrowed != 0;
    }
out:
    return st;
}

gnd_status gnd_operator_init(gnd_operator *op, gnd_operator_kind kind, const gnd_csr *adj,
                             gnd_error *err)
{
    return gnd_operator_init_in(op, kind, adj, NULL, err);
}

gnd_status gnd_operator_init_in(gnd_operator *op, gnd_operator_kind kind, const gnd_csr *adj,
                                gnd_pool *pool, gnd_error *err)
{
    const recipe *r = &recipes[kind];
    gnd_csr b = {0};
    gnd_status st;

    *op = (gnd_operator){0};
    if (adj->n_row != adj->n_col)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "the adjacency matrix is %lld x %lld; expected square",
                         (long long)adj->n_row, (long long)adj->n_col));
    GND_TRY(choose_matrix(&b, adj, r, err));
    GND_TRY(gnd_pool_check(pool, err));
    GND_TRY(scaled_matrix(&op->a, &b, r, false, err));
    GND_TRY(gnd_pool_check(pool, err));
    GND_TRY(adjoint_make(op, &b, r, err));
    GND_TRY(gnd_pool_check(pool, err));
    if (!op->shared && r->transpose) {
        const gnd_csr a = op->a;

        op->a = op->at;
        op->at = a;
    }
out:
    gnd_csr_fini(&b);
    if (st != GND_OK)
        gnd_operator_fini(op);
    return st;
}

void gnd_operator_fini(gnd_operator *op)
{
    if (!op->shared)
        gnd_csr_fini(&op->at);
    gnd_csr_fini(&op->a);
    gnd_hubs_free(op->hubs);
    *op = (gnd_operator){0};
}

enum { SAMPLED = 4096 }; /* rows that are looked at, about */

/* Are most columns at most `near` from their row? Then x stays in a cache in the order of the file.
 */
static bool is_near(const gnd_csr *a, int64_t near)
{
    const int64_t step = a->n_row / SAMPLED + 1;
    int64_t all = 0, close = 0;

    for (int64_t i = 0; i < a->n_row; i += step)
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            close += a->col[p] >= i - near && a->col[p] <= i + near;
            all++;
        }
    return 2 * close > all;
}

gnd_status gnd_operator_order(gnd_operator *op, int64_t width, gnd_budget *b, gnd_pool *pool,
                              gnd_error *err)
{
    const gnd_product_sizes s = {.n_row = op->a.n_row,
                                 .n_col = op->a.n_col,
                                 .nnz = gnd_csr_nnz(&op->a),
                                 .width = width,
                                 .value = sizeof(gnd_real)};
    const gnd_hubs_limits l = {.range = gnd_product_hub_range(&s), .bytes = gnd_budget_left(b)};
    gnd_status st = GND_OK;

    if (op->a.part || op->hubs || !gnd_product_by_hubs(&s) || is_near(&op->a, gnd_product_near(&s)))
        return GND_OK;
    GND_TRY(gnd_hubs_new(&op->hubs, &op->a, &op->at, &l, pool, err));
    op->a.hubs = op->hubs;
    if (op->hubs)
        gnd_budget_spend(b, op->hubs->bytes);
out:
    return st;
}

/* scale A + shift I; zeros are not stored. */
static gnd_status affine(gnd_csr *out, const gnd_csr *a, double scale, double shift, gnd_error *err)
{
    const int64_t n = a->n_row;
    const gnd_status st = gnd_csr_init(out, n, n, gnd_csr_nnz(a) + n, true, err);
    int64_t q = 0;

    for (int64_t i = 0; st == GND_OK && i < n; i++) {
        bool met = false; /* the diagonal entry is done */

        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1] || !met;) {
            const bool stored = p < a->ptr[i + 1] && (met || a->col[p] <= i);
            const int32_t j = stored ? a->col[p] : (int32_t)i;
            const double v =
                (stored ? scale * (double)gnd_csr_val(a, p) : 0) + (j == i ? shift : 0);

            met |= j == i;
            p += stored;
            if ((gnd_real)v == 0)
                continue;
            out->col[q] = j;
            out->val[q++] = (gnd_real)v;
        }
        out->ptr[i + 1] = q;
    }
    return st;
}

gnd_status gnd_operator_to_cheby(gnd_operator *op, double lambda, gnd_error *err)
{
    gnd_operator to = {.shared = op->shared};
    gnd_status st;

    if (!(lambda > 0))
        return gnd_fail(err, GND_ERR_ARG,
                        "the graph's Laplacian has no eigenvalue above 0 (got %g): no vertex is "
                        "linked to another; try a method that uses only features",
                        lambda);
    GND_TRY(affine(&to.a, &op->a, 2 / lambda, -1, err));
    if (op->shared)
        to.at = to.a;
    else
        GND_TRY(affine(&to.at, &op->at, 2 / lambda, -1, err));
    gnd_operator_fini(op);
    *op = to;
    to = (gnd_operator){0};
out:
    gnd_operator_fini(&to);
    return st;
}
