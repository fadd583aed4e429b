/* SPDX-License-Identifier: MIT
 * op.h - what the files of the ops share: their descriptors, and how work is cut into pieces.
 *
 * Pieces and blocks are functions of sizes alone, so sums come out the same for any number of
 * threads. */
#ifndef GND_TAPE_OP_H
#define GND_TAPE_OP_H

#include "ops.h"
#include "plan/product.h"

#define X(name) extern const gnd_op gnd_op_##name;
#include "ops.def"
#undef X

/* After an error nothing stands for something. */
#define GND_NONE ((gnd_var){-1})

static inline int64_t gnd_node_size(const gnd_node *x)
{
    return x->rows * x->cols;
}

/* Small matrices are cut as well, so that what tests see of them is what large ones do. */
enum { GND_PIECES_MIN = 8, GND_PIECE_COST = 32768, GND_ELEM_GRAIN = 16384 };

/* At least 1, at most what gives GND_PIECES_MIN pieces of n. */
static inline int64_t gnd_grain_limit(int64_t grain, int64_t n)
{
    if (grain > n / GND_PIECES_MIN)
        grain = n / GND_PIECES_MIN;
    return grain < 1 ? 1 : grain;
}

/* Rows a piece: some 32k multiply-adds, enough to outweigh handing it out. */
static inline int64_t gnd_row_grain(int64_t rows, int64_t cost)
{
    return gnd_grain_limit(
        rows > 0 && cost > 0 ? (int64_t)(GND_PIECE_COST / ((double)cost / (double)rows)) : 1, rows);
}

/* fn over all elements of a matrix, in pieces. cost_each: multiply-adds an element. */
static inline void gnd_for_elements(gnd_tape *t, int64_t n, int64_t cost_each,
                                    void (*fn)(int64_t begin, int64_t end, void *arg), void *arg)
{
    gnd_parallel_for(t->pool, n, gnd_grain_limit(GND_ELEM_GRAIN, n), n * cost_each, fn, arg);
}

/* dst += c src, n elements. */
void gnd_add_scaled(gnd_tape *t, gnd_real *dst, gnd_real c, const gnd_real *src, int64_t n);
/* c z + a x for all rows of a;  x, z: f columns. z may be NULL, or where the result goes. */
typedef struct {
    const gnd_csr *a;
    const gnd_real *x;
    int64_t f;
    gnd_real c;
    const gnd_real *z;
} gnd_product;
/* y = c z + a x */
void gnd_spmm_all(gnd_tape *t, gnd_real *y, const gnd_product *p);
/* The same for an operator that lives as long as the tape, in blocks of columns; false, and nothing
 * done, where that is not faster or t->budget does not allow for it. */
bool gnd_spmm_blocks(gnd_tape *t, gnd_real *y, const gnd_product *p);
/* The one or else the other. */
void gnd_spmm_operator(gnd_tape *t, gnd_real *y, const gnd_product *p);

/* What decides how a x is computed;  x: [a->n_col, f] */
static inline gnd_product_sizes gnd_product_sizes_of(const gnd_csr *a, int64_t f)
{
    return (gnd_product_sizes){a->n_row, a->n_col, gnd_csr_nnz(a), f, sizeof(gnd_real)};
}
/* y = (add: +=) a^k x, all rows, through panels of columns;  a: [n, n], x, y: [n, f], no z. And
 * whether that is faster than plain products. */
bool gnd_panels_pay(const gnd_csr *a, int64_t f);
void gnd_panels_power(gnd_tape *t, gnd_real *y, const gnd_product *p, int64_t k, bool add);

/* A sum over rows into a small matrix: blocks of rows add into buffers of their own, which are then
 * added to `sum` in order. fn adds the rows begin..end-1 to out[0..size-1]. */
typedef struct {
    void (*fn)(gnd_real *out, int64_t begin, int64_t end, const void *arg);
    const void *arg;
    int64_t rows, size, cost;
} gnd_row_sum;
void gnd_sum_rows(gnd_tape *t, gnd_real *sum, const gnd_row_sum *s);

/* An op on one matrix, element by element: what its loops see of elements begin..end-1. */
typedef struct {
    const gnd_kern *kern;
    const gnd_real *x, *y, *dy; /* y and dy on the way back only */
    gnd_real *out;              /* the value, or the gradient to add to */
} gnd_elements;
gnd_var gnd_elements_record(gnd_tape *t, const gnd_op *op, gnd_var x);
void gnd_elements_forward(gnd_tape *t, gnd_node *y, int64_t cost_each,
                          void (*fn)(int64_t begin, int64_t end, void *arg));
void gnd_elements_backward(gnd_tape *t, gnd_node *y,
                           void (*fn)(int64_t begin, int64_t end, void *arg));

/* A square operator, its transpose, and how often; what spmm and its relatives keep in arg. */
typedef struct {
    const gnd_csr *a, *at;
    int64_t k;
} gnd_operator_arg;
/* arg for the operator a with z below it, or NULL after a bad shape (the sticky error is set). */
const gnd_operator_arg *gnd_operator_arg_new(gnd_tape *t, const char *op, const gnd_csr *a,
                                             const gnd_csr *at, gnd_var z, int64_t k);
/* gnd_rows with a list that stays as it is while the tape lives. */
gnd_var gnd_rows_lasting(gnd_tape *t, gnd_var x, const int32_t *row, int64_t n);
/* Key of the dropout masks of a place in this pass, and their law at drop rate p. */
uint64_t gnd_mask_key(const gnd_tape *t, const char *place);
gnd_drop_law gnd_mask_law(const gnd_tape *t, double p, const char *place);
/* Which elements of x (sparse: stored entries) are kept at this place, a bit each, and what they
 * are multiplied by; NULL, and *scale as it was, if all are or after an error. */
const uint64_t *gnd_keep_mask(gnd_tape *t, gnd_var x, double p, const char *place, gnd_real *scale);
/* x dense, in an op that takes no sparse matrix; false after the sticky error. */
bool gnd_check_dense(gnd_tape *t, const char *op, gnd_var x);

#endif
