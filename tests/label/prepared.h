/* SPDX-License-Identifier: MIT
 * prepared.h - graphs as predictors get them, and the same as dense matrices. */
#ifndef GND_TESTS_LABEL_PREPARED_H
#define GND_TESTS_LABEL_PREPARED_H

#include "embed/links.h"
#include "label/predictors.h"

/* What method auto asks for by default. */
static inline gnd_coordinates_opts usual_coordinates(int64_t n_class)
{
    return (gnd_coordinates_opts){.n_class = n_class};
}

static inline gnd_prepared prepared_with(const gnd_csr *x, const gnd_csr *adj,
                                         const gnd_coordinates_opts *o, gnd_pool *pool)
{
    gnd_prepared g;
    gnd_error err;

    CHECK_OK(gnd_prepare(&g, &(gnd_prepare_of){.x = x, .adj = adj}, o, pool, &err));
    assert_int_equal(err.code, GND_OK); /* where there are no directions, no message is left */
    return g;
}

static inline gnd_prepared prepared_of(const gnd_csr *x, const gnd_csr *adj, int64_t n_class)
{
    const gnd_coordinates_opts o = usual_coordinates(n_class);

    return prepared_with(x, adj, &o, NULL);
}

/* Its coordinates alone; the caller frees them. */
static inline gnd_coordinates coordinates_with(const gnd_csr *x, const gnd_csr *adj,
                                               const gnd_coordinates_opts *o)
{
    gnd_prepared g = prepared_with(x, adj, o, NULL);
    const gnd_coordinates v = g.z;

    g.z = (gnd_coordinates){0};
    gnd_prepared_fini(&g);
    return v;
}

/* ---- dense matrices, row by row; the caller frees them ---- */

static inline double *dense_new(int64_t rows, int64_t cols)
{
    double *a = calloc((size_t)(rows * cols) + 1, sizeof *a);

    assert_non_null(a);
    return a;
}

static inline double *dense_of(const gnd_csr *a)
{
    double *out = dense_new(a->n_row, a->n_col);

    for (int64_t i = 0; i < a->n_row; i++)
        for (int64_t q = a->ptr[i]; q < a->ptr[i + 1]; q++)
            out[i * a->n_col + a->col[q]] = (double)gnd_csr_val(a, q);
    return out;
}

/* [n, m] [m, k]. */
static inline double *dense_product(const double *a, const double *b, int64_t n, int64_t m,
                                    int64_t k)
{
    double *out = dense_new(n, k);

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            for (int64_t c = 0; c < k; c++)
                out[i * k + c] += a[i * m + j] * b[j * k + c];
    return out;
}

/* D^-1/2 (A + I) D^-1/2 of A: [n, n]. */
static inline double *dense_S(const double *a, int64_t n)
{
    double *out = dense_new(n, n), *degree = dense_new(n, 1);

    for (int64_t i = 0; i < n; i++) {
        degree[i] = 1;
        for (int64_t j = 0; j < n; j++)
            degree[i] += a[i * n + j];
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            out[i * n + j] = (a[i * n + j] + (i == j)) / sqrt(degree[i] * degree[j]);
    free(degree);
    return out;
}

/* b: [n, m] <- a^-1 b by elimination; a: [n, n] is overwritten. */
static inline void dense_solve(double *a, double *b, int64_t n, int64_t m)
{
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i < n; i++) {
            const double by = i == k ? 0 : -a[i * n + k] / a[k * n + k];

            for (int64_t j = 0; j < n; j++)
                a[i * n + j] += by * a[k * n + j];
            for (int64_t j = 0; j < m; j++)
                b[i * m + j] += by * b[k * m + j];
        }
    for (int64_t k = 0; k < n; k++)
        for (int64_t j = 0; j < m; j++)
            b[k * m + j] /= a[k * n + k];
}

/* Scores by kernel ridge regression. z: [n, d]; the result: [n, C] = Z Z_T^T (Z_T Z_T^T + I)^-1
 * (Y - 1 / C), -INFINITY for classes without a label. */
static inline double *dense_ridge(const double *z, int64_t n, int64_t d, const gnd_labelled *s)
{
    const int64_t m = s->n, C = s->n_class;
    double *similar = dense_new(n, m), *K = dense_new(m, m), *coef = dense_new(m, C), *score;

    for (int64_t i = 0; i < n; i++)
        for (int64_t a = 0; a < m; a++)
            for (int64_t k = 0; k < d; k++)
                similar[i * m + a] += z[i * d + k] * z[s->point[a] * d + k];
    for (int64_t a = 0; a < m; a++) {
        for (int64_t b = 0; b < m; b++)
            K[a * m + b] = similar[s->point[a] * m + b] + (a == b);
        for (int64_t c = 0; c < C; c++)
            coef[a * C + c] = (s->cls[a] == c) - 1 / (double)C;
    }
    dense_solve(K, coef, m, C);
    score = dense_product(similar, coef, n, m, C);
    for (int64_t c = 0; c < C; c++) {
        int64_t labels = 0;

        for (int64_t a = 0; a < m; a++)
            labels += s->cls[a] == c;
        for (int64_t i = 0; i < n && labels == 0; i++)
            score[i * C + c] = -INFINITY;
    }
    free(coef);
    free(K);
    free(similar);
    return score;
}

/* Equal up to tol; infinite values are the same. */
static inline void check_scores(const gnd_real *got, const double *want, int64_t size, double tol)
{
    for (int64_t e = 0; e < size; e++)
        if (isinf(want[e]))
            assert_true((double)got[e] == want[e]);
        else
            CHECK_CLOSE(got[e], want[e], tol);
}

/* Share of the vertices whose class of largest score is i % n_class. */
static inline double right_share(const gnd_real *score, int64_t n, int64_t n_class)
{
    int64_t right = 0;

    for (int64_t i = 0; i < n; i++) {
        int64_t top = 0;

        for (int64_t c = 1; c < n_class; c++)
            if (score[i * n_class + c] > score[i * n_class + top])
                top = c;
        right += top == i % n_class;
    }
    return (double)right / (double)n;
}

#endif
