/* SPDX-License-Identifier: MIT
 * pair.h - two numbers in a word of the size of a gnd_real: each has the upper half of the bits of
 * a gnd_real, so that the sign, the exponent and, in float, 7 bits of the mantissa are kept.
 *
 * A mask and a shift decode them. The relative error is at most 2^-8 in float, 2^-21 in double, and
 * the range that of normal numbers of a gnd_real. A row of GND_PAIR_COLUMNS numbers is
 * GND_PAIR_WORDS words: one cache line in float. Column c is the upper half of word c, column c +
 * GND_PAIR_WORDS the lower one. */
#ifndef GND_KERN_PAIR_H
#define GND_KERN_PAIR_H

#include <stdint.h>
#include <string.h>

#include "half.h"

enum {
    GND_PAIR_WORDS = 16,
    GND_PAIR_COLUMNS = 2 * GND_PAIR_WORDS,
    GND_PAIR_BITS = GND_WORD_BITS / 2
};

#define GND_PAIR_LOWER ((GND_WORD)((UINT64_C(1) << GND_PAIR_BITS) - 1))
/* One half of the last bit that is kept, less one: what is added before the bits after it go. */
#define GND_PAIR_ROUND ((GND_WORD)((UINT64_C(1) << (GND_PAIR_BITS - 1)) - 1))

/* The bits of x, whose upper half is that of the nearest number that is stored; ties to even. */
static inline GND_WORD gnd_pair_rounded(gnd_real x)
{
    GND_WORD b;

    memcpy(&b, &x, sizeof b);
    return (GND_WORD)((uint64_t)b + (uint64_t)GND_PAIR_ROUND + (uint64_t)(b >> GND_PAIR_BITS & 1));
}

static inline GND_WORD gnd_pair_of(gnd_real upper, gnd_real lower)
{
    return (gnd_pair_rounded(upper) & ~GND_PAIR_LOWER) |
           (gnd_pair_rounded(lower) >> GND_PAIR_BITS & GND_PAIR_LOWER);
}

/* Column c of a row of words, which are stored as gnd_real. */
static inline gnd_real gnd_pair_at(const gnd_real *row, int64_t c)
{
    GND_WORD b;
    gnd_real x;

    memcpy(&b, row + c % GND_PAIR_WORDS, sizeof b);
    b = c < GND_PAIR_WORDS ? b & ~GND_PAIR_LOWER : (GND_WORD)((uint64_t)b << GND_PAIR_BITS);
    memcpy(&x, &b, sizeof x);
    return x;
}

/* to: [GND_PAIR_COLUMNS] the numbers of a row times `by`. */
static inline void gnd_pair_row(gnd_real *to, const gnd_real *row, gnd_real by)
{
    for (int64_t c = 0; c < GND_PAIR_WORDS; c++)
        to[c] = by * gnd_pair_at(row, c);
    for (int64_t c = GND_PAIR_WORDS; c < GND_PAIR_COLUMNS; c++)
        to[c] = by * gnd_pair_at(row, c);
}

#endif
