/* SPDX-License-Identifier: MIT
 * coordinates.h - a graph as points, before any label is known: features diffused over links. */
#ifndef GND_LABEL_COORDINATES_H
#define GND_LABEL_COORDINATES_H

#include "base/checkpoint.h"
#include "constants.h"
#include "linalg/diffused_pca.h"
#include "features.h"

/* Zero is valid and empty. */
typedef struct {
    gnd_points diffused; /* features diffused over links, at most GND_RANK_HIGH coordinates */
    /* Own features, not diffused, along the directions of `diffused` or, where features are few,
     * their own. Empty without features or links, or if all are equal. */
    gnd_points own;
    gnd_points features; /* features alone, not diffused; empty: not made */
    gnd_points links;    /* links alone: vertices with common neighbours are close, whichever
                            classes links join; empty: not made */
} gnd_coordinates;

typedef struct {
    bool numeric_raw; /* numeric features keep their values instead of ranks */
    double teleport;  /* of the diffusion; 0: TELEPORT_FIRST, less where classes are large */
    int64_t n_class;  /* graphs with few vertices get few coordinates, but at least so many */
    gnd_checkpoint *checkpoint; /* of the run, or NULL */
} gnd_coordinates_opts;

/* A graph as coordinates are made of it; borrowed. */
typedef struct {
    const gnd_features *f;
    const gnd_csr *unit;      /* [n, d] features, rows of length 1; empty: none */
    const gnd_csr *a;         /* [n, n] links, symmetric, without loops */
    const gnd_csr *S;         /* [n, n] D^-1/2 (A + I) D^-1/2 */
    const int32_t *component; /* [n] of the links */
    const double *degree;     /* [n] sums of the weights of links */
    const double *looped;     /* [n] D: the same with loops of weight 1 */
    gnd_numbers at;           /* of the vertices */
    int64_t n_link;           /* entries of a in all processes */
} gnd_coordinates_of;

/* apart: make features and links, each without the other. Where there are fewer than GND_RANK_HIGH
 * features, `diffused` sees each vertex as a further feature of its own. */
gnd_status gnd_coordinates_init(gnd_coordinates *v, const gnd_coordinates_of *g, bool apart,
                                const gnd_coordinates_opts *o, gnd_pool *pool, gnd_error *err);
void gnd_coordinates_fini(gnd_coordinates *v);

#endif
