/* SPDX-License-Identifier: MIT
 * prepare.h - what the labeller computes of a graph before it looks at labels. */
#ifndef GND_LABEL_PREPARE_H
#define GND_LABEL_PREPARE_H

#include "coordinates.h"
#include "graph/operator.h"

enum { GND_ROLES = 12 }; /* structural features of a vertex */

/* Zero is valid and empty. */
typedef struct {
    int64_t n;
    gnd_csr x;          /* [n, d] features, rows of length 1; empty if there are none */
    gnd_csr links;      /* [n, n] symmetric, without loops, weights of mean 1 */
    gnd_operator S;     /* D^-1/2 (A + I) D^-1/2 */
    double *degree;     /* [n] sums of the weights of links */
    int32_t *component; /* [n] connected component */
    gnd_coordinates z;  /* of self-training */
    gnd_real *roles;    /* [n, GND_ROLES] structural features, columns of mean 0 */
    /* Rows r_i of S^2 less their mean m = S^2 1 / n:  (r_i - m) . (r_j - m) needs r_i . m and
     * m . m besides r_i . r_j. */
    double *row_mean;    /* [n] r_i . m */
    double mean_square;  /* m . m */
    double *row_length;  /* [n] estimate of |r_i - m| */
    double uncorrelated; /* 0..1: how certain it is that features and links are uncorrelated */
} gnd_prepared;

/* x: [n, d] features or NULL; adj: [n, n] links, in any direction. */
gnd_status gnd_prepare(gnd_prepared *g, const gnd_csr *x, const gnd_csr *adj,
                       const gnd_coordinates_opts *o, gnd_pool *pool, gnd_error *err);
void gnd_prepared_fini(gnd_prepared *g);

#endif
