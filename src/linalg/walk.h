/* SPDX-License-Identifier: MIT
 * walk.h - the random walk P = D^-1 A on an undirected graph, in an order in which the last
 * vertices are not linked with each other.
 *
 * Equations of the last vertices can then be solved for by one product (walk_solve.h). They are the
 * vertices whose neighbours all have more links, or as many and a larger key: on graphs of papers
 * half to four fifths of all. */
#ifndef GND_LINALG_WALK_H
#define GND_LINALG_WALK_H

#include "base/parallel.h"
#include "kern/csr.h"

/* Places: the kept vertices, ascending, then the others; in one of several processes own vertices
 * and copies. Rows: own vertices in the same order. Own vertices of a kind are one after another;
 * of the others, those of as many links are near each other. */
typedef struct {
    gnd_part *part;
    int64_t n;              /* places */
    gnd_csr a;              /* [rows, n] links by places; not of a part, for products alone */
    int32_t *order;         /* [n] the vertex at each place */
    double *degree;         /* [rows] sum of the weights of the links; 1 if that is 0 */
    int64_t kept;           /* rows of kept vertices */
    int64_t at, other;      /* places of the first own kept vertex and of the first other own one */
    int64_t n_block, block; /* blocks of own vertices (gnd_vertex_sum) and their size */
    int32_t *first;         /* [n_block + 1] the first kept row of each block */
} gnd_walk;

/* links: symmetric and without loops; may be freed. number: [n] different numbers of the vertices,
 * by which the kept ones are chosen; NULL: those of the whole graph. pool may be NULL. */
gnd_status gnd_walk_new(gnd_walk **out, const gnd_csr *links, const int32_t *number, gnd_pool *pool,
                        gnd_error *err);
void gnd_walk_free(gnd_walk *w);

static inline int64_t gnd_walk_place(const gnd_walk *w, int64_t row)
{
    return row < w->kept ? w->at + row : w->other + (row - w->kept);
}

#endif
