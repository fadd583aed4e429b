/* SPDX-License-Identifier: MIT
 * lanczos.h - Krylov bases of a symmetric operator with full re-orthogonalisation, in double. */
#ifndef GND_LINALG_LANCZOS_H
#define GND_LINALG_LANCZOS_H

#include "kern/csr.h"

/* An orthonormal basis q_0 .. q_{m-1} in which A is tridiagonal; each step adds a vector. All
 * vectors are orthogonal to those in `lock`, which are borrowed. */
typedef struct {
    const gnd_csr *a; /* [n, n], symmetric */
    int64_t n, m, cap;
    double *q;          /* [cap + 1, n]; row m is the next vector if off[m - 1] is not 0 */
    double *diag, *off; /* [cap]; off[j] couples j and j + 1, the last one is the residual norm */
    double *h;          /* [cap + 1 + n_lock] scratch */
    const double *lock; /* [n_lock, n], orthonormal */
    int64_t n_lock;
    int passes; /* Gram-Schmidt passes over the whole basis per step: 1 or 2 (set by init) */
} gnd_krylov;

gnd_status gnd_krylov_init(gnd_krylov *k, const gnd_csr *a, int64_t cap, const double *lock,
                           int64_t n_lock, gnd_error *err);
void gnd_krylov_fini(gnd_krylov *k);
/* Starts a new basis from `start` [n] minus its projection on the locked vectors. Returns false
 * if that is 0. */
bool gnd_krylov_start(gnd_krylov *k, const double *start);
/* One product with A, m < cap. Returns the residual norm off[m - 1]; the caller decides whether
 * it is 0. */
double gnd_krylov_step(gnd_krylov *k);

/* The result of k Lanczos steps. If done < k, all entries beyond `done` are 0. */
typedef struct {
    int64_t n, k, done; /* k: steps requested, done: steps taken */
    double *diag, *off; /* [k] */
    double *q;          /* [k, n]: row j is the j-th Lanczos vector */
    double *value;      /* [k] Ritz values, ascending */
    double *vector;     /* [n, k]: column j belongs to value[j]; signs are arbitrary */
} gnd_lanczos;

/* k steps from start [n] (not 0) with two Gram-Schmidt passes. Stops early if the residual norm
 * falls below 1e-4. A single start finds one vector of each distinct eigenvalue. l is
 * overwritten. Cost: k nnz + 4 k^2 n. */
gnd_status gnd_lanczos_init(gnd_lanczos *l, const gnd_csr *a, const double *start, int64_t k,
                            gnd_error *err);
void gnd_lanczos_fini(gnd_lanczos *l);

#endif
