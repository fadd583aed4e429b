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
    int32_t *index; /* [n, k] by growing distance; of equal distances the lower index first */
    float *square;  /* [n, k] squared distances */
} gnd_neighbours;

/* x: [n, d], finite, with squared distances below the largest float; 0 <= k < n. The same bits for
 * any pool. Cost: n^2 d. */
gnd_status gnd_neighbours_init(gnd_neighbours *out, const gnd_real *x, int64_t n, int64_t d,
                               int64_t k, gnd_pool *pool, gnd_error *err);
void gnd_neighbours_fini(gnd_neighbours *nb);

#endif
