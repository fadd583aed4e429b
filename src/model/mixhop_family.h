/* SPDX-License-Identifier: MIT
 * mixhop_family.h - the common part of MixHop and N-GCN: layers whose columns use different powers
 * of the operator S.
 *
 * S is computed from max(A, A^T), or as the operator setting says, with one self-loop per vertex.
 * Features are binary; after dropout each row is scaled to Euclidean norm 1. Batch norm is over all
 * vertices, so the first layer is computed for all of them; its result is kept for those on which
 * the requested rows depend. */
#ifndef GND_MODEL_MIXHOP_FAMILY_H
#define GND_MODEL_MIXHOP_FAMILY_H

#include "model.h"
#include "tape/receptive_field.h"

enum { GND_POWERS = 7 }; /* S^0 .. S^6 */

/* The first setting of both methods. */
enum { GND_MIXHOP_OPERATOR, GND_MIXHOP };

#define GND_MIXHOP_HPARAMS                                                                         \
    [GND_MIXHOP_OPERATOR] =                                                                        \
        GND_HP_CHOICE("operator", 0, "symmetrised|plain|transposed",                               \
                      "directed graphs: S of max(A, A^T) (symmetrised, as in the authors' code), " \
                      "of A or of A^T")

gnd_status gnd_mixhop_prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                              gnd_pool *pool, gnd_error *err);
/* The listed rows of relu(BN(S^k z)) with learned shift beta.  z: [n, f], beta: [1, f] */
gnd_var gnd_mixhop_hidden(const gnd_inputs *in, gnd_tape *t, gnd_var z, int64_t k, gnd_var beta,
                          gnd_row_list rows);

/* A layer with width[k] columns for power k of S. */
typedef struct {
    int64_t width[GND_POWERS];
    int64_t sum; /* of the widths */
    int top;     /* the highest power that has columns */
} gnd_mixhop_layer;

/* The parameters "<name>_<k>" of the layer, to V[0 .. l->top]; no value for a power without
 * columns. Or as one matrix, [ V_0 | V_1 | .. ]. */
void gnd_mixhop_weights(gnd_var *V, const gnd_model *m, gnd_tape *t, const gnd_mixhop_layer *l,
                        const char *name);
gnd_var gnd_mixhop_joined(const gnd_model *m, gnd_tape *t, const gnd_mixhop_layer *l,
                          const char *name);
/* The requested rows of [ O_0 | S O_1 | .. ].  O = [ O_0 | O_1 | .. ]: [level 0 of S, sum]; the
 * receptive field has depth l->top. */
gnd_var gnd_mixhop_output_layer(gnd_tape *t, const gnd_mixhop_layer *l,
                                const gnd_receptive_field *S, gnd_var O);

#endif
