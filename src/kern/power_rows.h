/* SPDX-License-Identifier: MIT
 * power_rows.h - rows S of the powers of a sparse operator, computed once.
 *
 *     rows:      P_k = (A^{first+k})_{S,:}       [|S|, m], m: the columns that S reaches
 *     features:  Q_k = (A^{first+k} X)_{S,:}     [|S|, d]
 *
 * P is stored in blocks of columns: block b holds [columns of b, |S|] for each hop in turn.
 * Memory is then read in order, and a hop of a block is long enough for vector loops at any |S|. */
#ifndef GND_KERN_POWER_ROWS_H
#define GND_KERN_POWER_ROWS_H

#include "base/parallel.h"
#include "csr.h"
#include "kern.h"

/* All zero is a valid empty value. */
typedef struct {
    int64_t n_row, K;
    int64_t n_col; /* m */
    int32_t *col;  /* [m] the columns that S reaches, ascending; NULL: all */
    int64_t block; /* columns per block; the last block may have fewer */
    gnd_real *p; /* column c of block b, row s, hop k: p[(b K block + k w + c) |S| + s], w: columns
                    in block b */
} gnd_power_rows;

/* Marks the vertices reached from `row` in at most `hops` steps along the rows of a. mark:
 * [a->n_row], zeroed by the caller; 1: reached. Returns their number. */
int64_t gnd_reach(unsigned char *mark, const gnd_csr *a, const int32_t *row, int64_t n,
                  int64_t hops);

/* Rows of A^first .. A^{first+K-1}. */
typedef struct {
    const gnd_csr *at; /* the transpose of A */
    gnd_row_list rows;
    int64_t first, K;
    const unsigned char *mark; /* the columns to store, from gnd_reach; NULL: all */
} gnd_power_rows_of;
gnd_status gnd_power_rows_init(gnd_power_rows *s, const gnd_power_rows_of *of, gnd_pool *pool,
                               gnd_error *err);
void gnd_power_rows_fini(gnd_power_rows *s);
/* The number of values: K |S| m. */
static inline int64_t gnd_power_rows_size(const gnd_power_rows *s)
{
    return s->K * s->n_row * s->n_col;
}
static inline int64_t gnd_power_rows_blocks(const gnd_power_rows *s)
{
    return s->block ? (s->n_col + s->block - 1) / s->block : 0;
}
/* Columns of block b. */
static inline int64_t gnd_power_rows_width(const gnd_power_rows *s, int64_t b)
{
    return s->n_col - b * s->block < s->block ? s->n_col - b * s->block : s->block;
}
/* Hop 0 of block b; hop k is k n_row width(b) values later. */
static inline const gnd_real *gnd_power_rows_at(const gnd_power_rows *s, int64_t b)
{
    return s->p + b * s->block * s->n_row * s->K;
}

/* The two loops over stored rows; hop k is [len] at p + k stride. They use 16-byte vectors, which
 * suffice to reach memory bandwidth.
 *
 *     y = sum_k c_k p_k                  y: [len]
 *     out_k = <p_k, y>                   summed in blocks of at most GND_DOT_BLOCK, then in
 *     double */
enum { GND_DOT_BLOCK = 1024 };
void gnd_power_mix(gnd_real *restrict y, const gnd_real *restrict p, int64_t stride,
                   const gnd_real *restrict c, int64_t K, int64_t len);
void gnd_power_dots(double *restrict out, const gnd_real *restrict p, int64_t stride,
                    const gnd_real *restrict y, int64_t K, int64_t len);

#endif
