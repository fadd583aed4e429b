/* SPDX-License-Identifier: MIT
 * design_matrix.c - products with one factor after the other. */
#include "design_matrix.h"

#include <math.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "kern/csr_product.h"

enum {
    SKETCH_COLUMNS = 32, /* random projections that row lengths are estimated from, */
    PANEL = 16           /* so many at a time: whole cache lines */
};
enum { TOGETHER = 64 };                /* columns that are shifted or summed at the same time */
static const double length_min = 1e-9; /* of a row of zeros */

static int n_factor(const gnd_design *z)
{
    int n = 1;

    while (n < GND_FACTORS && z->factor[n])
        n++;
    return n;
}

int64_t gnd_design_columns(const gnd_design *z)
{
    return z->factor[n_factor(z) - 1]->n_col;
}

/* Rows of the largest factor of a product. */
static int64_t most_rows(const gnd_design *z)
{
    int64_t n = z->factor[0]->n_row;

    for (int k = 0; k < n_factor(z); k++)
        n = z->factor[k]->n_col > n ? z->factor[k]->n_col : n;
    return n;
}

int64_t gnd_design_room(const gnd_design *z, int64_t C)
{
    const int64_t sums = z->by_vertex || n_factor(z) == 1 ? 0 : 2 * gnd_design_columns(z) * C;

    return (2 * most_rows(z) * C + 1) / 2 * 2 + sums; /* sums of features are doubles */
}

static gnd_real length_of(const gnd_design *z, int64_t i)
{
    return z->length ? z->length[z->vertex ? z->vertex[i] : i] : 1;
}

/* Rows between two calls of the callback of the pool; the caller looks whether to stop. */
static void look(gnd_pool *pool, int64_t i)
{
    if (i % 4096 == 0)
        gnd_pool_check(pool, NULL);
}

/* Columns from c on that are done together: rows are in memory one after the other. */
static int64_t n_together(int64_t C, int64_t c)
{
    return C - c < TOGETHER ? C - c : TOGETHER;
}

void gnd_design_times(gnd_real *y, const gnd_design *z, const gnd_real *w, int64_t C,
                      gnd_real *room, gnd_pool *pool)
{
    const int64_t n = z->factor[0]->n_row;
    const gnd_row_range own = gnd_part_own(z->at.part, gnd_design_columns(z)); /* of the mean */
    const gnd_real *from = w;

    for (int k = n_factor(z) - 1; k >= 0; k--) {
        gnd_real *to = k == 0 ? y : room + k % 2 * most_rows(z) * C;

        gnd_csr_times(to, z->factor[k], from, C, pool);
        from = to;
    }
    if (z->here)
        gnd_part_share(z->at.part, y, C * (int64_t)sizeof *y, z->here, z->n_here);
    for (int64_t c = 0; c < C; c += TOGETHER) {
        const int64_t m = n_together(C, c);
        double shift[TOGETHER] = {0};

        for (int64_t k = own.begin; k < own.end && z->mean; k++)
            for (int64_t e = 0; e < m; e++)
                shift[e] += (double)z->mean[k] * (double)w[k * C + c + e];
        if (z->mean)
            gnd_part_sum(z->at.part, shift, m);
        for (int64_t i = 0; i < n; i++) {
            gnd_real *row = y + i * C + c;

            look(pool, i);
            for (int64_t e = 0; e < m; e++)
                row[e] = (row[e] - (gnd_real)shift[e]) / length_of(z, i);
        }
    }
}

/* w: [d, C] = x_t y, sums over the vertices of all processes. sum: [d, C]. */
static void features_times_t(gnd_real *w, const gnd_csr *x_t, const gnd_real *y, int64_t C,
                             double *sum, gnd_part *part, gnd_pool *pool)
{
    const int64_t size = x_t->n_row * C;

    gnd_csr_sums(sum, x_t, y, C, (gnd_row_range){0, x_t->n_row}, pool);
    gnd_part_sum(part, sum, size);
    for (int64_t e = 0; e < size; e++)
        w[e] = (gnd_real)sum[e];
}

