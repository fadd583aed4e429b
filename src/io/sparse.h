/* SPDX-License-Identifier: MIT
 * sparse.h - check and repair sparse matrices read from files. */
#ifndef GND_IO_SPARSE_H
#define GND_IO_SPARSE_H

#include "kern/csr.h"

/* Check the row pointers of a matrix of nnz entries: from 0 to nnz, not decreasing. what: for
 * messages. */
gnd_status gnd_sparse_check_ptr(const int64_t *ptr, int64_t n_row, int64_t nnz, const char *what,
                                gnd_error *err);
/* Sort each row by column and add up duplicate entries; *n_merged: number of removed entries. Takes
 * memory for one row, independent of the number of columns that the file states. Columns must be in
 * range. */
gnd_status gnd_sparse_tidy(gnd_csr *a, int64_t *n_merged, gnd_error *err);
/* Remove stored zeros. Returns their number. Without zeros nothing is written. */
int64_t gnd_sparse_drop_zeros(gnd_csr *a);
/* The non-zeros of x [n_row, n_col], stored by rows, or by columns if fortran. */
gnd_status gnd_sparse_from_dense(gnd_csr *out, const gnd_real *x, int64_t n_row, int64_t n_col,
                                 bool fortran, gnd_error *err);

#endif
