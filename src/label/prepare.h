/* SPDX-License-Identifier: MIT
 * prepare.h - what the labeller computes of a graph before it looks at labels. */
#ifndef GND_LABEL_PREPARE_H
#define GND_LABEL_PREPARE_H

#include "graph/canonical.h"
#include "graph/operator.h"
#include "graph/roles.h"
#include "linalg/design_matrix.h"
#include "coordinates.h"

/* Zero is valid and empty. */
typedef struct {
    int64_t n;
    gnd_numbers at;             /* of the vertices */
    int64_t n_link;             /* entries of `links` in all processes */
    gnd_csr x;                  /* [n, d] features, rows of length 1; empty: none */
    gnd_csr x_t;                /* [d, n] the same transposed, without copies of a part */
    gnd_csr links;              /* [n, n] symmetric, without loops, weights of mean 1 */
    gnd_operator S;             /* D^-1/2 (A + I) D^-1/2 */
    double *degree;             /* [n] sums of the weights of links */
    int32_t *component;         /* [n] connected component */
    gnd_coordinates z;          /* of self-training */
    gnd_checkpoint *checkpoint; /* of the run, borrowed, or NULL */
    gnd_csr roles;              /* [n, GND_ROLES] structural features, columns of mean 0 */
    gnd_real *link_mean;        /* [n] mean of the rows of S^2 */
    gnd_real *link_length;      /* [n] estimated lengths of these rows less their mean */
    gnd_real *diffused_length;  /* [n] estimated lengths of the rows of S^2 X; NULL: no features */
    bool uncorrelated;          /* nothing shows that features and links are correlated */
    int32_t *vertex;            /* [n] number in the graph (gnd_prepare_graph); NULL: the same */
    int32_t *number;            /* at.number, where it is not the graph's */
    gnd_csr ordered;            /* the graph's links in this order, which `links` may borrow; empty:
                                   the same */
} gnd_prepared;

static inline int64_t gnd_prepared_vertex(const gnd_prepared *g, int64_t i)
{
    return g->vertex ? g->vertex[i] : i;
}

static inline gnd_row_list gnd_prepared_order(const gnd_prepared *g)
{
    return (gnd_row_list){g->vertex, g->n};
}

/* A graph to prepare; borrowed. */
typedef struct {
    const gnd_csr *x;      /* [n, d] features or NULL */
    const gnd_csr *adj;    /* [n, n] links, in any direction */
    const gnd_real *roles; /* [n, GND_ROLES] of its vertices (roles.h); NULL: to be computed */
    gnd_numbers at;
} gnd_prepare_of;
gnd_status gnd_prepare(gnd_prepared *g, const gnd_prepare_of *from, const gnd_coordinates_opts *o,
                       gnd_pool *pool, gnd_error *err);
/* The same for the links of g and features x: [n, d] or NULL, with vertices in canonical order; of
 * a large graph, with hubs first; of a part, as stored. */
gnd_status gnd_prepare_graph(gnd_prepared *out, const gnd_graph *g, const gnd_csr *x,
                             const gnd_coordinates_opts *o, gnd_pool *pool, gnd_error *err);
void gnd_prepared_fini(gnd_prepared *g);

/* Rows of S^2 X, of length 1; and of S^2 less their mean, of length 1. g keeps what they borrow. */
gnd_design gnd_design_diffused(const gnd_prepared *g);
gnd_design gnd_design_links(const gnd_prepared *g);

#endif
