/* SPDX-License-Identifier: MIT
 * coordinates.h - a graph as points, before any label is known: features diffused over links and,
 * for graphs that are not homophilous, other coordinates. */
#ifndef GND_LABEL_COORDINATES_H
#define GND_LABEL_COORDINATES_H

#include "constants.h"
#include "diffused_pca.h"

typedef enum {
    GND_WEIGHT_IDF,   /* idf weights (features.h) */
    GND_WEIGHT_EQUAL, /* all features have weight 1 */
    GND_WEIGHTINGS
} gnd_weighting;

/* Paths by which links alone give coordinates. */
typedef enum {
    GND_PATHS_EVEN, /* vertices with common neighbours are close, whichever classes links join */
    GND_PATHS_ALL,  /* neighbours too: sees more on homophilous graphs */
    GND_PATHS
} gnd_paths;

/* Zero is valid and empty. */
typedef struct {
    gnd_points diffused[GND_WEIGHTINGS]; /* at most GND_RANK_HIGH coordinates; empty: not made */
    gnd_points near[GND_WEIGHTINGS];     /* the same with teleport_near */
    /* Own features, not diffused, along the directions of diffused[first] or, where features are
     * few, their own. Empty without features or links, or if all are equal. */
    gnd_points own;
    /* Raw features: not diffused, GND_RANK_LOW coordinates. Empty where features and links are
     * clearly correlated. */
    gnd_points raw;
    gnd_points feature_half[2];       /* as raw, of one half of the features each */
    gnd_points alternating;           /* diffused with alternating signs of the hops */
    gnd_points links_only[GND_PATHS]; /* links alone */
    gnd_points links_half[2];         /* by even paths, of one half of the links each */
    gnd_points links_most[GND_PATHS]; /* as links_only, without the links in held_out */
    gnd_csr held_out;                 /* [n, n] one link in LINKS_HELD_OUT, symmetric */
    gnd_weighting first;              /* the first weighting that was made */
    double uncorrelated; /* 0..1: how certain it is that features and links are uncorrelated */
    double heterophily;  /* the same if opts.heterophily was set; else 0 */
    gnd_csr links;       /* [n, n] symmetric, without loops, weights of mean 1 */
} gnd_coordinates;

typedef struct {
    /* Which weightings to make. Where idf weights do not differ, or features are few, numeric or
     * weighted already, GND_WEIGHT_EQUAL is made instead of GND_WEIGHT_IDF. */
    bool weighting[GND_WEIGHTINGS];
    bool numeric_raw; /* numeric features keep their values instead of ranks */
    bool raw, near, own;
    /* Where features and links are uncorrelated: feature_half, alternating, links_only, links_half,
     * links_most, held_out; without features: links_only by even paths. */
    bool heterophily;
    double teleport;      /* of the diffusion; 0: TELEPORT_FIRST, less where classes are large */
    double teleport_near; /* of near */
    int64_t n_class;      /* graphs with few vertices get few coordinates, but at least so many */
} gnd_coordinates_opts;

/* Diffusion assumes homophily. Where features and links are uncorrelated, either is noise or links
 * join different classes: links_only sees links alone, alternating sees features where neighbours
 * are opposites, raw sees features alone. Halves that agree, and held-out links that can be
 * predicted, show what is signal (signal_test.h).
 *
 * x: [n, d] features; adj: [n, n] links, whose weights count as multiples of their mean. x NULL, or
 * equal for all vertices: each vertex is its own feature, and raw is not made. Where there are
 * fewer than GND_RANK_HIGH features, diffused and near see each vertex as a further feature of its
 * own. */
gnd_status gnd_coordinates_init(gnd_coordinates *v, const gnd_csr *x, const gnd_csr *adj,
                                const gnd_coordinates_opts *o, gnd_pool *pool, gnd_error *err);
void gnd_coordinates_fini(gnd_coordinates *v);

#endif
