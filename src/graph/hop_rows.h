/* SPDX-License-Identifier: MIT
 * hop_rows.h - the rows [ X | P X | .. | P^h X ]_i of an operator's powers on features.
 *
 * Each hop is kept dense, or sparse where less than half of it is filled. Where all of them would
 * take more than a given number of values, as with a feature a vertex on a large graph, none is
 * kept, and a row is made from its neighbourhood when asked for. */
#ifndef GND_GRAPH_HOP_ROWS_H
#define GND_GRAPH_HOP_ROWS_H

#include "base/parallel.h"
#include "kern/csr.h"

typedef struct {
    gnd_csr p, x;   /* [n, n], [n, d]: arrays are the caller's */
    int64_t n_hop;  /* h + 1 */
    bool kept;      /* false: rows are made when asked for */
    gnd_csr *sp;    /* [n_hop] the sparse ones; x itself is not kept twice */
    gnd_real **all; /* [n_hop] the dense ones */
} gnd_hop_rows;

/* p and x are borrowed by their arrays, which must live longer. max_values: (h + 1) n d beyond it
 * keeps nothing. pool may be NULL. */
gnd_status gnd_hop_rows_init(gnd_hop_rows *r, const gnd_csr *p, const gnd_csr *x, int64_t h,
                             int64_t max_values, gnd_pool *pool, gnd_error *err);
void gnd_hop_rows_fini(gnd_hop_rows *r);
/* Values of scratch that making a row takes. */
int64_t gnd_hop_rows_scratch(const gnd_hop_rows *r);
/* Row i, hop by hop: out[0 .. n_hop d - 1]. */
void gnd_hop_rows_make(gnd_real *out, const gnd_hop_rows *r, int64_t i, gnd_real *scratch);

/* The rows listed of [ X | P X | .. | P^h X ], side by side: [n, (h + 1) d] without what is 0.
 * (h + 1) d must be below 2^31. */
gnd_status gnd_hop_rows_pack(gnd_csr *out, const gnd_hop_rows *r, const int32_t *rows, int64_t n,
                             gnd_error *err);

#endif
