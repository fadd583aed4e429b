/* SPDX-License-Identifier: MIT
 * alias.h - draws from a discrete distribution in constant time (Walker 1977, Vose 1991). */
#ifndef GND_EMBED_ALIAS_H
#define GND_EMBED_ALIAS_H

#include <stdint.h>

/* Tables for n outcomes with these weights, which are not negative and not all 0. A draw that
 * selects cell i gives i if its remaining bits are below keep[i], else other[i]. Outcomes of
 * weight 0 are never drawn. weight is overwritten; stack: [n]. */
void gnd_alias_build(uint32_t *keep, int32_t *other, double *weight, int32_t *stack, int64_t n);

/* The outcome for 32 random bits. */
static inline int32_t gnd_alias_draw(const uint32_t *keep, const int32_t *other, int64_t n,
                                     uint32_t bits)
{
    const uint64_t x = (uint64_t)bits * (uint64_t)n;
    const int32_t i = (int32_t)(x >> 32);

    return (uint32_t)x < keep[i] ? i : other[i];
}

#endif
