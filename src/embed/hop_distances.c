/* SPDX-License-Identifier: MIT
 * hop_distances.c - breadth-first search from 64 sources at once: each vertex has a bit set of
 * the sources that have reached it, so that one pass over the links serves 64 searches. */
#include "hop_distances.h"

#include <string.h>

#include "base/alloc.h"
#include "graph/graph.h"

gnd_status gnd_links_init(gnd_csr *out, const gnd_csr *adj, gnd_error *err)
{
    const gnd_csr pattern = {
        .n_row = adj->n_row, .n_col = adj->n_col, .ptr = adj->ptr, .col = adj->col};
    gnd_csr both = {0};
    gnd_status st;

    *out = (gnd_csr){0};
    if (adj->n_row != adj->n_col)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "the adjacency matrix is %lld x %lld; expected square",
                         (long long)adj->n_row, (long long)adj->n_col));
    GND_TRY(gnd_csr_symmetrise(&both, &pattern, err));
    GND_TRY(gnd_csr_drop_loops(out, &both, NULL, err));
out:
    gnd_csr_fini(&both);
    return st;
}

gnd_status gnd_bfs_init(gnd_bfs *b, const gnd_csr *links, gnd_error *err)
{
    const int64_t n = links->n_row;

    *b = (gnd_bfs){
        .links = links,
        .front = gnd_alloc(n, sizeof *b->front),
        .seen = gnd_alloc(n, sizeof *b->seen),
        .next = gnd_alloc(n, sizeof *b->next),
    };
    if (b->front && b->seen && b->next)
        return GND_OK;
    gnd_bfs_fini(b);
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for a search over %lld vertices", (long long)n);
}

void gnd_bfs_fini(gnd_bfs *b)
{
    gnd_free(b->front);
    gnd_free(b->seen);
    gnd_free(b->next);
    *b = (gnd_bfs){0};
}

void gnd_bfs_start(gnd_bfs *b, int64_t first, int64_t count)
{
    const size_t bytes = (size_t)b->links->n_row * sizeof *b->front;

    memset(b->front, 0, bytes);
    memset(b->seen, 0, bytes);
    for (int64_t i = 0; i < count; i++)
        b->front[first + i] = b->seen[first + i] = UINT64_C(1) << i;
}

bool gnd_bfs_step(gnd_bfs *b)
{
    const gnd_csr *a = b->links;
    uint64_t any = 0;

    for (int64_t v = 0; v < a->n_row; v++) {
        const uint64_t f = b->front[v];

        if (f)
            for (int64_t p = a->ptr[v]; p < a->ptr[v + 1]; p++)
                b->next[a->col[p]] |= f;
    }
    for (int64_t v = 0; v < a->n_row; v++) {
        const uint64_t f = b->next[v] & ~b->seen[v];

        b->next[v] = 0;
        b->front[v] = f;
        b->seen[v] |= f;
        any |= f;
    }
    return any != 0;
}

gnd_bfs *gnd_bfs_team_new(const gnd_csr *links, int size, gnd_error *err)
{
    gnd_bfs *team = gnd_alloc(size, sizeof *team);

    if (!team) {
        gnd_fail(err, GND_ERR_NOMEM, "no memory for %d searches", size);
        return NULL;
    }
    for (int i = 0; i < size; i++)
        if (gnd_bfs_init(&team[i], links, err) != GND_OK) {
            gnd_bfs_team_free(team, size);
            return NULL;
        }
    return team;
}

void gnd_bfs_team_free(gnd_bfs *team, int size)
{
    for (int i = 0; team && i < size; i++)
        gnd_bfs_fini(&team[i]);
    gnd_free(team);
}

/* ---- all pairs ---- */

typedef struct {
    uint8_t *hops; /* [n, n] */
    gnd_bfs *team;
    int64_t *largest; /* [size] largest finite distance found by each thread */
    int size;
} all_pairs;

/* Writes the distance of the vertices that a batch reached last. */
static void write_front(uint8_t *hops, const gnd_bfs *b, int64_t first, uint8_t distance)
{
    const int64_t n = b->links->n_row;

    for (int64_t v = 0; v < n; v++)
        for (uint64_t f = b->front[v]; f; f &= f - 1)
            hops[v * n + first + __builtin_ctzll(f)] = distance;
}

static int64_t one_batch(uint8_t *hops, gnd_bfs *b, int64_t first, int64_t count)
{
    const int64_t n = b->links->n_row;
    int64_t distance = 0;

    for (int64_t v = 0; v < n; v++)
        memset(hops + v * n + first, GND_HOP_NONE, (size_t)count);
    gnd_bfs_start(b, first, count);
    do {
        write_front(hops, b, first, (uint8_t)(distance < GND_HOP_MAX ? distance : GND_HOP_MAX));
        distance++;
    } while (gnd_bfs_step(b));
    return distance - 1;
}

/* Thread m takes every size-th batch: batches cost about the same, and no two threads write the
 * same byte. */
static void batches(int64_t begin, int64_t end, void *arg)
{
    const all_pairs *a = arg;

    for (int64_t m = begin; m < end; m++) {
        gnd_bfs *b = &a->team[m];
        const int64_t n = b->links->n_row;

        for (int64_t s = m * GND_BFS_BATCH; s < n; s += (int64_t)a->size * GND_BFS_BATCH) {
            const int64_t left = n - s;
            const int64_t d = one_batch(a->hops, b, s, left < GND_BFS_BATCH ? left : GND_BFS_BATCH);

            if (d > a->largest[m])
                a->largest[m] = d;
        }
    }
}

gnd_status gnd_hop_distances(uint8_t **out, double *far, const gnd_csr *links, gnd_pool *pool,
                             gnd_error *err)
{
    const int64_t n = links->n_row;
    const int size = gnd_pool_threads(pool);
    all_pairs a = {.size = size};
    int64_t largest = 0, bytes;
    gnd_status st = GND_ERR_NOMEM;

    *out = NULL;
    *far = 0;
    a.largest = gnd_alloc(size, sizeof *a.largest);
    if (!__builtin_mul_overflow(n, n, &bytes))
        a.hops = gnd_alloc(bytes, 1);
    if (!a.hops || !a.largest)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the distances of %lld x %lld vertices",
                         (long long)n, (long long)n));
    a.team = gnd_bfs_team_new(links, size, err);
    if (!a.team)
        goto out;
    gnd_parallel_for(pool, size, 1, n * (n + gnd_csr_nnz(links) / 8), batches, &a);
    for (int m = 0; m < size; m++)
        if (a.largest[m] > largest)
            largest = a.largest[m];
    *far = 1.5 * (double)(largest < GND_HOP_MAX ? largest : GND_HOP_MAX);
    *out = a.hops;
    a.hops = NULL;
    st = GND_OK;
out:
    gnd_bfs_team_free(a.team, size);
    gnd_free(a.largest);
    gnd_free(a.hops);
    return st;
}
