/* SPDX-License-Identifier: MIT
 * ops.h - the ops from which models build their formulas; [n, f] are shapes. One file per op in
 * ops/ and fused/. */
#ifndef GND_TAPE_OPS_H
#define GND_TAPE_OPS_H

#include "linalg/series.h"
#include "kern/power_rows.h"
#include "tape.h"

/* A constant matrix [rows, cols]; v is borrowed. */
gnd_var gnd_constant(gnd_tape *t, const gnd_real *v, int64_t rows, int64_t cols);
/* A constant sparse matrix; x is borrowed until the pass ends. */
gnd_var gnd_sparse(gnd_tape *t, const gnd_csr *x);
/* The same for a matrix that outlives the tape, for example the features of a graph. Its rows
 * for lasting requests are copied once. */
gnd_var gnd_input(gnd_tape *t, const gnd_csr *x);
/* A parameter: v is read, gradients are added to g (not zeroed). Both borrowed. */
gnd_var gnd_parameter(gnd_tape *t, gnd_real *v, gnd_real *g, int64_t rows, int64_t cols);

/* x w;  x: [n, k] dense or sparse, w: [k, f] -> [n, f] */
gnd_var gnd_matmul(gnd_tape *t, gnd_var x, gnd_var w);
/* x^T z;  x: [n, k], z: [n, f] -> [k, f] */
gnd_var gnd_matmul_t(gnd_tape *t, gnd_var x, gnd_var z);
/* diag(column col of f) x;  f: [n, m], x: [n, w] -> [n, w] */
gnd_var gnd_scale_rows(gnd_tape *t, gnd_var f, int64_t col, gnd_var x);
/* x + y, same shape */
gnd_var gnd_add(gnd_tape *t, gnd_var x, gnd_var y);
/* x - y */
gnd_var gnd_sub(gnd_tape *t, gnd_var x, gnd_var y);
/* x (.) y, element by element */
gnd_var gnd_mul(gnd_tape *t, gnd_var x, gnd_var y);
/* The element-wise maximum of x and y. On ties the gradient goes to x. */
gnd_var gnd_max(gnd_tape *t, gnd_var x, gnd_var y);
/* x + 1 b^T;  x: [n, f], b: [1, f] */
gnd_var gnd_add_bias(gnd_tape *t, gnd_var x, gnd_var b);
gnd_var gnd_relu(gnd_tape *t, gnd_var x);
/* x > 0: x, else exp(x) - 1 */
gnd_var gnd_elu(gnd_tape *t, gnd_var x);
gnd_var gnd_tanh(gnd_tape *t, gnd_var x);
/* 1 / (1 + exp(-x)) */
gnd_var gnd_sigmoid(gnd_tape *t, gnd_var x);
/* Softmax along each row */
gnd_var gnd_softmax(gnd_tape *t, gnd_var x);
/* Each row shifted and scaled to mean 0 and variance 1, then times gain plus shift;  x: [n, f],
 * gain, shift: [1, f] */
gnd_var gnd_layer_norm(gnd_tape *t, gnd_var x, gnd_var gain, gnd_var shift);
/* softmax(Q K^T / sqrt(w)) V for each sequence of T consecutive rows and each head, a range of w
 * columns;  q, k, v: [n T, heads w] -> [n T, heads w] */
gnd_var gnd_attention(gnd_tape *t, gnd_var q, gnd_var k, gnd_var v, int64_t T, int64_t heads);
/* The mean over the heads of that softmax;  q, k: [n T, heads w] -> [n T, T] */
gnd_var gnd_attention_mean(gnd_tape *t, gnd_var q, gnd_var k, int64_t T, int64_t heads);
/* sum_t a_it x_{i T + t};  a: [n, T], x: [n T, f] -> [n, f] */
gnd_var gnd_sequence_sum(gnd_tape *t, gnd_var a, gnd_var x);
/* Inverted dropout with drop rate p. A sparse x drops stored entries, which are removed. The
 * mask is a function of (seed, epoch, place, element). Identity in evaluation or at p = 0. */
gnd_var gnd_dropout(gnd_tape *t, gnd_var x, double p, const char *place);
/* gnd_matmul(gnd_dropout(x), w) without storing the remaining entries of a sparse x. The value
 * has the same bits; the gradient of w may be summed in a different order. */
