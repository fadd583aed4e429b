/* SPDX-License-Identifier: MIT
 * facility_location.c - greedy facility location on cosines. */
#include "facility_location.h"

#include <math.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "kern/kern.h"

enum { ROWS = 16 };

typedef struct {
    const gnd_points *z;
    const gnd_facility_opts *o;
    int32_t *candidate, *client; /* points */
    int64_t n_candidate, n_client;
    gnd_real *similarity; /* [n_candidate, n_asked] cosines, 0 at least */
    gnd_real *best;       /* [n_asked] to those that stand */
    int32_t *owner;       /* [n_asked] which of them, -1: one of taken or none */
    double *gain;         /* [n_candidate] */
} location;

/* m of the points for which barred is not set, evenly drawn and ascending. Returns how many. */
static int64_t draw(int32_t *out, int64_t n, const unsigned char *excluded, int64_t m,
                    uint64_t seed)
{
    int64_t left = 0, got = 0;

    for (int64_t i = 0; i < n; i++)
        left += !excluded || !excluded[i];
    for (int64_t i = 0; i < n && got < m; i++) {
        if (excluded && excluded[i])
            continue;
        if (gnd_rng_uniform(seed, 3, (uint64_t)i) * (double)left < (double)(m - got))
            out[got++] = (int32_t)i;
        left--;
    }
    return got;
}

static double cosine(const gnd_points *z, int64_t i, int64_t j)
{
    return gnd_kern_get()->dot(z->z + i * z->r, z->z + j * z->r, z->r);
}

static void similarity_rows(int64_t begin, int64_t end, void *arg)
{
    const location *c = arg;

    for (int64_t s = begin; s < end; s++)
        for (int64_t i = 0; i < c->n_client; i++)
            c->similarity[s * c->n_client + i] =
                (gnd_real)fmax(0, cosine(c->z, c->candidate[s], c->client[i]));
}

static void gain_rows(int64_t begin, int64_t end, void *arg)
{
    const location *c = arg;

    for (int64_t s = begin; s < end; s++) {
        const gnd_real *row = c->similarity + s * c->n_client;
        double sum = 0;

        for (int64_t i = 0; i < c->n_client; i++)
            if (row[i] > c->best[i])
                sum +=
                    (double)(row[i] - c->best[i]) * (c->o->weight ? c->o->weight[c->client[i]] : 1);
        c->gain[s] = sum;
    }
}

static gnd_status location_init(location *c, gnd_error *err)
{
    const int64_t n = c->z->n, m = n < GND_FACILITY_MAX ? n : GND_FACILITY_MAX;

    c->candidate = gnd_alloc(m, sizeof *c->candidate);
    c->client = gnd_alloc(m, sizeof *c->client);
    c->similarity = gnd_alloc(m * m, sizeof *c->similarity);
    c->best = gnd_alloc(m, sizeof *c->best);
    c->owner = gnd_alloc(m, sizeof *c->owner);
    c->gain = gnd_alloc(m, sizeof *c->gain);
    if (!c->candidate || !c->client || !c->similarity || !c->best || !c->owner || !c->gain)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to compare %lld vertices", (long long)m);
    c->n_candidate = draw(c->candidate, n, c->o->excluded, m, 2 * c->o->seed);
    c->n_client = draw(c->client, n, NULL, m, 2 * c->o->seed + 1);
    for (int64_t i = 0; i < c->n_client; i++) {
        c->owner[i] = -1;
        for (int64_t t = 0; t < c->o->n_existing; t++)
            c->best[i] =
                (gnd_real)fmax((double)c->best[i], cosine(c->z, c->o->existing[t], c->client[i]));
    }
    return GND_OK;
}

static void location_fini(location *c)
{
    gnd_free(c->candidate);
    gnd_free(c->client);
    gnd_free(c->similarity);
    gnd_free(c->best);
    gnd_free(c->owner);
    gnd_free(c->gain);
}

/* The candidate of largest gain now stands as number k. */
static void open_best(location *c, int32_t *chosen, int64_t k)
{
    int64_t top = 0;

    for (int64_t s = 1; s < c->n_candidate; s++)
        if (c->gain[s] > c->gain[top])
            top = s;
    chosen[k] = c->candidate[top];
    for (int64_t i = 0; i < c->n_client; i++)
        if (c->similarity[top * c->n_client + i] > c->best[i]) {
            c->best[i] = c->similarity[top * c->n_client + i];
            c->owner[i] = (int32_t)k;
        }
    /* It is a candidate no longer. */
    c->n_candidate--;
    c->candidate[top] = c->candidate[c->n_candidate];
    for (int64_t i = 0; i < c->n_client; i++)
        c->similarity[top * c->n_client + i] = c->similarity[c->n_candidate * c->n_client + i];
}

gnd_status gnd_facility_location(gnd_facilities *out, const gnd_points *z,
                                 const gnd_facility_opts *o, gnd_pool *pool, gnd_error *err)
{
    location c = {.z = z, .o = o};
    gnd_status st;

    out->n = 0;
    GND_TRY(location_init(&c, err));
    gnd_parallel_for(pool, c.n_candidate, ROWS, c.n_candidate * c.n_client * z->r, similarity_rows,
                     &c);
    while (out->n < o->k && c.n_candidate > 0) {
        gnd_parallel_for(pool, c.n_candidate, ROWS, c.n_candidate * c.n_client, gain_rows, &c);
        open_best(&c, out->chosen, out->n++);
    }
    for (int64_t k = 0; k < out->n; k++)
        out->coverage[k] = 0;
    for (int64_t i = 0; i < c.n_client; i++)
        if (c.owner[i] >= 0)
            out->coverage[c.owner[i]] += 1 / (double)c.n_client;
out:
    location_fini(&c);
    return st;
}
