/* SPDX-License-Identifier: MIT
 * receptive_first.c - A x w from level 0 to level 1 of a receptive field, for a constant x.  A:
 * [level 1, level 0], x: [level 0, d], w: [d, f].
 *
 * A (x w) multiplies all rows of x by w. (A x) w multiplies only the rows of level 1, but these
 * have more entries. If the requested rows are lasting and x has no dropout, A x can be computed
 * once; plan/keep.h decides whether. */
#include <string.h>

#include "kern/csr_product.h"
#include "narrow.h"
#include "plan/keep.h"
#include "receptive_field.h"

/* A x, dense if `dense` is not NULL, else sparse if sp.ptr is not NULL. Both NULL: not faster. */
typedef struct {
    gnd_csr sp;
    gnd_real *dense;
} product;

static void make_dense(product *y, gnd_tape *t, const gnd_csr *a, const gnd_csr *x)
{
    gnd_real *v = gnd_tape_store(t, a->n_row * x->n_col, sizeof *v);

    if (!v)
        return;
    memset(v, 0, (size_t)(a->n_row * x->n_col) * sizeof *v);
    gnd_csr_product_dense(v, a, x, 0, a->n_row);
    y->dense = v;
}

static void make_sparse(product *y, gnd_tape *t, const gnd_csr *a, const gnd_csr *x, int64_t nnz,
                        int64_t *mark)
{
    gnd_csr sp = {.n_row = a->n_row, .n_col = x->n_col};

    sp.ptr = gnd_tape_store(t, a->n_row + 1, sizeof *sp.ptr);
    sp.col = gnd_tape_store(t, nnz, sizeof *sp.col);
    sp.val = gnd_tape_store(t, nnz, sizeof *sp.val);
    if (!gnd_tape_ok(t))
        return;
    gnd_csr_product_fill(&sp, a, x, mark, t->pool);
    y->sp = sp;
}

/* Bytes of an entry of x in products, in either precision as with floats. */
static int64_t entry_bytes(const gnd_csr *x)
{
    enum { COL = 4, COL16 = 2, VALUE = 4 };

    return (x->col16 ? COL16 : COL) + (x->col16 && !x->val ? 0 : VALUE);
}

/* Computes a x if that makes products with f columns faster; narrow: x, or its copy for products.
 */
static void product_make(product *y, gnd_tape *t, const gnd_csr *a, const gnd_csr *x,
                         const gnd_csr *narrow, int64_t f)
{
    gnd_keep_sizes s = {.rows = a->n_row,
                        .cols = x->n_col,
                        .nnz_a = gnd_csr_nnz(a),
                        .nnz_b = gnd_csr_nnz(x),
                        .work = gnd_csr_product_work(a, x),
                        .width = f,
                        .bytes_b = entry_bytes(narrow)};
    int64_t *mark;
    gnd_keep how;

    if (!gnd_keep_first_worth_counting(&s, &t->budget))
        return;
    mark = gnd_tape_alloc(t, x->n_col, sizeof *mark);
    if (!mark)
        return;
    s.nnz = gnd_csr_product_count(NULL, a, x, mark, t->pool);
    how = gnd_keep_first_choose(&s, &t->budget);
    if (how == GND_KEEP_DENSE)
        make_dense(y, t, a, x);
    else if (how == GND_KEEP_SPARSE)
        make_sparse(y, t, a, x, s.nnz, mark);
    gnd_budget_spend(&t->budget, gnd_keep_bytes(how, &s));
}

/* The product stored for level 1 and x, or NULL. */
static const product *product_get(gnd_tape *t, const gnd_receptive_field *f, gnd_var x,
                                  int64_t width)
{
    const gnd_node *xn = gnd_tape_node(t, x);
    const gnd_csr *narrow;
    /* op[0] identifies the operator: it is in the store, and operators may share x and level 1. */
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
    narrow = gnd_narrow_get(t, xn, width);
    product_make(y, t, f->op[0], xn->sp, narrow ? narrow : xn->sp, width);
    gnd_tape_keep(t, &key, y);
    return y;
}

gnd_var gnd_receptive_first(gnd_tape *t, const gnd_receptive_field *f, const gnd_dropped *x,
                            gnd_var w)
{
    const product *ax = NULL;
    gnd_var y;

    if (!gnd_tape_ok(t))
        return GND_NONE;
    if (!t->training || x->p == 0)
        ax = product_get(t, f, x->x, gnd_tape_node(t, w)->cols);
    if (!ax || !(ax->dense || ax->sp.ptr))
        return gnd_receptive_spmm(t, f, 0, gnd_dropped_matmul(t, x, w));
    y = ax->dense ? gnd_constant(t, ax->dense, f->level[1].n, gnd_tape_node(t, x->x)->cols)
                  : gnd_sparse(t, &ax->sp);
    y = gnd_matmul(t, y, w);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = f->level[1].row;
    return y;
}
