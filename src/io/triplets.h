/* SPDX-License-Identifier: MIT
 * triplets.h - a growing list of (row, column, value), as readers meet them. */
#ifndef GND_IO_TRIPLETS_H
#define GND_IO_TRIPLETS_H

#include "kern/csr.h"

/* Zero is valid and empty. */
typedef struct {
    int32_t *row, *col;
    gnd_real *val; /* NULL while every value is 1 */
    int64_t n, cap;
} gnd_triplets;

gnd_status gnd_triplets_add(gnd_triplets *t, int32_t row, int32_t col, double val, gnd_error *err);
void gnd_triplets_fini(gnd_triplets *t);
/* As a matrix: of entries stated twice the largest stays, and n_dup (if not NULL) counts the
 * others. */
gnd_status gnd_triplets_to_csr(gnd_csr *out, const gnd_triplets *t, int64_t n_row, int64_t n_col,
                               int64_t *n_dup, gnd_error *err);

#endif
