/* SPDX-License-Identifier: MIT
 * csr_product.c - sparse-dense products with threads, and sparse-sparse products row by row
 * (Gustavson, ACM TOMS 4, 1978).
 *
 * An entry of a product is summed in the order of the entries of a's row. The sparse and the
 * dense product therefore have the same bits. */
#include "csr_product.h"

#include <string.h>

#include "kern.h"

/* Multiply-adds per piece; minimum number of pieces, and that of a large product: the first rows of
 * a piece are not in the cache. */
enum { PIECE_COST = 32768, PIECES_MIN = 8, PIECES_LARGE = 1024 };
enum { TICK_ROWS = 256 };

typedef struct {
    gnd_real *y;
    const gnd_csr *a;
    const gnd_real *x;
    int64_t f;
} times_job;

static void times_piece(int64_t begin, int64_t end, void *arg)
{
    const times_job *j = arg;

    gnd_kern_get()->spmm(j->y, j->a, j->x, j->f, 0, NULL, begin, end);
}

void gnd_csr_times(gnd_real *y, const gnd_csr *a, const gnd_real *x, int64_t f, gnd_pool *pool)
{
    const int64_t n = a->n_row, cost = (gnd_csr_nnz(a) + n) * f;
    int64_t grain = cost > 0 ? (int64_t)((double)PIECE_COST * (double)n / (double)cost) : 1;

    if (grain < n / PIECES_LARGE)
        grain = n / PIECES_LARGE;
    if (grain > n / PIECES_MIN)
        grain = n / PIECES_MIN;
    gnd_rows_product(pool,
                     &(gnd_rows_of){.part = a->part,
                                    .y = y,
                                    .bytes = f * (int64_t)sizeof *y,
                                    .n = n,
                                    .grain = grain < 1 ? 1 : grain,
                                    .cost = cost},
                     times_piece, &(times_job){y, a, x, f});
}

typedef struct {
    double *y;
    const gnd_csr *a;
    const gnd_real *x;
    int64_t f, first;
} sums_job;

static void sums_rows(int64_t begin, int64_t end, void *arg)
{
    const sums_job *j = arg;

    gnd_kern_get()->sums(j->y + begin * j->f, j->a, j->x, j->f, j->first + begin, j->first + end);
}

void gnd_csr_sums(double *y, const gnd_csr *a, const gnd_real *x, int64_t f, gnd_row_range rows,
                  gnd_pool *pool)
{
    const int64_t cost = 4 * (a->ptr[rows.end] - a->ptr[rows.begin]) * f;

    gnd_parallel_for(pool, rows.end - rows.begin, 16, cost, sums_rows,
                     &(sums_job){y, a, x, f, rows.begin});
}

int64_t gnd_csr_product_work(const gnd_csr *a, const gnd_csr *b)
{
    int64_t work = 0;

    for (int64_t p = 0; p < gnd_csr_nnz(a); p++)
        work += b->ptr[a->col[p] + 1] - b->ptr[a->col[p]];
    return work;
}

/* Reports progress in row i, now and then. A call that was stopped fails in the next check. */
static void tick(gnd_pool *pool, int64_t i)
{
    if (i % TICK_ROWS == 0)
        gnd_pool_check(pool, NULL);
}

static void marks_clear(int64_t *mark, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        mark[j] = -1;
}

int64_t gnd_csr_product_count(int64_t *ptr, const gnd_csr *a, const gnd_csr *b, int64_t *mark,
                              gnd_pool *pool)
{
    int64_t nnz = 0;

    marks_clear(mark, b->n_col); /* mark[j]: the last row that has an entry in column j */
    if (ptr)
        ptr[0] = 0;
    for (int64_t i = 0; i < a->n_row; i++) {
        tick(pool, i);
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
            for (int64_t q = b->ptr[a->col[p]]; q < b->ptr[a->col[p] + 1]; q++)
                if (mark[b->col[q]] != i) {
                    mark[b->col[q]] = i;
                    nnz++;
                }
        if (ptr)
            ptr[i + 1] = nnz;
    }
    return nnz;
}

void gnd_csr_product_fill(gnd_csr *y, const gnd_csr *a, const gnd_csr *b, int64_t *mark,
                          gnd_pool *pool)
{
    int64_t end = 0;

    marks_clear(mark, b->n_col); /* mark[j]: position of the entry in column j of the current row */
    y->ptr[0] = 0;
    for (int64_t i = 0; i < a->n_row; i++) {
        tick(pool, i);
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            const gnd_real v = gnd_csr_val(a, p);

            for (int64_t q = b->ptr[a->col[p]]; q < b->ptr[a->col[p] + 1]; q++) {
                const int32_t j = b->col[q];

                if (mark[j] < y->ptr[i]) {
                    mark[j] = end;
                    y->col[end] = j;
                    y->val[end++] = 0;
                }
                y->val[mark[j]] += v * gnd_csr_val(b, q);
            }
        }
        y->ptr[i + 1] = end;
    }
}

void gnd_csr_product_dense(gnd_real *y, const gnd_csr *a, const gnd_csr *b, int64_t begin,
                           int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        gnd_real *row = y + i * b->n_col;

        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            const gnd_real v = gnd_csr_val(a, p);

            for (int64_t q = b->ptr[a->col[p]]; q < b->ptr[a->col[p] + 1]; q++)
                row[b->col[q]] += v * gnd_csr_val(b, q);
        }
    }
}

gnd_status gnd_csr_product_init(gnd_csr *y, const gnd_csr *a, const gnd_csr *b, int64_t nnz,
                                int64_t *mark, gnd_pool *pool, gnd_error *err)
{
    gnd_csr loose = {0}, turned = {0};
    gnd_status st = GND_OK;

    *y = (gnd_csr){0};
    GND_TRY(gnd_csr_init(&loose, a->n_row, b->n_col, nnz, true, err));
    gnd_csr_product_fill(&loose, a, b, mark, pool);
    GND_TRY(gnd_csr_transpose(&turned, &loose, err)); /* transposing twice sorts the columns */
    gnd_csr_fini(&loose);
    GND_TRY(gnd_csr_transpose(y, &turned, err));
out:
    gnd_csr_fini(&loose);
    gnd_csr_fini(&turned);
    return st;
}

void gnd_csr_panel(gnd_real *to, const gnd_csr *x, int64_t *at, int64_t c0, int64_t w)
{
    memset(to, 0, (size_t)(x->n_row * w) * sizeof *to);
    for (int64_t i = 0; i < x->n_row; i++)
        for (; at[i] < x->ptr[i + 1] && x->col[at[i]] < c0 + w; at[i]++)
            to[i * w + x->col[at[i]] - c0] = gnd_csr_val(x, at[i]);
}
