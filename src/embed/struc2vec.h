/* SPDX-License-Identifier: MIT
 * struc2vec.h - vertices in the plane, those of like surroundings together wherever they are. */
#ifndef GND_EMBED_STRUC2VEC_H
#define GND_EMBED_STRUC2VEC_H

#include "base/parallel.h"
#include "kern/csr.h"

/* Coordinates z: [n, 2]. Links count both ways. Same bits for any pool. Cost: some 30 warpings of
 * five rings and 40000 updates of skip-gram a vertex; memory: about 2 kB and the rings of each. */
gnd_status gnd_struc2vec(double *z, const gnd_csr *adj, uint64_t seed, gnd_pool *pool,
                         gnd_error *err);

#endif
