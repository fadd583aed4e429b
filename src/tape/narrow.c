/* SPDX-License-Identifier: MIT
 * narrow.c - makes the copies of narrow.h. */
#include "narrow.h"

static const char kind = 0; /* its address is a part of the key */

static bool rows_are_even(const gnd_csr *x)
{
    for (int64_t i = 0; i < x->n_row; i++)
        for (int64_t p = x->ptr[i] + 1; p < x->ptr[i + 1]; p++)
            if (x->val[p] != x->val[p - 1])
                return false;
    return true;
}

static void narrow_fill(gnd_csr *y, const gnd_csr *x)
{
    const int64_t nnz = gnd_csr_nnz(x);

    for (int64_t p = 0; p < nnz; p++)
        y->col16[p] = (uint16_t)x->col[p];
    for (int64_t i = 0; y->row_val && i < x->n_row; i++)
        y->row_val[i] = x->ptr[i] < x->ptr[i + 1] ? x->val[x->ptr[i]] : 0;
}

/* Leaves y without columns if the budget is short. */
static void narrow_make(gnd_tape *t, gnd_csr *y, const gnd_csr *x)
{
    const bool even = x->val && rows_are_even(x);
    const int64_t nnz = gnd_csr_nnz(x), bytes = nnz * (int64_t)sizeof *y->col16 +
                                                (even ? x->n_row * (int64_t)sizeof *y->row_val : 0);

    *y = *x;
    y->borrowed = GND_CSR_ARRAYS;
    y->col = NULL;
    if (even)
        y->val = NULL;
    if (!gnd_budget_take(&t->budget, bytes))
        return;
    y->col16 = gnd_tape_store(t, nnz, sizeof *y->col16);
    y->row_val = even ? gnd_tape_store(t, x->n_row, sizeof *y->row_val) : NULL;
    if (gnd_tape_ok(t))
        narrow_fill(y, x);
}

const gnd_csr *gnd_narrow_get(gnd_tape *t, const gnd_node *x, int64_t width)
{
    const gnd_kept_key key = {.kind = &kind, .of = x->sp};
    gnd_product_sizes sizes;
    gnd_csr *y;

    if (!x->sp || !x->lasts)
        return NULL;
    sizes = gnd_product_sizes_of(x->sp, width);
    if (!gnd_product_narrow(&sizes))
        return NULL;
    y = gnd_tape_kept(t, &key);
    if (!y) {
        y = gnd_tape_store(t, 1, sizeof *y);
        if (!y)
            return NULL;
        narrow_make(t, y, x->sp);
        gnd_tape_keep(t, &key, y);
    }
    return gnd_tape_ok(t) && y->col16 ? y : NULL;
}

gnd_var gnd_narrow(gnd_tape *t, gnd_var x, int64_t width)
{
    const gnd_csr *narrow = gnd_tape_ok(t) ? gnd_narrow_get(t, gnd_tape_node(t, x), width) : NULL;
    gnd_var y;

    if (!narrow)
        return x;
    y = gnd_sparse(t, narrow);
    if (gnd_tape_ok(t)) {
        gnd_tape_node(t, y)->row = gnd_tape_node(t, x)->row;
        gnd_tape_node(t, y)->whole = gnd_tape_node(t, x)->whole;
    }
    return y;
}

gnd_var gnd_dropped_matmul(gnd_tape *t, const gnd_dropped *x, gnd_var w)
{
    gnd_var from;

    if (!gnd_check_dense(t, "dropped_matmul", w))
        return GND_NONE;
    from = gnd_narrow(t, x->x, gnd_tape_node(t, w)->cols);
    return gnd_matmul(t, x->p > 0 ? gnd_dropout(t, from, x->p, x->place) : from, w);
}
