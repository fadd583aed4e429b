/* SPDX-License-Identifier: MIT
 * series.h - functions of an operator as fixed polynomials: personalised PageRank, heat kernel.
 *
 * The adjoint of a fixed polynomial of A is the same polynomial of A^T, term by term. */
#ifndef GND_LINALG_SERIES_H
#define GND_LINALG_SERIES_H

#include "base/parallel.h"
#include "kern/csr.h"
#include "poly.h"

typedef struct {
    gnd_basis basis;
    int64_t n; /* number of terms, >= 1; needs n - 1 products */
    double *c; /* [n] */
} gnd_series;

/* The bound of the truncation error relative to the argument: the precision of gnd_real (6e-8
 * for float, 1e-15 for double). */
double gnd_series_precision(void);

/* a (I - (1 - a) A)^-1, teleport probability 0 < a <= 1, to `tol` (<= 0: gnd_series_precision).
 * symmetric: A is symmetric with spectrum in [-1, 1]; uses Chebyshev polynomials (37 terms at a
 * = .1 for 6e-8). Otherwise uses powers (158 terms), which converge if A is similar to a
 * stochastic matrix. GND_ERR_ARG for another a. s is overwritten. */
gnd_status gnd_series_pagerank(gnd_series *s, double a, bool symmetric, double tol, gnd_error *err);
/* exp(-t (I - A)) = sum_k e^-t t^k / k! A^k, 0 <= t <= 500, to tol (<= 0 as above). */
gnd_status gnd_series_heat(gnd_series *s, double t, double tol, gnd_error *err);
void gnd_series_fini(gnd_series *s);

/* Multiplies the coefficients of odd powers by `odd`: 1 leaves s unchanged, 0 keeps only even
 * powers, -1 gives s(-A). */
void gnd_series_odd(gnd_series *s, double odd);
/* Keeps only even powers, without coefficients of 0 at the end. */
void gnd_series_even(gnd_series *s);

/* y = s(A) x;  a: [n, n], x, y: [n, f], which must not overlap. pool NULL: serial. The result has
 * the same bits for any number of threads. Allocates one buffer [n, f] while it runs. */
typedef struct {
    const gnd_csr *a;
    const gnd_series *s;
    const gnd_real *x;
    int64_t f;
} gnd_series_product;
gnd_status gnd_series_apply(gnd_real *y, const gnd_series_product *p, gnd_pool *pool,
                            gnd_error *err);

/* The listed rows of the matrix s(A), in the order of the list, as [rows, n]. at is the
 * transpose of A: row i of s(A) is s(A^T) e_i. Zeros (other components) are not stored. Cost:
 * rows.n (s->n - 1) nnz. */
gnd_status gnd_series_rows(gnd_csr *out, const gnd_csr *at, const gnd_series *s, gnd_row_list rows,
                           gnd_pool *pool, gnd_error *err);

/* The same rows as a dense matrix, transposed and in blocks: block b holds f <= GND_SERIES_BLOCK
 * rows of the list, from row b GND_SERIES_BLOCK on, as [n, f] at out + b GND_SERIES_BLOCK n.
 * out: rows.n n values. */
enum { GND_SERIES_BLOCK = 32 };
gnd_status gnd_series_blocks(gnd_real *out, const gnd_csr *at, const gnd_series *s,
                             gnd_row_list rows, gnd_pool *pool, gnd_error *err);
/* a with its values doubled, as gnd_poly_columns needs it in the Chebyshev basis; empty in the
 * power basis. */
gnd_status gnd_series_twice(gnd_csr *out, const gnd_csr *a, const gnd_series *s, gnd_error *err);

#endif
