/* SPDX-License-Identifier: MIT
 * hop_distances.h - breadth-first search from 64 vertices at once, and hop distances of all
 * pairs. */
#ifndef GND_EMBED_HOP_DISTANCES_H
#define GND_EMBED_HOP_DISTANCES_H

#include "base/parallel.h"
#include "kern/csr.h"

enum { GND_BFS_BATCH = 64, GND_HOP_MAX = 254, GND_HOP_NONE = 255 };

/* The undirected links of a graph: the pattern of max(A, A^T) without loops. */
gnd_status gnd_links_init(gnd_csr *out, const gnd_csr *adj, gnd_error *err);

/* 64 searches; bit b belongs to source first + b. */
typedef struct {
    const gnd_csr *links;
    uint64_t *front; /* [n] sources that reached the vertex at the current hop */
    uint64_t *seen;  /* [n] sources that reached it at the current or an earlier hop */
    uint64_t *next;  /* [n] all zero between calls */
} gnd_bfs;

/* links is borrowed. */
gnd_status gnd_bfs_init(gnd_bfs *b, const gnd_csr *links, gnd_error *err);
void gnd_bfs_fini(gnd_bfs *b);
/* Starts the searches from `count` <= GND_BFS_BATCH sources, at hop 0. */
void gnd_bfs_start(gnd_bfs *b, int64_t first, int64_t count);
/* Advances to the next hop. Returns false if no search reaches a new vertex. */
bool gnd_bfs_step(gnd_bfs *b);

/* One gnd_bfs per thread of the pool, for use by pieces of parallel work; NULL if memory is
 * short. */
gnd_bfs *gnd_bfs_team_new(const gnd_csr *links, int size, gnd_error *err);
void gnd_bfs_team_free(gnd_bfs *team, int size);

/* Hop distances [n, n], symmetric. GND_HOP_NONE: no path; distances above GND_HOP_MAX are stored
 * as GND_HOP_MAX. far: the distance to use for pairs without a path, 1.5 times the largest
 * finite one. The caller frees *out. Cost: O(n^2 + n m levels / 64), memory n^2 bytes. */
gnd_status gnd_hop_distances(uint8_t **out, double *far, const gnd_csr *links, gnd_pool *pool,
                             gnd_error *err);

#endif
