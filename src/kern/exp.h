/* SPDX-License-Identifier: MIT
 * exp.h - the exponential function in a form that compilers vectorise.
 *
 * Float, within 2 ulp: e^x = 2^n e^r, |r| <= ln(2) / 2, with a polynomial for e^r. The result is
 * 0 for x < -87, near the smallest normal float, and for -INFINITY. Operations and their order
 * are fixed, so that every compiler gives the same bits. Double: the C library's exp. */
#ifndef GND_KERN_EXP_H
#define GND_KERN_EXP_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "real.h"

/* |y| <= 87 */
static inline float gnd_exp_core(float y)
{
    const float magic = 12582912; /* 1.5 2^23: adding it rounds to an integer */
    const float n = (y * 1.4426950408889634f + magic) - magic;
    const float r = (y - n * 0.693359375f) - n * -2.12194440e-4f; /* ln 2 in two parts */
    const float poly =
        1 + r +
        r * r *
            (0.5f + r * (0.166665181517601f +
                         r * (0.04166620597243309f +
                              r * (0.008368954062461853f + r * 0.0013950600987300277f))));
    const int32_t bits = ((int32_t)n + 127) << 23;
    float power;

    memcpy(&power, &bits, sizeof power);
    return poly * power;
}

static inline float gnd_exp_float(float x)
{
    return x > -87 ? gnd_exp_core(x > -87 ? x : -87) : 0;
}

/* x <= 0 */
static inline gnd_real gnd_exp_of(gnd_real x)
{
    return sizeof(gnd_real) == sizeof(float) ? (gnd_real)gnd_exp_float((float)x)
                                             : (gnd_real)exp((double)x);
}

#endif
