/* SPDX-License-Identifier: MIT
 * repulsion.h - the repulsive forces of t-SNE between all pairs of points. */
#ifndef GND_EMBED_REPULSION_H
#define GND_EMBED_REPULSION_H

#include "base/parallel.h"
#include "quadtree.h"

typedef struct {
    gnd_quadtree tree;
    int64_t n, n_group;
    gnd_real *all; /* [n, 3] all points as masses: x, y, 1 */
    double *z;     /* [n_group] sums of s over the pairs of each group of points */
} gnd_repulsion;

gnd_status gnd_repulsion_init(gnd_repulsion *r, int64_t n, gnd_error *err);
void gnd_repulsion_fini(gnd_repulsion *r);

/* force[i,:] = sum_j s_ij^2 (y_i - y_j) and return sum_{i != j} s_ij, s_ij = 1 / (1 + |y_i -
 * y_j|^2). y, force: [n, 2]. A cell of points counts as one point at its mean if its side is at
 * most theta times its distance. theta 0: every pair is computed, cell by cell; theta < 0: the
 * same without a tree. The same bits for any pool. */
double gnd_repulsion_compute(gnd_repulsion *r, gnd_real *force, const gnd_real *y, double theta,
                             gnd_pool *pool);

#endif
