/* SPDX-License-Identifier: MIT
 * smoothed.c - S^k X W from a kept power S^k X, or by k products with S. */
#include "smoothed.h"

#include "base/alloc.h"

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

gnd_var gnd_smoothed_times(gnd_tape *t, const gnd_inputs *in, int64_t k, gnd_var w)
{
    const gnd_csr *S = &in->op.a, *St = &in->op.at;
    const gnd_kept_power *SkX = gnd_powers_get(in->own, k);

    if (k == 0)
        return gnd_matmul(t, gnd_requested(t, gnd_input(t, &in->x)), w);
    if (!SkX)
        return gnd_spmm_requested(
            t, S, St, gnd_power(t, S, St, gnd_matmul(t, gnd_sparse(t, &in->x), w), k - 1));
    return gnd_matmul(t,
                      gnd_requested(t, SkX->dense
                                           ? gnd_constant(t, SkX->dense, in->n_node, in->x.n_col)
                                           : gnd_input(t, &SkX->sp)),
                      w);
}
