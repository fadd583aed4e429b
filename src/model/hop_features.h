/* SPDX-License-Identifier: MIT
 * hop_features.h - W^k X Theta for some k. */
#ifndef GND_MODEL_HOP_FEATURES_H
#define GND_MODEL_HOP_FEATURES_H

#include <stdint.h>

struct gnd_hop_features {
    int64_t n, n_hop;
    int32_t filters;
    int32_t *hop;  /* [n_hop] */
    float *values; /* [n_hop, n, filters] */
};

#endif
