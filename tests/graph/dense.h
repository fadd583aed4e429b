/* SPDX-License-Identifier: MIT
 * dense.h - small dense matrices in double, row by row: what sparse numerics are compared with. */
#ifndef GND_TESTS_GRAPH_DENSE_H
#define GND_TESTS_GRAPH_DENSE_H

#include <math.h>

#include "check.h"
#include "kern/csr.h"

static inline double *dense_new(int64_t n, int64_t m)
{
    double *d = calloc((size_t)(n * m) + 1, sizeof *d);

    assert_non_null(d);
    return d;
}

static inline double *dense_of(const gnd_csr *a)
{
    double *d = dense_new(a->n_row, a->n_col);

    for (int64_t i = 0; i < a->n_row; i++)
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
            d[i * a->n_col + a->col[p]] += (double)gnd_csr_val(a, p);
    return d;
}

/* c = a b;  all [n, n] */
static inline void dense_times(double *c, const double *a, const double *b, int64_t n)
{
    memset(c, 0, (size_t)(n * n) * sizeof *c);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++)
            for (int64_t j = 0; j < n && a[i * n + k] != 0; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* The inverse of a: [n, n] by Gauss and Jordan with row exchanges; a is destroyed. */
static inline double *dense_inverse(double *a, int64_t n)
{
    double *x = dense_new(n, n);

    for (int64_t i = 0; i < n; i++)
        x[i * n + i] = 1;
    for (int64_t k = 0; k < n; k++) {
        int64_t best = k;

        for (int64_t i = k; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k]))
                best = i;
        assert_true(a[best * n + k] != 0);
        for (int64_t j = 0; j < n; j++) {
            const double u = a[k * n + j], v = x[k * n + j];

            a[k * n + j] = a[best * n + j];
            a[best * n + j] = u;
            x[k * n + j] = x[best * n + j];
            x[best * n + j] = v;
        }
        for (int64_t i = 0; i < n; i++) {
            const double f = (a[i * n + k] - (i == k ? 1 : 0)) / a[k * n + k];

            for (int64_t j = 0; j < n && f != 0; j++) {
                a[i * n + j] -= f * a[k * n + j];
                x[i * n + j] -= f * x[k * n + j];
            }
        }
    }
    return x;
}

/* a (I - (1 - a) S)^-1 */
static inline double *dense_pagerank(const gnd_csr *s, double a)
{
    const int64_t n = s->n_row;
    double *m = dense_of(s), *x;

    for (int64_t i = 0; i < n * n; i++)
        m[i] = (i % (n + 1) == 0 ? 1 : 0) - (1 - a) * m[i];
    x = dense_inverse(m, n);
    for (int64_t i = 0; i < n * n; i++)
        x[i] *= a;
    free(m);
    return x;
}

/* exp(-t (I - S)): Taylor at t / 64, then squared six times. */
static inline double *dense_heat(const gnd_csr *s, double t)
{
    const int64_t n = s->n_row;
    double *m = dense_of(s), *sum = dense_new(n, n), *term = dense_new(n, n), *next;

    next = dense_new(n, n);
    for (int64_t i = 0; i < n * n; i++) {
        m[i] = (m[i] - (i % (n + 1) == 0 ? 1 : 0)) * t / 64;
        sum[i] = term[i] = i % (n + 1) == 0 ? 1 : 0;
    }
    for (int k = 1; k < 28; k++) {
        dense_times(next, term, m, n);
        for (int64_t i = 0; i < n * n; i++) {
            term[i] = next[i] / k;
            sum[i] += term[i];
        }
    }
    for (int k = 0; k < 6; k++) {
        dense_times(next, sum, sum, n);
        memcpy(sum, next, (size_t)(n * n) * sizeof *sum);
    }
    free(m);
    free(term);
    free(next);
    return sum;
}

#endif
