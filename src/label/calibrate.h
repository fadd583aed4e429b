/* SPDX-License-Identifier: MIT
 * calibrate.h - probabilities as sure as they deserve. */
#ifndef GND_LABEL_CALIBRATE_H
#define GND_LABEL_CALIBRATE_H

#include "base/parallel.h"
#include "kern/real.h"

/* Mean of the largest share of the rows of p: [n, C], of those where skip (NULL: none) is 0. NAN if
 * there are none. */
double gnd_confidence(const gnd_real *p, int64_t n, int64_t n_class, const unsigned char *skip);

/* p <- p^b, rows sum to 1 again, with the b for which gnd_confidence is target; 1/32 <= b <= 32.
 * The most probable class of a row stays, and so does the order of certainty of rows that have two
 * classes. Returns b; 1, and p as it was, if all rows are skipped. */
double gnd_calibrate_to(gnd_real *p, int64_t n, int64_t n_class, const unsigned char *skip,
                        double target, gnd_pool *pool);

#endif
