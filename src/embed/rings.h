/* SPDX-License-Identifier: MIT
 * rings.h - rings: the degrees of the vertices at each hop from a vertex, and a distance between
 * rings. */
#ifndef GND_EMBED_RINGS_H
#define GND_EMBED_RINGS_H

#include "base/parallel.h"
#include "kern/csr.h"

enum { GND_RINGS = 5 }; /* hops 0 .. 4 */

/* A number of vertices with the same degree. A vertex without links has degree 1/2. */
typedef struct {
    float degree, inverse, count;
} gnd_degree_run;

typedef struct {
    int64_t n;
    int64_t *ptr;        /* [n * GND_RINGS + 1]; ring k of vertex u is entry u * GND_RINGS + k */
    gnd_degree_run *run; /* degrees ascend in a ring; a ring without vertices is empty */
    int64_t longest;     /* maximum number of runs in a ring */
} gnd_rings;

/* links: symmetric, no loops. The result has the same bits for any pool. */
gnd_status gnd_rings_init(gnd_rings *r, const gnd_csr *links, gnd_pool *pool, gnd_error *err);
void gnd_rings_fini(gnd_rings *r);
static inline int64_t gnd_ring_length(const gnd_rings *r, int64_t u, int k)
{
    return r->ptr[u * GND_RINGS + k + 1] - r->ptr[u * GND_RINGS + k];
}
static inline float gnd_ring_degree(const gnd_rings *r, int64_t u)
{
    return r->run[r->ptr[u * GND_RINGS]].degree; /* ring 0 is u alone */
}

/* The cost of the cheapest warping between ring k of u and ring k of v, neither empty. A pair of
 * runs with degrees a, b and counts s, t costs (max(a, b) / min(a, b) - 1) max(s, t). scratch:
 * [2 longest]. Long rings are compared in a band around the matching by value. */
double gnd_ring_distance(const gnd_rings *r, int64_t u, int64_t v, int k, float *scratch);

#endif
