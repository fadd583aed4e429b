/* SPDX-License-Identifier: MIT
 * csr.h - compressed sparse rows. */
#ifndef GND_KERN_CSR_H
#define GND_KERN_CSR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "real.h"

/* Columns ascend in each row and none stands twice. Zero is a valid 0 x 0 matrix. */
typedef struct {
    int64_t n_row, n_col;
    int64_t *ptr;  /* [n_row + 1] */
    int32_t *col;  /* [nnz] */
    gnd_real *val; /* [nnz]; NULL: every entry is 1 */
} gnd_csr;

/* Some rows of a matrix, borrowed. row NULL: all n of them. */
typedef struct {
    const int32_t *row; /* [n] */
    int64_t n;
} gnd_row_list;

typedef enum {
    GND_DUP_MAX, /* an entry stated twice keeps its largest value */
    GND_DUP_SUM  /* ... the sum of them */
} gnd_dup;

static inline int64_t gnd_csr_nnz(const gnd_csr *a)
{
    return a->ptr ? a->ptr[a->n_row] : 0;
}

static inline gnd_real gnd_csr_val(const gnd_csr *a, int64_t p)
{
    return a->val ? a->val[p] : 1;
}

/* Room for nnz entries: ptr zeroed, col and val (unless !with_val) zeroed. a is overwritten. */
gnd_status gnd_csr_init(gnd_csr *a, int64_t n_row, int64_t n_col, int64_t nnz, bool with_val,
                        gnd_error *err);
void gnd_csr_fini(gnd_csr *a);
gnd_status gnd_csr_copy(gnd_csr *out, const gnd_csr *a, gnd_error *err);
/* From nnz triplets in any order (val NULL: all 1, and out->val is NULL). Indices must be in range.
 * n_dup, if not NULL, counts the entries that were merged into another. */
gnd_status gnd_csr_from_triplets(gnd_csr *out, int64_t n_row, int64_t n_col, int64_t nnz,
                                 const int32_t *row, const int32_t *col, const gnd_real *val,
                                 gnd_dup dup, int64_t *n_dup, gnd_error *err);
gnd_status gnd_csr_transpose(gnd_csr *out, const gnd_csr *a, gnd_error *err);
/* max(A, A^T); loops are kept. */
gnd_status gnd_csr_symmetrise(gnd_csr *out, const gnd_csr *a, gnd_error *err);
/* Without its diagonal; n_loop, if not NULL, counts what was dropped. */
gnd_status gnd_csr_drop_loops(gnd_csr *out, const gnd_csr *a, int64_t *n_loop, gnd_error *err);
/* Same pattern and values as the transpose. */
bool gnd_csr_is_symmetric(const gnd_csr *a, const gnd_csr *transpose);
/* Position of entry (i, j), -1 if it is not stored. */
int64_t gnd_csr_find(const gnd_csr *a, int64_t i, int32_t j);
/* Rows `rows[0..n-1]`, columns renumbered by col_new (-1: dropped; NULL: kept as they are). col_new
 * must be ascending where it is not -1. */
gnd_status gnd_csr_select(gnd_csr *out, const gnd_csr *a, const int32_t *rows, int64_t n,
                          const int32_t *col_new, int64_t n_col, gnd_error *err);
/* Replace val by NULL if every entry is 1. */
void gnd_csr_drop_ones(gnd_csr *a);
/* Validity, once for all readers: ptr monotone, columns in range, ascending, values finite. what
 * names the matrix in the message ("adjacency"). */
gnd_status gnd_csr_check(const gnd_csr *a, const char *what, gnd_error *err);

#endif