void gnd_design_times_t(gnd_real *w, const gnd_design *z, const gnd_real *y, int64_t C,
                        gnd_real *room, gnd_pool *pool)
{
    const int64_t d = gnd_design_columns(z), n = z->factor[0]->n_row, last = n_factor(z) - 1;
    gnd_real *scaled = room + most_rows(z) * C, *from = scaled;

    for (int64_t i = 0; i < n; i++) {
        look(pool, i);
        for (int64_t c = 0; c < C; c++)
            scaled[i * C + c] = y[i * C + c] / length_of(z, i);
    }
    for (int k = 0; k <= last; k++) {
        gnd_real *to = k == last ? w : room + k % 2 * most_rows(z) * C;

        if (k == last && k > 0 && !z->by_vertex)
            features_times_t(w, z->transposed[k], from, C,
                             (double *)(void *)(room + (2 * most_rows(z) * C + 1) / 2 * 2),
                             z->at.part, pool);
        else
            gnd_csr_times(to, z->transposed[k], from, C, pool);
        from = to;
    }
    for (int64_t c = 0; c < C && z->mean; c += TOGETHER) {
        const int64_t m = n_together(C, c);
        double sum[TOGETHER] = {0};

        for (int64_t i = 0; i < n; i++) {
            look(pool, i);
            for (int64_t e = 0; e < m; e++)
                sum[e] += (double)y[i * C + c + e] / (double)length_of(z, i);
        }
        for (int64_t k = 0; k < d; k++)
            for (int64_t e = 0; e < m; e++)
                w[k * C + c + e] -= z->mean[k] * (gnd_real)sum[e];
    }
}

/* square: [n] += the squares of the rows of z times random signs, columns first .. first + PANEL -
 * 1 of the signs, each over SKETCH_COLUMNS. sign: [d, PANEL]; y: [n, PANEL]. */
static void add_squares(double *square, const gnd_design *z, int64_t first, gnd_real *sign,
                        gnd_real *y, gnd_real *room, gnd_pool *pool)
{
    const int64_t n = z->factor[0]->n_row, d = gnd_design_columns(z);

    for (int64_t i = 0; i < d; i++) {
        const int64_t number = z->by_vertex ? gnd_number_of(&z->at, i) : i;
        const uint64_t bits = gnd_hash_at(1, (uint64_t)number) >> first;

        look(pool, i);
        for (int64_t c = 0; c < PANEL; c++)
            sign[i * PANEL + c] = bits >> c & 1 ? 1 : -1;
    }
    gnd_design_times(y, z, sign, PANEL, room, pool);
    for (int64_t i = 0; i < n; i++) {
        look(pool, i);
        for (int64_t c = 0; c < PANEL; c++)
            square[i] +=
                (double)y[i * PANEL + c] * (double)y[i * PANEL + c] / (double)SKETCH_COLUMNS;
    }
}

gnd_status gnd_design_measure(gnd_real *mean, gnd_real *length, const gnd_design *z, gnd_pool *pool,
                              gnd_error *err)
{
    const int64_t n = z->factor[0]->n_row, d = gnd_design_columns(z);
    gnd_real *sign = gnd_alloc_raw(d * PANEL, sizeof *sign);
    gnd_real *y = gnd_alloc_raw(n * PANEL, sizeof *y);
    gnd_real *room = gnd_alloc_raw(gnd_design_room(z, PANEL), sizeof *room);
    double *square = gnd_alloc(n, sizeof *square);
    gnd_design centred = *z;
    gnd_status st = GND_OK;

    if (!sign || !y || !room || !square)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    for (int64_t i = 0; i < n; i++)
        y[i] = (gnd_real)(1 / (double)gnd_part_total(z->at.part, n));
    if (mean)
        gnd_design_times_t(mean, z, y, 1, room, pool);
    GND_TRY(gnd_pool_check(pool, err));
    centred.mean = mean;
    for (int64_t c = 0; c < SKETCH_COLUMNS; c += PANEL) {
        add_squares(square, &centred, c, sign, y, room, pool);
        GND_TRY(gnd_pool_check(pool, err));
    }
    for (int64_t i = 0; i < n; i++)
        length[i] = (gnd_real)(sqrt(square[i]) + length_min);
out:
    gnd_free(square);
    gnd_free(room);
    gnd_free(y);
    gnd_free(sign);
    return st;
}
