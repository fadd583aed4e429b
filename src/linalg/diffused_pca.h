/* SPDX-License-Identifier: MIT
 * diffused_pca.h - coordinates of vertices: the leading principal directions of diffused features.
 */
#ifndef GND_LINALG_DIFFUSED_PCA_H
#define GND_LINALG_DIFFUSED_PCA_H

#include "points.h"

/* Input of a diffused PCA. Matrices are read, not kept. */
typedef struct {
    const gnd_csr *x;         /* [n, d] features; val NULL: all 1 */
    const gnd_csr *xt;        /* its transpose, without copies of a part */
    gnd_numbers at;           /* of the vertices */
    int64_t n_feature;        /* the first columns of x are features, those after them vertices */
    const double *weight;     /* [d] of the features, or NULL: all 1 */
    const gnd_csr *S;         /* [n, n] D^-1/2 A D^-1/2, symmetric; NULL: no diffusion */
    const double *degree;     /* [n] D, or NULL: all 1 */
    const int32_t *component; /* [n] connected components of S: a feature reaches all of its one;
                                 NULL: features reach only their own vertices */
    double teleport;          /* restart probability a of the PageRank diffusion */
    double odd_weight; /* factor of the paths of odd length; 1: none, -1: alternating signs */
    double tol;        /* error of the polynomial in the last pass, */
    double tol_pass;   /* and in those before */
    int64_t rank;      /* coordinates wanted; fewer if the features span fewer */
    int64_t passes;    /* power passes */
    uint64_t seed;
    bool quick;     /* start from random signs; p(1) is that of the truncated polynomial; without
                       features, the last vertices are left out if x has no row for them */
    bool by_panels; /* save memory on a small graph as on a large one; same bits */
} gnd_pca_opts;

/* The leading singular directions of the normalised rows of
 *
 *     F = D^-1/2 (p(S) X' - p(1) D^1/2 1 mu^T),   X' = X diag(weight), rows of length 1
 *     p(S) = a (I - (1-a) S)^-1 = sum_k a (1-a)^k S^k,  terms of odd k times odd_weight
 *
 * mu: the component of D^-1/2 X' that diffusion only scales, by p(1). F: [n, d] is never formed.
 * GND_ERR_ARG if no vertex has a feature of positive weight. Cost: 2 passes + 1 diffusions of about
 * rank + 16 columns. own, if not NULL: the same directions of X' less its mean, not diffused;
 * vertices without features are at 0, and it is empty if all others are equal. Same bits for any
 * number of threads. */
gnd_status gnd_diffused_pca(gnd_points *out, gnd_points *own, const gnd_pca_opts *o, gnd_pool *pool,
                            gnd_error *err);

/* By links alone, without features: even, the same with odd_weight 0, and all, with odd_weight 1,
 * from the directions of the even terms: about the cost of one of them. o->S is A itself,
 * symmetric, and o->degree are its row sums; o->quick. Products have numbers of 16 bits
 * (even_series.h). GND_ERR_ARG as above. */
gnd_status gnd_links_pca(gnd_points *all, gnd_points *even, const gnd_pca_opts *o, gnd_pool *pool,
                         gnd_error *err);

#endif
