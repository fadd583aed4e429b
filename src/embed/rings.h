/* SPDX-License-Identifier: MIT
 * rings.h - degrees of the vertices at each hop from a vertex, and how unlike two such rings are.
 */
#ifndef GND_EMBED_RINGS_H
#define GND_EMBED_RINGS_H

#include "base/parallel.h"
#include "kern/csr.h"

enum { GND_RINGS = 5 }; /* hops 0 .. 4 */

/* So many vertices of one degree. A vertex without links counts as of degree 1/2. */
typedef struct {
    float degree, inverse, count;
} gnd_degree_run;

typedef struct {
    int64_t n;
    int64_t *ptr;        /* [n * GND_RINGS + 1]; ring k of vertex u is entry u * GND_RINGS + k */
    gnd_degree_run *run; /* degrees ascend in a ring; a ring beyond the last vertex is empty */
    int64_t longest;     /* most runs in a ring */
} gnd_rings;

/* links: symmetric, no loops. Same bits for any pool. */
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

/* Cost of the cheapest warping of ring k of u onto that of v, neither empty: runs of degrees a, b
 * and counts s, t that stand together cost (max(a, b) / min(a, b) - 1) max(s, t). scratch:
 * [2 longest]. Long rings are compared within a band around the match by value. */
double gnd_ring_distance(const gnd_rings *r, int64_t u, int64_t v, int k, float *scratch);

#endif
