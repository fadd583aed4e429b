/* SPDX-License-Identifier: MIT
 * kern_avx2.c - kernels in vectors of 32 bytes. */
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

/* Set bits are walked one by one: a mask is noise to a branch predictor. */
static void pack(int32_t *restrict col_out, gnd_real *restrict val_out, const int32_t *restrict col,
                 const gnd_real *restrict val, gnd_real scale, const uint64_t *restrict bits,
                 int64_t n)
{
    for (int64_t i = 0; i < n; i += 64)
        for (uint64_t left = bits[i / 64]; left; left &= left - 1) {
            const int64_t p = i + __builtin_ctzll(left);

            *col_out++ = col[p];
            *val_out++ = val ? val[p] * scale : scale;
        }
}

const gnd_kern gnd_kern_avx2 = {
    .name = "avx2",
    KERN_SLOTS,
};

#else

const gnd_kern gnd_kern_avx2 = {0};

#endif
