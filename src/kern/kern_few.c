/* SPDX-License-Identifier: MIT
 * kern_few.c - kernels for one to three columns, with scalar sums: used where a 16-byte vector
 * is too wide. */
#include "kern_tables.h"

#define INLINE static inline __attribute__((always_inline))

typedef struct {
    gnd_real *y;
    const gnd_csr *a;
    const gnd_real *x, *z;
    gnd_real c;
    int64_t r0, r1;
} spmm_job;

INLINE void spmm_few(const spmm_job *j, const int f)
{
    for (int64_t i = j->r0; i < j->r1; i++) {
        gnd_real sum[3];

#pragma GCC unroll 3
        for (int k = 0; k < f; k++)
            sum[k] = j->z ? j->c * j->z[i * f + k] : 0;
        for (int64_t p = j->a->ptr[i]; p < j->a->ptr[i + 1]; p++) {
            const gnd_real v = gnd_csr_val(j->a, p);

#pragma GCC unroll 3
            for (int k = 0; k < f; k++)
                sum[k] += v * j->x[(int64_t)j->a->col[p] * f + k];
        }
#pragma GCC unroll 3
        for (int k = 0; k < f; k++)
            j->y[i * f + k] = sum[k];
    }
}

static void spmm(gnd_real *y, const gnd_csr *a, const gnd_real *x, int64_t f, gnd_real c,
                 const gnd_real *z, int64_t r0, int64_t r1)
{
    const spmm_job j = {.y = y, .a = a, .x = x, .z = z, .c = c, .r0 = r0, .r1 = r1};

    if (f == 1)
        spmm_few(&j, 1);
    else if (f == 2)
        spmm_few(&j, 2);
    else if (f == 3)
        spmm_few(&j, 3);
}

/* A plain loop suffices: only parts of large operators use it, and an x with so few columns is
 * seldom large. */
static void spmm_some(gnd_real *y, const int32_t *row, const gnd_csr *a, const gnd_real *x,
                      int64_t f, int64_t r0, int64_t r1)
{
    gnd_kern_ref.spmm_some(y, row, a, x, f, r0, r1);
}

INLINE void spmm_equal_few(gnd_real *y, const gnd_equal_rows *run, const gnd_real *x, const int f,
                           gnd_real c, const gnd_real *z)
{
    const int64_t len = run->len;
    const int32_t *col = run->col;
    const gnd_real *val = run->val;

    for (int64_t i = 0; i < run->n; i++) {
        const int64_t at = (int64_t)run->row[i] * f;
        gnd_real sum[3];

#pragma GCC unroll 3
        for (int k = 0; k < f; k++)
            sum[k] = z ? c * z[at + k] : 0;
        for (int64_t e = 0; e < len; e++, col++, val++)
#pragma GCC unroll 3
            for (int k = 0; k < f; k++)
                sum[k] += *val * x[(int64_t)*col * f + k];
#pragma GCC unroll 3
        for (int k = 0; k < f; k++)
            y[at + k] = sum[k];
    }
}

static void spmm_equal(gnd_real *y, const gnd_equal_rows *run, int64_t n_run, const gnd_real *x,
                       int64_t m, int64_t f, gnd_real c, const gnd_real *z)
{
    (void)m;
    for (int64_t r = 0; r < n_run; r++)
        if (f == 1)
            spmm_equal_few(y, run + r, x, 1, c, z);
        else if (f == 2)
            spmm_equal_few(y, run + r, x, 2, c, z);
        else if (f == 3)
            spmm_equal_few(y, run + r, x, 3, c, z);
}

INLINE void spmm_t_few(const spmm_job *j, const int f)
{
    for (int64_t i = j->r0; i < j->r1; i++)
        for (int64_t p = j->a->ptr[i]; p < j->a->ptr[i + 1]; p++) {
            gnd_real *y = j->y + (int64_t)j->a->col[p] * f;
            const gnd_real v = gnd_csr_val(j->a, p);

#pragma GCC unroll 3
            for (int k = 0; k < f; k++)
                y[k] += v * j->x[i * f + k];
        }
}

static void spmm_t(gnd_real *restrict y, const gnd_csr *a, const gnd_real *restrict x, int64_t f,
                   int64_t r0, int64_t r1)
{
    const spmm_job j = {.y = y, .a = a, .x = x, .r0 = r0, .r1 = r1};

    if (f == 1)
        spmm_t_few(&j, 1);
    else if (f == 2)
        spmm_t_few(&j, 2);
    else if (f == 3)
        spmm_t_few(&j, 3);
}

INLINE void gemm_few(gnd_real *restrict y, const gnd_real *restrict x, const gnd_real *restrict w,
                     int64_t k, const int f, int64_t r0, int64_t r1)
{
    for (int64_t i = r0; i < r1; i++) {
        gnd_real sum[3] = {0};

        for (int64_t j = 0; j < k; j++)
#pragma GCC unroll 3
            for (int c = 0; c < f; c++)
                sum[c] += x[i * k + j] * w[j * f + c];
#pragma GCC unroll 3
        for (int c = 0; c < f; c++)
            y[i * f + c] = sum[c];
    }
}

static void gemm(gnd_real *restrict y, const gnd_real *restrict x, const gnd_real *restrict w,
                 int64_t k, int64_t f, int64_t r0, int64_t r1)
{
    if (f == 1)
        gemm_few(y, x, w, k, 1, r0, r1);
    else if (f == 2)
        gemm_few(y, x, w, k, 2, r0, r1);
    else if (f == 3)
        gemm_few(y, x, w, k, 3, r0, r1);
}

static void gemm_t(gnd_real *restrict w, const gnd_real *restrict x, const gnd_real *restrict y,
                   int64_t k, int64_t f, int64_t r0, int64_t r1)
{
    gnd_kern_ref.gemm_t(w, x, y, k, f, r0, r1);
}

const gnd_kern gnd_kern_few = {
    .name = "few",
    .spmm = spmm,
    .spmm_some = spmm_some,
    .spmm_equal = spmm_equal,
    .spmm_t = spmm_t,
    .gemm = gemm,
    .gemm_t = gemm_t,
};
