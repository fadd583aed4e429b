/* SPDX-License-Identifier: MIT
 * lanczosnet.h - the Ritz pairs of LanczosNet; the tests replace them. */
#ifndef GND_MODEL_METHODS_LANCZOSNET_H
#define GND_MODEL_METHODS_LANCZOSNET_H

#include "model/model.h"

enum { GND_LANCZOS_LONG = 3 }; /* long scales */

/* in->own of this method. */
typedef struct {
    int64_t k;       /* pairs */
    gnd_real *power; /* [k, GND_LANCZOS_LONG] value^10, value^20, value^30 */
    gnd_real *V;     /* [n, k] vectors */
    gnd_real *VtX;   /* [k, d] V^T X */
} gnd_ritz;

/* Replace the pairs in in->own, if any, by k pairs.  value: [k], vector: [n, k] */
gnd_status gnd_lanczosnet_pairs(gnd_inputs *in, const double *value, const double *vector,
                                int64_t k, gnd_error *err);

#endif
