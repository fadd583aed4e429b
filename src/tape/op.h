/* SPDX-License-Identifier: MIT
 * op.h - declarations shared by the op files: descriptors, shared loops, and how work is split.
 *
 * The number and size of the parts depend only on matrix sizes. Sums are therefore the same for
 * any number of threads. */
#ifndef GND_TAPE_OP_H
#define GND_TAPE_OP_H

#include "ops.h"
#include "plan/product.h"

#define X(name) extern const gnd_op gnd_op_##name;
#include "ops.def"
#undef X

/* The variable that ops return after an error. */
#define GND_NONE ((gnd_var){-1})

static inline int64_t gnd_node_size(const gnd_node *x)
{
    return x->rows * x->cols;
}

/* Small matrices are split too, so that small tests exercise the same code paths as large data. */
enum { GND_PIECES_MIN = 8, GND_PIECE_COST = 32768, GND_ELEM_GRAIN = 16384 };

/* Limits grain to [1, n / GND_PIECES_MIN]. */
static inline int64_t gnd_grain_limit(int64_t grain, int64_t n)
{
    if (grain > n / GND_PIECES_MIN)
        grain = n / GND_PIECES_MIN;
    return grain < 1 ? 1 : grain;
}

/* Rows per piece: about 32k multiply-adds, so that the cost of scheduling a piece is negligible. */
static inline int64_t gnd_row_grain(int64_t rows, int64_t cost)
{
    return gnd_grain_limit(
        rows > 0 && cost > 0 ? (int64_t)(GND_PIECE_COST / ((double)cost / (double)rows)) : 1, rows);
}

/* Runs fn over n elements in pieces. cost_each: multiply-adds per element. */
static inline void gnd_for_elements(gnd_tape *t, int64_t n, int64_t cost_each,
                                    void (*fn)(int64_t begin, int64_t end, void *arg), void *arg)
{
    gnd_parallel_for(t->pool, n, gnd_grain_limit(GND_ELEM_GRAIN, n), n * cost_each, fn, arg);
}

/* dst += c src, n elements. */
void gnd_add_scaled(gnd_tape *t, gnd_real *dst, gnd_real c, const gnd_real *src, int64_t n);
/* c z + a x for all rows of a;  x, z: f columns. z may be NULL or the output array. then: called
 * with each range of rows after they are computed, while they are in the cache; NULL: nothing. Not
 * on a part of a graph. */
typedef struct {
    const gnd_csr *a;
    const gnd_real *x;
    int64_t f;
    gnd_real c;
    const gnd_real *z;
    void (*then)(int64_t begin, int64_t end, void *arg);
    void *arg;
    int64_t xs, ys; /* x, or y and z, are columns of matrices with rows of so many values; 0: f */
} gnd_product;
/* Arguments of the kernels. m: rows of x */
static inline gnd_columns_of gnd_columns_of_product(gnd_real *y, const gnd_product *p, int64_t m)
{
    return (gnd_columns_of){
        y, p->x, p->z, p->c, m, p->f, p->ys ? p->ys : p->f, p->xs ? p->xs : p->f};
}
/* y = c z + a x */
void gnd_spmm_all(gnd_tape *t, gnd_real *y, const gnd_product *p);
/* The same for an operator that outlives the tape, in blocks of columns. Returns false and
 * computes nothing if this is not faster or exceeds t->budget. */
bool gnd_spmm_blocks(gnd_tape *t, gnd_real *y, const gnd_product *p);
/* The same with rows of similar length together (row_groups.h). */
bool gnd_spmm_groups(gnd_tape *t, gnd_real *y, const gnd_product *p);
/* gnd_spmm_blocks or gnd_spmm_groups if one of them applies, else gnd_spmm_all. */
void gnd_spmm_operator(gnd_tape *t, gnd_real *y, const gnd_product *p);

/* The sizes from which plan/product.h chooses how to compute a x;  x: [a->n_col, f] */
static inline gnd_product_sizes gnd_product_sizes_of(const gnd_csr *a, int64_t f)
{
    return (gnd_product_sizes){a->n_row, a->n_col, gnd_csr_nnz(a), f, sizeof(gnd_real)};
}
/* gnd_panels_power: y = a^k x (add: y += a^k x) for all rows, in panels of columns;  a: [n, n],
 * x, y: [n, f], p->z is ignored. gnd_panels_pay: true if this is faster than plain products. */
