/* SPDX-License-Identifier: MIT
 * hop_distances.h - breadth-first search from 64 vertices at once, and the hop distances of all
 * pairs. */
#ifndef GND_EMBED_HOP_DISTANCES_H
#define GND_EMBED_HOP_DISTANCES_H

#include "base/parallel.h"
#include "kern/csr.h"

enum { GND_BFS_BATCH = 64, GND_HOP_MAX = 254, GND_HOP_NONE = 255 };

/* The links of a graph, both ways: pattern of max(A, A^T) without loops. */
gnd_status gnd_links_init(gnd_csr *out, const gnd_csr *adj, gnd_error *err);

/* One search: bit b stands for source first + b. */
typedef struct {
    const gnd_csr *links;
    uint64_t *front; /* [n] sources whose search reached the vertex at the present hop */
    uint64_t *seen;  /* [n] ... at this hop or an earlier one */
    uint64_t *next;  /* [n] all zero between calls */
} gnd_bfs;

/* links is kept, not owned. */
gnd_status gnd_bfs_init(gnd_bfs *b, const gnd_csr *links, gnd_error *err);
void gnd_bfs_fini(gnd_bfs *b);
/* At hop 0 of `count` <= GND_BFS_BATCH sources. */
void gnd_bfs_start(gnd_bfs *b, int64_t first, int64_t count);
/* To the next hop; false if nobody reaches anything new. */
bool gnd_bfs_step(gnd_bfs *b);

/* As many searches as the pool has threads; NULL: no memory. Pieces of parallel work take one each.
 */
gnd_bfs *gnd_bfs_team_new(const gnd_csr *links, int size, gnd_error *err);
void gnd_bfs_team_free(gnd_bfs *team, int size);

/* Hop distances [n, n], symmetric; GND_HOP_NONE: no path; longer ones than GND_HOP_MAX count as
 * that. far: the distance taken where there is no path, 1.5 times the largest finite one. The
 * caller frees *out. Cost: O(n^2 + n m levels / 64), memory n^2 bytes. */
gnd_status gnd_hop_distances(uint8_t **out, double *far, const gnd_csr *links, gnd_pool *pool,
                             gnd_error *err);

#endif
