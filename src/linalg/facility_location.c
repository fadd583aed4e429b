/* SPDX-License-Identifier: MIT
 * facility_location.c - greedy facility location on cosines; facility_location.h has the formulas.
 */
#include "facility_location.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "kern/kern.h"

/* POINTS x ROWS cosines at a time; BATCH candidates between two reports of progress. */
enum { POINTS = 128, ROWS = 8, RANK_MAX = 256, BATCH = 256 };

typedef struct {
    const gnd_points *z;
    const gnd_facility_opts *o;
    int64_t m, n_block;
    int32_t *all;   /* [m] 0, 1, 2, ... */
    gnd_real *zt;   /* [n_block, r, POINTS] all points as columns; beyond the last: 0 */
    gnd_real *best; /* [n_block, POINTS] largest cosine to an existing or chosen point, >= 0 */
    int32_t *owner; /* [n] number of that choice, -1: an existing point or none */
    double *gain;   /* [m] after known[s] choices, -1: chosen */
    int32_t *known; /* [m] */
} location;

static const gnd_real *row(const location *c, int64_t i)
{
    return c->z->z + i * c->z->r;
}

/* near: [count, POINTS] cosines of the points x: [count, r] and those of block b. */
static void cosines(gnd_real *near, const location *c, const gnd_real *x, int64_t count, int64_t b)
{
    const int64_t r = c->z->r;

    gnd_kern_get()->gemm(near, x, c->zt + b * r * POINTS, r, POINTS, 0, count);
}

static void existing_blocks(int64_t begin, int64_t end, void *arg)
{
    const location *c = arg;
    gnd_real near[POINTS];

    for (int64_t b = begin; b < end; b++)
        for (int64_t t = 0; t < c->o->n_existing; t++) {
            cosines(near, c, row(c, c->o->existing[t]), 1, b);
            for (int64_t j = 0; j < POINTS; j++)
                if (near[j] > c->best[b * POINTS + j])
                    c->best[b * POINTS + j] = near[j];
        }
}

typedef struct {
    const location *c;
    const int32_t *which; /* candidates */
} gain_job;

/* Gains of at most ROWS candidates. */
static void gain_rows(int64_t begin, int64_t end, void *arg)
{
    const gain_job *g = arg;
    const location *c = g->c;
    const int64_t r = c->z->r;
    gnd_real more[ROWS * POINTS] = {0}; /* sums over the blocks, for vector instructions */
    gnd_real near[ROWS * POINTS], x[ROWS * RANK_MAX];

    for (int64_t k = begin; k < end; k++)
        memcpy(x + (k - begin) * r, row(c, c->o->candidate[g->which[k]]), (size_t)r * sizeof *x);
    for (int64_t b = 0; b < c->n_block; b++) {
        const gnd_real *best = c->best + b * POINTS;

        cosines(near, c, x, end - begin, b);
        for (int64_t k = 0; k < end - begin; k++)
            for (int64_t j = 0; j < POINTS; j++) {
                const gnd_real by = near[k * POINTS + j] - best[j];

                more[k * POINTS + j] += by > 0 ? by : 0;
            }
    }
    for (int64_t k = begin; k < end; k++) {
        double sum = 0;

        for (int64_t j = 0; j < POINTS; j++)
            sum += (double)more[(k - begin) * POINTS + j];
        c->gain[g->which[k]] = sum;
    }
}

/* which: the ROWS candidates of largest known gain that are out of date after k choices, or fewer;
 * none if the largest gain of all is up to date, and then *top has it. */
static int64_t outdated(int32_t *which, int64_t *top, const location *c, int64_t k)
{
    int64_t n = 0;

    *top = 0;
    for (int64_t s = 0; s < c->m; s++) {
        int64_t at = n;

        if (c->gain[s] > c->gain[*top])
            *top = s;
        if (c->gain[s] < 0 || c->known[s] == k ||
            (n == ROWS && c->gain[s] <= c->gain[which[n - 1]]))
            continue;
        at = n < ROWS ? n++ : n - 1;
        for (; at > 0 && c->gain[s] > c->gain[which[at - 1]]; at--)
            which[at] = which[at - 1];
        which[at] = (int32_t)s;
    }
    return c->known[*top] == k ? 0 : n;
}

