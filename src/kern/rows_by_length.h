/* SPDX-License-Identifier: MIT
 * rows_by_length.h - rows of a sparse matrix in order of their number of entries.
 *
 * The end of the loop over a row is predicted if the rows before have as many entries. With short
 * rows a wrong prediction takes more time than the row. */
#ifndef GND_KERN_ROWS_BY_LENGTH_H
#define GND_KERN_ROWS_BY_LENGTH_H

#include "csr.h"

enum { GND_SORTED_ROWS = 1024 };

/* Sorts n <= GND_SORTED_ROWS listed rows by their number of entries. Those of as many keep their
 * order. */
void gnd_rows_by_length(int32_t *row, int64_t n, const gnd_csr *a);

static inline int64_t gnd_row_length(const gnd_csr *a, int64_t i)
{
    return a->ptr[i + 1] - a->ptr[i];
}

#endif
