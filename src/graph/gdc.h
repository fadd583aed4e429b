/* SPDX-License-Identifier: MIT
 * gdc.h - a graph replaced by the strongest links of its diffusion.
 *
 * Gasteiger, Weissenberger and Guennemann, NeurIPS 2019, arXiv:1911.05485. */
#ifndef GND_GRAPH_GDC_H
#define GND_GRAPH_GDC_H

#include "operator.h"
#include "linalg/series.h"

/* What stays of each column of s(A). */
typedef struct {
    int64_t top; /* > 0: its largest entries, this many; of equal ones those of smaller row id */
    double eps;  /* top 0: its entries of at least eps > 0 */
} gnd_gdc_keep;

/* G: [n, n], the columns of s(A) cut down to `keep`, each then divided by its sum; a: [n, n].
 * Entries that are not above the precision of the series count as 0. No n x n matrix is made:
 * columns go through the series in blocks, several blocks at a time with a pool. Same bits for any
 * number of threads. Cost: n (s->n - 1) nnz. */
gnd_status gnd_gdc(gnd_csr *g, const gnd_csr *a, const gnd_series *s, gnd_gdc_keep keep,
                   gnd_pool *pool, gnd_error *err);

/* The GCN operator on the weighted graph g: with M = D^-1/2 G' D^-1/2, op->a is M^T and op->at M.
 * G' is g with a loop of weight 1 where it has none, D its row sums. This follows the library the
 * authors used: loops that are there keep their weights, a link (i, j) carries a message from i to
 * j, and degrees are those of the sending end. */
gnd_status gnd_gdc_operator(gnd_operator *op, const gnd_csr *g, gnd_error *err);

#endif
