/* SPDX-License-Identifier: MIT
 * revise.c - discriminants of own features, means over neighbours. */
#include "revise.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "kern/kern.h"
#include "lda.h"
#include "shares.h"

enum { ROUNDS = 3, ROWS = 64 };

/* Own features that tell so much of the classes found, beyond chance, begin to be heard, and from
 * there on neighbours no longer. */
static const double little = 0.6, much = 0.75;
/* Own features and neighbours' that agree so much more than the classes found explain know more. */
static const double explained = 1, unexplained = 1.04;

typedef struct {
    const gnd_revision *r;
    int64_t n, C;
    gnd_real *p, *q; /* [n, C] */
    gnd_real *first; /* [n, C] weights of the classes found; then p before neighbours are heard, */
    gnd_real *next;  /* [n, C] and after */
    unsigned char *mute;   /* [n] 1: it has no features */
    unsigned char *skip;   /* [n] 1: mute, apart, or without links */
    double *mass;          /* [2 C] scratch */
    const gnd_real *heard; /* [n, C] of the mean at hand, */
    double share;          /* and what it weighs */
} revision;

static void revision_fini(revision *v)
{
    gnd_free(v->first);
    gnd_free(v->next);
    gnd_free(v->mute);
    gnd_free(v->skip);
    gnd_free(v->mass);
}

static gnd_status revision_init(revision *v, gnd_error *err)
{
    const gnd_points *z = v->r->itself;
    const gnd_csr *links = v->r->links;

    v->first = gnd_alloc(v->n * v->C, sizeof *v->first);
    v->next = gnd_alloc(v->n * v->C, sizeof *v->next);
    v->mute = gnd_alloc(v->n, 1);
    v->skip = gnd_alloc(v->n, 1);
    v->mass = gnd_alloc(2 * v->C, sizeof *v->mass);
    if (!v->first || !v->next || !v->mute || !v->skip || !v->mass)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to look at %lld vertices again",
                        (long long)v->n);
    for (int64_t i = 0; i < v->n; i++) {
        const gnd_real *row = z->z + i * z->r;

        if (!(gnd_kern_get()->dot(row, row, z->r) > 0))
            v->mute[i] = 1;
        v->skip[i] = v->mute[i] || v->r->apart[i] || links->ptr[i + 1] == links->ptr[i];
    }
    return GND_OK;
}

/* q^own of discriminants fitted to the classes found, each vertex as much as it is sure. */
static gnd_status fit_own(revision *v, gnd_pool *pool, gnd_error *err)
{
    const gnd_seeds *s = v->r->seeds;
    const double known = 1 + s->pull * (double)v->n / (double)v->C;

    for (int64_t i = 0; i < v->n; i++) {
        const int64_t e = i * v->C + gnd_surest(v->p + i * v->C, v->C);

        v->first[e] = v->mute[i] ? 0 : v->p[e];
    }
    for (int64_t k = 0; k < s->n; k++)
        if (!v->mute[s->point[k]])
            v->first[s->point[k] * v->C + s->cls[k]] = (gnd_real)known;
    return gnd_lda(v->q, v->r->itself, v->first, v->C, s->shrink, v->r->own, pool, err);
}

static void hear_rows(int64_t begin, int64_t end, void *arg)
{
    const revision *v = arg;
    const gnd_csr *links = v->r->links;
    const int64_t C = v->C;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real *first = v->first + i * C;
        gnd_real *row = v->next + i * C;
        double weight = 0;

        memset(row, 0, (size_t)C * sizeof *row);
        for (int64_t e = links->ptr[i]; e < links->ptr[i + 1]; e++) {
            const gnd_real w = gnd_csr_val(links, e), *other = v->heard + links->col[e] * C;

            for (int64_t c = 0; c < C; c++)
                row[c] += w * other[c];
            weight += (double)w;
        }
        for (int64_t c = 0; c < C; c++)
            row[c] = weight > 0 ? (gnd_real)((1 - v->share) * (double)first[c] +
                                             v->share * (double)row[c] / weight)
                                : first[c];
    }
}

/* next = (1 - share) first + share mean of heard over neighbours. */
static void hear(revision *v, const gnd_real *heard, double share, gnd_pool *pool)
{
    v->heard = heard;
    v->share = share;
    gnd_parallel_for(pool, v->n, ROWS, gnd_csr_nnz(v->r->links) * v->C, hear_rows, v);
}

/* p <- (1 - share) p + share mean over neighbours, a few times, of the p there was. */
static void hear_neighbours(revision *v, double share, gnd_pool *pool)
{
    const size_t size = (size_t)(v->n * v->C) * sizeof *v->p;

    memcpy(v->first, v->p, size);
    for (int k = 0; k < ROUNDS; k++) {
        hear(v, v->p, share, pool);
        memcpy(v->p, v->next, size);
    }
}

/* How far rows of a and b have the same class, beyond chance. */
static double same(revision *v, const gnd_real *a, const gnd_real *b)
{
    double error;

    return gnd_same_class(a, b, v->n, v->C, v->skip, v->mass, &error);
}

/* Own features, and those of neighbours, tell of the classes found what they can, each with errors
 * of its own: if those classes were all there is to know, they would agree as often as chance makes
 * both right. How much more often they do. own: how far own features tell them. */
static double agree_beyond(revision *v, double own, gnd_pool *pool)
{
    double near;

    memset(v->first, 0, (size_t)(v->n * v->C) * sizeof *v->first);
    for (int64_t i = 0; i < v->n; i++)
        if (!v->mute[i])
            v->first[i * v->C + gnd_surest(v->q + i * v->C, v->C)] = 1;
    hear(v, v->first, 1, pool);
    near = same(v, v->next, v->p);
    return own * near > 0 ? same(v, v->next, v->q) / (own * near) : 0;
}

/* p <- p q^by, rows of sum 1. */
static void hear_own(revision *v, double by)
{
    for (int64_t i = 0; i < v->n; i++) {
        gnd_real *p = v->p + i * v->C, *q = v->q + i * v->C;
        double sum = 0;

        if (v->mute[i])
            continue;
        for (int64_t c = 0; c < v->C; c++) {
            q[c] = p[c] * (by < 1 ? (gnd_real)pow((double)q[c], by) : q[c]);
            sum += (double)q[c];
        }
        for (int64_t c = 0; c < v->C && sum > 0; c++)
            p[c] = (gnd_real)((double)q[c] / sum);
    }
}

gnd_status gnd_revise(gnd_real *p, gnd_real *room, gnd_revised *out, const gnd_revision *r,
                      gnd_pool *pool, gnd_error *err)
{
    const gnd_seeds *s = r->seeds;
    revision v = {.r = r, .n = r->itself->n, .C = s->n_class, .p = p, .q = room};
    double own;
    gnd_revised f;
    gnd_status st;

    GND_TRY(revision_init(&v, err));
    GND_TRY(fit_own(&v, pool, err));
    own = same(&v, v.q, p);
    f.told = r->trust * gnd_ramp(own, little, much);
    f.beyond = f.told > 0 ? gnd_ramp(agree_beyond(&v, own, pool), explained, unexplained) : 0;
    if (r->share * (1 - f.told) > 0)
        hear_neighbours(&v, r->share * (1 - f.told), pool);
    if (f.told * f.beyond > 0)
        hear_own(&v, f.told * f.beyond);
    for (int64_t k = 0; k < s->n; k++) {
        memset(p + s->point[k] * v.C, 0, (size_t)v.C * sizeof *p);
        p[s->point[k] * v.C + s->cls[k]] = 1;
    }
    if (out)
        *out = f;
out:
    revision_fini(&v);
    return st;
}
