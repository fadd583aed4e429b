/* SPDX-License-Identifier: MIT
 * sym_eigen.c - Cholesky factorisation, and eigenpairs by Householder tridiagonalisation, of small
 * symmetric matrices [n, n].
 *
 * Golub and Van Loan, Matrix Computations, 4th ed., sections 4.2 and 8.3. */
#include "sym_eigen.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "tridiag.h"

static double dot(const double *x, const double *y, int64_t n)
{
    double s = 0;

    for (int64_t i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}

static void axpy(double *y, double c, const double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += c * x[i];
}

/* ---- Cholesky ---- */

int64_t gnd_cholesky(double *a, int64_t n, double tol)
{
    double top = 0;
    int64_t n_null = 0;

    for (int64_t i = 0; i < n; i++)
        top = fmax(top, a[i * n + i]);
    for (int64_t i = 0; i < n; i++) {
        double *row = a + i * n;

        for (int64_t j = 0; j < i; j++) {
            const double pivot = a[j * n + j];

            row[j] = pivot > 0 ? (row[j] - dot(row, a + j * n, j)) / pivot : 0;
        }
        row[i] -= dot(row, row, i);
        if (row[i] > tol * top)
            row[i] = sqrt(row[i]);
        else {
            row[i] = 0;
            n_null++;
        }
        memset(row + i + 1, 0, (size_t)(n - i - 1) * sizeof *row);
    }
    return n_null;
}

void gnd_solve_lower(double *b, const double *l, int64_t n, int64_t m)
{
    for (int64_t i = 0; i < n; i++) {
        const double pivot = l[i * n + i];

        for (int64_t j = 0; j < i; j++)
            axpy(b + i * m, -l[i * n + j], b + j * m, m);
        for (int64_t c = 0; c < m; c++)
            b[i * m + c] = pivot > 0 ? b[i * m + c] / pivot : 0;
    }
}

void gnd_solve_lower_t(double *b, const double *l, int64_t n, int64_t m)
{
    for (int64_t i = n - 1; i >= 0; i--) {
        const double pivot = l[i * n + i];

        for (int64_t j = i + 1; j < n; j++)
            axpy(b + i * m, -l[j * n + i], b + j * m, m);
        for (int64_t c = 0; c < m; c++)
            b[i * m + c] = pivot > 0 ? b[i * m + c] / pivot : 0;
    }
}

/* ---- eigenpairs ---- */

/* a = Q T Q^T. The vector u of step k, with reflection I - u u^T / h, is stored in row k of a,
 * left of the diagonal; h[k] = 0: no reflection. w: [n] scratch. */
static void to_tridiagonal(double *a, double *diag, double *off, double *h, double *w, int64_t n)
{
    for (int64_t k = n - 1; k >= 1; k--) {
        double *u = a + k * n;
        const double last = u[k - 1], rest = dot(u, u, k - 1), norm = sqrt(rest + last * last);
        double c;

        h[k] = 0;
        off[k - 1] = last;
        if (rest == 0) /* exact test: norm - |last| would lose small entries */
            continue;
        off[k - 1] = last > 0 ? -norm : norm;
        u[k - 1] = last - off[k - 1];
        h[k] = norm * (norm + fabs(last));
        /* A' = A - u w^T - w u^T with w = A u / h - (u . A u / 2 h^2) u, on the leading k x k. */
        for (int64_t i = 0; i < k; i++)
            w[i] = dot(a + i * n, u, k) / h[k];
        c = dot(u, w, k) / (2 * h[k]);
        axpy(w, -c, u, k);
        for (int64_t i = 0; i < k; i++)
            for (int64_t j = 0; j < k; j++)
                a[i * n + j] -= u[i] * w[j] + w[i] * u[j];
    }
    for (int64_t i = 0; i < n; i++)
        diag[i] = a[i * n + i];
}

/* Transforms the eigenvectors of T, the columns of v, to those of a: v <- Q v. */
static void back_transform(double *v, const double *a, const double *h, double *w, int64_t n)
{
    for (int64_t k = 2; k < n; k++) {
        const double *u = a + k * n;

        if (h[k] == 0)
            continue;
        memset(w, 0, (size_t)n * sizeof *w);
        for (int64_t i = 0; i < k; i++)
            axpy(w, u[i] / h[k], v + i * n, n);
        for (int64_t i = 0; i < k; i++)
            axpy(v + i * n, -u[i], w, n);
    }
}

/* Reverses the ascending order, and makes the largest entry of each column positive. */
static void order(double *value, double *v, double *w, int64_t n)
{
    for (int64_t j = 0; j < n / 2; j++) {
        const double x = value[j];

        value[j] = value[n - 1 - j];
        value[n - 1 - j] = x;
    }
    for (int64_t i = 0; i < n; i++) {
        memcpy(w, v + i * n, (size_t)n * sizeof *w);
        for (int64_t j = 0; j < n; j++)
            v[i * n + j] = w[n - 1 - j];
    }
    for (int64_t j = 0; j < n; j++) {
        double top = 0;

        for (int64_t i = 0; i < n; i++)
            if (fabs(v[i * n + j]) > fabs(top))
                top = v[i * n + j];
        for (int64_t i = 0; top < 0 && i < n; i++)
            v[i * n + j] = -v[i * n + j];
    }
}

gnd_status gnd_small_eigen(double *value, double *vector, double *a, int64_t n, gnd_error *err)
{
    double *work = gnd_alloc(4 * n, sizeof *work);
    double *diag, *off, *h, *w;
    gnd_status st;

    if (!work)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld eigenvectors", (long long)n));
    diag = work;
    off = work + n;
    h = work + 2 * n;
    w = work + 3 * n;
    to_tridiagonal(a, diag, off, h, w, n);
    GND_TRY(gnd_tridiag_eigen(value, vector, diag, off, n, err));
    back_transform(vector, a, h, w, n);
    order(value, vector, w, n);
out:
    gnd_free(work);
    return st;
}
