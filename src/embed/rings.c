/* SPDX-License-Identifier: MIT
 * rings.c - compressed degree sequences by breadth-first search, and their distance by dynamic
 * time warping; see the header. */
#include "rings.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "hop_distances.h"

/* Tables of at most FULL cells are computed completely, larger ones in a band of RADIUS cells on
 * either side. */
enum { FULL = 400, RADIUS = 4 };

/* ---- rings ---- */

typedef struct {
    const gnd_csr *links;
    gnd_bfs *team;
    int32_t *hist;   /* [size, GND_RINGS, GND_BFS_BATCH, n_degree] */
    int32_t *rank;   /* [n] index of the vertex's degree in `degree` */
    int64_t *degree; /* [n_degree] the degrees that occur, ascending */
    int64_t n_degree;
    int64_t first; /* first vertex of the current round */
} search;

static int64_t hist_size(const search *s)
{
    return (int64_t)GND_RINGS * GND_BFS_BATCH * s->n_degree;
}

static int64_t batch_length(int64_t first, int64_t n)
{
    return n - first < GND_BFS_BATCH ? n - first : GND_BFS_BATCH;
}

/* Counts the degrees at each hop for batch m of the round. */
static void count_batch(int64_t begin, int64_t end, void *arg)
{
    const search *s = arg;
    const int64_t n = s->links->n_row;

    for (int64_t m = begin; m < end; m++) {
        const int64_t first = s->first + m * GND_BFS_BATCH;
        gnd_bfs *b = &s->team[m];
        int32_t *hist = s->hist + m * hist_size(s);

        if (first >= n)
            return;
        memset(hist, 0, (size_t)hist_size(s) * sizeof *hist);
        gnd_bfs_start(b, first, batch_length(first, n));
        for (int k = 0; k < GND_RINGS; k++) {
            if (k > 0 && !gnd_bfs_step(b))
                break;
            for (int64_t v = 0; v < n; v++)
                for (uint64_t f = b->front[v]; f; f &= f - 1)
                    hist[(k * GND_BFS_BATCH + __builtin_ctzll(f)) * s->n_degree + s->rank[v]]++;
        }
    }
}

/* Lists the degrees that occur, and the index of each vertex's degree. */
static gnd_status rank_degrees(search *s, gnd_error *err)
{
    const gnd_csr *a = s->links;
    const int64_t n = a->n_row;
    int32_t *number = gnd_alloc(n + 1, sizeof *number);

    s->rank = gnd_alloc(n, sizeof *s->rank);
    s->degree = gnd_alloc(n, sizeof *s->degree);
    if (!number || !s->rank || !s->degree) {
        gnd_free(number);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for the degrees of %lld vertices",
                        (long long)n);
    }
    for (int64_t v = 0; v < n; v++)
        number[a->ptr[v + 1] - a->ptr[v]] = 1;
    for (int64_t d = 0; d <= n; d++)
        if (number[d]) {
            number[d] = (int32_t)s->n_degree;
            s->degree[s->n_degree++] = d;
        }
    for (int64_t v = 0; v < n; v++)
        s->rank[v] = number[a->ptr[v + 1] - a->ptr[v]];
    gnd_free(number);
    return GND_OK;
}

/* Appends the runs of the vertices of batch m. */
static gnd_status append_batch(gnd_rings *r, int64_t *room, const search *s, int64_t m,
                               gnd_error *err)
{
    const int64_t first = s->first + m * GND_BFS_BATCH, count = batch_length(first, r->n);
    const int32_t *hist = s->hist + m * hist_size(s);

    for (int64_t b = 0; b < count; b++)
        for (int k = 0; k < GND_RINGS; k++) {
            const int64_t ring = (first + b) * GND_RINGS + k;
            const int32_t *h = hist + (k * GND_BFS_BATCH + b) * s->n_degree;
            int64_t q = r->ptr[ring];

            if (q + s->n_degree > *room) {
                const int64_t more = 2 * *room + s->n_degree;
                gnd_degree_run *run = gnd_realloc(r->run, more, sizeof *run);

                if (!run)
                    return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld runs of degrees",
                                    (long long)more);
                r->run = run;
                *room = more;
            }
            for (int64_t d = 0; d < s->n_degree; d++)
                if (h[d]) {
                    const float deg = s->degree[d] > 0 ? (float)s->degree[d] : 0.5f;

                    r->run[q++] = (gnd_degree_run){deg, 1 / deg, (float)h[d]};
                }
            r->ptr[ring + 1] = q;
            if (q - r->ptr[ring] > r->longest)
                r->longest = q - r->ptr[ring];
        }
    return GND_OK;
}

