/* SPDX-License-Identifier: MIT
 * poly.h - a fixed polynomial of a sparse operator times a block of columns. */
#ifndef GND_LINALG_POLY_H
#define GND_LINALG_POLY_H

#include "base/parallel.h"
#include "kern/csr.h"
#include "kern/hubs.h"
#include "kern/kern.h"

typedef enum {
    GND_BASIS_POWER,    /* sum_k c_k A^k */
    GND_BASIS_CHEBYSHEV /* sum_k c_k T_k(A), T_k: Chebyshev polynomials of the first kind */
} gnd_basis;

/* One step of Clenshaw's recurrence for all rows of a, in place:
 *
 *     b <- c y + s a next - b      b, next: [n, f]; first: without the last term
 *
 * s is 2, or 1 in the last step. Row i of y starts at y + i * stride. hubs: a in order of degree;
 * all vectors are by its places. NULL: in the order of a. */
typedef struct {
    const gnd_kern *kern;
    gnd_pool *pool;
    const gnd_csr *a;
    const gnd_hubs *hubs;
    int64_t f;
} gnd_clenshaw;
typedef struct {
    bool first;
    double s, c;
    const gnd_real *y;
    int64_t stride;
} gnd_clenshaw_term;
void gnd_clenshaw_step(const gnd_clenshaw *w, gnd_real *b, const gnd_real *next,
                       const gnd_clenshaw_term *term);

/* y = sum_{k<n} c_k A^k x or sum_{k<n} c_k T_k(A) x;  a: [m, m], x, y, spare: [m, f], which must
 * not overlap. n >= 1; needs n - 1 products. spare may be NULL if n is 1. hubs as above. The result
 * has the same bits for any number of threads. */
typedef struct {
    const gnd_csr *a;
    const gnd_hubs *hubs;
    gnd_basis basis;
    const double *c; /* [n] */
    int64_t n;
    const gnd_real *x;
    int64_t f;
} gnd_poly_product;
void gnd_poly_apply(gnd_real *y, gnd_real *spare, const gnd_poly_product *p, const gnd_kern *kern,
                    gnd_pool *pool);

/* y = p(A) [e_unit[0] .. e_unit[f-1]], columns of the matrix p(A);  y, spare: [m, f]. twice: A with
 * its values doubled, needed by the Chebyshev basis only. Faster than gnd_poly_apply on unit
 * vectors, since it does not store them and reads the buffers once per product. */
typedef struct {
    const gnd_csr *a, *twice;
    gnd_basis basis;
    const double *c; /* [n] */
    int64_t n;
    const int32_t *unit; /* [f] */
    int64_t f;
} gnd_poly_units;
void gnd_poly_columns(gnd_real *y, gnd_real *spare, const gnd_poly_units *p, const gnd_kern *kern,
                      gnd_pool *pool);

#endif
