/* SPDX-License-Identifier: MIT
 * even_series.h - the terms of even degree of a series of S = D^-1/2 A D^-1/2 times many columns,
 * with numbers of 16 bits between the steps: for large graphs without features. */
#ifndef GND_LINALG_EVEN_SERIES_H
#define GND_LINALG_EVEN_SERIES_H

#include "kern/kern.h"
#include "kern/pair.h"
#include "series.h"

/* a: [n, n] symmetric. p: a multiple of GND_PAIR_COLUMNS. Same bits for any pool and number of
 * processes. */
typedef struct {
    const gnd_csr *a;
    int64_t n, p;
    gnd_real *root;    /* [n] 1 / sqrt(D); 0 where D is 0 */
    gnd_real *room[2]; /* [n, GND_PAIR_WORDS] */
    gnd_pool *pool;
} gnd_even_series;

/* Allocates root and room. degree: [n] D */
gnd_status gnd_even_series_init(gnd_even_series *s, const double *degree, gnd_error *err);
void gnd_even_series_fini(gnd_even_series *s);

/* b <- s(S) b, and whole <- b + odd S b with the new b, unless it is NULL. by: in Chebyshev
 * polynomials of even degree. b, whole: [n, p]; rows of D = 0 become 0. */
void gnd_even_series_apply(const gnd_even_series *s, gnd_real *b, gnd_real *whole, double odd,
                           const gnd_series *by);

#endif
