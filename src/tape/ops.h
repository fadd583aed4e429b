/* SPDX-License-Identifier: MIT
 * ops.h - what a formula can be written with. [n, f] are shapes; every op has its file op_*.c. */
#ifndef GND_TAPE_OPS_H
#define GND_TAPE_OPS_H

#include "linalg/series.h"
#include "kern/power_rows.h"
#include "tape.h"

/* A constant matrix [rows, cols]; v is borrowed. */
gnd_var gnd_constant(gnd_tape *t, const gnd_real *v, int64_t rows, int64_t cols);
/* A constant sparse matrix; borrowed until the pass ends. */
gnd_var gnd_sparse(gnd_tape *t, const gnd_csr *x);
/* The same of one that outlives the tape, as what is made of a graph does: rows of it that pass
 * after pass asks for are taken once. */
gnd_var gnd_input(gnd_tape *t, const gnd_csr *x);
/* A parameter: v is read, gradients are added to g (not zeroed). Both borrowed. */
gnd_var gnd_parameter(gnd_tape *t, gnd_real *v, gnd_real *g, int64_t rows, int64_t cols);

/* x w;  x: [n, k] dense or sparse, w: [k, f] -> [n, f] */
gnd_var gnd_matmul(gnd_tape *t, gnd_var x, gnd_var w);
/* x^T z;  x: [n, k], z: [n, f] -> [k, f] */
gnd_var gnd_matmul_t(gnd_tape *t, gnd_var x, gnd_var z);
/* diag(column col of f) x;  f: [n, m], x: [n, w] -> [n, w] */
gnd_var gnd_scale_rows(gnd_tape *t, gnd_var f, int64_t col, gnd_var x);
/* x + y of one shape */
gnd_var gnd_add(gnd_tape *t, gnd_var x, gnd_var y);
/* x - y */
gnd_var gnd_sub(gnd_tape *t, gnd_var x, gnd_var y);
/* The larger of x and y, element by element; on ties the gradient goes to x. */
gnd_var gnd_max(gnd_tape *t, gnd_var x, gnd_var y);
/* x + 1 b^T;  x: [n, f], b: [1, f] */
gnd_var gnd_add_bias(gnd_tape *t, gnd_var x, gnd_var b);
gnd_var gnd_relu(gnd_tape *t, gnd_var x);
/* x > 0: x, else exp(x) - 1 */
gnd_var gnd_elu(gnd_tape *t, gnd_var x);
gnd_var gnd_tanh(gnd_tape *t, gnd_var x);
/* Softmax along each row */
gnd_var gnd_softmax(gnd_tape *t, gnd_var x);
/* Inverted dropout with drop rate p; x dense or sparse (then of its stored entries, and dropped
 * ones are removed). The mask is a function of (seed, epoch, place, element). Identity in
 * evaluation or at p = 0. */
gnd_var gnd_dropout(gnd_tape *t, gnd_var x, double p, const char *place);
/* gnd_matmul(gnd_dropout(x), w) with the same bits, but for the order of sums in the gradient of w;
 * what is left of a sparse x is not stored. */
gnd_var gnd_drop_matmul(gnd_tape *t, gnd_var x, double p, const char *place, gnd_var w);
/* Dropout in the place of a dense x: no other op may use x, nor x's own way back read its value.
 */
gnd_var gnd_dropout_over(gnd_tape *t, gnd_var x, double p, const char *place);
/* Bias, ReLU and dropout at once, M(relu(x + 1 b^T)), or M(relu(x)) without b (i < 0). x is used
 * up: nothing else may read it, since the result of a product is overwritten. */
gnd_var gnd_activate(gnd_tape *t, gnd_var x, gnd_var b, double p, const char *place);
/* A z for a sparse operator;  a: [n, n], at its transpose, z: [n, f] */
gnd_var gnd_spmm(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var z);
/* The rows of A z that the pass requests (gnd_requested), without forming the others: the last
 * operator of a formula. a outlives the tape. */
gnd_var gnd_spmm_requested(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var z);
/* sum_{k=0}^{K-1} alpha_k A^{first+k} z;  alpha: [1, K], z: [n, f].  Horner forward, adjoint
 * backward: memory does not grow with K. */
gnd_var gnd_diffuse(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var alpha, gnd_var z,
                    int64_t first);
/* Rows `row` of the hops A^first z, A^{first+1} z, ..; all borrowed until the pass ends. spend: an
 * op made z, its own way back does not read its value, and no other op reads z; its value is used
 * up, and the pass holds no other [n, f]. */