bool gnd_panels_pay(const gnd_csr *a, int64_t f);
void gnd_panels_power(gnd_tape *t, gnd_real *y, const gnd_product *p, int64_t k, bool add);

/* A sum over rows into a small matrix. Each block of rows has its own buffer; the buffers are
 * added to `sum` in order. fn adds rows begin..end-1 to out[0..size-1]. */
typedef struct {
    void (*fn)(gnd_real *out, int64_t begin, int64_t end, const void *arg);
    const void *arg;
    int64_t rows, size, cost;
} gnd_row_sum;
void gnd_sum_rows(gnd_tape *t, gnd_real *sum, const gnd_row_sum *s);
/* The same where rows are the vertices of the graph. In one of several processes own rows are
 * summed, s->cost is theirs, and the processes add up the blocks of the whole graph, in the order
 * of one process. */
void gnd_sum_vertices(gnd_tape *t, gnd_real *sum, const gnd_row_sum *s);

/* z = tanh(w (.) y_i) u for the requested rows of y = [ x | a x | .. ], in panels of columns of x;
 * u: [y->cols, f] -> [n_request, f] */
void gnd_tanh_panels(gnd_tape *t, gnd_real *z, const gnd_row_maker *y, const gnd_real *w,
                     const gnd_real *u, int64_t f);

/* Arguments of the loops of an element-wise op on one matrix. */
typedef struct {
    const gnd_kern *kern;
    const gnd_real *x, *y, *dy; /* y and dy: backward only */
    gnd_real *out;              /* forward: the value; backward: the gradient to add to */
} gnd_elements;
gnd_var gnd_elements_record(gnd_tape *t, const gnd_op *op, gnd_var x);
void gnd_elements_forward(gnd_tape *t, gnd_node *y, int64_t cost_each,
                          void (*fn)(int64_t begin, int64_t end, void *arg));
void gnd_elements_backward(gnd_tape *t, gnd_node *y,
                           void (*fn)(int64_t begin, int64_t end, void *arg));

/* A square operator, its transpose and an exponent: the arg of spmm, power and similar ops. */
typedef struct {
    const gnd_csr *a, *at;
    int64_t k;
} gnd_operator_arg;
/* The arg for an operator applied to z. NULL after a shape error, which sets the sticky error. */
const gnd_operator_arg *gnd_operator_arg_new(gnd_tape *t, const char *op, const gnd_csr *a,
                                             const gnd_csr *at, gnd_var z, int64_t k);
/* gnd_rows with a list that does not change while the tape exists. */
gnd_var gnd_rows_lasting(gnd_tape *t, gnd_var x, const int32_t *row, int64_t n);
/* The key of the dropout masks of a place in this pass, and their distribution at drop rate p. */
uint64_t gnd_mask_key(const gnd_tape *t, const char *place);
gnd_drop_law gnd_mask_law(const gnd_tape *t, double p, const char *place);
/* The keep mask of x at this place, one bit per element (sparse: per stored entry); *scale is
 * the factor for kept elements. Returns NULL and leaves *scale unchanged if nothing is dropped
 * or after an error. */
const uint64_t *gnd_keep_mask(gnd_tape *t, gnd_var x, double p, const char *place, gnd_real *scale);
/* The entries that dropout keeps: the number to allocate at drop rate p, practically enough in
 * every epoch (the mean and eight standard deviations); the number of kept ones before each word of
 * the mask, and after the last; and a copy of them to y, whose arrays are allocated. NULL after an
 * error. */
int64_t gnd_kept_room(int64_t nnz, double p);
int64_t *gnd_kept_before(gnd_tape *t, const uint64_t *keep, int64_t nnz);
void gnd_kept_pack(gnd_tape *t, gnd_csr *y, const gnd_csr *x, const uint64_t *keep, gnd_real scale,
                   int64_t *before);
/* Bytes of the arrays for `room` entries after dropout of x. */
int64_t gnd_kept_bytes(const gnd_csr *x, int64_t room);
/* Arrays for `room` entries of y, after dropout of x, and the values of its rows. alloc:
 * gnd_tape_alloc or gnd_tape_store. */
void gnd_kept_arrays(gnd_tape *t, gnd_csr *y, const gnd_csr *x, int64_t room,
                     void *(*alloc)(gnd_tape *t, int64_t n, size_t size));
/* Returns false and sets the sticky error if x is sparse. */
bool gnd_check_dense(gnd_tape *t, const char *op, gnd_var x);

#endif
