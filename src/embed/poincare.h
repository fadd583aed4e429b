/* SPDX-License-Identifier: MIT
 * poincare.h - vertex coordinates in the Poincare disk, with linked vertices at small hyperbolic
 * distance. */
#ifndef GND_EMBED_POINCARE_H
#define GND_EMBED_POINCARE_H

#include "kern/csr.h"

/* arcosh(1 + 2 |u - v|^2 / ((1 - |u|^2)(1 - |v|^2))), for points inside the unit disk. */
double gnd_hyperbolic_distance(const double u[2], const double v[2]);

/* Coordinates z: [n, 2], all of norm below 1. Links are undirected; a vertex without links stays
 * near the origin. Sequential: the result depends only on the links and the seed. Cost: 11
 * distances per link and epoch. */
gnd_status gnd_poincare(double *z, const gnd_csr *adj, uint64_t seed, gnd_error *err);

#endif
