/* SPDX-License-Identifier: MIT
 * tridiag.c - eigenpairs of a symmetric tridiagonal matrix [n, n] by implicit QR iteration with
 * Wilkinson's shift.
 *
 * Plane rotations move the bulge of the shifted first column down the band, until the last
 * off-diagonal entry is negligible relative to its diagonal neighbours. Golub and Van Loan,
 * Matrix Computations, 4th ed., section 8.3. */
#include "tridiag.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"

enum { MAX_SWEEPS = 60 }; /* per eigenvalue; two or three are usual */

typedef struct {
    double *d, *e; /* [n] diagonal and [n] off-diagonal of the current matrix */
    double *v;     /* [n, n]; row j is the current j-th vector; NULL: no vectors */
    int64_t n;
} band;

/* Applies the rotation (c, s; -s, c) to rows k and k + 1 of v. */
static void rotate_rows(band *b, int64_t k, double c, double s)
{
    double *p = b->v + k * b->n, *q = p + b->n;

    for (int64_t i = 0; i < b->n; i++) {
        const double x = p[i], y = q[i];

        p[i] = c * x + s * y;
        q[i] = c * y - s * x;
    }
}

/* One sweep over the unreduced block lo .. hi. */
static void sweep(band *b, int64_t lo, int64_t hi)
{
    double *d = b->d, *e = b->e;
    const double half = (d[hi - 1] - d[hi]) / 2, last = e[hi - 1];
    const double shift = d[hi] - last * (last / (half + copysign(hypot(half, last), half)));
    double x = d[lo] - shift, z = e[lo];

    for (int64_t k = lo; k < hi; k++) {
        const double r = hypot(x, z), c = r > 0 ? x / r : 1, s = r > 0 ? z / r : 0;
        const double a = d[k], o = e[k], g = d[k + 1];

        if (k > lo)
            e[k - 1] = r;
        d[k] = c * c * a + 2 * c * s * o + s * s * g;
        d[k + 1] = s * s * a - 2 * c * s * o + c * c * g;
        e[k] = c * s * (g - a) + (c * c - s * s) * o;
        if (k + 1 < hi) {
            x = e[k];
            z = s * e[k + 1];
            e[k + 1] *= c;
        }
        if (b->v)
            rotate_rows(b, k, c, s);
    }
}

static bool negligible(const band *b, int64_t k)
{
    return fabs(b->e[k]) <= DBL_EPSILON * (fabs(b->d[k]) + fabs(b->d[k + 1])) + DBL_MIN;
}

/* Sweeps until all of e is negligible. Returns false if an entry is not finite. */
static bool diagonalise(band *b)
{
    int64_t hi = b->n - 1;
    int tries = 0;

    while (hi > 0) {
        int64_t lo = hi;

        while (lo > 0 && !negligible(b, lo - 1))
            lo--;
        if (lo == hi) {
            hi--;
            tries = 0;
            continue;
        }
        if (tries++ == MAX_SWEEPS)
            return false;
        sweep(b, lo, hi);
    }
    return true;
}

/* Sorts the values in ascending order, with their vectors. */
static void sort_pairs(band *b)
{
    for (int64_t i = 0; i < b->n; i++) {
        int64_t least = i;
        double t;

        for (int64_t j = i + 1; j < b->n; j++)
            if (b->d[j] < b->d[least])
                least = j;
        t = b->d[i];
        b->d[i] = b->d[least];
        b->d[least] = t;
        for (int64_t k = 0; b->v && least != i && k < b->n; k++) {
            t = b->v[i * b->n + k];
            b->v[i * b->n + k] = b->v[least * b->n + k];
            b->v[least * b->n + k] = t;
        }
    }
}

static void transpose(double *v, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++) {
            const double t = v[i * n + j];

            v[i * n + j] = v[j * n + i];
            v[j * n + i] = t;
        }
}

gnd_status gnd_tridiag_eigen(double *value, double *vector, const double *diag, const double *off,
                             int64_t n, gnd_error *err)
{
    double *e = gnd_alloc(n, sizeof *e);
    band b = {.d = value, .e = e, .v = vector, .n = n};
    gnd_status st = GND_OK;

    if (!e)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a tridiagonal matrix of %lld rows",
                         (long long)n));
    for (int64_t i = 0; i < n; i++) {
        value[i] = diag[i];
        if (i + 1 < n)
            e[i] = off[i];
        if (!isfinite(diag[i]) || !isfinite(e[i]))
            GND_TRY(gnd_fail(err, GND_ERR_DIVERGED,
                             "row %lld of a tridiagonal matrix is not finite", (long long)i));
    }
    if (vector) {
        memset(vector, 0, (size_t)(n * n) * sizeof *vector);
        for (int64_t i = 0; i < n; i++)
            vector[i * n + i] = 1;
    }
    if (!diagonalise(&b))
        GND_TRY(gnd_fail(err, GND_ERR_DIVERGED,
                         "the eigenvalues of a tridiagonal matrix of %lld rows did not converge",
                         (long long)n));
    sort_pairs(&b);
    if (vector)
        transpose(vector, n);
out:
    gnd_free(e);
    return st;
}
