/* SPDX-License-Identifier: MIT
 * power_rows.h - rows S of the powers of a sparse operator, computed once.
 *
 *     rows:      P_k = (A^{first+k})_{S,:}       [|S|, m], m: the columns that S reaches
 *     features:  Q_k = (A^{first+k} X)_{S,:}     [|S|, d]
 *
 * P is stored in tiles (hop_tiles.h) of cells (column, row) with the rows of a column together; a
 * block is a number of columns whose cells are whole tiles. */
#ifndef GND_KERN_POWER_ROWS_H
#define GND_KERN_POWER_ROWS_H

#include "base/parallel.h"
#include "csr.h"
#include "hop_tiles.h"

/* All zero is a valid empty value. */
typedef struct {
    int64_t n_row;
    int64_t n_col;      /* m */
    int32_t *col;       /* [m] the columns that S reaches, ascending; NULL: all */
    int64_t block;      /* columns per block; the last block may have fewer */
    gnd_hop_tiles hops; /* cell c |S| + s: column c, row s */
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
static inline int64_t gnd_power_rows_blocks(const gnd_power_rows *s)
{
    return s->block ? (s->n_col + s->block - 1) / s->block : 0;
}
/* Columns of block b. */
static inline int64_t gnd_power_rows_width(const gnd_power_rows *s, int64_t b)
{
    return s->n_col - b * s->block < s->block ? s->n_col - b * s->block : s->block;
}

#endif
