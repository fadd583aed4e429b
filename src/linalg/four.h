/* SPDX-License-Identifier: MIT
 * four.h - four values side by side, in the product's precision and in double, for sums over the
 * columns of rows whose length is a multiple of four. */
#ifndef GND_LINALG_FOUR_H
#define GND_LINALG_FOUR_H

#include <math.h>

#include "kern/real.h"

/* The functions of this file and their callers are of one compiler: how others pass vectors does
 * not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

enum { LANES = 4 };
typedef gnd_real four __attribute__((vector_size(LANES * sizeof(gnd_real)), may_alias));
typedef double four_double __attribute__((vector_size(LANES * sizeof(double)), may_alias));

static inline four all_of(double x)
{
    const gnd_real v = (gnd_real)x;

    return (four){v, v, v, v};
}

static inline four_double wide(four x)
{
    return __builtin_convertvector(x, four_double);
}

static inline four larger(four x, four y)
{
    const __typeof__(x > y) x_is = x > y;

    return (four)((x_is & (__typeof__(x > y))x) | (~x_is & (__typeof__(x > y))y));
}

/* The larger of most and the largest |value| of x. */
static inline four size_most(four most, four x)
{
    return larger(most, larger(x, -x));
}

static inline void add_to(double *sum, four_double x)
{
    for (int l = 0; l < LANES; l++)
        sum[l] += x[l];
}

static inline double largest_of(four x)
{
    return fmax(fmax((double)x[0], (double)x[1]), fmax((double)x[2], (double)x[3]));
}

#endif
