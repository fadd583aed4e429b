/* SPDX-License-Identifier: MIT
 * roles.c - degree, core number and clustering of each vertex, then means over neighbours, twice.
 * Core numbers by Batagelj and Zaversnik, arXiv:cs/0310049. */
#include "roles.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "kern/kern.h"

enum { DEGREE, CORE, CLUSTERING, NEAR_DEGREE, OWN, ROWS = 256 };
/* Pairs of neighbours that are looked up at most, and fewer from LARGE links on: they cost more
 * than all else there. */
enum { PAIRS = 64, PAIRS_LARGE = 16, LARGE = 2000000 };
_Static_assert(GND_ROLES == 3 * OWN, "own columns, and two means of them");
static const double ROLE_MAX = 4, SPREAD_MIN = 1e-9;

static int64_t degree_of(const gnd_csr *links, int64_t i)
{
    return links->ptr[i + 1] - links->ptr[i];
}

gnd_status gnd_core_numbers(int32_t *core, const gnd_csr *links, gnd_error *err)
{
    const int64_t n = links->n_row;
    int64_t *begin = gnd_alloc(n + 2, sizeof *begin); /* of each degree, in order */
    int32_t *order = gnd_alloc(n, sizeof *order), *at = gnd_alloc(n, sizeof *at);
    gnd_status st = GND_OK;

    if (!begin || !order || !at)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    for (int64_t i = 0; i < n; i++) {
        core[i] = (int32_t)degree_of(links, i);
        begin[core[i] + 1]++;
    }
    for (int64_t k = 0; k < n; k++)
        begin[k + 1] += begin[k];
    for (int64_t i = 0; i < n; i++) {
        at[i] = (int32_t)begin[core[i]]++;
        order[at[i]] = (int32_t)i;
    }
    for (int64_t k = n; k > 0; k--) /* where each degree begins again */
        begin[k] = begin[k - 1];
    begin[0] = 0;
    for (int64_t k = 0; k < n; k++) { /* remove vertices in order of their remaining degree */
        const int32_t v = order[k];

        for (int64_t q = links->ptr[v]; q < links->ptr[v + 1]; q++) {
            const int32_t u = links->col[q];

            if (core[u] > core[v]) { /* u moves to the front of its degree, and down by one */
                const int32_t first = order[begin[core[u]]];

                order[at[u]] = first;
                at[first] = at[u];
                at[u] = (int32_t)begin[core[u]]++;
                order[at[u]] = u;
                core[u]--;
            }
        }
    }
out:
    gnd_free(at);
    gnd_free(order);
    gnd_free(begin);
    return st;
}

typedef struct {
    gnd_real *roles;
    const gnd_csr *links;
    int64_t to; /* column of the means over neighbours */
} role_job;

static int64_t most_pairs(const gnd_csr *links)
{
    return gnd_csr_nnz(links) < LARGE ? PAIRS : PAIRS_LARGE;
}

/* Pairs of neighbours of vertex i, all or `most` random ones. Returns how many. */
static int64_t choose_pairs(int32_t (*pair)[2], const gnd_csr *links, int64_t i, int64_t most)
{
    const int32_t *near = links->col + links->ptr[i];
    const int64_t d = degree_of(links, i);
    int64_t n = 0;

    if (d * (d - 1) / 2 > most) {
        for (; n < most; n++) {
            const uint64_t at = (uint64_t)(i * most + n);
            const int64_t a = (int64_t)(gnd_rng_uniform(1, 1, at) * (double)d);
            const int64_t b = (int64_t)(gnd_rng_uniform(1, 2, at) * (double)(d - 1));

            pair[n][0] = near[a];
            pair[n][1] = near[b + (b >= a)];
        }
        return n;
    }
    for (int64_t a = 0; a < d; a++)
        for (int64_t b = 0; b < a; b++, n++) {
            pair[n][0] = near[a];
            pair[n][1] = near[b];
        }
    return n;
}

/* Share of the pairs of neighbours that are linked. links is symmetric: the shorter of two rows
 * tells. What the next steps read, at random places, is asked for before. */
