/* SPDX-License-Identifier: MIT
 * ridge.h - ridge regression of the classes. */
#ifndef GND_LABEL_RIDGE_H
#define GND_LABEL_RIDGE_H

#include "design_matrix.h"
#include "self_train.h"

/* score: [n, n_class] = Z Z_T^T (Z_T Z_T^T + RIDGE_PENALTY I)^-1 (Y - 1 / n_class)
 *
 * Z: [n, d] rows of all vertices; Z_T: [labels, d] those of the labelled; Y: [labels, n_class], 1
 * for the class of a label, else 0. The residual is at most tol of Y - 1 / n_class. Cost: two
 * products with Z_T per step, 10 to 40 steps with a tol of 1e-3, for any number of labels. */
gnd_status gnd_ridge(gnd_real *score, const gnd_design *z, const gnd_labelled *s, double tol,
                     gnd_pool *pool, gnd_error *err);

#endif
