/* SPDX-License-Identifier: MIT
 * mixhop_family.h - what MixHop and N-GCN share: columns that go different numbers of hops.
 *
 * S is that of max(A, A^T) with one self-link a vertex. Features are binary; what dropout leaves of
 * a row is brought to length 1. Batch norm is over all vertices, so the first layer is computed for
 * all of them, and its outcome kept for those that the rows asked for depend on. */
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

#endif