typedef struct {
    const gnd_csr *a, *at;
    const int32_t *row; /* [n_row] */
    int64_t n_row, first;
    bool spend;
} gnd_row_hops;
/* These rows of sum_{k<K} alpha_k A^{first+k} z;  alpha: [1, K], z: [n, f] -> [n_row, f] */
gnd_var gnd_diffuse_rows(gnd_tape *t, const gnd_row_hops *h, gnd_var alpha, gnd_var z);
/* These rows of each of K hops, hop k in row k: [K, n_row f] */
gnd_var gnd_hop_rows(gnd_tape *t, const gnd_row_hops *h, gnd_var z, int64_t K);
/* (sum_k alpha_k P_k) z for rows made before;  alpha: [1, K], z: the rows that s names as columns,
 * [m, f] -> [|S|, f]. s is borrowed. */
gnd_var gnd_diffuse_power_rows(gnd_tape *t, const gnd_power_rows *s, gnd_var alpha, gnd_var z);
/* sum_k alpha_k Q_k;  q: [K, rows, cols], borrowed; alpha: [1, K] -> [rows, cols] */
gnd_var gnd_mix(gnd_tape *t, const gnd_real *q, int64_t K, gnd_var alpha, int64_t rows,
                int64_t cols);
/* The same numbers in another shape, [rows, cols]: no copy, so x must have no other use. */
gnd_var gnd_reshape(gnd_tape *t, gnd_var x, int64_t rows, int64_t cols);
/* A^k z */
gnd_var gnd_power(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var z, int64_t k);
/* s(A) z, a fixed polynomial; its coefficients are borrowed until the pass ends */
gnd_var gnd_propagate(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, const gnd_series *s,
                      gnd_var z);
/* A dense constant R: [rows, n] that is held transposed and cut into blocks: rows b width .. of R,
 * f <= width of them, stand as [n, f] from v + b width n on. */
typedef struct {
    const gnd_real *v;
    int64_t rows, n, width;
} gnd_row_blocks;
/* R z;  z: [n, f] -> [rows, f]; borrowed until the pass ends */
gnd_var gnd_block_rows(gnd_tape *t, const gnd_row_blocks *r, gnd_var z);
/* sum_{k=0}^K T_k(L) Y_k;  y = [Y_0 .. Y_K]: [n, (K+1) f] side by side -> [n, f] */
gnd_var gnd_cheby_sum(gnd_tape *t, const gnd_csr *l, const gnd_csr *lt, gnd_var y, int64_t K);
/* Steps of a walk with restarts. */
typedef struct {
    int64_t steps;
    double restart;    /* its probability a */
    double p;          /* rate at which the entries of A drop out in training, afresh each step */
    const char *place; /* of the masks */
} gnd_restart_walk;
/* The requested rows of z_K, with z_0 = z, z_k = (1 - a) A z_{k-1} + a z. a outlives the tape. */
gnd_var gnd_restart(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var z,
                    const gnd_restart_walk *w);
/* [X_0; ..; X_{B-1}]: [B r, c] as [X_0 .. X_{B-1}]: [r, B c] */
gnd_var gnd_unstack(gnd_tape *t, gnd_var x, int64_t blocks);
/* The hops A^first z, A^{first+1} z, ..; at is the transpose. */
typedef struct {
    const gnd_csr *a, *at;
    int64_t first;
} gnd_hops;
/* A small network over the hops, shared by all entries of z: with h_k = (A^{first+k} z)_ij,
 * out_ij = sum_m u2_m relu(sum_k h_k u1_km);  u1: [K, inner], u2: [inner, 1], z: [n, f] ->
 * [n, f] */
gnd_var gnd_hop_mlp(gnd_tape *t, const gnd_hops *h, gnd_var u1, gnd_var u2, gnd_var z);
/* The rows of x, dense or sparse, that the pass requests (gnd_tape_request), or x itself if it
 * requests all. To be called where the rows of x no longer mix: what follows then works on
 * these rows only. */
gnd_var gnd_requested(gnd_tape *t, gnd_var x);
/* Any rows of x, dense or sparse, a whole matrix; row is borrowed until the pass ends. */
gnd_var gnd_rows(gnd_tape *t, gnd_var x, const int32_t *row, int64_t n);
/* x, whose rows were made for the requested rows, in their order: what follows knows them as such.
 */
gnd_var gnd_as_requested(gnd_tape *t, gnd_var x);
/* x as a constant: no gradient passes. */
gnd_var gnd_detach(gnd_tape *t, gnd_var x);
/* Mean over the rows listed of logsumexp(x_i) - x_i,label(i);  x: [n, C] -> [1, 1], or x holds just
 * these rows in this order (gnd_requested). A row without a label (-1) adds 0 and still counts.
 * rows and label are borrowed. */
