/* SPDX-License-Identifier: MIT
 * coordinates.h - a graph as points, before any label is known: features diffused over links, in
 * more than one way. */
#ifndef GND_LABEL_COORDINATES_H
#define GND_LABEL_COORDINATES_H

#include "constants.h"
#include "diffused_pca.h"

typedef enum {
    GND_WEIGHT_IDF,   /* features count by sqrt(log(n / df)), or what their values lack of it */
    GND_WEIGHT_EQUAL, /* all features count alike */
    GND_WEIGHTINGS
} gnd_weighting;

/* How links alone are seen. */
typedef enum {
    GND_PATHS_EVEN, /* close are those with neighbours in common, whatever links join */
    GND_PATHS_ALL,  /* and neighbours: sees more where links join like vertices */
    GND_PATHS
} gnd_paths;

/* Zero is valid and empty. */
typedef struct {
    gnd_points diffused[GND_WEIGHTINGS]; /* GND_RANK_HIGH coordinates at most; empty: not made */
    gnd_points near[GND_WEIGHTINGS];     /* the same, diffused less far */
    gnd_points own; /* features of the first view, not diffused, along its directions or,
                          where features are few, their own; empty without features or links,
                          or if all look the same */
    gnd_points raw; /* features of the first view, not diffused, GND_RANK_LOW; empty
                         where links plainly join like features */
    gnd_points feature_half[2]; /* as still, of every other feature */
    gnd_points alternating;     /* features of the first view, paths of odd length as opposites */
    gnd_points links_only[GND_PATHS]; /* links alone */
    gnd_points links_half[2];         /* by even paths, of half of the links each */
    gnd_points links_most[GND_PATHS]; /* as bare, of all links but those in left */
    gnd_csr held_out;                 /* [n, n] one link in six, both ways */
    gnd_weighting first;              /* the first view that there is */
    double uncorrelated; /* how sure it is that features and links have nothing to do with each
                         other, 0..1 */
    double heterophily;  /* the same, if what opts.strangers asks for was made; else 0 */
    gnd_csr links;       /* [n, n] both ways, without loops, weights of mean 1 */
} gnd_coordinates;

typedef struct {
    bool weighting[GND_WEIGHTINGS]; /* where features are few, all as rare, all measures, or weighed
                             before, rare is not made but plain is */
    bool numeric_raw;               /* measures count as they are, not by rank */
    bool raw, near, own;
    bool heterophily; /* where features and links have nothing to do with each other, half, unlike,
                       bare, bare_half, bare_most and left; without features, bare by even paths */
    double teleport;  /* of the diffusion; 0: 0.1, less where classes are large */
    double teleport_near; /* of near */
    int64_t n_class;      /* at least so many coordinates; few vertices otherwise get but few */
} gnd_coordinates_opts;

/* Diffusion takes it that links join like vertices. Where features do not say so, either the
 * features are noise, or the links are, or links join unlike vertices: bare sees links alone,
 * unlike sees features where neighbours are opposites, still sees features alone; halves of
 * features that agree, and links that foretell those left out, show what is no noise.
 *
 * x: [n, d] features, adj: [n, n] links, whose weights count as multiples of their mean. x NULL, or
 * the same for all vertices: each vertex is its own feature, and still is not made. Where features
 * are fewer than GND_RANK_HIGH, far and near see each vertex as a feature of its own beside them.
 */
gnd_status gnd_coordinates_init(gnd_coordinates *v, const gnd_csr *x, const gnd_csr *adj,
                                const gnd_coordinates_opts *o, gnd_pool *pool, gnd_error *err);
void gnd_coordinates_fini(gnd_coordinates *v);

#endif
