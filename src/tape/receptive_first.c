/* SPDX-License-Identifier: MIT
 * receptive_first.c - A x w at the lowest level of a field, x a constant.  A: [level 1, level 0],
 * x: [level 0, d], w: [d, f].
 *
 * A (x w) multiplies all rows of x that A reads, whereas (A x) w has only as many rows as somebody
 * looks at, but fuller ones. Where the same rows are asked for again and x is not dropped out, A x
 * can be made once; sizes decide. */
#include <string.h>

#include "receptive_field.h"
#include "op.h"

/* Entries of a dense matrix cost half of a sparse one's. What is made once pays back within so many
 * passes, and takes so many words at most: 64 MB in single precision. */
enum { SPARSE_COST = 2, PASSES = 64 };
static const int64_t max_words = INT64_C(1) << 24;

/* A x: sparse, or dense where that is not NULL; neither: not worth it. */
typedef struct {
    gnd_csr sp;
    gnd_real *dense;
} product;

/* Multiply-adds of a x. */
static int64_t product_cost(const gnd_csr *a, const gnd_csr *x)
{
    int64_t cost = 0;

    for (int64_t p = 0; p < gnd_csr_nnz(a); p++)
        cost += x->ptr[a->col[p] + 1] - x->ptr[a->col[p]];
    return cost;
}

/* Entries of a x, with ptr of the product; mark: [columns of x]. */
static int64_t product_count(int64_t *ptr, const gnd_csr *a, const gnd_csr *x, int64_t *mark)
{
    int64_t nnz = 0;

    for (int64_t j = 0; j < x->n_col; j++)
        mark[j] = -1;
    ptr[0] = 0;
    for (int64_t i = 0; i < a->n_row; i++) {
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
            for (int64_t q = x->ptr[a->col[p]]; q < x->ptr[a->col[p] + 1]; q++)
                if (mark[x->col[q]] != i) {
                    mark[x->col[q]] = i;
                    nnz++;
                }
        ptr[i + 1] = nnz;
    }
    return nnz;
}

/* Row i of a x, added to the dense row `sum`. */
static void row_sum(gnd_real *sum, const gnd_csr *a, const gnd_csr *x, int64_t i)
{
    for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
        const gnd_real v = gnd_csr_val(a, p);

        for (int64_t q = x->ptr[a->col[p]]; q < x->ptr[a->col[p] + 1]; q++)
            sum[x->col[q]] += v * gnd_csr_val(x, q);
    }
}

/* Values and columns of the sparse product, columns in the order they are met. sum: zeros, before
 * and after; mark as in product_count. */
static void product_fill(gnd_csr *y, const gnd_csr *a, const gnd_csr *x, int64_t *mark,
                         gnd_real *sum)
{
    for (int64_t j = 0; j < x->n_col; j++)
        mark[j] = -1;
    for (int64_t i = 0; i < a->n_row; i++) {
        int64_t end = y->ptr[i];

        row_sum(sum, a, x, i);
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
            for (int64_t q = x->ptr[a->col[p]]; q < x->ptr[a->col[p] + 1]; q++)
                if (mark[x->col[q]] != i) {
                    mark[x->col[q]] = i;
                    y->col[end++] = x->col[q];
                }
        for (int64_t p = y->ptr[i]; p < end; p++) {
            y->val[p] = sum[y->col[p]];
            sum[y->col[p]] = 0;
        }
    }
}

static void make_dense(product *y, gnd_tape *t, const gnd_csr *a, const gnd_csr *x)
{
    gnd_real *v = gnd_tape_store(t, a->n_row * x->n_col, sizeof *v);

    if (!v)
        return;
    memset(v, 0, (size_t)(a->n_row * x->n_col) * sizeof *v);
    for (int64_t i = 0; i < a->n_row; i++)
        row_sum(v + i * x->n_col, a, x, i);
    y->dense = v;
}

static void make_sparse(product *y, gnd_tape *t, const gnd_csr *a, const gnd_csr *x, int64_t nnz,
                        const int64_t *ptr, int64_t *mark)
{
    gnd_csr sp = {.n_row = a->n_row, .n_col = x->n_col};
    gnd_real *sum = gnd_tape_alloc(t, x->n_col, sizeof *sum);

    sp.ptr = gnd_tape_store(t, a->n_row + 1, sizeof *sp.ptr);
    sp.col = gnd_tape_store(t, nnz, sizeof *sp.col);
    sp.val = gnd_tape_store(t, nnz, sizeof *sp.val);
    if (!gnd_tape_ok(t))
        return;
    memcpy(sp.ptr, ptr, (size_t)(a->n_row + 1) * sizeof *ptr);
    memset(sum, 0, (size_t)x->n_col * sizeof *sum);
    product_fill(&sp, a, x, mark, sum);
    y->sp = sp;
}

/* a x if it pays for products with f columns. */
static void product_make(product *y, gnd_tape *t, const gnd_csr *a, const gnd_csr *x, int64_t f)
{
    const int64_t dense = a->n_row * x->n_col, making = product_cost(a, x);
    const int64_t apart = SPARSE_COST * (gnd_csr_nnz(a) + gnd_csr_nnz(x));
    int64_t *ptr, *mark, nnz, cost;

    if (making / PASSES > apart * f || dense / max_words >= x->n_col)
        return; /* it never pays; or too many to count */
    ptr = gnd_tape_alloc(t, a->n_row + 1, sizeof *ptr);
    mark = gnd_tape_alloc(t, x->n_col, sizeof *mark);
    if (!ptr || !mark)
        return;
    nnz = product_count(ptr, a, x, mark);
    cost = dense < SPARSE_COST * nnz ? dense : SPARSE_COST * nnz;
    if (cost >= apart || making / PASSES > (apart - cost) * f || cost > max_words)
        return;
    if (cost == dense)
        make_dense(y, t, a, x);
    else
        make_sparse(y, t, a, x, nnz, ptr, mark);
}

/* What is kept for the rows of level 1 and x, or NULL. */
static const product *product_get(gnd_tape *t, const gnd_receptive_field *f, gnd_var x,
                                  int64_t width)
{
    const gnd_node *xn = gnd_tape_node(t, x);
    /* the operator's rows are on the store and stand for it: other operators share x and level 1 */
    const gnd_kept_key key = {f->op[0], xn->sp, f->level[1].row, f->level[1].n, width};
    product *y;

    if (!f->lasts || !f->op[0] || !xn->sp || !xn->lasts)
        return NULL;
    y = gnd_tape_kept(t, &key);
    if (y)
        return y;
    y = gnd_tape_store(t, 1, sizeof *y);
    if (!y)
        return NULL;
    *y = (product){0};
    product_make(y, t, f->op[0], xn->sp, width);
    gnd_tape_keep(t, &key, y);
    return y;
}

gnd_var gnd_receptive_first(gnd_tape *t, const gnd_receptive_field *f, gnd_var x, gnd_var w)
{
    const product *ax;
    gnd_var y;

    if (!gnd_tape_ok(t))
        return GND_NONE;
    ax = product_get(t, f, x, gnd_tape_node(t, w)->cols);
    if (!ax || !(ax->dense || ax->sp.ptr))
        return gnd_receptive_spmm(t, f, 0, gnd_matmul(t, x, w));
    y = ax->dense ? gnd_constant(t, ax->dense, f->level[1].n, gnd_tape_node(t, x)->cols)
                  : gnd_sparse(t, &ax->sp);
    y = gnd_matmul(t, y, w);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = f->level[1].row;
    return y;
}
