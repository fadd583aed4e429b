/* SPDX-License-Identifier: MIT
 * near_pairs.h - the nearest pairs of points in the plane or in the Poincare disk. */
#ifndef GND_EMBED_NEAR_PAIRS_H
#define GND_EMBED_NEAR_PAIRS_H

#include "base/parallel.h"
#include "kern/csr.h"

typedef enum { GND_METRIC_EUCLID, GND_METRIC_HYPERBOLIC } gnd_metric;

typedef struct {
    const double *z; /* [n, 2] */
    int64_t n;
    gnd_metric metric;
} gnd_plane_points;

/* The pairs of points with a distance below rho, in both directions, as a pattern without loops.
 * rho is the midpoint of the n_pair-th and the next smallest of the n (n - 1) / 2 distances:
 * n_pair pairs are closer, or fewer if several have the n_pair-th distance. n_pair = 0: rho is 0
 * and the result is empty; n_pair >= all pairs: rho is infinite. Exact; memory for the result
 * and a table, not for all pairs. The same result for any pool. */
gnd_status gnd_latent_pairs(gnd_csr *out, double *rho, const gnd_plane_points *points,
                            int64_t n_pair, gnd_pool *pool, gnd_error *err);

#endif
