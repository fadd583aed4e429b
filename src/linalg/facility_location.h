/* SPDX-License-Identifier: MIT
 * facility_location.h - a few points that represent all others. */
#ifndef GND_LINALG_FACILITY_LOCATION_H
#define GND_LINALG_FACILITY_LOCATION_H

#include "diffused_pca.h"

/* Lists are borrowed. */
typedef struct {
    int64_t k;                /* points to choose */
    const int32_t *existing;  /* [n_existing] points that represent others already */
    const int32_t *candidate; /* [n_candidate] points that may be chosen, each once */
    int64_t n_existing, n_candidate;
    double similar; /* cosine from which two points are similar */
} gnd_facility_opts;

/* Lists are the caller's. */
typedef struct {
    int32_t *chosen;  /* [k] points, in the order of choice */
    double *coverage; /* [k] share of the points that are closest to it, 0..1 */
    int64_t n;        /* how many: k, or fewer if there are no more candidates */
    double similar;   /* share of the points that are similar to an existing or chosen one, 0..1 */
} gnd_facilities;

/* Greedy facility location: choose, one after the other, the candidate s of largest gain
 *
 *     g(s) = sum_i w_i max(0, z_i . z_s - c_i),   c_i >= 0: largest cosine of i to a chosen point
 *
 * which is within 1 - 1/e of the best choice (Nemhauser, Wolsey and Fisher 1978); of equal ones the
 * first. A gain never rises, so only the largest known ones are computed again (Minoux 1978). z:
 * [n, r], rows of length 1 or less, r at most 256. Cost: n r (n_candidate + n_existing), and for
 * each choice n r times a part of n_candidate. Same bits for any number of threads. */
gnd_status gnd_facility_location(gnd_facilities *out, const gnd_points *z,
                                 const gnd_facility_opts *o, gnd_pool *pool, gnd_error *err);

#endif
