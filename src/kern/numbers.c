/* SPDX-License-Identifier: MIT
 * numbers.c - sets and rows of vertices by number, over all processes. */
#include "numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

gnd_status gnd_numbers_marked(gnd_vertex_bits *out, int64_t *count, const gnd_numbers *v,
                              const unsigned char *mark, int64_t n, gnd_error *err)
{
    const gnd_row_range own = gnd_part_own(v->part, n);
    const int64_t total = gnd_part_total(v->part, n);

    *out = (gnd_vertex_bits){0};
    if (!gnd_vertex_bits_reserve(out, total > 0 ? total - 1 : 0))
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)total);
    for (int64_t i = own.begin; i < own.end; i++)
        if (mark[i])
            gnd_vertex_bits_add(out, (int32_t)gnd_number_of(v, i));
    gnd_part_counts(v->part, (int64_t *)(void *)out->word, out->n_word); /* bits of one process
                                                                           each: a sum joins them */
    *count = gnd_vertex_bits_count(out);
    if (*count >= 0)
        return GND_OK;
    gnd_vertex_bits_fini(out);
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)total);
}

static int by_number(const void *x, const void *y)
{
    const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;

    return (a > b) - (a < b);
}

void gnd_numbers_find(int32_t *row, const gnd_numbers *v, const int32_t *list, int64_t m, int64_t n)
{
    const gnd_row_range own = gnd_part_own(v->part, n);

    for (int64_t k = 0; k < m; k++)
        row[k] = v->part || v->number ? -1 : list[k];
    for (int64_t i = own.begin; i < own.end && (v->part || v->number); i++) {
        const int32_t number = (int32_t)gnd_number_of(v, i);
        const int32_t *at = bsearch(&number, list, (size_t)m, sizeof *list, by_number);

        if (at)
            row[at - list] = (int32_t)i;
    }
}

gnd_status gnd_numbers_share(void *out, const gnd_numbers *v, const int32_t *row, int64_t m,
                             int64_t bytes, gnd_error *err)
{
    int32_t *mine; /* rows of out that this process has */
    int64_t n = 0;

    if (!v->part)
        return GND_OK;
    mine = gnd_alloc(m, sizeof *mine);
    if (!mine)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)m);
    for (int64_t k = 0; k < m; k++)
        if (row[k] >= 0)
            mine[n++] = (int32_t)k;
    gnd_part_share(v->part, out, bytes, mine, n);
    gnd_free(mine);
    return GND_OK;
}

gnd_status gnd_numbers_rows(void *out, const gnd_numbers *v, const int32_t *list, int64_t m,
                            const void *x, int64_t n, int64_t bytes, gnd_error *err)
{
    int32_t *row = gnd_alloc(m, sizeof *row);
    gnd_status st = GND_OK;

    if (!row)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)m));
    gnd_numbers_find(row, v, list, m, n);
    for (int64_t k = 0; k < m; k++)
        if (row[k] >= 0)
            memcpy((char *)out + k * bytes, (const char *)x + row[k] * bytes, (size_t)bytes);
    GND_TRY(gnd_numbers_share(out, v, row, m, bytes, err));
out:
    gnd_free(row);
    return st;
}
