/* SPDX-License-Identifier: MIT
 * gram.c - Gram matrices in blocks of rows, and Cholesky factors of them. */
#include "gram.h"

#include <string.h>

#include "base/alloc.h"
#include "linalg/points.h"
#include "linalg/sym_eigen.h"

enum {
    ROWS = 256,
    BLOCK = 2048,
    LANES = 8 /* rows that are solved side by side */
};
static const double PIVOT_MIN = 1e-10; /* numerical guard */

/* gram += y^T y, [p, p], of rows of y; `block` rows in float, their sum in double and in order.
 * part: [p, p] scratch. */
static void add_gram(double *gram, const gnd_gram_of *s, const gnd_real *y, gnd_row_range rows,
                     int64_t block, gnd_real *part)
{
    const int64_t p = s->p;

    for (int64_t i = rows.begin; i < rows.end; i += block) {
        memset(part, 0, (size_t)(p * p) * sizeof *part);
        s->kern->gemm_t(part, y, y, p, p, i, i + block < rows.end ? i + block : rows.end);
        for (int64_t e = 0; e < p * p; e++)
            gram[e] += (double)part[e];
    }
}

gnd_status gnd_gram(double *gram, const gnd_real *y, int64_t n_feature, int64_t n,
                    const gnd_gram_of *s, gnd_error *err)
{
    const int64_t p = s->p, block = gnd_vertex_block(gnd_part_total(s->part, s->n));
    gnd_real *part = gnd_alloc(p * p, sizeof *part);

    if (!part)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for coordinates");
    memset(gram, 0, (size_t)(p * p) * sizeof *gram);
    if (!s->part || s->part->rank == 0)
        add_gram(gram, s, y, (gnd_row_range){0, n_feature}, BLOCK, part);
    if (n > n_feature)
        add_gram(gram, s, y, (gnd_row_range){n_feature + s->own.begin, n_feature + s->own.end},
                 block, part);
    gnd_part_sum(s->part, gram, p * p);
    gnd_free(part);
    return GND_OK;
}

typedef struct {
    gnd_real *v;
    const double *gram;
    int64_t p;
} solve_job;

/* Rows x of v become the solution z of L z = x, LANES of them side by side. */
static void solve_rows(int64_t begin, int64_t end, void *arg)
{
    const solve_job *s = arg;
    const int64_t p = s->p;
    double z[GND_POINTS_MAX][LANES] = {{0}};

    for (int64_t first = begin; first < end; first += LANES) {
        const int64_t rows = end - first < LANES ? end - first : LANES;

        for (int64_t k = 0; k < p; k++) {
            const double pivot = s->gram[k * p + k];

            for (int64_t r = 0; r < rows; r++)
                z[k][r] = (double)s->v[(first + r) * p + k];
            for (int64_t l = 0; l < k; l++) {
                const double c = s->gram[k * p + l];

                for (int64_t r = 0; r < LANES; r++)
                    z[k][r] -= c * z[l][r];
            }
            for (int64_t r = 0; r < rows; r++) {
                gnd_real *to = s->v + (first + r) * p + k;

                *to = pivot > 0 ? (gnd_real)(z[k][r] / pivot) : 0;
                z[k][r] = (double)*to;
            }
        }
    }
}

gnd_status gnd_orthonormalise(gnd_real *v, double *gram, int64_t n_feature, int64_t n,
                              const gnd_gram_of *s, gnd_error *err)
{
    const gnd_status st = gnd_gram(gram, v, n_feature, n, s, err);

    if (st != GND_OK)
        return st;
    gnd_cholesky(gram, s->p, PIVOT_MIN);
    gnd_parallel_for(s->pool, n, ROWS, n * s->p * s->p / 2, solve_rows,
                     &(solve_job){v, gram, s->p});
    return GND_OK;
}
