/* SPDX-License-Identifier: MIT
 * diffused_pca.h - coordinates of vertices: the leading directions of their diffused features. */
#ifndef GND_LABEL_DIFFUSED_PCA_H
#define GND_LABEL_DIFFUSED_PCA_H

#include "base/parallel.h"
#include "kern/csr.h"

/* n points on the unit sphere; a vertex of which nothing is known lies in the middle, at 0. Zero is
 * valid and empty. */
typedef struct {
    int64_t n, r;
    gnd_real *z;   /* [n, r], falling extent */
    double *value; /* [r] sums of squares of the coordinates, before rows came to length 1 */
    double spread; /* how many directions they fill evenly: 1 on a line, r if all alike */
} gnd_points;

void gnd_points_fini(gnd_points *p);
/* The first r coordinates (all, if there are no more), column k times value[k]^((power - 1) / 2):
 * power 1 leaves them, below 1 small directions count more. Rows of length 1 again. */
gnd_status gnd_points_shape(gnd_points *out, const gnd_points *p, int64_t r, double power,
                            gnd_pool *pool, gnd_error *err);

/* The share of the first c directions in what the first r hold, 0 to 1. */
double gnd_points_leading_share(const gnd_points *p, int64_t c, int64_t r);
/* Those of the points that `which`, [m], says. */
gnd_status gnd_points_subset(gnd_points *out, const gnd_points *p, const int32_t *which, int64_t m,
                             gnd_error *err);

/* What a sketch is made of. Matrices are read, not kept. */
typedef struct {
    const gnd_csr *x;     /* [n, d] features; val NULL: all 1 */
    const gnd_csr *xt;    /* its transpose */
    const double *weight; /* [d] of the features, or NULL: all 1 */
    const gnd_csr *S;     /* [n, n] D^-1/2 A D^-1/2, symmetric; NULL: nothing diffuses */
    const double *degree; /* [n] D, or NULL: all 1 */
    double teleport;      /* of the PageRank that diffuses */
    double odd_weight;    /* its paths of an odd number of hops count so much; 1: as others */
    double near;          /* of another, for `near` */
    double tol;           /* of the polynomial in the last pass, */
    double tol_pass;      /* and in those before */
    int64_t rank;         /* coordinates wanted; fewer if the features span no more */
    int64_t passes;       /* power passes */
    uint64_t seed;
    gnd_real *start; /* [d, gnd_pca_columns(rank)] where the passes start and, after, where they
                        ended: another sketch of much the same features needs fewer. NULL: at random
                        numbers */
    bool started;    /* start holds the end of another sketch */
} gnd_pca_opts;

/* Columns that a sketch of this rank goes through. */
int64_t gnd_pca_columns(int64_t rank);

/* The leading singular directions of the rows, of length 1, of
 *
 *     F = D^-1/2 (p(S) X' - p(1) D^1/2 1 mu^T),   X' = X diag(weight), rows of length 1
 *     p(S) = a (I - (1-a) S)^-1 = sum_k a (1-a)^k S^k,  terms of odd k times `odd`
 *
 * mu: what of D^-1/2 X' changes under diffusion only by the factor p(1). F, [n, d], is never
 * formed. GND_ERR_ARG if no vertex has a feature of weight above 0. Cost: passes * 2 + 1 diffusions
 * of about rank + 16 columns. near, if not NULL: the same directions of features with o->near for
 * a. itself, if not NULL: the same of X' less its mean, not diffused; vertices without features lie
 * in the middle, and it is empty if all others look the same. Same bits for any number of threads.
 */
gnd_status gnd_diffused_pca(gnd_points *out, gnd_points *near, gnd_points *own,
                            const gnd_pca_opts *o, gnd_pool *pool, gnd_error *err);

#endif
