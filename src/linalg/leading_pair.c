/* SPDX-License-Identifier: MIT
 * leading_pair.c - the largest eigenpair by Lanczos iteration; see the header. */
#include "leading_pair.h"

#include <math.h>
#include <stdbool.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "tridiag.h"

enum { CHECK_EVERY = 5, MAX_STEPS = 1000, FIRST_ROOM = 32 };

static double dot(const double *x, const double *y, int64_t n)
{
    double s = 0;

    for (int64_t i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}

/* x -= (q . x) q */
static void project_out(double *x, const double *q, int64_t n)
{
    const double c = dot(q, x, n);

    for (int64_t i = 0; i < n; i++)
        x[i] -= c * q[i];
}

typedef struct {
    double *q;           /* [room, n] */
    double *diag, *off;  /* [room] */
    double *value, *vec; /* eigenpairs of the tridiagonal matrix: [room], [room, room] */
    int64_t room;
} krylov;

static void krylov_fini(krylov *k)
{
    gnd_free(k->q);
    gnd_free(k->diag);
    gnd_free(k->off);
    gnd_free(k->value);
    gnd_free(k->vec);
}

static bool grow(double **p, int64_t n)
{
    double *more = gnd_realloc(*p, n, sizeof **p);

    if (more)
        *p = more;
    return more != NULL;
}

static gnd_status krylov_grow(krylov *k, int64_t n, gnd_error *err)
{
    const int64_t size = k->room ? 2 * k->room : FIRST_ROOM;

    if (!grow(&k->q, size * n) || !grow(&k->diag, size) || !grow(&k->off, size) ||
        !grow(&k->value, size) || !grow(&k->vec, size * size))
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vectors of %lld vertices",
                        (long long)size, (long long)n);
    k->room = size;
    return GND_OK;
}

/* Orthogonalises x against all earlier vectors, twice because one pass leaves rounding errors.
 * Returns the norm of x. */
static double orthogonalise(double *x, const gnd_leading *s, const krylov *k, int64_t steps)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int b = 0; b < s->n_lock; b++)
            project_out(x, s->lock[b], s->n);
        for (int64_t j = 0; j < steps; j++)
            project_out(x, k->q + j * s->n, s->n);
    }
    return sqrt(dot(x, x, s->n));
}

static void start_vector(double *x, const gnd_leading *s, const krylov *k)
{
    double norm;

    for (int64_t i = 0; i < s->n; i++)
        x[i] = gnd_rng_uniform(s->seed, (uint32_t)s->n_lock, (uint64_t)i) - 0.5;
    norm = orthogonalise(x, s, k, 0);
    for (int64_t i = 0; i < s->n; i++)
        x[i] = norm > 0 ? x[i] / norm : 0;
}

/* Step j, given q_j: computes diag[j], off[j] and, unless the space is exhausted, q_{j+1}.
 * Returns false if it is exhausted. */
static bool lanczos_step(const gnd_leading *s, krylov *k, double *w, int64_t j, double *scale)
{
    const int64_t n = s->n;

    s->product(w, k->q + j * n, s->arg);
    k->diag[j] = dot(w, k->q + j * n, n);
    k->off[j] = orthogonalise(w, s, k, j + 1);
    *scale = fmax(*scale, fmax(fabs(k->diag[j]), k->off[j]));
    if (j + 1 + s->n_lock >= n || k->off[j] <= 1e-14 * *scale)
        return false;
    for (int64_t i = 0; i < n; i++)
        k->q[(j + 1) * n + i] = w[i] / k->off[j];
    return true;
}

gnd_status gnd_leading_pair(double *value, double *vector, const gnd_leading *s, gnd_error *err)
{
    krylov basis = {0}, *k = &basis;
    const int64_t n = s->n;
    double scale = s->scale;
    gnd_status st = GND_OK;

    GND_TRY(krylov_grow(k, n, err));
    start_vector(k->q, s, k);
    for (int64_t j = 0;; j++) {
        bool more;

        if (j + 2 > k->room)
            GND_TRY(krylov_grow(k, n, err));
        more = lanczos_step(s, k, vector, j, &scale);
        if (more && j % CHECK_EVERY != CHECK_EVERY - 1)
            continue;
        GND_TRY(gnd_tridiag_eigen(k->value, k->vec, k->diag, k->off, j + 1, err));
        /* The residual of the pair is the residual norm of the last step times the last
         * component. */
        if (more && k->off[j] * fabs(k->vec[j * (j + 1) + j]) >
                        GND_LEADING_TOLERANCE * fmax(s->scale, k->value[j])) {
            if (j + 1 >= MAX_STEPS)
                GND_TRY(gnd_fail(err, GND_ERR_DIVERGED,
                                 "an eigenvector of %lld values did not converge in %d steps",
                                 (long long)n, MAX_STEPS));
            continue;
        }
        *value = k->value[j];
        for (int64_t i = 0; i < n; i++)
            vector[i] = 0;
        for (int64_t l = 0; l <= j; l++)
            for (int64_t i = 0; i < n; i++)
                vector[i] += k->vec[l * (j + 1) + j] * k->q[l * n + i];
        break;
    }
out:
    krylov_fini(k);
    return st;
}
