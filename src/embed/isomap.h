/* SPDX-License-Identifier: MIT
 * isomap.h - vertices in the plane such that distances there are like hop distances. */
#ifndef GND_EMBED_ISOMAP_H
#define GND_EMBED_ISOMAP_H

#include "base/parallel.h"
#include "kern/csr.h"

/* Above this the n^2 bytes of distances are refused (4.3 GB). */
enum { GND_ISOMAP_MAX = 65536 };

/* Coordinates z: [n, 2], columns by falling eigenvalue; in each, the first entry of largest
 * magnitude is positive. eigenvalue: the two largest, [2], may be NULL. Links count both ways.
 * Same bits for any pool. Memory: n^2 bytes and a few dozen vectors. */
gnd_status gnd_isomap(double *z, double *eigenvalue, const gnd_csr *adj, gnd_pool *pool,
                      gnd_error *err);

#endif
