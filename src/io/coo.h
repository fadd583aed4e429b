/* SPDX-License-Identifier: MIT
 * coo.h - a sparse matrix in coordinate form, to which readers add entries. */
#ifndef GND_IO_COO_H
#define GND_IO_COO_H

#include "kern/csr.h"

/* Zero is valid and empty. */
typedef struct {
    int32_t *row, *col;
    gnd_real *val; /* NULL while every value is 1 */
    int64_t n, cap;
} gnd_coo;

gnd_status gnd_coo_add(gnd_coo *t, int32_t row, int32_t col, double val, gnd_error *err);
/* Add n entries of value 1. key: [n] their gnd_arc_key. */
gnd_status gnd_coo_add_arcs(gnd_coo *t, const uint64_t *key, int64_t n, gnd_error *err);
void gnd_coo_fini(gnd_coo *t);
/* Convert to compressed rows. Of duplicate entries the largest is kept, and n_dup (if not NULL)
 * counts the others. */
gnd_status gnd_coo_to_csr(gnd_csr *out, const gnd_coo *t, int64_t n_row, int64_t n_col,
                          int64_t *n_dup, gnd_error *err);

#endif