gnd_status gnd_rings_init(gnd_rings *r, const gnd_csr *links, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = links->n_row;
    const int size = gnd_pool_threads(pool);
    search s = {.links = links};
    int64_t room = 0;
    gnd_status st = GND_ERR_NOMEM;

    *r = (gnd_rings){.n = n, .longest = 1};
    s.team = gnd_bfs_team_new(links, size, err);
    if (!s.team)
        goto out;
    GND_TRY(rank_degrees(&s, err));
    r->ptr = gnd_alloc(n * GND_RINGS + 1, sizeof *r->ptr);
    s.hist = gnd_alloc(size * hist_size(&s), sizeof *s.hist);
    if (!r->ptr || !s.hist)
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "no memory for the rings of %lld vertices", (long long)n));
    for (s.first = 0; s.first < n; s.first += (int64_t)size * GND_BFS_BATCH) {
        gnd_parallel_for(pool, size, 1, size * GND_BFS_BATCH * n, count_batch, &s);
        for (int64_t m = 0; m < size && s.first + m * GND_BFS_BATCH < n; m++)
            GND_TRY(append_batch(r, &room, &s, m, err));
    }
out:
    gnd_free(s.hist);
    gnd_free(s.degree);
    gnd_free(s.rank);
    gnd_bfs_team_free(s.team, size);
    if (st != GND_OK)
        gnd_rings_fini(r);
    return st;
}

void gnd_rings_fini(gnd_rings *r)
{
    gnd_free(r->ptr);
    gnd_free(r->run);
    *r = (gnd_rings){0};
}

/* ---- warping ---- */

static inline float pair_cost(const gnd_degree_run *a, const gnd_degree_run *b)
{
    const float gap = a->degree - b->degree;
    const float over = gap > 0 ? gap * b->inverse : -gap * a->inverse; /* max / min - 1 */

    return over * (a->count > b->count ? a->count : b->count);
}

/* Row i of the table: cells lo .. hi, from the row above, which has cells prev_lo .. prev_hi.
 * Cells outside of these are infinite. */
static void warp_row(float *cur, const float *prev, const gnd_degree_run *a,
                     const gnd_degree_run *b, int64_t lo, int64_t hi, int64_t prev_lo,
                     int64_t prev_hi)
{
    float left = INFINITY;

    for (int64_t j = lo; j <= hi; j++) {
        float best = left;

        if (j >= prev_lo && j <= prev_hi && prev[j] < best)
            best = prev[j];
        if (j > prev_lo && j - 1 <= prev_hi && prev[j - 1] < best)
            best = prev[j - 1];
        left = cur[j] = best + pair_cost(a, b + j);
    }
}

/* The index in b, from `at` on, of the first degree >= `degree`. */
static int64_t match(const gnd_degree_run *b, int64_t lb, int64_t at, float degree)
{
    while (at + 1 < lb && b[at].degree < degree)
        at++;
    return at;
}

/* a: [la], b: [lb]. Both ascend, so matching by value gives a monotone path. The band holds the
 * cells within RADIUS rows and columns of it. */
static float warp(const gnd_degree_run *a, int64_t la, const gnd_degree_run *b, int64_t lb,
                  float *scratch, int64_t longest)
{
    const bool full = la * lb <= FULL;
    float *cur = scratch, *prev = scratch + longest;
    int64_t behind = 0, ahead = 0, prev_lo = 0, prev_hi = -1;

    for (int64_t i = 0; i < la; i++) {
        int64_t lo, hi;
        float *t = prev;

        prev = cur;
        cur = t;
        if (i > RADIUS)
            behind = match(b, lb, behind, a[i - RADIUS - 1].degree);
        if (i + RADIUS < la)
            ahead = match(b, lb, ahead, a[i + RADIUS].degree);
        lo = full || behind < RADIUS ? 0 : behind - RADIUS;
        hi = full || i + RADIUS + 1 >= la || ahead + RADIUS >= lb ? lb - 1 : ahead + RADIUS;
        if (i == 0) { /* the path starts at (0, 0) with cost 0 */
            float sum = 0;

            for (int64_t j = 0; j <= hi; j++)
                cur[j] = sum += pair_cost(a, b + j);
        } else {
            warp_row(cur, prev, a + i, b, lo, hi, prev_lo, prev_hi);
        }
        prev_lo = lo;
        prev_hi = hi;
    }
    return cur[lb - 1];
}

double gnd_ring_distance(const gnd_rings *r, int64_t u, int64_t v, int k, float *scratch)
{
    return (double)warp(r->run + r->ptr[u * GND_RINGS + k], gnd_ring_length(r, u, k),
                        r->run + r->ptr[v * GND_RINGS + k], gnd_ring_length(r, v, k), scratch,
                        r->longest);
}
