/* SPDX-License-Identifier: MIT
 * walk_gradients.h - one pass of walk_solve.c: conjugate gradients on the kept vertices of a walk,
 * in the product's precision. */
#ifndef GND_LINALG_WALK_GRADIENTS_H
#define GND_LINALG_WALK_GRADIENTS_H

#include <float.h>

#include "kern/kern.h"
#include "walk.h"

static const double GND_WALK_EPSILON =
    sizeof(gnd_real) == sizeof(double) ? DBL_EPSILON : FLT_EPSILON;

typedef struct {
    const gnd_walk *w;
    const gnd_kern *kern;
    gnd_pool *pool;
    double a;
    int64_t width;       /* columns of the equation */
    int64_t f;           /* columns of rows in memory: `width` and up to three that are 0 */
    gnd_real *R;         /* [rows, f] the right-hand side */
    gnd_real *x;         /* [places, f] the direction; then the result */
    gnd_real *r, *y, *h; /* [kept, f] residual, product and result */
    gnd_real *stage;     /* [n, width] of the vertices, rows to exchange; NULL: one process */
    double *step, *turn; /* [f] of the direction; of the one before in the new one */
    double *sum;         /* [f] */
    double *most;        /* [pieces of rows, or blocks] largest |values| */
    int64_t grain;       /* rows of a piece */
} gnd_walk_work;

/* x = (I - a P)^-1 R in all rows. Ends when no entry of the residual exceeds `aim` or `drop` times
 * what it was, or after twice the iterations that Chebyshev polynomials would take for that.
 * *most: the largest |entry|, but for rounding. */
gnd_status gnd_walk_correct(double *most, const gnd_walk_work *s, double aim, double drop,
                            gnd_error *err);
/* Make the rows of x of copies those of their owners. */
void gnd_walk_exchange(const gnd_walk_work *s);
/* The largest of n values of all processes. */
double gnd_walk_largest(const gnd_walk_work *s, const double *of, int64_t n);
/* Multiply-adds of a product with some rows. */
int64_t gnd_walk_cost(const gnd_walk_work *s, int64_t begin, int64_t end);

#endif
