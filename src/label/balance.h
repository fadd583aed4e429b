/* SPDX-License-Identifier: MIT
 * balance.h - class weights that raise the expected macro-F1 of a labelling. */
#ifndef GND_LABEL_BALANCE_H
#define GND_LABEL_BALANCE_H

#include "base/status.h"
#include "kern/real.h"

/* weight: [C] by which to multiply the class probabilities p: [n, C], rows of sum 1, so that the
 * argmax of the rows has a larger expected macro-F1. Rows where skip is 1 do not count. Cost: C^2
 * for each of at most 2 BALANCE_ROWS rows and BALANCE_ROUNDS. */
gnd_status gnd_balance_weights(double *weight, const gnd_real *p, int64_t n, int64_t n_class,
                               const unsigned char *skip, gnd_error *err);

/* Multiply the columns of p: [n, C] by weight: [C] and make rows of sum 1. Returns the accuracy to
 * expect of the new argmax, by the old probabilities, where skip is 0; NAN if it is nowhere. */
double gnd_balance_apply(gnd_real *p, int64_t n, int64_t n_class, const double *weight,
                         const unsigned char *skip);

#endif
