/* SPDX-License-Identifier: MIT
 * kern_128.h - kernels with 16-byte vectors, compiled with the flags of the including file. */
#define VEC_BYTES        16
#define NARROWER         gnd_kern_few
#define FITS_NARROWER(f) false
enum { NV = 8, NV_DENSE = 2, MAX_ROWS = 4 };

#include "kern_vec.h"

INLINE vec_double doubles(vec_short v)
{
    return __builtin_convertvector(v, vec_double);
}

INLINE uint64_t at_least(vec_hash h, uint32_t below)
{
    uint64_t bits = 0;

    unrolled_for (int i = 0; i < N_HASH; i++) {
        bits |= (uint64_t)((uint32_t)h[i] >= below) << 2 * i;
        bits |= (uint64_t)((uint32_t)(h[i] >> 32) >= below) << (2 * i + 1);
    }
    return bits;
}
