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
    const gnd_cover_opts *o;
    int32_t *candidate, *asked; /* points */
    int64_t n_candidate, n_asked;
    gnd_real *close; /* [n_candidate, n_asked] cosines, 0 at least */
    gnd_real *best;  /* [n_asked] to those that stand */
    int32_t *owner;  /* [n_asked] which of them, -1: one of taken or none */
    double *gain;    /* [n_candidate] */
} cover;

/* m of the points for which barred is not set, evenly drawn and ascending. Returns how many. */
static int64_t draw(int32_t *out, int64_t n, const unsigned char *barred, int64_t m, uint64_t seed)
{
    int64_t left = 0, got = 0;

    for (int64_t i = 0; i < n; i++)
        left += !barred || !barred[i];
    for (int64_t i = 0; i < n && got < m; i++) {
        if (barred && barred[i])
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

static void close_rows(int64_t begin, int64_t end, void *arg)
{
    const cover *c = arg;

    for (int64_t s = begin; s < end; s++)
        for (int64_t i = 0; i < c->n_asked; i++)
            c->close[s * c->n_asked + i] =
                (gnd_real)fmax(0, cosine(c->z, c->candidate[s], c->asked[i]));
}

static void gain_rows(int64_t begin, int64_t end, void *arg)
{
    const cover *c = arg;

    for (int64_t s = begin; s < end; s++) {
        const gnd_real *row = c->close + s * c->n_asked;
        double sum = 0;

        for (int64_t i = 0; i < c->n_asked; i++)
            if (row[i] > c->best[i])
                sum +=
                    (double)(row[i] - c->best[i]) * (c->o->weight ? c->o->weight[c->asked[i]] : 1);
        c->gain[s] = sum;
    }
}

static gnd_status cover_init(cover *c, gnd_error *err)
{
    const int64_t n = c->z->n, m = n < GND_COVER_MAX ? n : GND_COVER_MAX;

    c->candidate = gnd_alloc(m, sizeof *c->candidate);
    c->asked = gnd_alloc(m, sizeof *c->asked);
    c->close = gnd_alloc(m * m, sizeof *c->close);
    c->best = gnd_alloc(m, sizeof *c->best);
    c->owner = gnd_alloc(m, sizeof *c->owner);
    c->gain = gnd_alloc(m, sizeof *c->gain);
    if (!c->candidate || !c->asked || !c->close || !c->best || !c->owner || !c->gain)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to compare %lld vertices", (long long)m);
    c->n_candidate = draw(c->candidate, n, c->o->barred, m, 2 * c->o->seed);
    c->n_asked = draw(c->asked, n, NULL, m, 2 * c->o->seed + 1);
    for (int64_t i = 0; i < c->n_asked; i++) {
        c->owner[i] = -1;
        for (int64_t t = 0; t < c->o->n_taken; t++)
            c->best[i] =
                (gnd_real)fmax((double)c->best[i], cosine(c->z, c->o->taken[t], c->asked[i]));
    }
    return GND_OK;
}

static void cover_fini(cover *c)
{
    gnd_free(c->candidate);
    gnd_free(c->asked);
    gnd_free(c->close);
    gnd_free(c->best);
    gnd_free(c->owner);
    gnd_free(c->gain);
}

/* The candidate of largest gain now stands as number k. */
static void stand(cover *c, int32_t *chosen, int64_t k)
{
    int64_t top = 0;

    for (int64_t s = 1; s < c->n_candidate; s++)
        if (c->gain[s] > c->gain[top])
            top = s;
    chosen[k] = c->candidate[top];
    for (int64_t i = 0; i < c->n_asked; i++)
        if (c->close[top * c->n_asked + i] > c->best[i]) {
            c->best[i] = c->close[top * c->n_asked + i];
            c->owner[i] = (int32_t)k;
        }
    /* It is a candidate no longer. */
    c->n_candidate--;
    c->candidate[top] = c->candidate[c->n_candidate];
    for (int64_t i = 0; i < c->n_asked; i++)
        c->close[top * c->n_asked + i] = c->close[c->n_candidate * c->n_asked + i];
}

gnd_status gnd_cover(int32_t *chosen, double *stands, int64_t *n_chosen, const gnd_points *z,
                     const gnd_cover_opts *o, gnd_pool *pool, gnd_error *err)
{
    cover c = {.z = z, .o = o};
    gnd_status st;

    *n_chosen = 0;
    GND_TRY(cover_init(&c, err));
    gnd_parallel_for(pool, c.n_candidate, ROWS, c.n_candidate * c.n_asked * z->r, close_rows, &c);
    while (*n_chosen < o->k && c.n_candidate > 0) {
        gnd_parallel_for(pool, c.n_candidate, ROWS, c.n_candidate * c.n_asked, gain_rows, &c);
        stand(&c, chosen, (*n_chosen)++);
    }
    for (int64_t k = 0; k < *n_chosen; k++)
        stands[k] = 0;
    for (int64_t i = 0; i < c.n_asked; i++)
        if (c.owner[i] >= 0)
            stands[c.owner[i]] += 1 / (double)c.n_asked;
out:
    cover_fini(&c);
    return st;
}