gnd_var gnd_cross_entropy(gnd_tape *t, gnd_var x, const int32_t *label, const int32_t *rows,
                          int64_t n_rows);

/* Mean over the rows listed of max(0, 1 + the largest of the other classes - x_i,label(i)); rows as
 * in gnd_cross_entropy */
gnd_var gnd_hinge(gnd_tape *t, gnd_var x, const int32_t *label, const int32_t *rows,
                  int64_t n_rows);
/* A matrix [rows, cols] that need not be stored. */
typedef struct {
    int64_t rows, cols;
    /* Row i, all cols of it; any thread, any order. */
    void (*make)(gnd_real *out, int64_t i, gnd_real *scratch, const void *arg);
    int64_t n_scratch; /* values of scratch a thread needs */
    const void *arg;   /* outlives the pass */
} gnd_row_maker;
/* tanh(w (.) y_i) u for the rows that the pass requests, without forming the others;  y: [n,
 * k], w: k values of any shape, u: [k, f] -> [n_request, f] */
gnd_var gnd_tanh_rows(gnd_tape *t, const gnd_row_maker *y, gnd_var w, gnd_var u);
/* tanh(w (.) y_i) u for all rows of a sparse y: [n, k];  w and u as above -> [n, f] */
gnd_var gnd_tanh_sparse(gnd_tape *t, gnd_var y, gnd_var w, gnd_var u);
/* [x_1 | x_2 | ..], n matrices of as many rows side by side */
gnd_var gnd_concat(gnd_tape *t, const gnd_var *x, int n);
/* Columns first .. first + f - 1 of x */
gnd_var gnd_columns(gnd_tape *t, gnd_var x, int64_t first, int64_t f);
/* (x - mean) / sqrt(var + 1e-3) + 1 b^T, each column by the statistics of all its rows, in
 * evaluation too;  x: [n, f], b: [1, f] -> the rows listed, [rows, f] */
gnd_var gnd_batch_norm(gnd_tape *t, gnd_var x, gnd_var b, gnd_row_list to);
/* A sparse constant with rows of length 1 (Euclidean) */
gnd_var gnd_row_l2(gnd_tape *t, gnd_var x);
/* What dropout keeps of a sparse x, for gnd_unit_products: its pattern, if the entries of x are all
 * 1; else its rows have length 1. */
gnd_var gnd_drop_units(gnd_tape *t, gnd_var x, double p, const char *place);
/* [U_1 w_1 | .. | U_n w_n], U_k = gnd_row_l2(x_k);  x_k: sparse [m, d], as gnd_drop_units gives it,
 * or without values, w_k: [d, f_k] */
gnd_var gnd_unit_products(gnd_tape *t, const gnd_var *x, const gnd_var *w, int n);
/* sum_g q_g x_g for x = [x_1 | .. | x_G];  x: [n, G f], q: [1, G] -> [n, f] */
gnd_var gnd_block_sum(gnd_tape *t, gnd_var x, gnd_var q);
/* Penalties on a matrix, -> [1, 1]: c times the sum of its columns' lengths; c times the mean of
 * its squares */
gnd_var gnd_group_lasso(gnd_tape *t, gnd_var x, double c);
gnd_var gnd_mean_square(gnd_tape *t, gnd_var x, double c);

/* Operators of one shape [n, n]; borrowed until the pass ends. */
typedef struct {
    const gnd_csr *const *op;
    int64_t n;
} gnd_operators;
/* The rows that any of the operators reads to make the rows listed, ascending; on the arena. */
gnd_row_list gnd_rows_read(gnd_tape *t, const gnd_operators *a, gnd_row_list to);
/* [A_1 x W_1 | .. | A_K x W_K], the rows listed;  x: sparse [n, d], or the rows of it that are read
 * (gnd_rows), w: [K d, h], W_k below each other -> [rows, K h] */
gnd_var gnd_relation_conv(gnd_tape *t, const gnd_operators *a, gnd_row_list to, gnd_var x,
                          gnd_var w);
/* 1/K sum_k A_k x W_k, the rows listed;  x: [n, d] or the rows of it that are read, w: [K d, f] ->
 * [rows, f] */
gnd_var gnd_relation_conv_mean(gnd_tape *t, const gnd_operators *a, gnd_row_list to, gnd_var x,
                               gnd_var w);

/* Every op, for tests that walk them. NULL beyond the last. */
const gnd_op *gnd_op_at(int i);

#endif
