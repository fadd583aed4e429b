/* SPDX-License-Identifier: MIT
 * mixhop_family.c - see the header for the formula. */
#include "mixhop_family.h"

gnd_status gnd_mixhop_prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                              gnd_pool *pool, gnd_error *err)
{
    (void)m, (void)pool;
    return gnd_operator_init(&in->op, GND_OP_S_MIXHOP, &g->adj, err);
}

gnd_var gnd_mixhop_hidden(const gnd_inputs *in, gnd_tape *t, gnd_var z, int64_t k, gnd_var beta,
                          gnd_row_list rows)
{
    if (k > 0)
        z = gnd_power(t, &in->op.a, &in->op.at, z, k);
    return gnd_relu(t, gnd_batch_norm(t, z, beta, rows));
}
