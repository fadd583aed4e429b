/* SPDX-License-Identifier: MIT
 * bits.h - the number of set bits, inline: without an instruction for it in the baseline of the
 * platform, the compiler's builtin is a function call. */
#ifndef GND_BASE_BITS_H
#define GND_BASE_BITS_H

#include <stdint.h>

static inline int64_t gnd_popcount(uint64_t a)
{
#if defined(__POPCNT__) || !defined(__x86_64__)
    return __builtin_popcountll(a);
#else
    a -= a >> 1 & UINT64_C(0x5555555555555555);
    a = (a & UINT64_C(0x3333333333333333)) + (a >> 2 & UINT64_C(0x3333333333333333));
    a = (a + (a >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int64_t)(a * UINT64_C(0x0101010101010101) >> 56);
#endif
}

#endif
