/* SPDX-License-Identifier: MIT
 * kern_vec.h - the kernels with vectors of VEC_BYTES: the body of every table but `ref`.
 *
 * Accumulators for the columns stay in registers while a row is summed. Each element is summed in
 * the order of kern_ref.c and has the same bits.
 *
 * The including file defines
 *
 *     VEC_BYTES    bytes of a register; a wider vector type is 15 times slower with gcc 12
 *     NV           vectors per tile of spmm; their sums stay in registers
 *     NV_DENSE     vectors per tile of a dense product, at most 4
 *     MAX_ROWS     rows per step of a dense product
 *     NARROWER     the table for matrices narrower than a vector
 *     FITS_NARROWER(f)  sparse products with f columns, at least a vector, are faster by that table
 *
 * and, after including this file, at_least() and doubles(). KERN_SLOTS is then the table without
 * pack and pack16, which are pack_each and pack16_each or faster ones.
 *
 * The vectors are explicit, with counts that are constants after inlining: auto-vectorised loops
 * of fixed width are 8 times slower. */
#include <string.h>

#include "base/rng.h"
#include "adam.h"
#include "kern_tables.h"
#include "tanh.h"

enum { L = VEC_BYTES / sizeof(gnd_real), TILE = NV * L };

typedef gnd_real vec __attribute__((vector_size(VEC_BYTES)));

typedef __typeof__((vec){0} < (vec){0}) vec_lane; /* integers of the same size */

#define INLINE static inline __attribute__((always_inline))

