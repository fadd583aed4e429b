/* SPDX-License-Identifier: MIT
 * kern_avx512.c - kernels with 64-byte vectors (AVX-512); the last vector of a row is masked.
 *
 * Sixteen floats are one register and one cache line, so that widths such as 7 or 10 cost no
 * more than 16. */
#include "kern_tables.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)

#include <immintrin.h>

#define VEC_BYTES 64
#define NARROWER  narrow
/* Three vectors of 32 bytes cross fewer cache lines than two of 64. */
#define FITS_NARROWER(f) ((f) > L && (f) <= L + L / 2)
enum { NV = 8, NV_DENSE = 4, MAX_ROWS = 4, NARROW_ROWS = 8 };

static const gnd_kern narrow;

#include "kern_vec.h"

/* gcc 12 converts the halves apart. */
INLINE vec_double doubles(vec_short v)
{
    __m256 low;

    memcpy(&low, &v, sizeof low);
    return sizeof(gnd_real) == sizeof(float) ? (vec_double)_mm512_cvtps_pd(low)
                                             : __builtin_convertvector(v, vec_double);
}

/* ---- narrower than a vector ----------------------------------------------------------------- */

/* For sparse products, two AVX2 vectors are as fast as a masked vector. They are faster if y is
 * added to, since a masked store cannot be forwarded to the next load. */
static void narrow_spmm_columns(const gnd_columns_of *p, const gnd_csr *a, int64_t r0, int64_t r1)
{
    gnd_kern_avx2.spmm_columns(p, a, r0, r1);
}

static void narrow_spmm_some(gnd_real *y, const int32_t *row, const gnd_csr *a, const gnd_real *x,
                             int64_t f, int64_t r0, int64_t r1)
{
    gnd_kern_avx2.spmm_some(y, row, a, x, f, r0, r1);
}

static void narrow_spmm_grouped(const gnd_columns_of *p, const gnd_grouped_rows *g)
{
    gnd_kern_avx2.spmm_grouped(p, g);
}

static void narrow_spmm_masked(const gnd_columns_of *p, const gnd_masked_rows *run, int64_t n_run,
                               const uint64_t *mask)
{
    gnd_kern_avx2.spmm_masked(p, run, n_run, mask);
}

static void narrow_spmm_t(gnd_real *restrict y, const gnd_csr *a, const gnd_real *restrict x,
                          int64_t f, int64_t r0, int64_t r1)
{
    gnd_kern_avx2.spmm_t(y, a, x, f, r0, r1);
}

static void narrow_spmm_t_kept(gnd_real *restrict y, const gnd_csr *a, const gnd_real *restrict x,
                               int64_t f, const gnd_kept_entries *kept, int64_t r0, int64_t r1)
{
    gnd_kern_avx2.spmm_t_kept(y, a, x, f, kept, r0, r1);
}

INLINE vec load_first(const gnd_real *p, unsigned lanes)
{
    return sizeof(gnd_real) == sizeof(float) ? (vec)_mm512_maskz_loadu_ps((__mmask16)lanes, p)
                                             : (vec)_mm512_maskz_loadu_pd((__mmask8)lanes, p);
}

INLINE void store_first(gnd_real *p, unsigned lanes, vec x)
{
    if (sizeof(gnd_real) == sizeof(float))
        _mm512_mask_storeu_ps(p, (__mmask16)lanes, (__m512)x);
    else
        _mm512_mask_storeu_pd(p, (__mmask8)lanes, (__m512d)x);
}

/* dense_vec for one masked vector. */
INLINE void narrow_dense(const dense_job *d, const int nr)
{
    const unsigned lanes = (1u << d->f) - 1;
    const int64_t f = d->f, n = d->n, sr = d->sr, si = d->si;
    vec acc[NARROW_ROWS];

    unrolled_for (int r = 0; r < nr; r++)
        acc[r] = (vec){0};
    for (int64_t i = 0; i < n; i++) {
        const vec b = load_first(d->m + i * f, lanes);

        unrolled_for (int r = 0; r < nr; r++)
            acc[r] += d->s[r * sr + i * si] * b;
    }
    unrolled_for (int r = 0; r < nr; r++)
        store_first(d->out + r * f, lanes, acc[r]);
}

/* to[j,:] = from[:,j] for 16 rows of `from`, which are k values apart, and its first n <= 16
 * columns; the other rows of `to` are 0. */
