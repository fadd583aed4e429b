/* SPDX-License-Identifier: MIT
 * mixhop_family.c - see the header for the formula. */
#include "mixhop_family.h"

gnd_status gnd_mixhop_prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                              gnd_pool *pool, gnd_error *err)
{
    (void)m, (void)pool;
    return gnd_operator_init(&in->op, GND_OP_S_MIXHOP, &g->adj, err);
}

void gnd_mixhop_hops(gnd_var *part, const gnd_inputs *in, gnd_tape *t, gnd_var z,
                     const int64_t *width, int n, bool last)
{
    const gnd_csr *a = &in->op.a, *at = &in->op.at;
    const bool few = last && t->want;
    int64_t left = 0;

    for (int k = 0; k < n; k++)
        left += width[k];
    for (int k = 0; k < n; k++) {
        gnd_var mine = {-1};

        /* z: columns that go k hops or more. Those of all rows have them behind; where few rows
         * count, one is to come. */
        if (k > 0 && !few && left > 0)
            z = gnd_spmm(t, a, at, z);
        if (width[k] > 0)
            mine = gnd_columns(t, z, 0, width[k]);
        left -= width[k];
        if (width[k] > 0 && left > 0)
            z = gnd_columns(t, z, width[k], left);
        if (k > 0 && few && left > 0)
            z = gnd_spmm(t, a, at, z);
        if (width[k] > 0 && last)
            mine = k > 0 && few ? gnd_spmm_wanted(t, a, at, mine) : gnd_wanted(t, mine);
        part[k] = mine;
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
