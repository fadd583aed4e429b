/* SPDX-License-Identifier: MIT
 * leading_pair.h - the largest eigenvalue of a symmetric operator that is given as a function. */
#ifndef GND_LINALG_LEADING_PAIR_H
#define GND_LINALG_LEADING_PAIR_H

#include <stdint.h>

#include "base/status.h"

/* A symmetric operator, restricted to the complement of some orthonormal vectors. */
typedef struct {
    int64_t n;
    void (*product)(double *y, const double *x, void *arg); /* y = A x;  x, y: [n] */
    void *arg;
    double *const *lock; /* [n_lock] pointers to [n]: the locked vectors */
    int n_lock;
    double scale; /* the norm of A if it is known, else 0: residuals are relative to it */
    uint64_t seed;
} gnd_leading;

/* The largest eigenvalue of the operator and its vector [n] of norm 1, by Lanczos iteration with
 * full re-orthogonalisation, to a residual of GND_LEADING_TOLERANCE times the larger of scale
 * and the eigenvalue. A call finds one vector of a repeated eigenvalue: for the next pair, lock
 * this one and call again. GND_ERR_DIVERGED if it does not converge. Cost: one product per step,
 * and 4 n per pair of steps. */
#define GND_LEADING_TOLERANCE 1e-12
gnd_status gnd_leading_pair(double *value, double *vector, const gnd_leading *a, gnd_error *err);

#endif
