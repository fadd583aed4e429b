/* SPDX-License-Identifier: MIT
 * facility_location.h - a few points that stand for all. */
#ifndef GND_LABEL_FACILITY_LOCATION_H
#define GND_LABEL_FACILITY_LOCATION_H

#include "base/parallel.h"
#include "constants.h"
#include "diffused_pca.h"

typedef struct {
    int64_t k;               /* how many to choose, GND_FACILITY_MAX at most */
    const double *weight;    /* [n] how much it matters that a point is close to one; NULL: alike */
    const int32_t *existing; /* [n_taken] points that stand already */
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

/* Choose, one after the other, the point whose presence brings the others closest:
 *
 *     max over s of  sum_i w_i max(c_i, z_i . z_s),    c_i: how close i is to one that stands, >= 0
 *
 * which is within 1 - 1/e of the best choice (Nemhauser, Wolsey and Fisher 1978). Up to 2,000
 * points are candidates and up to 2,000 are asked, drawn evenly on larger sets. chosen: [k];
 * stands: [k] share of the points that are closest to it of all that stand, 0..1. *n_chosen: k, or
 * fewer if there are no more candidates. */
gnd_status gnd_facility_location(gnd_facilities *out, const gnd_points *z,
                                 const gnd_facility_opts *o, gnd_pool *pool, gnd_error *err);

#endif