static double clustering(const gnd_csr *links, int64_t i)
{
    int32_t pair[PAIRS][2];
    const int64_t n = choose_pairs(pair, links, i, most_pairs(links));
    int64_t linked = 0;

    for (int64_t k = 0; k < n; k++)
        for (int e = 0; e < 2; e++)
            __builtin_prefetch(links->ptr + pair[k][e]);
    for (int64_t k = 0; k < n; k++) {
        if (degree_of(links, pair[k][0]) > degree_of(links, pair[k][1])) {
            const int32_t longer = pair[k][0];

            pair[k][0] = pair[k][1];
            pair[k][1] = longer;
        }
        __builtin_prefetch(links->col + links->ptr[pair[k][0]] + degree_of(links, pair[k][0]) / 2);
    }
    for (int64_t k = 0; k < n; k++)
        linked += gnd_csr_find(links, pair[k][0], pair[k][1]) >= 0;
    return n > 0 ? (double)linked / (double)n : 0;
}

static void own_rows(int64_t begin, int64_t end, void *arg)
{
    const role_job *j = arg;

    for (int64_t i = begin; i < end; i++) {
        gnd_real *row = j->roles + i * GND_ROLES;
        double near = 0;

        for (int64_t q = j->links->ptr[i]; q < j->links->ptr[i + 1]; q++)
            near += (double)degree_of(j->links, j->links->col[q]);
        row[DEGREE] = (gnd_real)log1p((double)degree_of(j->links, i));
        row[CLUSTERING] = (gnd_real)clustering(j->links, i);
        row[NEAR_DEGREE] = (gnd_real)log1p(near / fmax((double)degree_of(j->links, i), 1));
    }
}

/* Columns to .. to + 3: means over the neighbours of the four columns before. */
static void mean_rows(int64_t begin, int64_t end, void *arg)
{
    const role_job *j = arg;

    for (int64_t i = begin; i < end; i++) {
        double sum[OWN] = {0}, d = fmax((double)degree_of(j->links, i), 1);

        for (int64_t q = j->links->ptr[i]; q < j->links->ptr[i + 1]; q++)
            for (int k = 0; k < OWN; k++)
                sum[k] += (double)j->roles[j->links->col[q] * GND_ROLES + j->to - OWN + k];
        for (int k = 0; k < OWN; k++)
            j->roles[i * GND_ROLES + j->to + k] = (gnd_real)(sum[k] / d);
    }
}

static void standardise(gnd_real *roles, int64_t n)
{
    for (int k = 0; k < GND_ROLES; k++) {
        double mean = 0, square = 0, spread;

        for (int64_t i = 0; i < n; i++)
            mean += (double)roles[i * GND_ROLES + k] / (double)n;
        for (int64_t i = 0; i < n; i++) {
            const double x = (double)roles[i * GND_ROLES + k] - mean;

            square += x * x / (double)n;
        }
        spread = sqrt(square) + SPREAD_MIN;
        for (int64_t i = 0; i < n; i++) {
            const double x = ((double)roles[i * GND_ROLES + k] - mean) / spread;

            roles[i * GND_ROLES + k] =
                (gnd_real)(fmin(fmax(x, -ROLE_MAX), ROLE_MAX) / sqrt(GND_ROLES));
        }
    }
}

gnd_status gnd_roles(gnd_real *roles, const gnd_csr *links, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = links->n_row, cost = gnd_csr_nnz(links) * OWN;
    int32_t *core = gnd_alloc(n, sizeof *core);
    role_job job = {roles, links, OWN};
    gnd_status st = GND_OK;

    if (!core)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    GND_TRY(gnd_core_numbers(core, links, err));
    gnd_parallel_for(pool, n, ROWS, cost + n * most_pairs(links), own_rows, &job);
    for (int64_t i = 0; i < n; i++)
        roles[i * GND_ROLES + CORE] = (gnd_real)log1p((double)core[i]);
    for (; job.to < GND_ROLES; job.to += OWN)
        gnd_parallel_for(pool, n, ROWS, cost, mean_rows, &job);
    standardise(roles, n);
out:
    gnd_free(core);
    return st;
}
