/* SPDX-License-Identifier: MIT
 * stability.c - resampling: labels are drawn from the classes found, and the classes predicted
 * again.
 *
 *     accuracy = share of the points not drawn that get their class,   mean over RESAMPLE_ROUNDS */
#include "stability.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "class_priors.h"
#include "constants.h"

typedef struct {
    gnd_points z;               /* points that take part, shaped */
    gnd_real *prob;             /* [m, C] */
    int32_t *cls;               /* [m] class taken as true */
    int32_t *member;            /* [m] points sorted by class, */
    int64_t *begin;             /* [C + 1] where each begins */
    int32_t *point, *drawn_cls; /* [labels] drawn, and their classes */
    unsigned char *drawn;       /* [m] 1: it is one of them */
} resampling;

static void resampling_fini(resampling *g)
{
    gnd_points_fini(&g->z);
    gnd_free(g->prob);
    gnd_free(g->cls);
    gnd_free(g->member);
    gnd_free(g->begin);
    gnd_free(g->point);
    gnd_free(g->drawn_cls);
    gnd_free(g->drawn);
}

static gnd_status resampling_init(resampling *g, const gnd_fit_shape *shape, const gnd_real *prob,
                                  const gnd_labelled *s, gnd_pool *pool, gnd_error *err)
{
    const gnd_points *z = shape->points;
    const int64_t C = s->n_class;
    int32_t *found = gnd_alloc(z->n, sizeof *found), *list = NULL;
    gnd_points all = {0};
    int64_t m;
    gnd_status st;

    GND_TRY(gnd_points_sample(&list, &m, z, RESAMPLE_POINTS, err));
    g->prob = gnd_alloc(m * C, sizeof *g->prob);
    g->cls = gnd_alloc(m, sizeof *g->cls);
    g->member = gnd_alloc(m, sizeof *g->member);
    g->begin = gnd_alloc(C + 2, sizeof *g->begin);
    g->point = gnd_alloc(s->n, sizeof *g->point);
    g->drawn_cls = gnd_alloc(s->n, sizeof *g->drawn_cls);
    g->drawn = gnd_alloc(m, 1);
    if (!found || !g->prob || !g->cls || !g->member || !g->begin || !g->point || !g->drawn_cls ||
        !g->drawn)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to resample %lld labels", (long long)s->n));
    GND_TRY(gnd_points_subset(&all, z, list, m, err));
    if (m > 0)
        GND_TRY(gnd_points_shape(&g->z, &all, shape->rank, shape->power, pool, err));
    for (int64_t i = 0; i < z->n; i++)
        found[i] = (int32_t)gnd_argmax(prob + i * C, C);
    GND_TRY(gnd_numbers_rows(g->cls, &z->at, list, m, found, z->n, sizeof *found, err));
    for (int64_t i = 0; i < m; i++)
        g->begin[g->cls[i] + 2]++;
    for (int64_t c = 0; c < C; c++)
        g->begin[c + 2] += g->begin[c + 1];
    for (int64_t i = 0; i < m; i++)
        g->member[g->begin[g->cls[i] + 1]++] = (int32_t)i;
out:
    gnd_points_fini(&all);
    gnd_free(list);
    gnd_free(found);
    return st;
}

/* As many points of each class as are labelled; where these are many, fewer, so that about half of
 * all points remain to be predicted. Returns how many. */
static int64_t draw(resampling *g, const gnd_labelled *s, uint32_t round)
{
    int64_t n = 0;

    memset(g->drawn, 0, (size_t)g->z.n);
    for (int64_t k = 0; k < s->n; k++) {
        const int32_t c = s->cls[k];
        const int64_t size = g->begin[c + 1] - g->begin[c];
        const double u = gnd_rng_uniform(1, round, (uint64_t)k);

        const bool some = n > 0 || k + 1 < s->n; /* at least one must be drawn */

        if (size == 0 ||
            (some && gnd_rng_uniform(3, round, (uint64_t)k) * 2 * (double)s->n > (double)g->z.n))
            continue;
        g->point[n] = g->member[g->begin[c] + (int64_t)(u * (double)size)];
        g->drawn[g->point[n]] = 1;
        g->drawn_cls[n++] = c;
    }
    return n;
}

/* Share of the points that were not drawn whose predicted class is the one found before. */
static double accuracy(const resampling *g, int64_t C)
{
    int64_t found = 0, others = 0;

    for (int64_t i = 0; i < g->z.n; i++) {
        others += !g->drawn[i];
        found += !g->drawn[i] && gnd_argmax(g->prob + i * C, C) == g->cls[i];
    }
    return others > 0 ? (double)found / (double)others : 1;
}

gnd_status gnd_stability(double *out, const gnd_fit_shape *shape, const gnd_real *prob,
                         const gnd_labelled *s, gnd_pool *pool, gnd_error *err)
{
    resampling g = {0};
    gnd_labelled drawn = {.n_class = s->n_class, .sharpness = 1};
    gnd_status st;

    GND_TRY(resampling_init(&g, shape, prob, s, pool, err));
    *out = g.z.n == 0;
    drawn.point = g.point;
    drawn.cls = g.drawn_cls;
    for (uint32_t round = 0; round < RESAMPLE_ROUNDS && g.z.n > 0; round++) {
        drawn.n = draw(&g, s, round);
        if (drawn.n == 0)
            continue;
        GND_TRY(gnd_fit_soft(g.prob, &g.z, &drawn, pool, err));
        *out += accuracy(&g, s->n_class) / RESAMPLE_ROUNDS;
    }
out:
    resampling_fini(&g);
    return st;
}
