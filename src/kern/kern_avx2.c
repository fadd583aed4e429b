/* SPDX-License-Identifier: MIT
 * kern_avx2.c - kernels in vectors of 32 bytes.
 *
 * Columns go to vectors whose accumulators stay in registers while a row is summed, so each element
 * is summed in the same order as in kern_ref.c and gets the same bits. A width that is no multiple
 * of the vector ends with a vector that overlaps the one before: the columns in both are computed
 * twice, alike.
 *
 * Traps, measured with gcc 12: a vector type wider than the hardware is 15 times slower, and so is
 * leaving a fixed-width loop to the auto-vectoriser; hence explicit vectors, and counts that are
 * constants after inlining. */
#include "kern_tables.h"

#ifdef __AVX2__

#include <string.h>

enum { L = 32 / sizeof(gnd_real), H = L / 2, NV = 8, TILE = NV * L, MAX_ROWS = 4 };

typedef gnd_real vec __attribute__((vector_size(32)));
typedef gnd_real half __attribute__((vector_size(16)));
typedef double vec4d __attribute__((vector_size(32)));

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

INLINE half load_half(const gnd_real *p)
{
    half v;

    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void store_half(gnd_real *p, half v)
{
    memcpy(p, &v, sizeof v);
}

/* First column of vector v of nv that cover w columns. */
INLINE int64_t at(int v, int nv, int64_t w)
{
    return v < nv - 1 ? (int64_t)v * L : w - L;
}

/* Width of the next tile when `left` columns are left; no tile is narrower than a vector unless f
 * is. */
INLINE int64_t tile_width(int64_t left)
{
    return left <= TILE ? left : left < TILE + L ? TILE / 2 : TILE;
}

/* What a kernel works on; the columns are c0 <= c < c0 + w. */
typedef struct {
    gnd_real *y;
    const gnd_csr *a;
    const gnd_real *x, *z;
    gnd_real c;
    int64_t f, c0, w, r0, r1;
} spmm_job;

/* ---- y = c z + a x -------------------------------------------------------------------------- */

INLINE void spmm_vec(const spmm_job *j, const int nv, const bool ones)
{
    const gnd_real *val = j->a->val, *x = j->x + j->c0;
    const int32_t *col = j->a->col;
    const int64_t *ptr = j->a->ptr;
    const int64_t f = j->f, w = j->w;

    for (int64_t i = j->r0; i < j->r1; i++) {
        vec acc[NV];

#pragma GCC unroll 8
        for (int v = 0; v < nv; v++)
            acc[v] = j->z ? j->c * load(j->z + i * f + j->c0 + at(v, nv, w)) : (vec){0};
        for (int64_t p = ptr[i]; p < ptr[i + 1]; p++) {
            const gnd_real *xj = x + col[p] * f;

#pragma GCC unroll 8
            for (int v = 0; v < nv; v++)
                acc[v] += ones ? load(xj + at(v, nv, w)) : val[p] * load(xj + at(v, nv, w));
        }
#pragma GCC unroll 8
        for (int v = 0; v < nv; v++)
            store(j->y + i * f + j->c0 + at(v, nv, w), acc[v]);
    }
}

/* Narrower than a vector, at least half of one: two overlapping halves. */
INLINE void spmm_half(const spmm_job *j, const bool ones)
{
    const int64_t f = j->f, b = f - H;

    for (int64_t i = j->r0; i < j->r1; i++) {
        const gnd_real *z = j->z ? j->z + i * f : NULL;
        half acc0 = z ? j->c * load_half(z) : (half){0};
        half acc1 = z ? j->c * load_half(z + b) : (half){0};

        for (int64_t p = j->a->ptr[i]; p < j->a->ptr[i + 1]; p++) {
            const gnd_real *xj = j->x + j->a->col[p] * f;
            const gnd_real v = ones ? 1 : j->a->val[p];

            acc0 += v * load_half(xj);
            acc1 += v * load_half(xj + b);
        }
        store_half(j->y + i * f, acc0);
        store_half(j->y + i * f + b, acc1);
    }
}

INLINE void spmm_few(const spmm_job *j, const int f)
{
    for (int64_t i = j->r0; i < j->r1; i++) {
        gnd_real acc[4];

#pragma GCC unroll 4
        for (int k = 0; k < f; k++)
            acc[k] = j->z ? j->c * j->z[i * f + k] : 0;
        for (int64_t p = j->a->ptr[i]; p < j->a->ptr[i + 1]; p++) {
            const gnd_real v = gnd_csr_val(j->a, p);

#pragma GCC unroll 4
            for (int k = 0; k < f; k++)
                acc[k] += v * j->x[(int64_t)j->a->col[p] * f + k];
        }
#pragma GCC unroll 4
        for (int k = 0; k < f; k++)
            j->y[i * f + k] = acc[k];
    }
}

INLINE void spmm_tile(const spmm_job *j, const bool ones)
{
    switch ((j->w + L - 1) / L) {
    case 1:
        spmm_vec(j, 1, ones);
        break;
    case 2:
        spmm_vec(j, 2, ones);
        break;
    case 3:
        spmm_vec(j, 3, ones);
        break;
    case 4:
        spmm_vec(j, 4, ones);
        break;
    case 5:
        spmm_vec(j, 5, ones);
        break;
    case 6:
        spmm_vec(j, 6, ones);
        break;
    case 7:
        spmm_vec(j, 7, ones);
        break;
    default:
        spmm_vec(j, 8, ones);
    }
}

INLINE void spmm_narrow(const spmm_job *j)
{
    if (j->f >= H && j->a->val)
        spmm_half(j, false);
    else if (j->f >= H)
        spmm_half(j, true);
    else if (j->f == 1)
        spmm_few(j, 1);
    else if (j->f == 2)
        spmm_few(j, 2);
    else if (j->f == 3)
        spmm_few(j, 3);
}

static void spmm(gnd_real *y, const gnd_csr *a, const gnd_real *x, int64_t f, gnd_real c,
                 const gnd_real *z, int64_t r0, int64_t r1)
{
    spmm_job j = {
        .y = y,
        .a = a,
        .x = x,
        .z = z,
        .c = c,
        .f = f,
        .w = f,
        .r0 = r0,
        .r1 = r1,
    };

    if (f < L) {
        spmm_narrow(&j);
        return;
    }
    for (; j.c0 < f; j.c0 += j.w) {
        j.w = tile_width(f - j.c0);
        if (a->val)
            spmm_tile(&j, false);
        else
            spmm_tile(&j, true);
    }
}

/* ---- y += a^T x ----------------------------------------------------------------------------- */

/* Within one entry every load of y comes before the stores: overlapping vectors add once. */
INLINE void spmm_t_vec(const spmm_job *j, const int nv)
{
    const int64_t f = j->f, w = j->w;

    for (int64_t i = j->r0; i < j->r1; i++) {
        vec row[NV], sum[NV];

#pragma GCC unroll 8
        for (int v = 0; v < nv; v++)
            row[v] = load(j->x + i * f + j->c0 + at(v, nv, w));
        for (int64_t p = j->a->ptr[i]; p < j->a->ptr[i + 1]; p++) {
            gnd_real *yj = j->y + j->a->col[p] * f + j->c0;
            const gnd_real a = gnd_csr_val(j->a, p);

#pragma GCC unroll 8
            for (int v = 0; v < nv; v++)
                sum[v] = load(yj + at(v, nv, w)) + a * row[v];
#pragma GCC unroll 8
            for (int v = 0; v < nv; v++)
                store(yj + at(v, nv, w), sum[v]);
        }
    }
}

INLINE void spmm_t_half(const spmm_job *j)
{
    const int64_t f = j->f, b = f - H;

    for (int64_t i = j->r0; i < j->r1; i++) {
        const half row0 = load_half(j->x + i * f), row1 = load_half(j->x + i * f + b);

        for (int64_t p = j->a->ptr[i]; p < j->a->ptr[i + 1]; p++) {
            gnd_real *yj = j->y + j->a->col[p] * f;
            const gnd_real a = gnd_csr_val(j->a, p);
            const half sum0 = load_half(yj) + a * row0, sum1 = load_half(yj + b) + a * row1;

            store_half(yj, sum0);
            store_half(yj + b, sum1);
        }
    }
}

static void spmm_t(gnd_real *restrict y, const gnd_csr *a, const gnd_real *restrict x, int64_t f,
                   int64_t r0, int64_t r1)
{
    spmm_job j = {.y = y, .a = a, .x = x, .f = f, .r0 = r0, .r1 = r1};

    if (f < H) {
        gnd_kern_ref.spmm_t(y, a, x, f, r0, r1);
        return;
    }
    if (f < L) {
        spmm_t_half(&j);
        return;
    }
    /* Half the tile of spmm: a row and a sum are in registers at once. */
    while (j.c0 < f) {
        const int64_t left = f - j.c0;

        j.w = left <= TILE / 2 ? left : left < TILE / 2 + L ? TILE / 4 : TILE / 2;
        if (j.w <= L)
            spmm_t_vec(&j, 1);
        else if (j.w <= 2 * L)
            spmm_t_vec(&j, 2);
        else if (j.w <= 3 * L)
            spmm_t_vec(&j, 3);
        else
            spmm_t_vec(&j, 4);
        j.c0 += j.w;
    }
}

/* ---- dense ---------------------------------------------------------------------------------- */

/* out[r,:] (+)= sum_i s[r sr + i si] m[i,:],  0 <= i < n, for nr rows and the w columns from c0.
 * Both products are this: in gemm the rows are those of x, in gemm_t its columns. */
typedef struct {
    gnd_real *out;
    const gnd_real *s, *m;
    int64_t f, c0, w, n, sr, si;
    bool add;
} dense_job;

INLINE void dense_vec(const dense_job *d, const int nr, const int nv)
{
    const int64_t f = d->f, w = d->w, n = d->n, sr = d->sr, si = d->si;
    const gnd_real *m = d->m + d->c0, *s = d->s;
    gnd_real *out = d->out + d->c0;
    vec acc[MAX_ROWS][NV];

#pragma GCC unroll 4
    for (int r = 0; r < nr; r++)
#pragma GCC unroll 8
        for (int v = 0; v < nv; v++)
            acc[r][v] = d->add ? load(out + r * f + at(v, nv, w)) : (vec){0};
    for (int64_t i = 0; i < n; i++)
#pragma GCC unroll 8
        for (int v = 0; v < nv; v++) {
            const vec b = load(m + i * f + at(v, nv, w));

#pragma GCC unroll 4
            for (int r = 0; r < nr; r++)
                acc[r][v] += s[r * sr + i * si] * b;
        }
#pragma GCC unroll 4
    for (int r = 0; r < nr; r++)
#pragma GCC unroll 8
        for (int v = 0; v < nv; v++)
            store(out + r * f + at(v, nv, w), acc[r][v]);
}

/* Narrower than a vector: two overlapping halves. */
INLINE void dense_half(const dense_job *d, const int nr)
{
    const int64_t f = d->f, b = f - H, n = d->n, sr = d->sr, si = d->si;
    half acc0[MAX_ROWS], acc1[MAX_ROWS];

#pragma GCC unroll 4
    for (int r = 0; r < nr; r++) {
        acc0[r] = d->add ? load_half(d->out + r * f) : (half){0};
        acc1[r] = d->add ? load_half(d->out + r * f + b) : (half){0};
    }
    for (int64_t i = 0; i < n; i++) {
        const half m0 = load_half(d->m + i * f), m1 = load_half(d->m + i * f + b);

#pragma GCC unroll 4
        for (int r = 0; r < nr; r++) {
            acc0[r] += d->s[r * sr + i * si] * m0;
            acc1[r] += d->s[r * sr + i * si] * m1;
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < nr; r++) {
        store_half(d->out + r * f, acc0[r]);
        store_half(d->out + r * f + b, acc1[r]);
    }
}

INLINE void dense_few(const dense_job *d, const int nr)
{
    for (int r = 0; r < nr; r++)
        for (int64_t c = 0; c < d->f; c++) {
            gnd_real acc = d->add ? d->out[r * d->f + c] : 0;

            for (int64_t i = 0; i < d->n; i++)
                acc += d->s[r * d->sr + i * d->si] * d->m[i * d->f + c];
            d->out[r * d->f + c] = acc;
        }
}

/* nr rows, all columns: 4 rows by 2 vectors are 8 sums in flight, as many as hide the adder's
 * latency. */
INLINE void dense_rows(dense_job *d, const int nr)
{
    if (d->f < H) {
        dense_few(d, nr);
        return;
    }
    if (d->f < L) {
        dense_half(d, nr);
        return;
    }
    for (d->c0 = 0; d->c0 < d->f; d->c0 += d->w) {
        const int64_t left = d->f - d->c0;

        d->w = left <= 2 * L ? left : left < 3 * L ? L : 2 * L;
        if (d->w <= L)
            dense_vec(d, nr, 1);
        else
            dense_vec(d, nr, 2);
    }
}

static void gemm(gnd_real *restrict y, const gnd_real *restrict x, const gnd_real *restrict w,
                 int64_t k, int64_t f, int64_t r0, int64_t r1)
{
    dense_job d = {.m = w, .f = f, .n = k, .sr = k, .si = 1};

    for (int64_t i = r0; i < r1; i += MAX_ROWS) {
        d.out = y + i * f;
        d.s = x + i * k;
        if (i + MAX_ROWS <= r1) {
            dense_rows(&d, MAX_ROWS);
            continue;
        }
        for (int64_t r = i; r < r1; r++, d.out += f, d.s += k)
            dense_rows(&d, 1);
    }
}

/* Rows of x and y go in blocks that stay in cache while the columns of x are walked. */
enum { BLOCK = 256 };

static void gemm_t(gnd_real *restrict w, const gnd_real *restrict x, const gnd_real *restrict y,
                   int64_t k, int64_t f, int64_t r0, int64_t r1)
{
    dense_job d = {.f = f, .sr = 1, .si = k, .add = true};

    for (int64_t i = r0; i < r1; i += BLOCK) {
        d.n = r1 - i < BLOCK ? r1 - i : BLOCK;
        d.m = y + i * f;
        for (int64_t j = 0; j < k; j += MAX_ROWS) {
            d.out = w + j * f;
            d.s = x + i * k + j;
            if (j + MAX_ROWS <= k) {
                dense_rows(&d, MAX_ROWS);
                continue;
            }
            for (int64_t r = j; r < k; r++, d.out += f, d.s++)
                dense_rows(&d, 1);
        }
    }
}

static void axpy(gnd_real *restrict y, gnd_real c, const gnd_real *restrict x, int64_t n)
{
    int64_t i = 0;

    for (; i + L <= n; i += L)
        store(y + i, load(y + i) + c * load(x + i));
    for (; i < n; i++)
        y[i] += c * x[i];
}

typedef gnd_real real4 __attribute__((vector_size(4 * sizeof(gnd_real))));

INLINE vec4d load_double(const gnd_real *p)
{
    real4 v;

    memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, vec4d);
}

static double dot(const gnd_real *x, const gnd_real *y, int64_t n)
{
    vec4d acc[GND_DOT_LANES / 4] = {{0}};
    double lane[GND_DOT_LANES], sum = 0;
    int64_t i = 0;

    for (; i + GND_DOT_LANES <= n; i += GND_DOT_LANES)
#pragma GCC unroll 4
        for (int v = 0; v < GND_DOT_LANES / 4; v++)
            acc[v] += load_double(x + i + 4 * v) * load_double(y + i + 4 * v);
    memcpy(lane, acc, sizeof lane);
    for (; i < n; i++)
        lane[i % GND_DOT_LANES] += (double)x[i] * (double)y[i];
    for (int l = 0; l < GND_DOT_LANES; l++)
        sum += lane[l];
    return sum;
}

const gnd_kern gnd_kern_avx2 = {
    .name = "avx2",
    .spmm = spmm,
    .spmm_t = spmm_t,
    .gemm = gemm,
    .gemm_t = gemm_t,
    .axpy = axpy,
    .dot = dot,
};

#else

const gnd_kern gnd_kern_avx2 = {0};

#endif
