/* SPDX-License-Identifier: MIT
 * tanh.h - the hyperbolic tangent in a form that compilers vectorise.
 *
 * Float, within 4 ulp, from two branch-free forms:
 *     |x| < .6    x + x z q(z), z = x^2, q fitted to minimise the largest relative error
 *     else        1 - 2 / (e^{2|x|} + 1), with the sign of x; e^y = 2^n e^r, |r| <= ln(2) / 2
 * The C library's tanhf is not vectorised. Operations and their order are fixed, so that every
 * compiler gives the same bits. Double: the C library's tanh. */
#ifndef GND_KERN_TANH_H
#define GND_KERN_TANH_H

#include <math.h>

#include "exp.h"

static inline float gnd_tanh_float(float x)
{
    const float z = x * x, a = x < 0 ? -x : x;
    const float near =
        x + x * z *
                (-0.33333298563957214f +
                 z * (0.13331958651542664f +
                      z * (-0.053786683827638626f +
                           z * (0.02080538123846054f + z * -0.005905864294618368f))));
    const float y = a < 10 ? 2 * a : 20; /* for a >= 10 and NaN the result does not depend on y */
    float far = 1 - 2 / (gnd_exp_core(y) + 1);

    far = x < 0 ? -far : far;
    return a < 0.6f ? near : a <= INFINITY ? far : x;
}

static inline gnd_real gnd_tanh_of(gnd_real x)
{
    return sizeof(gnd_real) == sizeof(float) ? (gnd_real)gnd_tanh_float((float)x)
                                             : (gnd_real)tanh((double)x);
}

#endif
