/* SPDX-License-Identifier: MIT
 * neighbours.h - the nearest neighbours of points, found exactly. */
#ifndef GND_EMBED_NEIGHBOURS_H
#define GND_EMBED_NEIGHBOURS_H

#include "base/parallel.h"
#include "base/status.h"
#include "kern/real.h"

/* The k nearest other points of each of n points. */
typedef struct {
    int64_t n, k;
    int32_t *index; /* [n, k] by growing distance; points at equal distances in a fixed order */
    float *square;  /* [n, k] squared distances */
} gnd_neighbours;

/* What to find: the k nearest, 0 <= k < n, of the points x: [n, d], which are finite and have
 * squared distances below the largest float. */
typedef struct {
    const gnd_real *x;
    int64_t n, d, k;
} gnd_neighbours_of;

/* The same bits for any pool. Cost: n^2 d. */
gnd_status gnd_neighbours_init(gnd_neighbours *out, const gnd_neighbours_of *of, gnd_pool *pool,
                               gnd_error *err);
void gnd_neighbours_fini(gnd_neighbours *nb);

#endif
