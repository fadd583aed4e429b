/* SPDX-License-Identifier: MIT
 * relations.h - the nine kinds of messages of Geom-GCN.
 *
 * A message u -> v passes along a link of the graph or between points that are near in a latent
 * space; its division is the space and the quadrant in which u stands as seen from v:
 *
 *     2 [z_v0 > z_u0] + [z_v1 > z_u1]   links 0..3;   latent pairs 4..7, also if linked;   8: u = v
 */
#ifndef GND_EMBED_RELATIONS_H
#define GND_EMBED_RELATIONS_H

#include "base/parallel.h"
#include "graph/operator.h"
#include "near_pairs.h"

typedef enum {
    GND_EMBED_ISOMAP,   /* hop distances in the plane */
    GND_EMBED_POINCARE, /* links in the hyperbolic disk */
    GND_EMBED_STRUC2VEC /* vertices of like surroundings together */
} gnd_embedding;
#define GND_EMBED_NAMES "isomap|poincare|struc2vec"

enum { GND_DIVISIONS = 9 };

typedef struct {
    int64_t n;
    /* diag(nu) B_k diag(nu): row v lists the u of division k that v hears, with nu_v nu_u. */
    gnd_operator op[GND_DIVISIONS];
    double *nu;       /* [n] number of messages to each vertex, to the power -1/2 */
    double rho;       /* radius of the latent neighbourhood */
    int64_t n_latent; /* latent pairs, both directions; links among them counted */
} gnd_relations;

/* The graph's vertices embedded in two dimensions, and the relations there. adj is read, not kept;
 * links count both ways, loops are dropped. On failure r is empty. Same bits for any pool. Isomap
 * puts vertices that a symmetry of the graph exchanges, such as the leaves of one vertex, in one
 * place but for rounding; where more pairs than there are links coincide, rho is of that size, and
 * which of them are near is arbitrary, if repeatable. */
gnd_status gnd_relations_init(gnd_relations *r, const gnd_csr *adj, gnd_embedding kind,
                              uint64_t seed, gnd_pool *pool, gnd_error *err);
/* ... with given coordinates z: [n, 2]. */
gnd_status gnd_relations_from_coordinates(gnd_relations *r, const gnd_csr *adj, const double *z,
                                          gnd_metric metric, gnd_pool *pool, gnd_error *err);
/* Messages u -> v of division 0..8, in any order, each pair at most once. */
typedef struct {
    int64_t n;
    const int32_t *u, *v, *division; /* [n] */
} gnd_messages;
/* ... with given messages among n vertices. rho and n_latent stay 0. */
gnd_status gnd_relations_from_triplets(gnd_relations *r, int64_t n, const gnd_messages *m,
                                       gnd_error *err);
void gnd_relations_fini(gnd_relations *r);

#endif