/* The candidate of largest gain after k choices; of equal ones the first. Any candidate, if the
 * caller asked to stop. */
static int64_t find_best(location *c, int64_t k, gnd_pool *pool)
{
    int32_t which[ROWS];
    int64_t top, n;

    while ((n = outdated(which, &top, c, k)) > 0 && gnd_pool_check(pool, NULL) == GND_OK) {
        gain_rows(0, n, &(gain_job){c, which});
        for (int64_t i = 0; i < n; i++)
            c->known[which[i]] = (int32_t)k;
    }
    return top;
}

/* Choose candidate s as number k. */
static void choose(location *c, int64_t s, int64_t k)
{
    gnd_real near[POINTS];

    for (int64_t i = 0; i < c->z->n; i++) {
        if (i % POINTS == 0)
            cosines(near, c, row(c, c->o->candidate[s]), 1, i / POINTS);
        if (near[i % POINTS] > c->best[i]) {
            c->best[i] = near[i % POINTS];
            c->owner[i] = (int32_t)k;
        }
    }
    c->gain[s] = -1;
}

static gnd_status location_init(location *c, gnd_error *err)
{
    const int64_t n = c->z->n, r = c->z->r, m = c->m;

    c->n_block = (n + POINTS - 1) / POINTS;
    c->all = gnd_alloc(m, sizeof *c->all);
    c->zt = gnd_alloc(c->n_block * POINTS * r, sizeof *c->zt);
    c->best = gnd_alloc(c->n_block * POINTS, sizeof *c->best);
    c->owner = gnd_alloc(n, sizeof *c->owner);
    c->gain = gnd_alloc(m, sizeof *c->gain);
    c->known = gnd_alloc(m, sizeof *c->known);
    if (!c->all || !c->zt || !c->best || !c->owner || !c->gain || !c->known)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to compare %lld points", (long long)n);
    for (int64_t s = 0; s < m; s++)
        c->all[s] = (int32_t)s;
    for (int64_t i = 0; i < n; i++) {
        c->owner[i] = -1;
        for (int64_t k = 0; k < r; k++)
            c->zt[(i / POINTS * r + k) * POINTS + i % POINTS] = c->z->z[i * r + k];
    }
    return GND_OK;
}

static void location_fini(location *c)
{
    gnd_free(c->all);
    gnd_free(c->zt);
    gnd_free(c->best);
    gnd_free(c->owner);
    gnd_free(c->gain);
    gnd_free(c->known);
}

gnd_status gnd_facility_location(gnd_facilities *out, const gnd_points *z,
                                 const gnd_facility_opts *o, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = z->n;
    location c = {.z = z, .o = o, .m = o->n_candidate};
    gnd_status st;

    assert(z->r <= RANK_MAX);
    out->n = 0;
    out->similar = 0;
    GND_TRY(location_init(&c, err));
    gnd_parallel_for(pool, c.n_block, 1, n * o->n_existing * z->r, existing_blocks, &c);
    for (int64_t s = 0; s < c.m; s += BATCH) {
        const int64_t batch = c.m - s < BATCH ? c.m - s : BATCH;

        gnd_parallel_for(pool, batch, ROWS, n * batch * z->r, gain_rows,
                         &(gain_job){&c, c.all + s});
        gnd_pool_done(pool, (double)s / (double)c.m);
        GND_TRY(gnd_pool_check(pool, err));
    }
    for (; out->n < o->k && out->n < c.m; out->n++) {
        const int64_t s = find_best(&c, out->n, pool);

        GND_TRY(gnd_pool_check(pool, err));
        choose(&c, s, out->n);
        out->chosen[out->n] = o->candidate[s];
        out->coverage[out->n] = 0;
    }
    for (int64_t i = 0; i < n; i++) {
        if (c.owner[i] >= 0)
            out->coverage[c.owner[i]] += 1 / (double)n;
        out->similar += (double)c.best[i] >= o->similar ? 1 / (double)n : 0;
    }
out:
    location_fini(&c);
    return st;
}
