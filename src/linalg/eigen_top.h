/* SPDX-License-Identifier: MIT
 * eigen_top.h - eigenpairs of largest |value| of a sparse symmetric operator. */
#ifndef GND_LINALG_EIGEN_TOP_H
#define GND_LINALG_EIGEN_TOP_H

#include "kern/csr.h"

/* k pairs to the tolerance tol (<= 0: 1e-8), from random start vectors by seed. */
typedef struct {
    int64_t k;
    double tol;
    uint64_t seed;
} gnd_eigen_want;
/* The k eigenpairs of largest |value| of a symmetric a: [n, n], with multiplicities, to a
 * residual |A v - value v| <= tol |value[0]|. value: [k], by decreasing |value|; vector: [n, k],
 * orthonormal columns; the caller allocates both. 1 <= k <= n. Within an eigenspace the vectors
 * depend on seed. GND_ERR_DIVERGED if they do not converge. */
gnd_status gnd_eigen_top(double *value, double *vector, const gnd_csr *a, const gnd_eigen_want *w,
                         gnd_error *err);

/* The largest eigenvalue of a normalised Laplacian to 1e-9, for ChebyNet. If symmetric is false,
 * returns the upper bound 2, since Lanczos requires a symmetric matrix. */
gnd_status gnd_lambda_max(double *out, const gnd_csr *ln, bool symmetric, gnd_error *err);

#endif
