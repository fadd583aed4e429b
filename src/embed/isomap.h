/* SPDX-License-Identifier: MIT
 * isomap.h - vertex coordinates in the plane whose distances approximate hop distances. */
#ifndef GND_EMBED_ISOMAP_H
#define GND_EMBED_ISOMAP_H

#include "base/parallel.h"
#include "kern/csr.h"

/* The maximum number of vertices: larger graphs are refused, since n^2 bytes are needed (4.3
 * GB). */
enum { GND_ISOMAP_MAX = 65536 };

/* Coordinates z: [n, 2], columns by decreasing eigenvalue; in each column the first entry of
 * largest magnitude is positive. eigenvalue: the two largest, [2], may be NULL. Links are
 * undirected. The result has the same bits for any pool. Memory: n^2 bytes and a few dozen
 * vectors. */
gnd_status gnd_isomap(double *z, double *eigenvalue, const gnd_csr *adj, gnd_pool *pool,
                      gnd_error *err);

#endif
