/* SPDX-License-Identifier: MIT
 * relations.h - the nine divisions of messages of Geom-GCN.
 *
 * A message u -> v is sent along a link of the graph or between close points of a latent space. Its
 * division depends on which of these it is and on the quadrant of u relative to v:
 *
 *     2 [z_v0 > z_u0] + [z_v1 > z_u1]   links 0..3;   latent pairs 4..7, also if linked;   8: u
 *     = v */
#ifndef GND_EMBED_RELATIONS_H
#define GND_EMBED_RELATIONS_H

#include "base/parallel.h"
#include "graph/operator.h"
#include "near_pairs.h"

typedef enum {
    GND_EMBED_ISOMAP,   /* distances in the plane approximate hop distances */
    GND_EMBED_POINCARE, /* linked vertices are close in the hyperbolic disk */
    GND_EMBED_STRUC2VEC /* vertices with similar neighbourhoods are close */
} gnd_embedding;
#define GND_EMBED_NAMES "isomap|poincare|struc2vec"

enum { GND_DIVISIONS = 9 };

typedef struct {
    int64_t n;
    /* diag(nu) B_k diag(nu): row v lists the senders u of division k, with value nu_v nu_u. */
    gnd_operator op[GND_DIVISIONS];
    double *nu;       /* [n] number of messages to each vertex, to the power -1/2 */
    double rho;       /* radius of the latent neighbourhood */
    int64_t n_latent; /* number of latent pairs, in both directions, including linked ones */
} gnd_relations;

/* Embeds the vertices of a graph in two dimensions and computes the relations. adj is borrowed
 * during the call; links are undirected, loops are dropped. On failure r is empty. The result
 * has the same bits for any pool. Isomap gives vertices that a symmetry of the graph exchanges
 * (for example, the leaves of one vertex) the same coordinates up to rounding. If more pairs
 * coincide than there are links, rho is as small as rounding errors, and which of them are near
 * is arbitrary but reproducible. */
gnd_status gnd_relations_init(gnd_relations *r, const gnd_csr *adj, gnd_embedding kind,
                              uint64_t seed, gnd_pool *pool, gnd_error *err);
/* The same with given coordinates z: [n, 2]. */
gnd_status gnd_relations_from_coordinates(gnd_relations *r, const gnd_csr *adj, const double *z,
                                          gnd_metric metric, gnd_pool *pool, gnd_error *err);
/* Messages u -> v with divisions 0..8, in any order, each pair at most once. */
typedef struct {
    int64_t n;
    const int32_t *u, *v, *division; /* [n] */
} gnd_messages;
/* The same with given messages among n vertices. rho and n_latent are 0. */
gnd_status gnd_relations_from_triplets(gnd_relations *r, int64_t n, const gnd_messages *m,
                                       gnd_error *err);
void gnd_relations_fini(gnd_relations *r);

#endif
