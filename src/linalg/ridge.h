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
    /* Z_K Z_K^T of some rows of Z, in which known row i is number at[i]: [n_kernel, n_kernel], of
     * gnd_ridge_kernel. Then steps cost no product with Z. NULL: none. */
    const gnd_real *kernel;
    const int32_t *at; /* [n] */
    int64_t n_kernel;
} gnd_ridge_opts;

/* score: [rows of Z, n_class] = Z Z_T^T (Z_T Z_T^T + penalty I)^-1 (Y - 1 / n_class)
 *
 * Z: [rows, d]; Z_T: [n, d] its rows of known class; Y: [n, n_class], 1 for the class of a row,
 * else 0. Cost: two products with Z_T per step, 10 to 40 steps with a tol of 1e-3, for any n. Same
 * bits for any number of threads. */
gnd_status gnd_ridge(gnd_real *score, const gnd_design *z, const gnd_ridge_opts *o, gnd_pool *pool,
                     gnd_error *err);

/* kernel: [n, n] of the n listed rows. Cost: two products with Z of n columns. */
gnd_status gnd_ridge_kernel(gnd_real *kernel, const gnd_design *z, const int32_t *row, int64_t n,
                            gnd_pool *pool, gnd_error *err);
/* score: [n_kernel, n_class] as above, of the rows of o->kernel alone. */
gnd_status gnd_ridge_known(gnd_real *score, const gnd_ridge_opts *o, gnd_pool *pool,
                           gnd_error *err);

#endif
