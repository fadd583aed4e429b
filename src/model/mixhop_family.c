/* SPDX-License-Identifier: MIT
 * mixhop_family.c - see the header for the formula. */
#include "mixhop_family.h"

gnd_status gnd_mixhop_prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                              gnd_pool *pool, gnd_error *err)
{
    (void)m, (void)pool;
    return gnd_operator_init(&in->op, GND_OP_S_MIXHOP, &g->adj, err);
}

gnd_var gnd_mixhop_hops(const gnd_inputs *in, gnd_tape *t, gnd_var z, const int64_t *width, int n)
{
    return gnd_hop_columns(t, &in->op.a, &in->op.at, z, width, n);
}

/* Where few rows count, the last hop of each part is made for them only. */
void gnd_mixhop_last_hops(gnd_var *part, const gnd_inputs *in, gnd_tape *t, gnd_var z,
                          const int64_t *width, int n)
{
    const gnd_csr *a = &in->op.a, *at = &in->op.at;
    int64_t left = 0, first = 0;

    if (!t->want)
        z = gnd_mixhop_hops(in, t, z, width, n);
    for (int k = 0; k < n; k++)
        left += width[k];
    for (int k = 0; k < n; k++) {
        const int64_t w = width[k];

        part[k] = w > 0 ? gnd_columns(t, z, first, w) : (gnd_var){-1};
        if (!t->want) {
            first += w;
            continue;
        }
        left -= w;
        if (w > 0 && left > 0)
            z = gnd_columns(t, z, w, left);
        if (k > 0 && left > 0) /* z goes k + 1 hops or more: k are behind it */
            z = gnd_spmm(t, a, at, z);
        if (w > 0)
            part[k] = k > 0 ? gnd_spmm_wanted(t, a, at, part[k]) : gnd_wanted(t, part[k]);
    }
}

gnd_var gnd_mixhop_join(gnd_tape *t, const gnd_var *part, int n)
{
    gnd_var there[GND_POWERS];
    int n_there = 0;

    for (int k = 0; k < n; k++)
        if (part[k].i >= 0)
            there[n_there++] = part[k];
    return gnd_tape_ok(t) ? gnd_concat(t, there, n_there) : (gnd_var){-1};
}
