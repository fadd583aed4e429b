/* SPDX-License-Identifier: MIT
 * numbers.c - sets and rows of vertices by number, over all processes. */
#include "numbers.h"

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

/* An ascending list, cut by the leading bits of its numbers. */
enum { RANGES = 4096 };
typedef struct {
    const int32_t *list;       /* [m] */
    int32_t last;              /* largest number */
    int shift;                 /* range of a number: number >> shift */
    int64_t first[RANGES + 1]; /* where each range begins */
} ranges;

static void ranges_find(ranges *r, const int32_t *list, int64_t m)
{
    int64_t k = 0;

    r->list = list;
    r->last = m > 0 ? list[m - 1] : -1;
    for (r->shift = 0; r->last >> r->shift >= RANGES;)
        r->shift++;
    for (int64_t e = 0; e <= RANGES; e++) {
        while (k < m && list[k] >> r->shift < e)
            k++;
        r->first[e] = k;
    }
}

/* The position of a number in the list, or -1. */
static int64_t position(const ranges *r, int32_t number)
{
    const int32_t range = number >> r->shift;
    int64_t k, end;

    if (number > r->last)
        return -1;
    k = r->first[range];
    end = r->first[range + 1];
    while (k < end && r->list[k] < number) {
        const int64_t middle = k + (end - k) / 2;

        if (r->list[middle] <= number)
            k = r->list[middle] == number ? middle : middle + 1;
        else
            end = middle;
    }
    return k < end && r->list[k] == number ? k : -1;
}

void gnd_numbers_find(int32_t *row, const gnd_numbers *v, const int32_t *list, int64_t m, int64_t n)
{
    const gnd_row_range own = gnd_part_own(v->part, n);
    ranges r;

    for (int64_t k = 0; k < m; k++)
        row[k] = v->part || v->number ? -1 : list[k];
    if (!v->part && !v->number)
        return;
    ranges_find(&r, list, m);
    for (int64_t i = own.begin; i < own.end; i++) {
        const int64_t k = position(&r, (int32_t)gnd_number_of(v, i));

        if (k >= 0)
            row[k] = (int32_t)i;
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
