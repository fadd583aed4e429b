/* SPDX-License-Identifier: MIT
 * struc2vec.h - vertex coordinates in the plane, with vertices of similar neighbourhood
 * structure close together. */
#ifndef GND_EMBED_STRUC2VEC_H
#define GND_EMBED_STRUC2VEC_H

#include "base/parallel.h"
#include "kern/csr.h"

/* Coordinates z: [n, 2]. Links are undirected. The result has the same bits for any pool. Cost
 * per vertex: about 30 warpings of five rings and 40000 updates of skip-gram. Memory per vertex:
 * about 2 kB and its rings. */
gnd_status gnd_struc2vec(double *z, const gnd_csr *adj, uint64_t seed, gnd_pool *pool,
                         gnd_error *err);

#endif
