/* SPDX-License-Identifier: MIT
 * calibrate.h - probabilities whose mean confidence is a given accuracy. */
#ifndef GND_LABEL_CALIBRATE_H
#define GND_LABEL_CALIBRATE_H

#include "base/parallel.h"
#include "kern/real.h"

/* Mean confidence: of the largest entry of the rows of p: [n, C] where skip (NULL: none) is 0. NAN
 * if there are none. */
double gnd_confidence(const gnd_real *p, int64_t n, int64_t n_class, const unsigned char *skip);

/* p <- p^b, rows of sum 1, with the b for which gnd_confidence is `target`, 1 / CALIBRATE_POWER_MAX
 * to CALIBRATE_POWER_MAX. The argmax of a row stays. Returns b; 1, and p unchanged, if all rows are
 * skipped. */
double gnd_calibrate_to(gnd_real *p, int64_t n, int64_t n_class, const unsigned char *skip,
                        double target, gnd_pool *pool);

#endif
