/* SPDX-License-Identifier: MIT
 * kern_avx2.c - kernels with 32-byte vectors (AVX2). */
#include "kern_tables.h"

#ifdef __AVX2__

#include <immintrin.h>

#define VEC_BYTES 32
#define NARROWER  gnd_kern_avx128
enum { NV = 8, NV_DENSE = 2, MAX_ROWS = 4 };

#include "kern_vec.h"

INLINE uint64_t at_least(vec_hash h, uint32_t below)
{
    const __m256i limit = _mm256_set1_epi32((int)below), big = _mm256_max_epu32((__m256i)h, limit);

    return (unsigned)_mm256_movemask_ps((__m256)_mm256_cmpeq_epi32((__m256i)h, big));
}

const gnd_kern gnd_kern_avx2 = {
    .name = "avx2",
    KERN_SLOTS,
    .pack = pack_each,
};

#else

const gnd_kern gnd_kern_avx2 = {0};

#endif
