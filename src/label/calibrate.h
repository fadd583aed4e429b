/* SPDX-License-Identifier: MIT
 * calibrate.h - probabilities whose mean confidence is a given accuracy. */
#ifndef GND_LABEL_CALIBRATE_H
#define GND_LABEL_CALIBRATE_H

#include "base/parallel.h"
#include "kern/real.h"

enum { GND_CALIBRATE_POWER_MAX = 32 }; /* largest exponent, and the inverse of the smallest */

/* p <- p^b, rows of sum 1, with the b for which the mean confidence is `target`, or the nearest to
 * it in range. Confidence is the largest entry of a row of p: [n, C]; rows where skip (NULL: none)
 * is 1 do not count. The argmax of a row stays. Returns b; 1, and p unchanged, if all rows are
 * skipped. */
double gnd_calibrate_to(gnd_real *p, int64_t n, int64_t n_class, const unsigned char *skip,
                        double target, gnd_pool *pool);

#endif
