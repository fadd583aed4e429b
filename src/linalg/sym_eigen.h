/* SPDX-License-Identifier: MIT
 * sym_eigen.h - small symmetric matrices in double: Cholesky factor and eigenpairs. */
#ifndef GND_LINALG_SYM_EIGEN_H
#define GND_LINALG_SYM_EIGEN_H

#include <stdint.h>

#include "base/status.h"

/* a = L L^T in place: [n, n] row-major, positive semi-definite. Reads the lower triangle and
 * writes L with zeros above. A pivot below tol times the largest diagonal entry (a linearly
 * dependent column) sets its column of L to zero. Returns the number of such columns. */
int64_t gnd_cholesky(double *a, int64_t n, double tol);
/* b = L^-1 b and b = L^-T b for the m columns of b: [n, m]. Rows of b that belong to a zero
 * column of L become 0. */
void gnd_solve_lower(double *b, const double *l, int64_t n, int64_t m);
void gnd_solve_lower_t(double *b, const double *l, int64_t n, int64_t m);

/* a = V diag(value) V^T for a symmetric a: [n, n], which is overwritten. value: [n], descending;
 * vector: V, [n, n] row-major, column j belongs to value[j], its largest entry is positive.
 * GND_ERR_DIVERGED if an entry is not finite. Cost: O(n^3). */
gnd_status gnd_small_eigen(double *value, double *vector, double *a, int64_t n, gnd_error *err);

#endif
