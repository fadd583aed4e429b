/* SPDX-License-Identifier: MIT
 * smoothed.c - S^k X W from a kept power S^k X, or by k products with S. */
#include "smoothed.h"

#include <string.h>

#include "base/alloc.h"
#include "plan/keep.h"

gnd_status gnd_smoothed_prepare(gnd_inputs *in, int64_t first, int64_t last, bool once,
                                gnd_pool *pool, gnd_error *err)
{
    const gnd_powers_of of = {.a = &in->op.a, .x = &in->x, .first = first, .last = last};
    gnd_powers *p = gnd_alloc(1, sizeof *p);
    gnd_budget none = {0};
    gnd_status st;

    if (!p)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld powers", (long long)last);
    st = gnd_powers_init(p, &of, once ? &in->budget : &none, pool, err);
    if (st == GND_OK)
        in->own = p;
    else
        gnd_free(p);
    return st;
}

void gnd_smoothed_release(gnd_inputs *in)
{
    gnd_powers_fini(in->own);
    gnd_free(in->own);
    in->own = NULL;
}

/* Rows of powers, [hops, n, d], to be filled. */
typedef struct {
    gnd_real *v;
    int64_t n, d;
} power_rows;

static void row_take(void *to, int64_t hop, int64_t i, int64_t c0, const gnd_real *v, int64_t w)
{
    const power_rows *p = to;

    memcpy(p->v + (hop * p->n + i) * p->d + c0, v, (size_t)w * sizeof *v);
}

gnd_status gnd_smoothed_prepare_rows(gnd_inputs *in, gnd_row_set_id set, int64_t width, bool once,
                                     gnd_pool *pool, gnd_error *err)
{
    const gnd_powers *p = in->own;
    const gnd_powers_of of = {.a = &in->op.a, .x = &in->x, .first = p->last + 1, .last = p->top};
    const int64_t hops = of.last - of.first + 1;
    const gnd_keep_sizes s = {.rows = in->rows[set].n, .cols = in->x.n_col, .width = width};
    gnd_row_set *h = &in->rows[set];
    power_rows rows = {.n = h->n, .d = in->x.n_col};
    gnd_status st = GND_OK;

    if (!once || hops < 1 || !gnd_keep_power_rows(&s, hops, &in->budget))
        return GND_OK;
    h->own = rows.v = gnd_alloc(hops * rows.n * rows.d, sizeof *rows.v);
    if (!rows.v)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld powers of %lld rows",
                         (long long)hops, (long long)rows.n));
    gnd_budget_spend(&in->budget, hops * gnd_keep_bytes(GND_KEEP_DENSE, &s));
    GND_TRY(gnd_powers_dense_rows(row_take, &rows, &of, (gnd_row_list){h->row, h->n}, pool, err));
out:
    return st;
}

void gnd_smoothed_release_rows(gnd_row_set *h)
{
    gnd_free(h->own);
}

gnd_var gnd_smoothed_times(gnd_tape *t, const gnd_inputs *in, int64_t k, gnd_var w)
{
    const gnd_csr *S = &in->op.a, *St = &in->op.at;
    const gnd_powers *powers = in->own;
    const gnd_kept_power *SkX = gnd_powers_get(powers, k);
    const gnd_row_set *h = gnd_row_set_requested(in, t);
    const gnd_real *rows = h ? h->own : NULL;

    if (k == 0)
        return gnd_matmul(t, gnd_requested(t, gnd_input(t, &in->x)), w);
    if (!SkX && rows)
        return gnd_matmul(
            t,
            gnd_as_requested(t, gnd_constant(t, rows + (k - powers->last - 1) * h->n * in->x.n_col,
                                             h->n, in->x.n_col)),
            w);
    if (!SkX && in->part) /* requested rows may be copies, which have no rows in S */
        return gnd_requested(t, gnd_power(t, S, St, gnd_matmul(t, gnd_sparse(t, &in->x), w), k));
    if (!SkX)
        return gnd_spmm_requested(
            t, S, St, gnd_power(t, S, St, gnd_matmul(t, gnd_sparse(t, &in->x), w), k - 1));
    return gnd_matmul(t,
                      gnd_requested(t, SkX->dense
                                           ? gnd_constant(t, SkX->dense, in->n_node, in->x.n_col)
                                           : gnd_input(t, &SkX->sp)),
                      w);
}
