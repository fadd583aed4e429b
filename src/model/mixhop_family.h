/* SPDX-License-Identifier: MIT
 * mixhop_family.h - what MixHop and N-GCN share: columns that go different numbers of hops.
 *
 * S is that of max(A, A^T) with one self-link per vertex. Features are binary; what dropout leaves
 * of a row is scaled to length 1. Batch norm is over all vertices, so the first layer is computed
 * for all of them, and its result kept for those that the requested rows depend on. */
#ifndef GND_MODEL_MIXHOP_FAMILY_H
#define GND_MODEL_MIXHOP_FAMILY_H

#include "model.h"
#include "tape/receptive_field.h"

enum { GND_POWERS = 7 }; /* S^0 .. S^6 */

gnd_status gnd_mixhop_prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                              gnd_pool *pool, gnd_error *err);
/* relu(BN(S^k z)), beta being the learned shift: the rows listed.  z: [n, f], beta: [1, f] */
gnd_var gnd_mixhop_hidden(const gnd_inputs *in, gnd_tape *t, gnd_var z, int64_t k, gnd_var beta,
                          gnd_row_list rows);

/* A layer whose columns go different numbers of hops: width[k] of them go k hops; a power of width
 * 0 is left out. */
typedef struct {
    int64_t width[GND_POWERS];
    int64_t sum; /* of the widths */
    int top;     /* the highest power that has columns */
} gnd_mixhop_layer;

/* [ V_0 | V_1 | .. ] side by side, the parameters "<name>_<k>" of the layer. */
gnd_var gnd_mixhop_weights(const gnd_model *m, gnd_tape *t, const gnd_mixhop_layer *l,
                           const char *name);
/* relu(BN([ Z_0 | S Z_1 | .. ])), the rows listed.  Z = [ Z_0 | Z_1 | .. ]: [n, sum], beta:
 * [1, sum] */
gnd_var gnd_mixhop_hidden_layer(const gnd_inputs *in, gnd_tape *t, const gnd_mixhop_layer *l,
                                gnd_var Z, gnd_var beta, gnd_row_list rows);
/* [ O_0 | S O_1 | .. ], the rows requested.  O = [ O_0 | O_1 | .. ]: [level 0 of S, sum]; the
 * receptive field has depth l->top. */
gnd_var gnd_mixhop_output_layer(gnd_tape *t, const gnd_mixhop_layer *l,
                                const gnd_receptive_field *S, gnd_var O);

#endif
