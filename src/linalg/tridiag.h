/* SPDX-License-Identifier: MIT
 * tridiag.h - eigenvalues and eigenvectors of a small symmetric tridiagonal matrix. */
#ifndef GND_LINALG_TRIDIAG_H
#define GND_LINALG_TRIDIAG_H

#include <stdint.h>

#include "base/status.h"

/* T = V diag(value) V^T for the T with diagonal diag: [n] and off[i] at (i, i + 1); off: [n -
 * 1], later entries are not read. value: [n], ascending. vector: V, [n, n] row-major, column j
 * belongs to value[j]; the columns are orthonormal, with arbitrary signs; NULL: values only.
 * GND_ERR_DIVERGED if an entry is not finite; the outputs are then undefined. Cost: O(n^3), or
 * O(n^2) without vectors. */
gnd_status gnd_tridiag_eigen(double *value, double *vector, const double *diag, const double *off,
                             int64_t n, gnd_error *err);

#endif
