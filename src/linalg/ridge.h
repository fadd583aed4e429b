/* SPDX-License-Identifier: MIT
 * ridge.h - ridge regression of classes on the rows of a design matrix. */
#ifndef GND_LINALG_RIDGE_H
#define GND_LINALG_RIDGE_H

#include "design_matrix.h"

/* Lists are borrowed. */
typedef struct {
    const int32_t *row, *cls; /* [n] rows whose class is known, and the class */
    int64_t n, n_class;
    double penalty;
    double tol; /* residual, relative to the right-hand side Y - 1 / n_class */
} gnd_ridge_opts;

/* score: [rows of Z, n_class] = Z Z_T^T (Z_T Z_T^T + penalty I)^-1 (Y - 1 / n_class)
 *
 * Z: [rows, d]; Z_T: [n, d] its rows of known class; Y: [n, n_class], 1 for the class of a row,
 * else 0. Cost: two products with Z_T per step, 10 to 40 steps with a tol of 1e-3, for any n. Same
 * bits for any number of threads. */
gnd_status gnd_ridge(gnd_real *score, const gnd_design *z, const gnd_ridge_opts *o, gnd_pool *pool,
                     gnd_error *err);

#endif
