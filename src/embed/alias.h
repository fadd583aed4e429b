/* SPDX-License-Identifier: MIT
 * alias.h - draws from a discrete distribution in one look (Walker 1977, Vose 1991). */
#ifndef GND_EMBED_ALIAS_H
#define GND_EMBED_ALIAS_H

#include <stdint.h>

/* Tables of n outcomes with these weights, not negative and not all 0: outcome i keeps a draw if
 * the rest of it is below keep[i], else other[i] has it. Outcomes of weight 0 never come. weight is
 * overwritten; stack: [n]. */
void gnd_alias_build(uint32_t *keep, int32_t *other, double *weight, int32_t *stack, int64_t n);

/* An outcome for 32 random bits. */
static inline int32_t gnd_alias_draw(const uint32_t *keep, const int32_t *other, int64_t n,
                                     uint32_t bits)
{
    const uint64_t x = (uint64_t)bits * (uint64_t)n;
    const int32_t i = (int32_t)(x >> 32);

    return (uint32_t)x < keep[i] ? i : other[i];
}

#endif
