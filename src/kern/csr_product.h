/* SPDX-License-Identifier: MIT
 * csr_product.h - products of a sparse matrix with a dense or with another sparse matrix.
 *
 * A sparse-sparse product a b takes two steps: count its entries, then fill arrays of that size,
 * which the caller allocates. Each step costs gnd_csr_product_work multiply-adds. */
#ifndef GND_KERN_CSR_PRODUCT_H
#define GND_KERN_CSR_PRODUCT_H

#include "base/parallel.h"
#include "csr.h"

/* y = a x for dense x: [a->n_col, f], y: [a->n_row, f]. pool may be NULL. The result has the
 * same bits for any pool. */
void gnd_csr_times(gnd_real *y, const gnd_csr *a, const gnd_real *x, int64_t f, gnd_pool *pool);
/* y: [rows, f] = the same rows of A x, with sums in double: a part of a sum over many vertices that
 * other processes have the rest of. */
void gnd_csr_sums(double *y, const gnd_csr *a, const gnd_real *x, int64_t f, gnd_row_range rows,
                  gnd_pool *pool);

/* The number of multiply-adds of a b. */
int64_t gnd_csr_product_work(const gnd_csr *a, const gnd_csr *b);
/* The number of entries of a b. ptr: [a->n_row + 1], receives the row pointers of the product,
 * or NULL. mark: [b->n_col], scratch. */
int64_t gnd_csr_product_count(int64_t *ptr, const gnd_csr *a, const gnd_csr *b, int64_t *mark,
                              gnd_pool *pool);
/* Fills ptr, col and val of y = a b, allocated for the counted entries. The columns of a row are
 * in order of first use, not ascending. mark: [b->n_col], scratch. */
void gnd_csr_product_fill(gnd_csr *y, const gnd_csr *a, const gnd_csr *b, int64_t *mark,
                          gnd_pool *pool);
/* y += a b for rows begin..end-1 of a dense y: [a->n_row, b->n_col]. */
void gnd_csr_product_dense(gnd_real *y, const gnd_csr *a, const gnd_csr *b, int64_t begin,
                           int64_t end);
/* y = a b, allocated here, with ascending columns. nnz: from gnd_csr_product_count; mark:
 * [b->n_col], scratch. */
gnd_status gnd_csr_product_init(gnd_csr *y, const gnd_csr *a, const gnd_csr *b, int64_t nnz,
                                int64_t *mark, gnd_pool *pool, gnd_error *err);
/* Columns c0 .. c0 + w - 1 of x, dense: [x->n_row, w]. Panels of columns are taken in ascending
 * order. at: [x->n_row] the first entry of each row that is not yet read, initially x->ptr. */
void gnd_csr_panel(gnd_real *to, const gnd_csr *x, int64_t *at, int64_t c0, int64_t w);

#endif
