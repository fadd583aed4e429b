/* SPDX-License-Identifier: MIT
 * mixhop_family.h - what MixHop and N-GCN share: columns that go different numbers of hops.
 *
 *     hops(Z) = [ Z_0 | S Z_1 | S^2 Z_2 | ... ]     Z = [ Z_0 | Z_1 | Z_2 | ... ]
 *
 * S is that of max(A, A^T) with one self-link a vertex. All columns that have a hop to go take it
 * in one product. Features are binary; what dropout leaves of a row is brought to length 1. */
#ifndef GND_MODEL_MIXHOP_FAMILY_H
#define GND_MODEL_MIXHOP_FAMILY_H

#include "model.h"

enum { GND_POWERS = 7 }; /* S^0 .. S^6 */

gnd_status gnd_mixhop_prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                              gnd_pool *pool, gnd_error *err);
/* hops(Z), Z_k being width[k] columns wide, k < n: all rows. */
gnd_var gnd_mixhop_hops(const gnd_inputs *in, gnd_tape *t, gnd_var z, const int64_t *width, int n);
/* part[k] = S^k Z_k on the rows the pass is asked for; no variable where width[k] is 0. */
void gnd_mixhop_last_hops(gnd_var *part, const gnd_inputs *in, gnd_tape *t, gnd_var z,
                          const int64_t *width, int n);
/* The parts that are there, side by side. */
gnd_var gnd_mixhop_join(gnd_tape *t, const gnd_var *part, int n);

#endif