gnd_var gnd_drop_matmul(gnd_tape *t, gnd_var x, double p, const char *place, gnd_var w);
/* A sparse matrix, with dropout at this rate and place in training. */
typedef struct {
    gnd_var x;
    double p;
    const char *place;
} gnd_dropped;
/* gnd_matmul(gnd_dropout(x), w) with the same bits. An x that outlives the tape is read with
 * columns of 16 bits, if it has few and the budget allows a copy. */
gnd_var gnd_dropped_matmul(gnd_tape *t, const gnd_dropped *x, gnd_var w);
/* gnd_matmul(gnd_dropout(gnd_relu(gnd_matmul(x, w1)), p, place), w2) in one pass over a sparse x,
 * with the same bits, and without storing the hidden layer if t->budget is short. */
gnd_var gnd_hidden_layer(gnd_tape *t, gnd_var x, gnd_var w1, double p, const char *place,
                         gnd_var w2);
/* Dropout that overwrites a dense x. No other op may use x, and the backward function of x must
 * not read its value. */
gnd_var gnd_dropout_over(gnd_tape *t, gnd_var x, double p, const char *place);
/* Bias, ReLU and dropout in one op: M(relu(x + 1 b^T)), or M(relu(x)) without b (i < 0). x may
 * be overwritten, so no other op may read it. */
gnd_var gnd_activate(gnd_tape *t, gnd_var x, gnd_var b, double p, const char *place);
/* A z for a sparse operator;  a: [n, n], at: its transpose, z: [n, f] */
gnd_var gnd_spmm(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var z);
/* The requested rows of A z (gnd_requested), without computing the others: for the last operator
 * of a formula. a outlives the tape. */
gnd_var gnd_spmm_requested(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var z);
/* sum_{k=0}^{K-1} alpha_k A^{first+k} z;  alpha: [1, K], z: [n, f]. Horner's scheme forward,
 * adjoints backward: memory does not grow with K. */
gnd_var gnd_diffuse(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var alpha, gnd_var z,
                    int64_t first);
/* Rows `row` of the hops A^first z, A^{first+1} z, ..; all pointers are borrowed until the pass
 * ends. spend: z may be overwritten, which saves a buffer [n, f]. This requires that z is the
 * result of an op whose backward function does not read it, and that no other op reads z. */
typedef struct {
    const gnd_csr *a, *at;
    const int32_t *row; /* [n_row] */
    int64_t n_row, first;
    bool spend;
} gnd_row_hops;
/* The rows h->row of sum_{k<K} alpha_k A^{first+k} z;  alpha: [1, K], z: [n, f] -> [n_row, f] */
gnd_var gnd_diffuse_rows(gnd_tape *t, const gnd_row_hops *h, gnd_var alpha, gnd_var z);
/* The rows h->row of K hops, hop k in row k of the result: [K, n_row f] */
gnd_var gnd_hop_rows(gnd_tape *t, const gnd_row_hops *h, gnd_var z, int64_t K);
/* (sum_k alpha_k P_k) z for precomputed power rows P_k;  alpha: [1, K], z: [m, f], one row per
 * column of s -> [|S|, f]. s is borrowed. */
gnd_var gnd_diffuse_power_rows(gnd_tape *t, const gnd_power_rows *s, gnd_var alpha, gnd_var z);
/* sum_k alpha_k Q_k;  q: K hops of rows cols cells, borrowed; alpha: [1, K] -> [rows, cols] */
gnd_var gnd_mix(gnd_tape *t, const gnd_hop_tiles *q, gnd_var alpha, int64_t rows, int64_t cols);
/* The same values with shape [rows, cols]. Nothing is copied, so x must have no other use. */
gnd_var gnd_reshape(gnd_tape *t, gnd_var x, int64_t rows, int64_t cols);
/* A^k z */
gnd_var gnd_power(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var z, int64_t k);
/* s(A) z for a fixed polynomial s; its coefficients are borrowed until the pass ends. */
gnd_var gnd_propagate(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, const gnd_series *s,
                      gnd_var z);
/* A dense constant R: [rows, n], stored transposed in blocks of rows. Block b holds rows b
 * width, b width + 1, .. of R (f <= width of them) as [n, f] at v + b width n. */
