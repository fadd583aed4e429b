/* SPDX-License-Identifier: MIT
 * feature_homophily.h - do links join vertices whose features are alike? */
#ifndef GND_LABEL_FEATURE_HOMOPHILY_H
#define GND_LABEL_FEATURE_HOMOPHILY_H

#include "kern/csr.h"

typedef struct {
    double effect;  /* how much more alike the ends of a link are than ends of different links, in
                       standard deviations of the latter */
    double z_score; /* the same in standard errors: near 0 if it may be chance */
} gnd_edge_similarity;

/* x: [n, d] features, alike by the cosine of their rows; weight: [d] or NULL; links: [n, n]
 * symmetric, their weights do not count. Some thousand links are asked at most. Zeros where
 * there are no links, or all features are alike. */
gnd_edge_similarity gnd_feature_homophily(const gnd_csr *x, const double *weight,
                                          const gnd_csr *links, uint64_t seed);

#endif
