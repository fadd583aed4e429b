/* SPDX-License-Identifier: MIT
 * facility_location.h - a few points that represent all others. */
#ifndef GND_LABEL_FACILITY_LOCATION_H
#define GND_LABEL_FACILITY_LOCATION_H

#include "base/parallel.h"
#include "constants.h"
#include "linalg/diffused_pca.h"

typedef struct {
    int64_t k;               /* points to choose, at most GND_FACILITY_MAX */
    const double *weight;    /* [n] weight of a point to be represented; NULL: all 1 */
    const int32_t *existing; /* [n_existing] points that represent others already */
    int64_t n_existing;
    const unsigned char *excluded; /* [n] 1: not to be chosen; NULL: none */
    uint64_t seed;                 /* of the samples on large sets */
} gnd_facility_opts;

/* Lists are the caller's. */
typedef struct {
    int32_t *chosen;  /* [k] points, in the order of choice */
    double *coverage; /* [k] share of the points that are closest to it, 0..1 */
    int64_t n;        /* how many: k, or fewer if there are no more candidates */
} gnd_facilities;

/* Greedy facility location: choose, one after the other, the point s that maximises
 *
 *     sum_i w_i max(c_i, z_i . z_s),    c_i >= 0: largest cosine of i to a point chosen already
 *
 * which is within 1 - 1/e of the best choice (Nemhauser, Wolsey and Fisher 1978). At most
 * GND_FACILITY_MAX points are candidates and as many are to be represented, drawn evenly from
 * larger sets. z: [n, r], rows of length 1. */
gnd_status gnd_facility_location(gnd_facilities *out, const gnd_points *z,
                                 const gnd_facility_opts *o, gnd_pool *pool, gnd_error *err);

#endif
