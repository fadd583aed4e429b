/* SPDX-License-Identifier: MIT
 * kern_avx2.c - kernels with 32-byte vectors (AVX2). */
#include "kern_tables.h"

#ifdef __AVX2__

#include <immintrin.h>

#define VEC_BYTES        32
#define NARROWER         gnd_kern_avx128
#define FITS_NARROWER(f) false
enum { NV = 8, NV_DENSE = 2, MAX_ROWS = 4 };

#include "kern_vec.h"

INLINE vec_double doubles(vec_short v)
{
    return __builtin_convertvector(v, vec_double);
}

INLINE uint64_t at_least(vec_hash h, uint32_t below)
{
    const __m256i limit = _mm256_set1_epi32((int)below), big = _mm256_max_epu32((__m256i)h, limit);

    return (unsigned)_mm256_movemask_ps((__m256)_mm256_cmpeq_epi32((__m256i)h, big));
}

/* Byte k of lanes_kept[m]: the index of the k-th set bit of m. */
#define LANE(m, i)                                                                                 \
    ((uint64_t)((m) >> (i)&1 ? (i) : 0) << 8 * __builtin_popcount((m) & ((1u << (i)) - 1)))
#define KEPT(m)                                                                                    \
    (LANE(m, 1) | LANE(m, 2) | LANE(m, 3) | LANE(m, 4) | LANE(m, 5) | LANE(m, 6) | LANE(m, 7))
#define KEPT4(m)  KEPT(m), KEPT((m) + 1u), KEPT((m) + 2u), KEPT((m) + 3u)
#define KEPT16(m) KEPT4(m), KEPT4((m) + 4u), KEPT4((m) + 8u), KEPT4((m) + 12u)
#define KEPT64(m) KEPT16(m), KEPT16((m) + 16u), KEPT16((m) + 32u), KEPT16((m) + 48u)
static const uint64_t lanes_kept[256] = {KEPT64(0u), KEPT64(64u), KEPT64(128u), KEPT64(192u)};

/* Moves the kept ones of eight entries to the front of a register. All of it is stored as long as
 * at least eight entries are left to copy. */
static void pack(int32_t *restrict col_out, gnd_real *restrict val_out, const int32_t *restrict col,
                 const gnd_real *restrict val, gnd_real scale, const uint64_t *restrict bits,
                 int64_t n)
{
    int64_t left = 0, i = 0; /* left: entries still to copy */

    if (sizeof(gnd_real) != sizeof(float)) {
        pack_each(col_out, val_out, col, val, scale, bits, n);
        return;
    }
    for (int64_t w = 0; 64 * w < n; w++)
        left += __builtin_popcountll(bits[w]);
    for (; left >= 8; i += 8) {
        const unsigned keep = (unsigned)(bits[i / 64] >> (i % 64)) & 255;
        const __m256i lane =
            _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&lanes_kept[keep]));
        const __m256i c = _mm256_loadu_si256((const __m256i *)(col + i));
        __m256 v = _mm256_set1_ps((float)scale);

        if (val)
            v *= _mm256_loadu_ps((const float *)(val + i));
        _mm256_storeu_si256((__m256i *)col_out, _mm256_permutevar8x32_epi32(c, lane));
        _mm256_storeu_ps((float *)val_out, _mm256_permutevar8x32_ps(v, lane));
        col_out += __builtin_popcount(keep);
        val_out += __builtin_popcount(keep);
        left -= __builtin_popcount(keep);
    }
    for (; left > 0; i += 64 - i % 64)
        for (uint64_t word = bits[i / 64] >> (i % 64); word; word &= word - 1, left--) {
            const int64_t p = i + __builtin_ctzll(word);

            *col_out++ = col[p];
            *val_out++ = val ? val[p] * scale : scale;
        }
}

/* The same with columns of 16 bits: lane k of the result has the bytes 2 m and 2 m + 1, m the k-th
 * set bit. */
static void pack16(uint16_t *restrict col_out, gnd_real *restrict val_out,
                   const uint16_t *restrict col, const gnd_real *restrict val, gnd_real scale,
                   const uint64_t *restrict bits, int64_t n)
{
    int64_t left = 0, done = 0, i = 0; /* left: entries still to copy */

    for (int64_t w = 0; 64 * w < n; w++)
        left += __builtin_popcountll(bits[w]);
    for (; sizeof(gnd_real) == sizeof(float) && left - done >= 8; i += 8) {
        const unsigned keep = (unsigned)(bits[i / 64] >> (i % 64)) & 255;
        const __m128i lane = _mm_loadl_epi64((const __m128i *)&lanes_kept[keep]);
        const __m128i low = _mm_add_epi8(lane, lane);
        const __m128i byte = _mm_unpacklo_epi8(low, _mm_or_si128(low, _mm_set1_epi8(1)));
        const __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(col + i));

        _mm_storeu_si128((__m128i *)(void *)(col_out + done), _mm_shuffle_epi8(c, byte));
        if (val)
            _mm256_storeu_ps((float *)(val_out + done),
                             _mm256_permutevar8x32_ps(_mm256_set1_ps((float)scale) *
                                                          _mm256_loadu_ps((const float *)(val + i)),
                                                      _mm256_cvtepu8_epi32(lane)));
        done += __builtin_popcount(keep);
    }
    pack16_from(col_out + done, val ? val_out + done : NULL, col, val, scale, bits, i, n);
}

const gnd_kern gnd_kern_avx2 = {
    .name = "avx2",
    KERN_SLOTS,
    .pack = pack,
    .pack16 = pack16,
};

#else

const gnd_kern gnd_kern_avx2 = {0};

#endif
