/* SPDX-License-Identifier: MIT
 * normalise.h - points centred and scaled, for functions that depend on neither. */
#ifndef GND_EMBED_NORMALISE_H
#define GND_EMBED_NORMALISE_H

#include "base/status.h"
#include "kern/real.h"

enum { GND_POINTS_MAX = 1 << 30 };

/* GND_ERR_ARG unless there are 1 to GND_POINTS_MAX points of at least one number, all finite. what:
 * "t-SNE", for the message. */
gnd_status gnd_points_check(const gnd_point_rows *x, const char *what, gnd_error *err);

/* *out: the points less their mean, [n, d], divided by the largest magnitude, so that sums of
 * squares neither overflow nor vanish. The caller frees it. */
gnd_status gnd_points_normalise(gnd_real **out, const gnd_point_rows *x, gnd_error *err);

#endif
