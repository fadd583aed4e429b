/* SPDX-License-Identifier: MIT
 * keep.h - whether a matrix that passes read again is kept, and how: sparse, dense or not. */
#ifndef GND_PLAN_KEEP_H
#define GND_PLAN_KEEP_H

#include "budget.h"

typedef enum {
    GND_KEEP_NONE,   /* each pass does without it */
    GND_KEEP_SPARSE, /* only the entries that are not 0 */
    GND_KEEP_DENSE
} gnd_keep;

/* The product a b of an operator and sparse or dense features: [rows, cols]. */
typedef struct {
    int64_t rows, cols;
    int64_t nnz_a;
    int64_t nnz_b;   /* rows of b times cols where b is dense */
    int64_t work;    /* multiply-adds of the sparse product */
    int64_t nnz;     /* entries of the product; used by the _choose functions only */
    int64_t width;   /* columns of the weights it is multiplied by; of the first layer only */
    int64_t bytes_b; /* of an entry of b where products read it; of the first layer only */
} gnd_keep_sizes;

/* A power of an operator on features, A^k X = A (A^(k-1) X). Before its entries are counted:
 * GND_KEEP_SPARSE: count them, it may be sparse; GND_KEEP_DENSE: it is at least as full as
 * A^(k-1) X, which is too full; GND_KEEP_NONE: it will not fit. */
gnd_keep gnd_keep_power_guess(const gnd_keep_sizes *s, const gnd_budget *b);
/* With nnz counted, or rows cols where it is too full. */
gnd_keep gnd_keep_power_choose(const gnd_keep_sizes *s, const gnd_budget *b);
/* Bytes that a matrix kept so takes of the budget. */
int64_t gnd_keep_bytes(gnd_keep how, const gnd_keep_sizes *s);

/* Dense rows of the powers A^k X, k = 1 .. hops, made once where the powers are not kept: do they
 * fit, and are they cheaper than k products with A on matrices of s->width columns in each pass?
 * s->rows: of the rows, s->cols: of X */
bool gnd_keep_power_rows(const gnd_keep_sizes *s, int64_t hops, const gnd_budget *b);

/* A X of a first layer A X W, for few rows of A: may it be cheaper to keep it than to compute
 * A (X W) in each pass, so that its entries are worth counting? Then, with nnz, the choice. */
bool gnd_keep_first_worth_counting(const gnd_keep_sizes *s, const gnd_budget *b);
gnd_keep gnd_keep_first_choose(const gnd_keep_sizes *s, const gnd_budget *b);

/* Rows of a matrix [n_node, n_node] that is a series of an operator with nnz entries, times
 * predictions [n_node, n_class]. */
typedef struct {
    int64_t n_row, n_node, nnz, n_class;
    int64_t n_term;   /* of the series */
    int64_t patience; /* of the stopping rule */
} gnd_series_sizes;

/* Are dense rows, made once, cheaper than summing the series in each pass, and do they fit? */
bool gnd_keep_series_rows(const gnd_series_sizes *s, const gnd_budget *b);

/* Sparse rows [n_row, n_col] of which nothing is known, so that they may be full. */
int64_t gnd_keep_full_rows_bytes(int64_t n_row, int64_t n_col);

/* Bytes of the entries of a sparse matrix. */
int64_t gnd_keep_entries_bytes(int64_t nnz);

#endif