INLINE vec load(const gnd_real *p)
{
    vec v;

    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void store(gnd_real *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

/* The offset of vector v of the nv vectors that cover w columns, w >= L. The last one ends at
 * column w and overlaps the one before; columns in both get the same value twice. */
INLINE int64_t at(int v, int nv, int64_t w)
{
    return v == 0 || v < nv - 1 ? (int64_t)v * L : w - L;
}

INLINE vec part(const gnd_real *p, int v, int nv, int64_t w)
{
    return load(p + at(v, nv, w));
}

INLINE void set_part(gnd_real *p, int v, int nv, int64_t w, vec x)
{
    store(p + at(v, nv, w), x);
}

/* Hides from the compiler how p was computed: gcc 12 otherwise recomputes the address for each
 * vector. */
INLINE const gnd_real *made(const gnd_real *p)
{
    __asm__("" : "+r"(p));
    return p;
}

/* x + offset, the row of which nv vectors are read. The address of a single one is part of its
 * load. */
INLINE const gnd_real *row_at(const gnd_real *x, int64_t offset, const int nv)
{
    return nv > 1 ? made(x + offset) : x + offset;
}

/* The width of the next tile, at most `most`, with `left` columns left; no tile is too narrow
 * for the table. */
INLINE int64_t tile_width(int64_t left, int64_t most)
{
    return left <= most ? left : left < most + L ? most - L : most;
}

/* Arguments of a kernel, for columns c0 <= c < c0 + w. */
typedef struct {
    gnd_real *y;
    const gnd_csr *a;
    const gnd_real *x, *z;
    const int32_t *row; /* spmm_some only */
    gnd_real c;
    int64_t f, ys, xs, c0, w, r0, r1; /* rows of y and z are ys values apart, those of x xs */
} spmm_job;

/* ---- y = c z + a x -------------------------------------------------------------------------- */

/* Prefetches for rows of x outside the L1 and L2 caches. From L3: AHEAD_NEAR entries ahead into
 * L1, 1.1 times as fast at 16 columns and 1.3 at 64. From memory: AHEAD_FAR entries ahead into
 * L2, which allows more outstanding misses, 1.5 times as fast. */
enum { AHEAD_NEAR = 16, AHEAD_FAR = 64, NEAR_FROM = 3 << 18, FAR_FROM = 24 << 20 };
enum { ROWS_AHEAD = 16 }; /* rows of y to prefetch ahead if they are not contiguous */

INLINE void ask_for(const gnd_real *x, const int nv, const int ahead)
{
    unrolled_for (int b = 0; b < nv * VEC_BYTES; b += 64)
        if (ahead == AHEAD_FAR)
            __builtin_prefetch((const char *)x + b, 0, 2);
        else
            __builtin_prefetch((const char *)x + b, 0, 3);
}

/* some: adds to y[row[i],:], and z is not used. */
INLINE void spmm_vec(const spmm_job *j, const int nv, const bool ones, const int ahead,
                     const bool some)
{
    const gnd_real *val = j->a->val, *x = made(j->x + j->c0);
    const int32_t *col = j->a->col;
    const int64_t *ptr = j->a->ptr;
    const int64_t ys = j->ys, xs = j->xs, w = j->w;

    for (int64_t i = j->r0; i < j->r1; i++) {
        gnd_real *y = j->y + (some ? j->row[i] : i) * ys + j->c0;
        vec sum[NV];

        if (some && ahead)
            ask_for(j->y + j->row[i + ROWS_AHEAD < j->r1 ? i + ROWS_AHEAD : i] * ys + j->c0, nv,
                    AHEAD_NEAR);
        unrolled_for (int v = 0; v < nv; v++)
            sum[v] = some   ? part(y, v, nv, w)
                     : j->z ? j->c * part(j->z + i * ys + j->c0, v, nv, w)
                            : (vec){0};
        for (int64_t p = ptr[i]; p < ptr[i + 1]; p++) {
            const gnd_real *xj = row_at(x, col[p] * xs, nv);

            if (ahead)
                ask_for(x + col[p + ahead] * xs, nv, ahead);
            unrolled_for (int v = 0; v < nv; v++)
                sum[v] += ones ? part(xj, v, nv, w) : val[p] * part(xj, v, nv, w);
        }
        unrolled_for (int v = 0; v < nv; v++)
            set_part(y, v, nv, w, sum[v]);
    }
}

INLINE void spmm_tile(const spmm_job *j, const bool ones, const int ahead, const bool some)
{
    switch ((j->w + L - 1) / L) {
    case 1:
        spmm_vec(j, 1, ones, ahead, some);
        break;
    case 2:
        spmm_vec(j, 2, ones, ahead, some);
        break;
    case 3:
        spmm_vec(j, 3, ones, ahead, some);
        break;
    case 4:
        spmm_vec(j, 4, ones, ahead, some);
        break;
    case 5:
        spmm_vec(j, 5, ones, ahead, some);
        break;
    case 6:
        spmm_vec(j, 6, ones, ahead, some);
        break;
    case 7:
        spmm_vec(j, 7, ones, ahead, some);
        break;
    default:
        spmm_vec(j, 8, ones, ahead, some);
    }
}

INLINE void spmm_ahead(const spmm_job *j, const int ahead, const bool some)
{
    if (j->a->val)
        spmm_tile(j, false, ahead, some);
    else
        spmm_tile(j, true, ahead, some);
}

/* The rows from j->r0 on that have at least `ahead` entries after them. */
INLINE int64_t rows_before(const spmm_job *j, const int64_t ahead)
{
    const int64_t last = j->a->ptr[j->r1] - ahead;
    int64_t r1 = j->r1;

    while (r1 > j->r0 && j->a->ptr[r1] > last)
        r1--;
    return r1;
}

/* The last rows have no entries ahead, so they do not prefetch. */
static void spmm_width(const spmm_job *j)
{
    const size_t bytes = (size_t)(j->a->n_col * j->f) * sizeof(gnd_real);
    const int64_t ahead = bytes < NEAR_FROM ? 0 : bytes < FAR_FROM ? AHEAD_NEAR : AHEAD_FAR;
    spmm_job first = *j, rest = *j;

    first.r1 = rest.r0 = ahead ? rows_before(j, ahead) : j->r0;
    if (ahead == AHEAD_NEAR)
        spmm_ahead(&first, AHEAD_NEAR, false);
    else if (ahead)
        spmm_ahead(&first, AHEAD_FAR, false);
    spmm_ahead(&rest, 0, false);
}

#include "kern_narrow.h"

static void spmm_columns(const gnd_columns_of *p, const gnd_csr *a, int64_t r0, int64_t r1)
{
    spmm_job j = {.y = p->y,
                  .a = a,
                  .x = p->x,
                  .z = p->z,
                  .c = p->c,
                  .f = p->f,
                  .ys = p->ys,
                  .xs = p->xs,
                  .r0 = r0,
                  .r1 = r1};

    if (p->f < L || FITS_NARROWER(p->f)) {
        NARROWER.spmm_columns(p, a, r0, r1);
        return;
    }
    for (; j.c0 < j.f; j.c0 += j.w) {
        j.w = tile_width(j.f - j.c0, TILE);
        if (a->col16)
            narrow_width(&j);
        else
            spmm_width(&j);
    }
}

static void spmm(gnd_real *y, const gnd_csr *a, const gnd_real *x, int64_t f, gnd_real c,
                 const gnd_real *z, int64_t r0, int64_t r1)
{
    spmm_columns(&(gnd_columns_of){y, x, z, c, a->n_col, f, f, f}, a, r0, r1);
}

/* For parts of large operators: always prefetches, from memory. */
static void spmm_some(gnd_real *y, const int32_t *row, const gnd_csr *a, const gnd_real *x,
                      int64_t f, int64_t r0, int64_t r1)
{
    spmm_job first, rest,
        j = {.y = y, .row = row, .a = a, .x = x, .f = f, .ys = f, .xs = f, .r0 = r0, .r1 = r1};

    if (f < L) {
        NARROWER.spmm_some(y, row, a, x, f, r0, r1);
        return;
    }
    for (; j.c0 < f; j.c0 += j.w) {
        j.w = tile_width(f - j.c0, TILE);
        first = rest = j;
        first.r1 = rest.r0 = rows_before(&j, AHEAD_FAR);
        spmm_ahead(&first, AHEAD_FAR, true);
        spmm_ahead(&rest, 0, true);
    }
}

#include "kern_grouped.h"
#include "kern_masked.h"

/* ---- y += a^T x ----------------------------------------------------------------------------- */

/* For each entry, all loads of y come before the stores, so that columns in two vectors are
 * added once. */
INLINE void spmm_t_vec(const spmm_job *j, const int nv)
{
    const int64_t f = j->f, w = j->w;

    for (int64_t i = j->r0; i < j->r1; i++) {
        vec row[NV], sum[NV];

        unrolled_for (int v = 0; v < nv; v++)
            row[v] = part(j->x + i * f + j->c0, v, nv, w);
        for (int64_t p = j->a->ptr[i]; p < j->a->ptr[i + 1]; p++) {
            gnd_real *yj = j->y + j->a->col[p] * f + j->c0;
            const gnd_real a = gnd_csr_val(j->a, p);

            unrolled_for (int v = 0; v < nv; v++)
                sum[v] = part(yj, v, nv, w) + a * row[v];
            unrolled_for (int v = 0; v < nv; v++)
                set_part(yj, v, nv, w, sum[v]);
        }
    }
}

static void spmm_t(gnd_real *restrict y, const gnd_csr *a, const gnd_real *restrict x, int64_t f,
                   int64_t r0, int64_t r1)
{
    spmm_job j = {.y = y, .a = a, .x = x, .f = f, .r0 = r0, .r1 = r1};

    if (f < L) {
        NARROWER.spmm_t(y, a, x, f, r0, r1);
        return;
    }
    for (; j.c0 < f; j.c0 += j.w) {
        j.w = tile_width(f - j.c0, 4 * L);
        if (a->col16)
            narrow_t_width(&j);
        else if (j.w <= L)
            spmm_t_vec(&j, 1);
        else if (j.w <= 2 * L)
            spmm_t_vec(&j, 2);
        else if (j.w <= 3 * L)
            spmm_t_vec(&j, 3);
        else
            spmm_t_vec(&j, 4);
    }
}

#include "kern_blocks.h"
#include "kern_dense.h"

/* ---- vectors -------------------------------------------------------------------------------- */

static void axpy(gnd_real *restrict y, gnd_real c, const gnd_real *restrict x, int64_t n)
{
    int64_t i = 0;

    for (; i + L <= n; i += L)
        store(y + i, load(y + i) + c * load(x + i));
    for (; i < n; i++)
        y[i] += c * x[i];
}

static void axpby(gnd_real *restrict y, gnd_real s, gnd_real c, const gnd_real *restrict x,
                  int64_t n)
{
    int64_t i = 0;

    for (; i + L <= n; i += L)
        store(y + i, s * load(y + i) + c * load(x + i));
    for (; i < n; i++)
        y[i] = s * y[i] + c * x[i];
}

enum { LD = VEC_BYTES / sizeof(double) };

typedef double vec_double __attribute__((vector_size(VEC_BYTES)));
typedef gnd_real vec_short __attribute__((vector_size(LD * sizeof(gnd_real))));

/* v in double. */
INLINE vec_double doubles(vec_short v);

INLINE vec_double load_double(const gnd_real *p)
{
    vec_short v;

    memcpy(&v, p, sizeof v);
    return doubles(v);
}

#include "kern_rows.h"

static double dot(const gnd_real *x, const gnd_real *y, int64_t n)
{
    vec_double acc[GND_DOT_LANES / LD] = {{0}};
    double lane[GND_DOT_LANES], sum = 0;
    int64_t i = 0;

    for (; i + GND_DOT_LANES <= n; i += GND_DOT_LANES)
        unrolled_for (int v = 0; v < GND_DOT_LANES / LD; v++)
            acc[v] += load_double(x + i + LD * v) * load_double(y + i + LD * v);
    memcpy(lane, acc, sizeof lane);
    for (; i < n; i++)
        lane[i % GND_DOT_LANES] += (double)x[i] * (double)y[i];
    for (int l = 0; l < GND_DOT_LANES; l++)
        sum += lane[l];
    return sum;
}

static void tanh_all(gnd_real *restrict y, const gnd_real *restrict x, const gnd_real *restrict w,
                     int64_t n)
{
    if (w)
        for (int64_t i = 0; i < n; i++)
            y[i] = gnd_tanh_of(w[i] * x[i]);
    else
        for (int64_t i = 0; i < n; i++)
            y[i] = gnd_tanh_of(x[i]);
}

#include "kern_points.h"
#include "kern_tiles.h"
#include "kern_pairs.h"

/* ---- dropout -------------------------------------------------------------------------------- */

enum { N_HASH = VEC_BYTES / 8, N_HALF = 2 * N_HASH };

typedef uint64_t vec_hash __attribute__((vector_size(VEC_BYTES)));

/* Bit i: the 32-bit half i of h is at least `below`. Halves are counted from the low end. */
INLINE uint64_t at_least(vec_hash h, uint32_t below);

/* gnd_hash_at of N_HASH numbers from `index` on. */
INLINE vec_hash hash_at(uint64_t key, uint64_t index)
{
    vec_hash a;

    unrolled_for (int i = 0; i < N_HASH; i++)
        a[i] = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15);
    a += key + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    a = (a ^ (a >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    a = (a ^ (a >> 27)) * UINT64_C(0x94d049bb133111eb);
    return a ^ (a >> 31);
}

static uint64_t kept(const gnd_drop_law *law, int64_t first, int64_t n)
{
    const int64_t skip = first % 2; /* a hash is for two elements */
    uint64_t bits = 0;

    if (n <= 0)
        return 0;
    for (int64_t i = 0; i < n + skip; i += N_HALF) {
        const uint64_t some =
            at_least(hash_at(law->key, (uint64_t)(first + i) / 2), law->drop_below);

        bits |= i ? some << (i - skip) : some >> skip;
    }
    return bits & (~UINT64_C(0) >> (64 - n));
}

/* Loops over the set bits: a branch on each bit would be unpredictable. */
static void pack_each(int32_t *restrict col_out, gnd_real *restrict val_out,
                      const int32_t *restrict col, const gnd_real *restrict val, gnd_real scale,
                      const uint64_t *restrict bits, int64_t n)
{
    for (int64_t i = 0; i < n; i += 64)
        for (uint64_t left = bits[i / 64]; left; left &= left - 1) {
            const int64_t p = i + __builtin_ctzll(left);

            *col_out++ = col[p];
            *val_out++ = val ? val[p] * scale : scale;
        }
}

/* The entries from i on. */
static inline void pack16_from(uint16_t *restrict col_out, gnd_real *restrict val_out,
                               const uint16_t *restrict col, const gnd_real *restrict val,
                               gnd_real scale, const uint64_t *restrict bits, int64_t i, int64_t n)
{
    for (; i < n; i += 64 - i % 64)
        for (uint64_t left = bits[i / 64] >> (i % 64); left; left &= left - 1) {
            const int64_t p = i + __builtin_ctzll(left);

            *col_out++ = col[p];
            if (val)
                *val_out++ = val[p] * scale;
        }
}

static inline void pack16_each(uint16_t *restrict col_out, gnd_real *restrict val_out,
                               const uint16_t *restrict col, const gnd_real *restrict val,
                               gnd_real scale, const uint64_t *restrict bits, int64_t n)
{
    pack16_from(col_out, val_out, col, val, scale, bits, 0, n);
}

/* scale x where the bit of the lane is set, else 0. */
INLINE vec chosen(const gnd_real *x, gnd_real scale, uint64_t bits)
{
    vec_lane lane;

    unrolled_for (int i = 0; i < L; i++)
        lane[i] = 1 << i;
    lane = (lane & (__typeof__(lane[0]))(bits & ((1u << L) - 1))) != 0;
    return (vec)((vec_lane)(load(x) * scale) & lane);
}

INLINE void choose_into(gnd_real *y, const gnd_real *x, gnd_real scale,
                        const uint64_t *restrict bits, int64_t n, const bool add)
{
    int64_t i = 0;

    for (; i + L <= n; i += L) {
        const vec v = chosen(x + i, scale, bits[i / 64] >> (i % 64));

        store(y + i, add ? load(y + i) + v : v);
    }
    for (; i < n; i++) {
        const gnd_real v = bits[i / 64] >> (i % 64) & 1 ? x[i] * scale : 0;

        y[i] = add ? y[i] + v : v;
    }
}

static void choose(gnd_real *y, const gnd_real *x, gnd_real scale, const uint64_t *restrict bits,
                   int64_t n)
{
    choose_into(y, x, scale, bits, n, false);
}

static void choose_add(gnd_real *restrict y, const gnd_real *restrict x, gnd_real scale,
                       const uint64_t *restrict bits, int64_t n)
{
    choose_into(y, x, scale, bits, n, true);
}

#include "kern_sums.h"

/* All slots of a table but pack and pack16. */
#define KERN_SLOTS                                                                                 \
    .spmm = spmm, .spmm_some = spmm_some, .spmm_columns = spmm_columns,                            \
    .spmm_grouped = spmm_grouped, .spmm_masked = spmm_masked, .spmm_t = spmm_t,                    \
    .spmm_t_kept = spmm_t_kept, .spmm_blocks = spmm_blocks, .spmm_t_blocks = spmm_t_blocks,        \
    .sums = sums, .gemm = gemm, .gemm_t = gemm_t, .axpy = axpy, .axpby = axpby, .put = put,        \
    .put_add = put_add, .moments = moments, .fit = fit, .fit_add = fit_add, .slopes = slopes,      \
    .adam = gnd_adam_all, .tanh = tanh_all, .kept = kept, .choose = choose,                        \
    .choose_add = choose_add, .dot = dot, .tiles_mix = tiles_mix, .tiles_dots = tiles_dots,        \
    .pairs_step = pairs_step, .distances = distances, .repel = repel, .attract = attract
