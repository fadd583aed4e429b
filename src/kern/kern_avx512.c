/* SPDX-License-Identifier: MIT
 * kern_avx512.c - kernels in vectors of 64 bytes, the last of a row masked.
 *
 * Sixteen floats are one register and one cache line, and a width such as 7 or 10 costs no more. */
#include "kern_tables.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)

#include <immintrin.h>

#define VEC_BYTES  64
#define VEC_MASKED 1
#define NARROWER   gnd_kern_ref /* a width of 0 */
enum { NV = 6, MAX_ROWS = 8 };

#include "kern_vec.h"

/* Bit l: there is a column for lane l of vector v. */
INLINE unsigned lanes(int v, int nv, int64_t w)
{
    return v < nv - 1 ? ~0u : ~0u >> (32 - (w - (int64_t)(nv - 1) * L));
}

INLINE vec part(const gnd_real *p, int v, int nv, int64_t w)
{
    if (v < nv - 1)
        return load(p + v * L);
    return sizeof(gnd_real) == sizeof(float)
               ? (vec)_mm512_maskz_loadu_ps((__mmask16)lanes(v, nv, w), p + v * L)
               : (vec)_mm512_maskz_loadu_pd((__mmask8)lanes(v, nv, w), p + v * L);
}

INLINE void set_part(gnd_real *p, int v, int nv, int64_t w, vec x)
{
    if (v < nv - 1)
        store(p + v * L, x);
    else if (sizeof(gnd_real) == sizeof(float))
        _mm512_mask_storeu_ps(p + v * L, (__mmask16)lanes(v, nv, w), (__m512)x);
    else
        _mm512_mask_storeu_pd(p + v * L, (__mmask8)lanes(v, nv, w), (__m512d)x);
}

INLINE uint64_t at_least(vec_hash h, uint32_t below)
{
    return _mm512_cmpge_epu32_mask((__m512i)h, _mm512_set1_epi32((int)below));
}

/* Sixteen entries at a time are pressed together in a register. */
static void pack(int32_t *restrict col_out, gnd_real *restrict val_out, const int32_t *restrict col,
                 const gnd_real *restrict val, gnd_real scale, const uint64_t *restrict bits,
                 int64_t n)
{
    if (sizeof(gnd_real) != sizeof(float)) {
        gnd_kern_128.pack(col_out, val_out, col, val, scale, bits, n);
        return;
    }
    for (int64_t i = 0; i < n; i += 16) {
        const __mmask16 keep = (__mmask16)(bits[i / 64] >> (i % 64));
        const __mmask16 there = (__mmask16)(n - i < 16 ? (1u << (n - i)) - 1 : 0xffff);
        const int64_t m = __builtin_popcount(keep);
        const __mmask16 first = (__mmask16)((1u << m) - 1);
        const __m512i c = _mm512_maskz_loadu_epi32(there, col + i);
        __m512 v = _mm512_set1_ps((float)scale);

        if (val)
            v *= _mm512_maskz_loadu_ps(there, val + i);
        _mm512_mask_storeu_epi32(col_out, first, _mm512_maskz_compress_epi32(keep, c));
        _mm512_mask_storeu_ps(val_out, first, _mm512_maskz_compress_ps(keep, v));
        col_out += m;
        val_out += m;
    }
}

const gnd_kern gnd_kern_avx512 = {
    .name = "avx512",
    .spmm = spmm,
    .spmm_t = spmm_t,
    .gemm = gemm,
    .gemm_t = gemm_t,
    .axpy = axpy,
    .axpby = axpby,
    .tanh = tanh_all,
    .kept = kept,
    .pack = pack,
    .choose = choose,
    .choose_add = choose_add,
    .dot = dot,
};

#else

const gnd_kern gnd_kern_avx512 = {0};

#endif
