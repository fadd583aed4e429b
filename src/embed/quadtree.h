/* SPDX-License-Identifier: MIT
 * quadtree.h - a tree over points in the plane, whose cells count as one point from afar. */
#ifndef GND_EMBED_QUADTREE_H
#define GND_EMBED_QUADTREE_H

#include "base/status.h"
#include "kern/real.h"

/* A cell and the points in it. Cells are in depth-first order. */
typedef struct {
    gnd_real x, y;      /* mean of the points */
    gnd_real side;      /* longer side of the smallest box around the points */
    int32_t begin, end; /* the points, in the tree's order */
    int32_t next;       /* first cell after this one that is not inside it */
    bool leaf;
} gnd_cell_node;

typedef struct {
    int64_t n;
    uint64_t *key, *other; /* [n] position along the Z curve, and index */
    int32_t *order;        /* [n] index of the point at each place of the tree's order */
    gnd_real *y;           /* [n, 2] points in the tree's order: points nearby are mostly close */
    gnd_cell_node *cell;   /* [n_cell] */
    int64_t n_cell;
} gnd_quadtree;

/* Memory for n points, n below 2^30. */
gnd_status gnd_quadtree_init(gnd_quadtree *t, int64_t n, gnd_error *err);
void gnd_quadtree_fini(gnd_quadtree *t);
/* Build the tree of the points y: [n, 2], finite; points may coincide. Cost: n log n. */
void gnd_quadtree_build(gnd_quadtree *t, const gnd_real *y);

#endif