typedef struct {
    const gnd_real *v;
    int64_t rows, n, width;
} gnd_row_blocks;
/* R z;  z: [n, f] -> [rows, f]; R is borrowed until the pass ends */
gnd_var gnd_block_rows(gnd_tape *t, const gnd_row_blocks *r, gnd_var z);
/* sum_{k=0}^K T_k(L) Y_k;  y = [Y_0 | .. | Y_K]: [n, (K+1) f] -> [n, f] */
gnd_var gnd_cheby_sum(gnd_tape *t, const gnd_csr *l, const gnd_csr *lt, gnd_var y, int64_t K);
/* sum_{k=0}^K T_k(L) x Theta_k;  x: [n, d], theta = [Theta_0; ..; Theta_K]: [(K+1) d, f] -> [n, f]
 */
gnd_var gnd_cheby_layer(gnd_tape *t, const gnd_csr *l, const gnd_csr *lt, const gnd_dropped *x,
                        gnd_var theta, int64_t K);
/* A random walk with restarts. */
typedef struct {
    int64_t steps;
    double restart;    /* restart probability a */
    double p;          /* drop rate of the entries of A in training, with new masks in each step */
    const char *place; /* name of the masks */
} gnd_restart_walk;
/* The requested rows of z_K, with z_0 = z, z_k = (1 - a) A z_{k-1} + a z. a outlives the tape. */
gnd_var gnd_restart(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var z,
                    const gnd_restart_walk *w);
/* [X_0; ..; X_{B-1}]: [B r, c] -> [X_0 | .. | X_{B-1}]: [r, B c] */
gnd_var gnd_unstack(gnd_tape *t, gnd_var x, int64_t blocks);
/* The hops A^first z, A^{first+1} z, ..; at is the transpose. */
typedef struct {
    const gnd_csr *a, *at;
    int64_t first;
} gnd_hops;
/* A small network over the hops, shared by all entries of z: with h_k = (A^{first+k} z)_ij,
 * out_ij = sum_m u2_m relu(sum_k h_k u1_km);  u1: [K, inner], u2: [inner, 1], z: [n, f] -> [n,
 * f] */
gnd_var gnd_hop_mlp(gnd_tape *t, const gnd_hops *h, gnd_var u1, gnd_var u2, gnd_var z);
/* The requested rows of x (gnd_tape_request), dense or sparse; x itself if all rows are
 * requested. Call it after the last op that combines rows: later ops then compute these rows
 * only. */
gnd_var gnd_requested(gnd_tape *t, gnd_var x);
/* Some rows of x, dense or sparse. x must hold all rows; row is borrowed until the pass ends. */
gnd_var gnd_rows(gnd_tape *t, gnd_var x, const int32_t *row, int64_t n);
/* Marks x as holding the requested rows, in their order. */
gnd_var gnd_as_requested(gnd_tape *t, gnd_var x);
/* x as a constant: no gradient flows through it. */
gnd_var gnd_detach(gnd_tape *t, gnd_var x);
/* Mean over the listed rows of logsumexp(x_i) - x_i,label(i);  x: [n, C] -> [1, 1]. x may also
 * hold only these rows in this order (gnd_requested). A row without a label (-1) adds 0 but
 * counts in the mean. rows and label are borrowed. */
gnd_var gnd_cross_entropy(gnd_tape *t, gnd_var x, const int32_t *label, const int32_t *rows,
                          int64_t n_rows);

/* Mean over the listed rows of max(0, 1 + max_{c != label(i)} x_ic - x_i,label(i)); rows as in
 * gnd_cross_entropy */
gnd_var gnd_hinge(gnd_tape *t, gnd_var x, const int32_t *label, const int32_t *rows,
                  int64_t n_rows);
/* A matrix [rows, cols] whose rows are computed on demand. */
typedef struct {
    int64_t rows, cols;
    /* Writes row i, all columns. Called by any thread in any order. */
    void (*make)(gnd_real *out, int64_t i, gnd_real *scratch, const void *arg);
    int64_t n_scratch; /* values of scratch per thread */
    const void *arg;   /* outlives the pass */
    /* If set, the matrix is [ x | a x | .. | a^top x ], and many rows without gradients are
     * computed in panels of columns of x, which is faster. a: [rows, rows], x: sparse */
    const gnd_csr *a, *x;
} gnd_row_maker;
/* tanh(w (.) y_i) u for the requested rows, without computing the others;  y: [n, k], w: k
 * values of any shape, u: [k, f] -> [n_request, f] */
