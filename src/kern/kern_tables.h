/* SPDX-License-Identifier: MIT
 * kern_tables.h - the tables that may be compiled in; one that is not has a NULL name and no
 * kernels. */
#ifndef GND_KERN_KERN_TABLES_H
#define GND_KERN_KERN_TABLES_H

#include "kern.h"

/* A loop whose count is a constant after inlining, at most 16, without a jump. Clang keeps the sums
 * of such a loop in memory if the count is below the number in a pragma of GCC. */
#ifdef __clang__
#define unrolled_for _Pragma("clang loop unroll(full)") for
#else
#define unrolled_for _Pragma("GCC unroll 16") for
#endif

extern const gnd_kern gnd_kern_avx512;
extern const gnd_kern gnd_kern_avx2;
extern const gnd_kern gnd_kern_avx128; /* used by avx2 for narrow matrices */
extern const gnd_kern gnd_kern_128;    /* always compiled in */
extern const gnd_kern gnd_kern_few;    /* for one to three columns */

/* The kernel sums, for any width. */
static inline void gnd_sums_plain(double *restrict y, const gnd_csr *a, const gnd_real *restrict x,
                                  int64_t f, int64_t r0, int64_t r1)
{
    for (int64_t i = r0; i < r1; i++, y += f)
        for (int64_t c = 0; c < f; c++) {
            y[c] = 0;
            for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
                y[c] += (double)gnd_csr_val(a, p) * (double)x[a->col[p] * f + c];
        }
}

/* The sum of the GND_TILE lanes of a row of tiles, always in this order. */
static inline double gnd_lanes_sum(const gnd_real *lane)
{
    double sum[GND_TILE / 2];

    for (int l = 0; l < GND_TILE / 2; l++)
        sum[l] = (double)lane[l] + (double)lane[l + GND_TILE / 2];
    for (int h = GND_TILE / 4; h > 0; h /= 2)
        for (int l = 0; l < h; l++)
            sum[l] += sum[l + h];
    return sum[0];
}

/* The force of entry e of row i of a, as attract in kern.h, added to fx and fy. */
static inline void gnd_attract_one(gnd_real *fx, gnd_real *fy, const gnd_csr *a, const gnd_real *y,
                                   int64_t i, int64_t e)
{
    const int64_t j = a->col[e];
    const gnd_real dx = y[2 * i] - y[2 * j], dy = y[2 * i + 1] - y[2 * j + 1];
    const gnd_real t = a->val[e] / (1 + (dx * dx + dy * dy));

    *fx += t * dx;
    *fy += t * dy;
}

#endif