static inline void transpose(float *to, const float *from, int64_t k, int64_t n)
{
    const __mmask16 there = (__mmask16)((1u << n) - 1);
    __m512 a[16], b[16];

    unrolled_for (int r = 0; r < 16; r++)
        a[r] = _mm512_maskz_loadu_ps(there, from + r * k);
    unrolled_for (int r = 0; r < 16; r++) /* pairs of rows */
        b[r] = r % 2 ? _mm512_unpackhi_ps(a[r - 1], a[r]) : _mm512_unpacklo_ps(a[r], a[r + 1]);
    unrolled_for (int r = 0; r < 16; r++) { /* four rows: column r % 4 of each lane of 128 bits */
        const __m512d x = (__m512d)b[r / 4 * 4 + r % 4 / 2],
                      y = (__m512d)b[r / 4 * 4 + r % 4 / 2 + 2];

        a[r] = (__m512)(r % 2 ? _mm512_unpackhi_pd(x, y) : _mm512_unpacklo_pd(x, y));
    }
    unrolled_for (int r = 0; r < 16; r++) { /* eight rows: lanes 0 and 2, or 1 and 3 */
        const __m512 x = a[r / 8 * 8 + r % 4], y = a[r / 8 * 8 + r % 4 + 4];

        b[r] = r % 8 < 4 ? _mm512_shuffle_f32x4(x, y, 0x88) : _mm512_shuffle_f32x4(x, y, 0xdd);
    }
    unrolled_for (int r = 0; r < 8; r++) {
        const int lane = r / 4; /* b[r]: lanes lane and lane + 2 */

        _mm512_storeu_ps(to + 16 * (4 * lane + r % 4), _mm512_shuffle_f32x4(b[r], b[r + 8], 0x88));
        _mm512_storeu_ps(to + 16 * (4 * lane + r % 4 + 8),
                         _mm512_shuffle_f32x4(b[r], b[r + 8], 0xdd));
    }
}

enum { GEMM_ROWS = 16, GEMM_COLUMNS = 8, LANES_FROM = 8 };

/* GEMM_ROWS rows of y, f columns. Each lane is a row. */
INLINE void lane_rows(const dense_job *d, const int f)
{
    float x[16 * GEMM_ROWS], y[GEMM_COLUMNS][GEMM_ROWS];
    __m512 sum[GEMM_COLUMNS];

    unrolled_for (int c = 0; c < f; c++)
        sum[c] = _mm512_setzero_ps();
    for (int64_t j = 0; j < d->n; j += 16) {
        const int64_t n = d->n - j < 16 ? d->n - j : 16;

        transpose(x, (const float *)d->s + j, d->n, n);
        for (int64_t e = 0; e < n; e++) {
            const __m512 xe = _mm512_loadu_ps(x + e * GEMM_ROWS);

            unrolled_for (int c = 0; c < f; c++)
                sum[c] += xe * (float)d->m[(j + e) * f + c];
        }
    }
    unrolled_for (int c = 0; c < f; c++)
        _mm512_storeu_ps(y[c], sum[c]);
    for (int r = 0; r < GEMM_ROWS; r++)
        for (int c = 0; c < f; c++)
            d->out[r * f + c] = y[c][r];
}

static void lane_rows_of(const dense_job *d)
{
    switch (d->f) {
    case 1:
        lane_rows(d, 1);
        break;
    case 2:
        lane_rows(d, 2);
        break;
    case 3:
        lane_rows(d, 3);
        break;
    case 4:
        lane_rows(d, 4);
        break;
    case 5:
        lane_rows(d, 5);
        break;
    case 6:
        lane_rows(d, 6);
        break;
    case 7:
        lane_rows(d, 7);
        break;
    default:
        lane_rows(d, GEMM_COLUMNS);
    }
}

static void narrow_gemm(gnd_real *restrict y, const gnd_real *restrict x,
                        const gnd_real *restrict w, int64_t k, int64_t f, int64_t r0, int64_t r1)
{
    const bool lanes =
        sizeof(gnd_real) == sizeof(float) && f > 0 && f <= GEMM_COLUMNS && k >= LANES_FROM;
    dense_job d = {.out = y + r0 * f, .s = x + r0 * k, .m = w, .f = f, .n = k, .sr = k, .si = 1};
    int64_t i = r0;

    for (; lanes && i + GEMM_ROWS <= r1; i += GEMM_ROWS) {
        lane_rows_of(&d);
        d.out += GEMM_ROWS * f;
        d.s += GEMM_ROWS * k;
    }
    for (; i + NARROW_ROWS <= r1; i += NARROW_ROWS) {
        narrow_dense(&d, NARROW_ROWS);
        d.out += NARROW_ROWS * f;
        d.s += NARROW_ROWS * k;
    }
    for (; i < r1; i++, d.out += f, d.s += k)
        narrow_dense(&d, 1);
}

