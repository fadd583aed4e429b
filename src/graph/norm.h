/* SPDX-License-Identifier: MIT
 * norm.h - normalisation of the feature rows. */
#ifndef GND_GRAPH_NORM_H
#define GND_GRAPH_NORM_H

#include "kern/csr.h"

typedef enum {
    GND_FEAT_RAW,      /* as stored */
    GND_FEAT_ROW_L1,   /* each row divided by its sum; rows with sum 0 are not changed */
    GND_FEAT_ROW_L2,   /* each row divided by its Euclidean norm */
    GND_FEAT_BINARY,   /* every stored value becomes 1 */
    GND_FEAT_BINARY_L2 /* binary, then row L2 */
} gnd_feat_norm;

/* x normalised; sums are computed in double. out borrows the arrays of x that it does not change,
 * so x must exist as long as out. */
gnd_status gnd_feat_normalise(gnd_csr *out, const gnd_csr *x, gnd_feat_norm how, gnd_error *err);

#endif
