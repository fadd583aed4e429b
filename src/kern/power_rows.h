/* SPDX-License-Identifier: MIT
 * power_rows.h - rows of the powers of a sparse operator, made once and read again and again.
 *
 *     rows:      P_k = (A^{first+k})_{S,:}       |S| by the m columns that S reaches
 *     features:  Q_k = (A^{first+k} X)_{S,:}     |S| by d
 *
 * P is laid out in blocks of columns: block b holds, hop by hop, [columns of b, |S|], so that one
 * way through it reads memory in order, and a hop of a block is as long as a vector loop likes
 * whatever |S|. */
#ifndef GND_KERN_POWER_ROWS_H
#define GND_KERN_POWER_ROWS_H

#include "base/parallel.h"
#include "csr.h"
#include "kern.h"

/* Zero is valid and empty. */
typedef struct {
    int64_t n_row, K;
    int64_t n_col; /* m */
    int32_t *col;  /* [m] the columns that S reaches, ascending; NULL: all */
    int64_t block; /* columns a block; the last may have less */
    gnd_real *p;   /* column c of block b, row s, hop k: p[(b K block + k w + c) |S| + s], w columns
                      in the block */
} gnd_power_rows;

/* Vertices that are reached from `row` in at most `hops` steps along the rows of a; mark:
 * [a->n_row] zeroed, 1: reached. Returns how many. */
int64_t gnd_reach(unsigned char *mark, const gnd_csr *a, const int32_t *row, int64_t n,
                  int64_t hops);

/* Rows of A^first .. A^{first+K-1}. */
typedef struct {
    const gnd_csr *at; /* the transpose of A */
    gnd_row_list rows;
    int64_t first, K;
    const unsigned char *mark; /* the columns to keep as gnd_reach gave them; NULL: all */
} gnd_power_rows_of;
gnd_status gnd_power_rows_init(gnd_power_rows *s, const gnd_power_rows_of *of, gnd_pool *pool,
                               gnd_error *err);
void gnd_power_rows_fini(gnd_power_rows *s);
/* Values of it: K |S| m. */
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
/* Its hop 0; hop k is k n_row width(b) values further. */
static inline const gnd_real *gnd_power_rows_at(const gnd_power_rows *s, int64_t b)
{
    return s->p + b * s->block * s->n_row * s->K;
}

/* The two loops that read what is stored: hop k is [len] at p + k stride. Vectors of 16 bytes,
 * which every machine has and which are enough to be as fast as memory.
 *
 *     y = sum_k c_k p_k                  y: [len]
 *     out_k = <p_k, y>                   summed in blocks of at most GND_DOT_BLOCK, then in double
 */
enum { GND_DOT_BLOCK = 1024 };
void gnd_power_mix(gnd_real *restrict y, const gnd_real *restrict p, int64_t stride,
                   const gnd_real *restrict c, int64_t K, int64_t len);
void gnd_power_dots(double *restrict out, const gnd_real *restrict p, int64_t stride,
                    const gnd_real *restrict y, int64_t K, int64_t len);

#endif
