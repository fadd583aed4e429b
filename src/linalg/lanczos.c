/* SPDX-License-Identifier: MIT
 * lanczos.c - the Lanczos process with full re-orthogonalisation.
 *
 *     A Q = Q T + off[m-1] q_m e^T,   T tridiagonal, T = B diag(value) B^T,   vector = Q B
 *     A: [n, n]   Q: [n, m]   T, B: [m, m]
 *
 * Rounding errors make new vectors lose orthogonality to converged ones, so each new vector is
 * orthogonalised against all earlier ones. After two passes only rounding error is left. Golub
 * and Van Loan, Matrix Computations, 4th ed., chapter 10. */
#include "lanczos.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "tridiag.h"

static const double off_min =
    1e-4; /* below this norm, the direction of the residual is rounding error */

enum { LANES = 8 }; /* independent partial sums, so that additions do not wait for each other */

static double dot(const double *x, const double *y, int64_t n)
{
    double lane[LANES] = {0}, sum = 0;
    int64_t i = 0;

    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < LANES; k++)
            lane[k] += x[i + k] * y[i + k];
    for (; i < n; i++)
        sum += x[i] * y[i];
    for (int k = 0; k < LANES; k++)
        sum += lane[k];
    return sum;
}

static void axpy(double *restrict y, double c, const double *restrict x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += c * x[i];
}

gnd_status gnd_krylov_init(gnd_krylov *k, const gnd_csr *a, int64_t cap, const double *lock,
                           int64_t n_lock, gnd_error *err)
{
    const int64_t n = a->n_row;

    *k = (gnd_krylov){.a = a, .n = n, .cap = cap, .lock = lock, .n_lock = n_lock};
    k->passes = 2;
    if (n != a->n_col)
        return gnd_fail(err, GND_ERR_SHAPE, "Lanczos on a matrix %lld x %lld; expected square",
                        (long long)n, (long long)a->n_col);
    if (n > 0 && cap >= INT64_MAX / n)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld Lanczos vectors", (long long)cap);
    k->q = gnd_alloc((cap + 1) * n, sizeof *k->q);
    k->diag = gnd_alloc(cap, sizeof *k->diag);
    k->off = gnd_alloc(cap, sizeof *k->off);
    k->h = gnd_alloc(cap + 1 + n_lock, sizeof *k->h);
    if (k->q && k->diag && k->off && k->h)
        return GND_OK;
    gnd_krylov_fini(k);
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld Lanczos vectors of %lld vertices",
                    (long long)cap, (long long)n);
}

void gnd_krylov_fini(gnd_krylov *k)
{
    gnd_free(k->q);
    gnd_free(k->diag);
    gnd_free(k->off);
    gnd_free(k->h);
    *k = (gnd_krylov){0};
}

/* Subtracts from w its projections on the locked vectors and on q_0 .. q_{m-1}, `passes` times. */
static void orthogonalise(gnd_krylov *k, double *w, int64_t m, int passes)
{
    for (int pass = 0; pass < passes; pass++) {
        for (int64_t i = 0; i < k->n_lock; i++)
            k->h[i] = dot(k->lock + i * k->n, w, k->n);
        for (int64_t i = 0; i < m; i++)
            k->h[k->n_lock + i] = dot(k->q + i * k->n, w, k->n);
        for (int64_t i = 0; i < k->n_lock; i++)
            axpy(w, -k->h[i], k->lock + i * k->n, k->n);
        for (int64_t i = 0; i < m; i++)
            axpy(w, -k->h[k->n_lock + i], k->q + i * k->n, k->n);
    }
}

bool gnd_krylov_start(gnd_krylov *k, const double *start)
{
    const double before = sqrt(dot(start, start, k->n));
    double left;

    k->m = 0;
    memcpy(k->q, start, (size_t)k->n * sizeof *k->q);
    orthogonalise(k, k->q, 0, 2);
    left = sqrt(dot(k->q, k->q, k->n));
    if (!(left > 1e-10 * before) || !isfinite(left))
        return false;
    for (int64_t i = 0; i < k->n; i++)
        k->q[i] /= left;
    return true;
}

double gnd_krylov_step(gnd_krylov *k)
{
    const gnd_csr *a = k->a;
    const int64_t j = k->m++;
    const double *q = k->q + j * k->n;
    double *w = k->q + (j + 1) * k->n, norm;

    for (int64_t i = 0; i < k->n; i++) {
        double sum = 0;

        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
            sum += (double)gnd_csr_val(a, p) * q[a->col[p]];
        w[i] = sum;
    }
    k->diag[j] = dot(q, w, k->n);
    /* After the three-term recurrence only rounding error is left to remove, so one pass may
     * suffice. */
    axpy(w, -k->diag[j], q, k->n);
    if (j > 0)
        axpy(w, -k->off[j - 1], q - k->n, k->n);
    orthogonalise(k, w, j + 1, k->passes);
    norm = k->off[j] = sqrt(dot(w, w, k->n));
    for (int64_t i = 0; norm > 0 && i < k->n; i++)
        w[i] /= norm;
    return norm;
}

/* Computes value and vector from a basis of m vectors. b: [m, m] scratch. */
static gnd_status ritz(gnd_lanczos *l, const gnd_krylov *k, double *b, gnd_error *err)
{
    const int64_t m = k->m;
    const gnd_status st = gnd_tridiag_eigen(l->value, b, k->diag, k->off, m, err);

    if (st != GND_OK)
        return st;
    for (int64_t i = 0; i < k->n; i++)
        for (int64_t s = 0; s < m; s++)
            axpy(l->vector + i * l->k, k->q[s * k->n + i], b + s * m, m);
    return GND_OK;
}

gnd_status gnd_lanczos_init(gnd_lanczos *l, const gnd_csr *a, const double *start, int64_t k,
                            gnd_error *err)
{
    gnd_krylov w = {0};
    double *b = NULL;
    gnd_status st;

    *l = (gnd_lanczos){.n = a->n_row, .k = k};
    if (k < 1 || k > 10000)
        GND_TRY(
            gnd_fail(err, GND_ERR_ARG, "%lld Lanczos steps; expected 1 to 10000", (long long)k));
    GND_TRY(gnd_krylov_init(&w, a, k, NULL, 0, err));
    b = gnd_alloc(k * k, sizeof *b);
    l->value = gnd_alloc(k, sizeof *l->value);
    l->vector = gnd_alloc(w.n * k, sizeof *l->vector);
    if (!b || !l->value || !l->vector)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld Ritz vectors", (long long)k));
    if (!gnd_krylov_start(&w, start))
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "the start vector of Lanczos is 0 or not finite"));
    while (w.m < k && !(gnd_krylov_step(&w) < off_min))
        continue;
    GND_TRY(ritz(l, &w, b, err));
    l->done = w.m;
    memset(w.q + w.m * w.n, 0, (size_t)((k + 1 - w.m) * w.n) * sizeof *w.q);
    l->q = w.q; /* ownership moves to l */
    l->diag = w.diag;
    l->off = w.off;
    w.q = w.diag = w.off = NULL;
out:
    gnd_krylov_fini(&w);
    gnd_free(b);
    if (st != GND_OK)
        gnd_lanczos_fini(l);
    return st;
}

void gnd_lanczos_fini(gnd_lanczos *l)
{
    gnd_free(l->diag);
    gnd_free(l->off);
    gnd_free(l->q);
    gnd_free(l->value);
    gnd_free(l->vector);
    *l = (gnd_lanczos){0};
}
