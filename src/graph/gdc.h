/* SPDX-License-Identifier: MIT
 * gdc.h - the sparsified diffusion matrix of a graph: per vertex the largest entries of a
 * diffusion.
 *
 * Gasteiger, Weissenberger and Guennemann, NeurIPS 2019, arXiv:1911.05485. */
#ifndef GND_GRAPH_GDC_H
#define GND_GRAPH_GDC_H

#include "operator.h"
#include "linalg/series.h"

/* Which entries of each column of the diffusion matrix s(A) are kept. */
typedef struct {
    int64_t
        top; /* > 0: this many of the largest; among equal entries those with smaller row number */
    double eps; /* top 0: the entries of at least eps > 0 */
} gnd_gdc_keep;

/* G: [n, n], the kept entries of s(A), each column divided by the sum of its entries; a: [n, n].
 * Entries that are not above the precision of the series count as 0. The dense matrix is never
 * formed: the series is applied to blocks of unit vectors, in parallel with a pool. The result does
 * not depend on the number of threads. Cost: n (s->n - 1) nnz. */
gnd_status gnd_gdc(gnd_csr *g, const gnd_csr *a, const gnd_series *s, gnd_gdc_keep keep,
                   gnd_pool *pool, gnd_error *err);

/* The GCN operator of the weighted graph g: with M = D^-1/2 G' D^-1/2, op->a is M^T and op->at is
 * M. G' is g with a loop of weight 1 added at each vertex without a loop, D has the row sums of G'.
 * As in the library that the authors used, existing loops keep their weights, link (i, j) sends a
 * message from i to j, and D has the degrees of the sending vertices. */
gnd_status gnd_gdc_operator(gnd_operator *op, const gnd_csr *g, gnd_error *err);

#endif
