/* SPDX-License-Identifier: MIT
 * eigen_top.h - the ends of the spectrum of a symmetric operator. */
#ifndef GND_LINALG_EIGEN_TOP_H
#define GND_LINALG_EIGEN_TOP_H

#include "kern/csr.h"

/* What is computed: k pairs to the tolerance tol (<= 0: 1e-8) from start vectors by seed. */
typedef struct {
    int64_t k;
    double tol;
    uint64_t seed;
} gnd_eigen_want;
/* The k eigenpairs of largest |value| of a symmetric a: [n, n], each as often as it is there, by
 * residual |A v - value v| <= tol times |value[0]|. value: [k], falling |value|;
 * vector: [n, k], orthonormal columns. Both are the caller's. 1 <= k <= n. Within an eigenspace
 * the vectors are a function of seed. GND_ERR_DIVERGED if they do not settle. */
gnd_status gnd_eigen_top(double *value, double *vector, const gnd_csr *a, const gnd_eigen_want *w,
                         gnd_error *err);

/* The largest eigenvalue of a normalised Laplacian to 1e-9, for ChebyNet. symmetric false: 2, which
 * bounds it, since the iteration would have no meaning. */
gnd_status gnd_lambda_max(double *out, const gnd_csr *ln, bool symmetric, gnd_error *err);

#endif
