/* SPDX-License-Identifier: MIT
 * csr.h - sparse matrices in compressed sparse row (CSR) format. */
#ifndef GND_KERN_CSR_H
#define GND_KERN_CSR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "part.h"
#include "real.h"

/* Columns ascend strictly in each row. All zero is a valid 0 x 0 matrix. */
typedef struct {
    int64_t n_row, n_col;
    int64_t *ptr;  /* [n_row + 1] */
    int32_t *col;  /* [nnz] */
    gnd_real *val; /* [nnz]; NULL: every entry is 1 */
    /* A matrix for products alone: column numbers of 16 bits; col is NULL. */
    uint16_t *col16;   /* [nnz]; NULL: col */
    gnd_real *row_val; /* with col16 and without val: [n_row] the value of all entries of a row;
                          NULL: every entry is 1 */
    /* GND_CSR_PTR | ..: arrays that belong to another owner. They must not be changed, and
     * gnd_csr_fini does not free them. */
    unsigned borrowed;
    /* An operator on the vertices of a graph that several processes hold; NULL: this one holds all.
     * It belongs to the graph. Rows of copies are empty. */
    gnd_part *part;
    /* [n_row] number of the first entry of each row in the matrix of the whole graph, where this is
     * a part of it; belongs to another owner. NULL: ptr. */
    const int64_t *start;
    /* An operator with its vertices in order of degree (hubs.h), which belongs to another owner.
     * NULL: none was made. */
    const struct gnd_hubs *hubs;
    /* A = A^T, with its values, is known; false: unknown. A function that changes some entries, or
     * takes some rows, sets false. */
    bool symmetric;
} gnd_csr;

enum { GND_CSR_PTR = 1, GND_CSR_COL = 2, GND_CSR_VAL = 4, GND_CSR_ARRAYS = 7 };

/* Some rows of a matrix, borrowed. row NULL: all n rows. */
typedef struct {
    const int32_t *row; /* [n] */
    int64_t n;
} gnd_row_list;

typedef enum {
    GND_DUP_MAX, /* duplicate entries: the largest value */
    GND_DUP_SUM  /* duplicate entries: their sum */
} gnd_dup;

static inline int64_t gnd_csr_nnz(const gnd_csr *a)
{
    return a->ptr ? a->ptr[a->n_row] : 0;
}

/* The same of the whole graph. */
static inline int64_t gnd_csr_nnz_total(const gnd_csr *a)
{
    int64_t n = gnd_csr_nnz(a);

    gnd_part_counts(a->part, &n, 1);
    return n;
}

static inline int64_t gnd_csr_start(const gnd_csr *a, int64_t row)
{
    return a->start ? a->start[row] : a->ptr[row];
}

static inline gnd_real gnd_csr_val(const gnd_csr *a, int64_t p)
{
    return a->val ? a->val[p] : 1;
}

/* Column and value of entry p of row i, also of a matrix for products alone. */
static inline int64_t gnd_csr_col_at(const gnd_csr *a, int64_t p)
{
    return a->col16 ? a->col16[p] : a->col[p];
}

static inline gnd_real gnd_csr_val_at(const gnd_csr *a, int64_t i, int64_t p)
{
    return a->row_val ? a->row_val[i] : gnd_csr_val(a, p);
}

/* Rows row .. row + n - 1 as a matrix that shares the entries. */
static inline gnd_csr gnd_csr_slice(const gnd_csr *a, int64_t row, int64_t n)
{
    gnd_csr v = *a;

    v.ptr += row;
    v.row_val = v.row_val ? v.row_val + row : NULL;
    v.n_row = n;
    return v;
}

/* Allocates ptr, col and (with_val) val for nnz entries, zeroed. a is overwritten. */
gnd_status gnd_csr_init(gnd_csr *a, int64_t n_row, int64_t n_col, int64_t nnz, bool with_val,
                        gnd_error *err);
void gnd_csr_fini(gnd_csr *a);
gnd_status gnd_csr_copy(gnd_csr *out, const gnd_csr *a, gnd_error *err);
/* The entries of a matrix [n_row, n_col] as triplets in any order. Indices must be in range. */
typedef struct {
    int64_t n_row, n_col, nnz;
    const int32_t *row, *col; /* [nnz] */
    const gnd_real *val;      /* [nnz]; NULL: every entry is 1 */
} gnd_triplets;
/* Builds a matrix from triplets; out->val is NULL if t->val is. n_dup may be NULL; it receives the
 * number of entries that were merged into another. */
gnd_status gnd_csr_from_triplets(gnd_csr *out, const gnd_triplets *t, gnd_dup dup, int64_t *n_dup,
                                 gnd_error *err);
gnd_status gnd_csr_transpose(gnd_csr *out, const gnd_csr *a, gnd_error *err);
/* Is A = A^T? Without the memory to find out: false. */
bool gnd_csr_is_symmetric(const gnd_csr *a);
/* The transpose; where a is symmetric, out borrows its arrays: out->borrowed tells. */
gnd_status gnd_csr_transpose_or_borrow(gnd_csr *out, const gnd_csr *a, gnd_error *err);
/* max(A, A^T); loops are kept. Where a is symmetric, out borrows its arrays. */
gnd_status gnd_csr_symmetrise(gnd_csr *out, const gnd_csr *a, gnd_error *err);
bool gnd_csr_has_loops(const gnd_csr *a);
/* A without its diagonal. n_loop may be NULL; it receives the number of dropped entries. */
gnd_status gnd_csr_drop_loops(gnd_csr *out, const gnd_csr *a, int64_t *n_loop, gnd_error *err);
/* The position of entry (i, j) in col and val, or -1. */
int64_t gnd_csr_find(const gnd_csr *a, int64_t i, int32_t j);
/* The listed rows (rows.row is not NULL), with columns renumbered by col_new (-1: dropped; NULL:
 * unchanged) to n_col columns. The entries of col_new other than -1 must ascend. */
gnd_status gnd_csr_select(gnd_csr *out, const gnd_csr *a, gnd_row_list rows, const int32_t *col_new,
                          int64_t n_col, gnd_error *err);
/* A matrix with a row for each vertex of a part, of which own rows are computed and the others are
 * empty: gets the rows of copies from their owners. part NULL: nothing. */
gnd_status gnd_csr_complete(gnd_csr *a, gnd_part *part, gnd_error *err);
/* The same matrix with empty rows for the copies of a part; columns and values are borrowed. part
 * NULL: all rows, borrowed. */
gnd_status gnd_csr_own_rows(gnd_csr *out, const gnd_csr *a, const gnd_part *part, gnd_error *err);
/* Replaces val by NULL if every entry is 1. */
void gnd_csr_drop_ones(gnd_csr *a);
/* Checks that ptr ascends, that columns are in range and ascend, and that values are finite. `what`
 * names the matrix in the message ("adjacency"). */
gnd_status gnd_csr_check(const gnd_csr *a, const char *what, gnd_error *err);

#endif
