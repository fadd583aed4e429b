/* SPDX-License-Identifier: MIT
 * power_rows.c - rows of powers of an operator by repeated products.
 *
 * The transpose of (A^k)_{S,:} is (A^T)^k applied to unit vectors, restricted to the m columns
 * that S reaches: [m, |S|]. Hops alternate between two buffers and are copied to the tiles. */
#include "power_rows.h"

#include <string.h>

#include "base/alloc.h"
#include "csr_product.h"

enum { BLOCK_CELLS = 1024 }; /* their sum over the hops stays in the L1 cache */

int64_t gnd_reach(unsigned char *mark, const gnd_csr *a, const int32_t *row, int64_t n,
                  int64_t hops)
{
    int64_t count = 0, before = -1;

    for (int64_t i = 0; i < n; i++) {
        count += !mark[row[i]];
        mark[row[i]] = 1;
    }
    /* mark: 1: reached before this step, 2: reached in this step */
    for (int64_t h = 0; h < hops && count > before; h++) {
        before = count;
        for (int64_t i = 0; i < a->n_row; i++)
            for (int64_t p = a->ptr[i]; mark[i] == 1 && p < a->ptr[i + 1]; p++)
                if (!mark[a->col[p]]) {
                    mark[a->col[p]] = 2;
                    count++;
                }
        for (int64_t i = 0; i < a->n_row; i++)
            mark[i] = mark[i] > 0;
    }
    return count;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Columns per block: whole tiles. */
static int64_t block_columns(int64_t n_row)
{
    int64_t step = GND_TILE;

    while (step > 1 && n_row * step / 2 % GND_TILE == 0)
        step /= 2;
    return n_row > 0 && BLOCK_CELLS / n_row > step ? BLOCK_CELLS / n_row / step * step : step;
}

static gnd_status columns_list(gnd_power_rows *s, const unsigned char *mark, int64_t n_node,
                               gnd_error *err)
{
    s->n_col = n_node;
    if (!mark)
        return GND_OK;
    s->n_col = 0;
    for (int64_t i = 0; i < n_node; i++)
        s->n_col += mark[i] != 0;
    s->col = gnd_alloc(s->n_col, sizeof *s->col);
    if (!s->col)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a list of %lld vertices",
                        (long long)s->n_col);
    for (int64_t i = 0, c = 0; i < n_node; i++)
        if (mark[i])
            s->col[c++] = (int32_t)i;
    return GND_OK;
}

/* The operator restricted to the listed columns, and the index of each vertex in them (-1:
 * none). Rows S have no other entries, so the result is exact. */
static gnd_status operator_among(gnd_csr *out, int32_t **place, const gnd_csr *at,
                                 const gnd_power_rows *s, gnd_error *err)
{
    *place = gnd_alloc(at->n_row, sizeof **place);
    if (!*place)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for the places of %lld vertices",
                        (long long)at->n_row);
    memset(*place, 0xff, (size_t)at->n_row * sizeof **place);
    for (int64_t c = 0; c < s->n_col; c++)
        (*place)[s->col[c]] = (int32_t)c;
    return gnd_csr_select(out, at, (gnd_row_list){s->col, s->n_col}, *place, s->n_col, err);
}

gnd_status gnd_power_rows_init(gnd_power_rows *s, const gnd_power_rows_of *of, gnd_pool *pool,
                               gnd_error *err)
{
    const int64_t n = of->rows.n, first = of->first, K = of->K;
    const unsigned char *mark = of->mark;
    const int32_t *row = of->rows.row;
    const gnd_csr *at = of->at;
    gnd_real *turn[2] = {NULL, NULL};
    int32_t *place = NULL;
    gnd_csr among = {0};
    gnd_status st = GND_OK;

    *s = (gnd_power_rows){.n_row = n, .block = block_columns(n)};
    GND_TRY(columns_list(s, mark, at->n_row, err));
    if (mark)
        GND_TRY(operator_among(&among, &place, at, s, err));
    GND_TRY(gnd_hop_tiles_init(&s->hops, s->n_col * n, K, err));
    for (int i = 0; i < 2; i++)
        turn[i] = gnd_alloc(s->n_col * n, sizeof *turn[i]);
    if (!turn[0] || !turn[1])
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "no memory for the powers of %lld rows", (long long)n));
    for (int64_t i = 0; i < n; i++)
        turn[0][(place ? place[row[i]] : row[i]) * n + i] = 1;
    for (int64_t i = 0; i < first + K; i++) {
        if (i > 0)
            gnd_csr_times(turn[i % 2], mark ? &among : at, turn[(i - 1) % 2], n, pool);
        if (i >= first)
            gnd_hop_tiles_put(&s->hops, i - first, 0, turn[i % 2], s->n_col * n);
    }
out:
    gnd_free(turn[0]);
    gnd_free(turn[1]);
    gnd_free(place);
    gnd_csr_fini(&among);
    if (st != GND_OK)
        gnd_power_rows_fini(s);
    return st;
}

void gnd_power_rows_fini(gnd_power_rows *s)
{
    gnd_free(s->col);
    gnd_hop_tiles_fini(&s->hops);
    *s = (gnd_power_rows){0};
}
