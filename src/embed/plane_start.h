/* SPDX-License-Identifier: MIT
 * plane_start.h - where the points of a layout start. */
#ifndef GND_EMBED_PLANE_START_H
#define GND_EMBED_PLANE_START_H

#include "base/status.h"
#include "kern/real.h"

/* y: [n, 2], the first two principal components of the centred points x: [n, d], scaled so that
 * the first has a standard deviation of 1e-4. In each column the entry of largest magnitude is
 * positive. Noise of 1 % of that, by seed, separates points that coincide; points that all
 * coincide start at random. */
gnd_status gnd_plane_start_pca(gnd_real *y, const gnd_real *x, int64_t n, int64_t d, uint64_t seed,
                               gnd_error *err);
/* y: the layout `start`, [n, 2], centred and scaled likewise, with the same noise. */
gnd_status gnd_plane_start_from(gnd_real *y, const float *start, int64_t n, uint64_t seed,
                                gnd_error *err);

#endif
