/* SPDX-License-Identifier: MIT
 * rows_by_length.c - short rows are sorted by counting, long ones, of which there are few, by
 * insertion. */
#include "rows_by_length.h"

#include <assert.h>
#include <string.h>

enum { LONG = 64 };

void gnd_rows_by_length(int32_t *row, int64_t n, const gnd_csr *a)
{
    int64_t start[LONG + 2] = {0}, first_long;
    int32_t sorted[GND_SORTED_ROWS];

    assert(n <= GND_SORTED_ROWS);
    for (int64_t i = 0; i < n; i++) {
        const int64_t len = gnd_row_length(a, row[i]);

        start[(len < LONG ? len : LONG) + 1]++;
    }
    for (int64_t len = 0; len <= LONG; len++)
        start[len + 1] += start[len];
    first_long = start[LONG];
    for (int64_t i = 0; i < n; i++) {
        const int64_t len = gnd_row_length(a, row[i]);
        int64_t k = start[len < LONG ? len : LONG]++;

        for (; k > first_long && gnd_row_length(a, sorted[k - 1]) > len; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = row[i];
    }
    memcpy(row, sorted, (size_t)n * sizeof *sorted);
}