static void narrow_gemm_t(gnd_real *restrict w, const gnd_real *restrict x,
                          const gnd_real *restrict y, int64_t k, int64_t f, int64_t r0, int64_t r1)
{
    gnd_kern_avx2.gemm_t(w, x, y, k, f, r0, r1);
}

static const gnd_kern narrow = {
    .spmm_columns = narrow_spmm_columns,
    .spmm_some = narrow_spmm_some,
    .spmm_grouped = narrow_spmm_grouped,
    .spmm_masked = narrow_spmm_masked,
    .spmm_t = narrow_spmm_t,
    .spmm_t_kept = narrow_spmm_t_kept,
    .gemm = narrow_gemm,
    .gemm_t = narrow_gemm_t,
    .sums = gnd_sums_plain,
};

/* ---- dropout -------------------------------------------------------------------------------- */

INLINE uint64_t at_least(vec_hash h, uint32_t below)
{
    return _mm512_cmpge_epu32_mask((__m512i)h, _mm512_set1_epi32((int)below));
}

/* Compresses sixteen entries from `from` on in a register. whole: stores all of it, and all sixteen
 * entries are there. Returns how many entries were kept. */
INLINE int64_t pack_some(int32_t *restrict col_out, gnd_real *restrict val_out,
                         const int32_t *restrict col, const gnd_real *restrict val, gnd_real scale,
                         __mmask16 keep, __mmask16 there, const bool whole)
{
    const int64_t m = __builtin_popcount(keep);
    const __mmask16 first = (__mmask16)(whole ? 0xffff : (1u << m) - 1);
    const __m512i c = _mm512_maskz_loadu_epi32(whole ? 0xffff : there, col);
    __m512 v = _mm512_set1_ps((float)scale);

    if (val)
        v *= _mm512_maskz_loadu_ps(whole ? 0xffff : there, val);
    _mm512_mask_storeu_epi32(col_out, first, _mm512_maskz_compress_epi32(keep, c));
    _mm512_mask_storeu_ps(val_out, first, _mm512_maskz_compress_ps(keep, v));
    return m;
}

/* As long as at least sixteen entries are left to copy, sixteen are stored: a masked store
 * takes 2.5 times as long on an EPYC (Zen 5). */
static void pack(int32_t *restrict col_out, gnd_real *restrict val_out, const int32_t *restrict col,
                 const gnd_real *restrict val, gnd_real scale, const uint64_t *restrict bits,
                 int64_t n)
{
    int64_t left = 0, done = 0, i = 0; /* left: entries still to copy */

    if (sizeof(gnd_real) != sizeof(float)) {
        pack_each(col_out, val_out, col, val, scale, bits, n);
        return;
    }
    for (int64_t w = 0; 64 * w < n; w++)
        left += __builtin_popcountll(bits[w]);
    for (; left - done >= 16; i += 16)
        done += pack_some(col_out + done, val_out + done, col + i, val ? val + i : NULL, scale,
                          (__mmask16)(bits[i / 64] >> (i % 64)), 0xffff, true);
    for (; done < left; i += 16)
        done += pack_some(col_out + done, val_out + done, col + i, val ? val + i : NULL, scale,
                          (__mmask16)(bits[i / 64] >> (i % 64)),
                          (__mmask16)(n - i < 16 ? (1u << (n - i)) - 1 : 0xffff), false);
}

/* Sixteen entries at a time as long as so many are left to copy. */
static void pack16(uint16_t *restrict col_out, gnd_real *restrict val_out,
                   const uint16_t *restrict col, const gnd_real *restrict val, gnd_real scale,
                   const uint64_t *restrict bits, int64_t n)
{
    int64_t left = 0, done = 0, i = 0; /* left: entries still to copy */

    for (int64_t w = 0; 64 * w < n; w++)
        left += __builtin_popcountll(bits[w]);
    for (; sizeof(gnd_real) == sizeof(float) && left - done >= 16; i += 16) {
        const __mmask16 keep = (__mmask16)(bits[i / 64] >> (i % 64));
        const __m512i c =
            _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(col + i)));

        _mm256_storeu_si256((__m256i *)(void *)(col_out + done),
                            _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(keep, c)));
        if (val)
            _mm512_storeu_ps(val_out + done,
                             _mm512_maskz_compress_ps(keep, _mm512_set1_ps((float)scale) *
                                                                _mm512_loadu_ps(val + i)));
        done += __builtin_popcount(keep);
    }
    pack16_from(col_out + done, val ? val_out + done : NULL, col, val, scale, bits, i, n);
}

const gnd_kern gnd_kern_avx512 = {
    .name = "avx512",
    KERN_SLOTS,
    .pack = pack,
    .pack16 = pack16,
};

#else

const gnd_kern gnd_kern_avx512 = {0};

#endif