gnd_var gnd_tanh_rows(gnd_tape *t, const gnd_row_maker *y, gnd_var w, gnd_var u);
/* tanh(w (.) y_i) u for all rows of a sparse y: [n, k];  w and u as above -> [n, f] */
gnd_var gnd_tanh_sparse(gnd_tape *t, gnd_var y, gnd_var w, gnd_var u);
/* [x_1 | x_2 | ..], n matrices with the same number of rows */
gnd_var gnd_concat(gnd_tape *t, const gnd_var *x, int n);
/* Columns first .. first + f - 1 of x */
gnd_var gnd_columns(gnd_tape *t, gnd_var x, int64_t first, int64_t f);
/* (x - mean) / sqrt(var + 1e-3) + 1 b^T. Each column uses the statistics of all rows of x, in
 * evaluation too;  x: [n, f], b: [1, f] -> the listed rows, [rows, f] */
gnd_var gnd_batch_norm(gnd_tape *t, gnd_var x, gnd_var b, gnd_row_list to);
/* relu of the same. Its backward pass reads only the sign of the result. */
gnd_var gnd_norm_relu(gnd_tape *t, gnd_var x, gnd_var b, gnd_row_list to);
/* A sparse constant with its rows scaled to Euclidean length 1 */
gnd_var gnd_row_l2(gnd_tape *t, gnd_var x);
/* Dropout of a sparse x as input of gnd_unit_products. If all entries of x are 1, the result is
 * a pattern without values; else its rows have length 1. */
gnd_var gnd_drop_units(gnd_tape *t, gnd_var x, double p, const char *place);
/* [U_1 w_1 | .. | U_n w_n], U_k = gnd_row_l2(x_k);  x_k: sparse [m, d], from gnd_drop_units or
 * without values, w_k: [d, f_k] */
gnd_var gnd_unit_products(gnd_tape *t, const gnd_var *x, const gnd_var *w, int n);
/* [U w_0 | S U w_1 | S^2 U w_2 | ..], U = gnd_row_l2(x after dropout);  w_k: [d, width[k]] -> [n,
 * sum of the widths]. A width may be 0, then w_k is not read. In a validation pass and in training
 * pass t->next after it, the w_k of one x and place are the same. */
gnd_var gnd_unit_hops(gnd_tape *t, const gnd_csr *s, const gnd_csr *st, const gnd_dropped *x,
                      const gnd_var *w, const int64_t *width, int n_block);
/* sum_g q_g x_g for x = [x_1 | .. | x_G];  x: [n, G f], q: [1, G] -> [n, f] */
gnd_var gnd_block_sum(gnd_tape *t, gnd_var x, gnd_var q);
/* Penalties on a matrix x -> [1, 1]. gnd_group_lasso: c times the sum of the lengths of the
 * columns. gnd_mean_square: c times the mean of the squared entries. */
gnd_var gnd_group_lasso(gnd_tape *t, gnd_var x, double c);
gnd_var gnd_mean_square(gnd_tape *t, gnd_var x, double c);

/* Operators of one shape [n, n]; borrowed until the pass ends. */
typedef struct {
    const gnd_csr *const *op;
    int64_t n;
} gnd_operators;
/* The rows that at least one operator reads to compute the listed rows, ascending; allocated on
 * the arena. */
gnd_row_list gnd_rows_read(gnd_tape *t, const gnd_operators *a, gnd_row_list to);
/* [A_1 x W_1 | .. | A_K x W_K] for the listed rows;  x: sparse [n, d] or its rows from
 * gnd_rows_read, w: [K d, h], the W_k stacked -> [rows, K h] */
gnd_var gnd_relation_conv(gnd_tape *t, const gnd_operators *a, gnd_row_list to, gnd_var x,
                          gnd_var w);
/* 1/K sum_k A_k x W_k for the listed rows;  x: [n, d] or its rows from gnd_rows_read, w: [K d,
 * f] -> [rows, f] */
gnd_var gnd_relation_conv_mean(gnd_tape *t, const gnd_operators *a, gnd_row_list to, gnd_var x,
                               gnd_var w);

/* The i-th op, for tests that iterate over all ops; NULL after the last. */
const gnd_op *gnd_op_at(int i);

#endif
