/* SPDX-License-Identifier: MIT
 * half.h - numbers of 16 bits: a sign, 5 bits of exponent, 10 bits of mantissa.
 *
 * The relative error is at most 2^-11 for magnitudes of 2^-14 to 2^16; smaller ones become 0. Two
 * of them, the upper and the lower, are stored in a word of the size of a gnd_real. Shifts and a
 * mask decode them, without the widening that instruction sets do in different ways; the result is
 * too small by the factor GND_HALF_UNIT. */
#ifndef GND_KERN_HALF_H
#define GND_KERN_HALF_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "real.h"

/* The integer of the size of a gnd_real. */
#define GND_WORD __typeof__(__builtin_choose_expr(sizeof(gnd_real) == 4, (int32_t)0, (int64_t)0))

enum {
    GND_WORD_BITS = 8 * sizeof(gnd_real),
    GND_HALF_BITS = 16,
    GND_HALF_MANTISSA = 10,
    /* bits of exponent that a gnd_real has beyond those of a half */
    GND_HALF_DOWN = sizeof(gnd_real) == sizeof(float) ? 3 : 6,
    /* bits after those of a half that was moved to its place in a gnd_real */
    GND_HALF_AFTER = GND_WORD_BITS - GND_HALF_BITS - GND_HALF_DOWN
};

/* Powers of two: the difference of the exponents of 1 in both formats, and its square root. */
#define GND_HALF_UNIT ((gnd_real)(sizeof(gnd_real) == sizeof(float) ? 0x1p112 : 0x1p1008))
#define GND_HALF_ROOT ((gnd_real)(sizeof(gnd_real) == sizeof(float) ? 0x1p56 : 0x1p504))
/* The bits of a half at its place in a gnd_real. */
#define GND_HALF_MASK                                                                              \
    ((GND_WORD)((UINT64_C(1) << (GND_WORD_BITS - 1)) | (UINT64_C(0x7fff) << GND_HALF_AFTER)))

/* The bits of the half nearest to x, |x| < 65504; ties to even. */
static inline uint64_t gnd_half_of(gnd_real x)
{
    const gnd_real small = x / GND_HALF_UNIT;
    uint64_t bits = 0, sign;
    GND_WORD b;

    memcpy(&b, &small, sizeof b);
    sign = b < 0 ? 0x8000 : 0;
    bits = (uint64_t)b << (64 - GND_WORD_BITS) << 1 >> (65 - GND_WORD_BITS);
    bits += (UINT64_C(1) << (GND_HALF_AFTER - 1)) - 1 + (bits >> GND_HALF_AFTER & 1);
    bits >>= GND_HALF_AFTER;
    return bits >> GND_HALF_MANTISSA ? sign | bits : 0;
}

/* A word of two numbers. */
static inline GND_WORD gnd_half_pair(gnd_real upper, gnd_real lower)
{
    return (GND_WORD)(gnd_half_of(upper) << (GND_WORD_BITS - GND_HALF_BITS) |
                      gnd_half_of(lower) << (GND_WORD_BITS - 2 * GND_HALF_BITS));
}

/* x / GND_HALF_UNIT for the upper or the lower half of a word. */
static inline gnd_real gnd_half_small(GND_WORD word, bool lower)
{
    const GND_WORD first = lower ? (GND_WORD)((uint64_t)word << GND_HALF_BITS) : word;
    const GND_WORD bits = (first >> GND_HALF_DOWN) & GND_HALF_MASK; /* copies the sign */
    gnd_real x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
