/* SPDX-License-Identifier: MIT
 * mixhop_family.c - the layers of mixhop_family.h. */
#include "mixhop_family.h"

gnd_status gnd_mixhop_prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                              gnd_pool *pool, gnd_error *err)
{
    static const gnd_operator_kind kind[] = {GND_OP_S_MIXHOP, GND_OP_S_MIXHOP_PLAIN,
                                             GND_OP_S_MIXHOP_TRANSPOSED};

    return gnd_operator_init_in(&in->op, kind[gnd_hp_choice(m, GND_MIXHOP_OPERATOR)], &g->adj, pool,
                                err);
}

gnd_var gnd_mixhop_hidden(const gnd_inputs *in, gnd_tape *t, gnd_var z, int64_t k, gnd_var beta,
                          gnd_row_list rows)
{
    if (k > 0)
        z = gnd_power(t, &in->op.a, &in->op.at, z, k);
    return gnd_norm_relu(t, z, beta, rows);
}

void gnd_mixhop_weights(gnd_var *V, const gnd_model *m, gnd_tape *t, const gnd_mixhop_layer *l,
                        const char *name)
{
    for (int k = 0; k <= l->top; k++)
        V[k] = l->width[k] > 0 ? gnd_weight(m, t, "%s_%d", name, k) : (gnd_var){-1};
}

gnd_var gnd_mixhop_joined(const gnd_model *m, gnd_tape *t, const gnd_mixhop_layer *l,
                          const char *name)
{
    gnd_var V[GND_POWERS];
    int n = 0;

    gnd_mixhop_weights(V, m, t, l, name);
    for (int k = 0; k <= l->top; k++)
        if (l->width[k] > 0)
            V[n++] = V[k];
    return gnd_concat(t, V, n);
}

gnd_var gnd_mixhop_output_layer(gnd_tape *t, const gnd_mixhop_layer *l,
                                const gnd_receptive_field *S, gnd_var O)
{
    gnd_var part[GND_POWERS];
    int64_t first = 0;
    int n = 0;

    for (int k = 0; k <= l->top; k++) {
        const int64_t w = l->width[k];

        if (w > 0) { /* the last k levels of the receptive field */
            part[n] = gnd_receptive_part(t, S, 0, gnd_columns(t, O, first, w), l->top - k);
            for (int i = l->top - k; i < l->top; i++)
                part[n] = gnd_receptive_spmm(t, S, i, part[n]);
            n++;
        }
        first += w;
    }
    return gnd_concat(t, part, n);
}
