/* SPDX-License-Identifier: MIT
 * kern_few.c - kernels for one to three columns: used where a 16-byte vector is too wide. Sparse
 * products have scalar sums. */
#include <string.h>

#include "kern_tables.h"

#define INLINE static inline __attribute__((always_inline))

typedef struct {
    gnd_real *y;
    const gnd_csr *a;
    const gnd_real *x;
    int64_t r0, r1;
} spmm_job;

INLINE void columns_few(const gnd_columns_of *p, const gnd_csr *a, const int f, int64_t r0,
                        int64_t r1)
{
    for (int64_t i = r0; i < r1; i++) {
        gnd_real sum[3];

        unrolled_for (int k = 0; k < f; k++)
            sum[k] = p->z ? p->c * p->z[i * p->ys + k] : 0;
        for (int64_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            const gnd_real v = gnd_csr_val(a, e);

            unrolled_for (int k = 0; k < f; k++)
                sum[k] += v * p->x[(int64_t)a->col[e] * p->xs + k];
        }
        unrolled_for (int k = 0; k < f; k++)
            p->y[i * p->ys + k] = sum[k];
    }
}

static void spmm_columns(const gnd_columns_of *p, const gnd_csr *a, int64_t r0, int64_t r1)
{
    if (a->col16) /* not worth a loop of its own */
        gnd_kern_ref.spmm_columns(p, a, r0, r1);
    else if (p->f == 1)
        columns_few(p, a, 1, r0, r1);
    else if (p->f == 2)
        columns_few(p, a, 2, r0, r1);
    else if (p->f == 3)
        columns_few(p, a, 3, r0, r1);
}

/* A plain loop suffices: only parts of large operators use it, and an x with so few columns is
 * seldom large. */
static void spmm_some(gnd_real *y, const int32_t *row, const gnd_csr *a, const gnd_real *x,
                      int64_t f, int64_t r0, int64_t r1)
{
    gnd_kern_ref.spmm_some(y, row, a, x, f, r0, r1);
}

INLINE void grouped_few(const gnd_columns_of *p, const gnd_grouped_rows *g, const int f)
{
    const int32_t *col = g->col, *row = g->row, *len = g->len, *end = row + g->n * GND_GROUP;
    const gnd_real *val = g->val, *x = p->x;
    const int64_t xs = p->xs, ys = p->ys;

    for (; row < end; row += GND_GROUP, len += GND_GROUP, val += g->by_row ? GND_GROUP : 0) {
        gnd_real sum[GND_GROUP][3];
        int64_t e = 0;

        for (int r = 0; r < GND_GROUP; r++)
            unrolled_for (int k = 0; k < f; k++)
                sum[r][k] = p->z ? p->c * p->z[row[r] * ys + k] : 0;
        for (int s = 0; s < GND_GROUP; s++) /* rows s, s + 1, .. have entries left */
            for (; e < len[s]; e++)
                for (int r = s; r < GND_GROUP; r++, col++) {
                    const gnd_real v = g->by_row ? val[r] : *val++;

                    unrolled_for (int k = 0; k < f; k++)
                        sum[r][k] += v * x[*col * xs + k];
                }
        for (int r = 0; r < GND_GROUP; r++)
            unrolled_for (int k = 0; k < f; k++)
                p->y[row[r] * ys + k] = sum[r][k];
    }
}

static void spmm_grouped(const gnd_columns_of *p, const gnd_grouped_rows *g)
{
    if (p->f == 1)
        grouped_few(p, g, 1);
    else if (p->f == 2)
        grouped_few(p, g, 2);
    else if (p->f == 3)
        grouped_few(p, g, 3);
}

/* Callers pad so few columns to whole vectors. */
static void spmm_masked(const gnd_columns_of *p, const gnd_masked_rows *run, int64_t n_run,
                        const uint64_t *mask)
{
    gnd_kern_ref.spmm_masked(p, run, n_run, mask);
}

INLINE void spmm_t_few(const spmm_job *j, const int f)
{
    for (int64_t i = j->r0; i < j->r1; i++)
        for (int64_t p = j->a->ptr[i]; p < j->a->ptr[i + 1]; p++) {
            gnd_real *y = j->y + (int64_t)j->a->col[p] * f;
            const gnd_real v = gnd_csr_val(j->a, p);

            unrolled_for (int k = 0; k < f; k++)
                y[k] += v * j->x[i * f + k];
        }
}

static void spmm_t(gnd_real *restrict y, const gnd_csr *a, const gnd_real *restrict x, int64_t f,
                   int64_t r0, int64_t r1)
{
    const spmm_job j = {.y = y, .a = a, .x = x, .r0 = r0, .r1 = r1};

    if (a->col16)
        gnd_kern_ref.spmm_t(y, a, x, f, r0, r1);
    else if (f == 1)
        spmm_t_few(&j, 1);
    else if (f == 2)
        spmm_t_few(&j, 2);
    else if (f == 3)
        spmm_t_few(&j, 3);
}

static void spmm_t_kept(gnd_real *restrict y, const gnd_csr *a, const gnd_real *restrict x,
                        int64_t f, const gnd_kept_entries *kept, int64_t r0, int64_t r1)
{
    gnd_kern_ref.spmm_t_kept(y, a, x, f, kept, r0, r1);
}

/* ---- dense ---------------------------------------------------------------------------------- */

enum { LANES = 4, ROWS = 4 };

typedef gnd_real vec __attribute__((vector_size(LANES * sizeof(gnd_real))));

/* nr rows of y. A row of w is loaded with what follows it, and the lanes from f on are not stored;
 * the rows of w from `last` on have too little after them. */
INLINE void gemm_rows(gnd_real *restrict y, const gnd_real *restrict x, const gnd_real *restrict w,
                      int64_t k, const int f, const int nr)
{
    const int64_t last = k - (LANES - f) / f - 1;
    vec sum[ROWS] = {{0}}, b = {0};

    for (int64_t j = 0; j < k; j++) {
        memcpy(&b, w + j * f, (size_t)(j < last ? LANES : f) * sizeof *w);
        unrolled_for (int r = 0; r < nr; r++)
            sum[r] += x[r * k + j] * b;
    }
    unrolled_for (int r = 0; r < nr; r++)
        memcpy(y + r * f, &sum[r], (size_t)f * sizeof *y);
}

INLINE void gemm_few(gnd_real *restrict y, const gnd_real *restrict x, const gnd_real *restrict w,
                     int64_t k, const int f, int64_t r0, int64_t r1)
{
    int64_t i = r0;

    for (; i + ROWS <= r1; i += ROWS)
        gemm_rows(y + i * f, x + i * k, w, k, f, ROWS);
    for (; i < r1; i++)
        gemm_rows(y + i * f, x + i * k, w, k, f, 1);
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

/* Fewer than four columns on both sides. */
static void gemm_t(gnd_real *restrict w, const gnd_real *restrict x, const gnd_real *restrict y,
                   int64_t k, int64_t f, int64_t r0, int64_t r1)
{
    gnd_kern_ref.gemm_t(w, x, y, k, f, r0, r1);
}

const gnd_kern gnd_kern_few = {
    .name = "few",
    .spmm_columns = spmm_columns,
    .spmm_some = spmm_some,
    .spmm_grouped = spmm_grouped,
    .spmm_masked = spmm_masked,
    .spmm_t = spmm_t,
    .spmm_t_kept = spmm_t_kept,
    .gemm = gemm,
    .gemm_t = gemm_t,
    .sums = gnd_sums_plain,
};
