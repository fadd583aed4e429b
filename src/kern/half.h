/* SPDX-License-Identifier: MIT
 * half.h - numbers of 16 bits: a sign, 5 bits of exponent, 10 bits of mantissa.
 *
 * The relative error is at most 2^-11 for magnitudes of 2^-14 to 2^16; smaller ones become 0. A
 * half is decoded by moving its bits into a gnd_real, which is then too small by the factor
 * GND_HALF_UNIT; no step depends on the CPU. */
#ifndef GND_KERN_HALF_H
#define GND_KERN_HALF_H

#include <stdint.h>
#include <string.h>

#include "real.h"

typedef uint16_t gnd_half;

enum {
    GND_HALF_MANTISSA = 10,
    /* bits of mantissa that a gnd_real has beyond those of a half */
    GND_HALF_SHIFT =
        sizeof(gnd_real) == sizeof(float) ? 23 - GND_HALF_MANTISSA : 52 - GND_HALF_MANTISSA
};

/* The integer of the size of a gnd_real. */
#define GND_REAL_BITS                                                                              \
    __typeof__(__builtin_choose_expr(sizeof(gnd_real) == 4, (int32_t)0, (int64_t)0))

/* Powers of two: the difference of the exponents of 1 in both formats, and its square root. */
#define GND_HALF_UNIT ((gnd_real)(sizeof(gnd_real) == sizeof(float) ? 0x1p112 : 0x1p1008))
#define GND_HALF_ROOT ((gnd_real)(sizeof(gnd_real) == sizeof(float) ? 0x1p56 : 0x1p504))

/* All bits but the copies of the sign that moving a signed half leaves in the exponent. */
static inline GND_REAL_BITS gnd_half_mask(void)
{
    const GND_REAL_BITS one = 1;
    const int top = (int)sizeof(gnd_real) * 8 - 1;

    return ~(((one << (top - 15 - GND_HALF_SHIFT)) - 1) << (15 + GND_HALF_SHIFT));
}

/* x / GND_HALF_UNIT for the half h of x. */
static inline gnd_real gnd_half_small(gnd_half h)
{
    const GND_REAL_BITS bits =
        (GND_REAL_BITS)((GND_REAL_BITS)(int16_t)h * ((GND_REAL_BITS)1 << GND_HALF_SHIFT)) &
        gnd_half_mask();
    gnd_real x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The half nearest to x, |x| < 65504; ties to even. */
static inline gnd_half gnd_half_of(gnd_real x)
{
    const gnd_real small = x / GND_HALF_UNIT;
    const uint64_t round = (UINT64_C(1) << (GND_HALF_SHIFT - 1)) - 1;
    uint64_t bits = 0, sign;
    GND_REAL_BITS b;

    memcpy(&b, &small, sizeof b);
    sign = b < 0 ? 0x8000 : 0;
    bits = (uint64_t)b & (~UINT64_C(0) >> (65 - sizeof b * 8));
    bits = (bits + round + (bits >> GND_HALF_SHIFT & 1)) >> GND_HALF_SHIFT;
    return (gnd_half)(bits >> GND_HALF_MANTISSA ? sign | bits : 0);
}

#endif
