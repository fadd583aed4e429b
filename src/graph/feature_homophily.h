/* SPDX-License-Identifier: MIT
 * feature_homophily.h - do links join vertices with similar features? */
#ifndef GND_GRAPH_FEATURE_HOMOPHILY_H
#define GND_GRAPH_FEATURE_HOMOPHILY_H

#include "kern/csr.h"

enum { GND_HOMOPHILY_PAIRS = 65536 }; /* links, and pairs of ends; limits the cost */

typedef struct {
    double effect; /* mean cosine of linked vertices minus that of random ends of links, in standard
                      deviations of the latter */
    double z_score; /* the same in standard errors: near 0 if it may be chance */
} gnd_edge_similarity;

/* Edge-feature correlation. x: [n, d] features, compared by the cosine of rows; weight: [d] or
 * NULL; links: [n, n] symmetric, whose weights do not count. At most GND_HOMOPHILY_PAIRS links are
 * used. Zeros without links, or if all features are equal. */
gnd_status gnd_feature_homophily(gnd_edge_similarity *out, const gnd_csr *x, const double *weight,
                                 const gnd_csr *links, gnd_error *err);

#endif
