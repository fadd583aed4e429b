/* SPDX-License-Identifier: MIT
 * calibrate.h - probabilities whose mean confidence is a given accuracy. */
#ifndef GND_LABEL_CALIBRATE_H
#define GND_LABEL_CALIBRATE_H

#include "base/parallel.h"
#include "kern/numbers.h"
#include "kern/real.h"

enum { GND_CALIBRATE_POWER_MAX = 32 }; /* largest exponent, and the inverse of the smallest */

/* Rows of probabilities of n vertices. */
typedef struct {
    int64_t n, n_class;
    const unsigned char *skip; /* [n] 1: the row does not count; NULL: all do */
    gnd_numbers at;            /* of the vertices */
} gnd_calibrate_rows;

/* p <- p^b, rows of sum 1, with the b for which the mean confidence is `target`, or the nearest to
 * it in range. Confidence is the largest entry of a row of p: [n, C]. The argmax of a row stays.
 * *power: b; 1, and p unchanged, if no row counts. */
gnd_status gnd_calibrate_to(double *power, gnd_real *p, double target, const gnd_calibrate_rows *o,
                            gnd_pool *pool, gnd_error *err);

#endif
