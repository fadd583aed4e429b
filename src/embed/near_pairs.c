/* SPDX-License-Identifier: MIT
 * near_pairs.c - selects the nearest pairs of points by rank, without storing all distances.
 *
 * A pair is ranked by a key that increases with its distance: |u - v|^2 in the plane, |u - v|^2
 * / ((1 - |u|^2)(1 - |v|^2)) in the disk. Keys are not negative, so their bit patterns have the
 * same order. Each pass over the pairs determines 16 bits of the key of a given rank. Points are
 * sorted by their first coordinate. Both keys are at least (u_0 - v_0)^2, also after rounding,
 * so that after the first pass has bounded the key, a point is compared with few neighbours
 * only. */
#include "near_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { DIGIT_BITS = 16, DIGITS = 1 << DIGIT_BITS, CHUNK = 256 };

typedef struct {
    double x, y;
    int32_t id;
} point;

typedef struct {
    int64_t n;
    double *x, *y, *gap; /* [n] sorted by x; gap: 1 - |u|^2 in the disk, 1 in the plane */
    int32_t *id;         /* [n] */
    bool hyperbolic;
    double bound; /* pairs with a larger key are ignored */
    /* One pass of the selection: */
    uint64_t prefix; /* the digits known so far, in their position */
    int shift;       /* position of the digit that is counted */
    int64_t *count;  /* [size, DIGITS] */
    int size;
    /* Pairs with a key below limit: */
    double limit;
    int64_t *degree; /* [n] number of later partners; then their positions in row, col */
    double *nearest; /* [n] largest key below limit of each point */
    int32_t *row, *col;
} pairs;

static uint64_t bits_of(double key)
{
    uint64_t b;

    memcpy(&b, &key, sizeof b);
    return b;
}

/* Computes the keys of point i with points j .. j + n - 1. */
static void make_keys(double *key, const pairs *a, int64_t i, int64_t j, int64_t n)
{
    const double x = a->x[i], y = a->y[i], b = a->gap[i];
    const double *px = a->x + j, *py = a->y + j, *pb = a->gap + j;

    if (a->hyperbolic)
        for (int64_t k = 0; k < n; k++)
            key[k] = ((px[k] - x) * (px[k] - x) + (py[k] - y) * (py[k] - y)) / (b * pb[k]);
    else
        for (int64_t k = 0; k < n; k++)
            key[k] = (px[k] - x) * (px[k] - x) + (py[k] - y) * (py[k] - y);
}

/* Computes the keys of the next chunk of partners of point i, from j on. Returns its length; 0:
 * all further keys exceed the bound. */
static int64_t next_chunk(double *key, const pairs *a, int64_t i, int64_t j)
{
    const int64_t left = a->n - j, n = left < CHUNK ? left : CHUNK;

    if (n <= 0 || (a->x[j] - a->x[i]) * (a->x[j] - a->x[i]) > a->bound)
        return 0;
    make_keys(key, a, i, j, n);
    return n;
}

/* Thread m counts for every size-th point; integer sums do not depend on the threads. */
static void count_digits(int64_t begin, int64_t end, void *arg)
{
    const pairs *a = arg;
    const int known = a->shift + DIGIT_BITS;
    const uint64_t want = known < 64 ? a->prefix >> known : 0;
    double key[CHUNK];

    for (int64_t m = begin; m < end; m++)
        for (int64_t i = m; i < a->n; i += a->size)
            for (int64_t j = i + 1, n; (n = next_chunk(key, a, i, j)) > 0; j += n)
                for (int64_t k = 0; k < n; k++) {
                    const uint64_t b = bits_of(key[k]);

                    if (known == 64 || b >> known == want)
                        a->count[m * DIGITS + (int64_t)(b >> a->shift & (DIGITS - 1))]++;
                }
}

/* The rank-th smallest key, counted from 1; at least rank pairs exist. */
static double select_key(pairs *a, int64_t rank, gnd_pool *pool)
{
    double key;

    a->prefix = 0;
    a->bound = INFINITY;
    for (a->shift = 64 - DIGIT_BITS; a->shift >= 0; a->shift -= DIGIT_BITS) {
        uint64_t digit = 0, last;

        memset(a->count, 0, (size_t)a->size * DIGITS * sizeof *a->count);
        gnd_parallel_for(pool, a->size, 1, a->n * a->n, count_digits, a);
        for (;; digit++) {
            int64_t here = 0;

            for (int m = 0; m < a->size; m++)
                here += a->count[m * DIGITS + (int64_t)digit];
            if (rank <= here)
                break;
            rank -= here;
        }
        a->prefix |= digit << a->shift;
        last = a->prefix | ((UINT64_C(1) << a->shift) - 1);
        memcpy(&a->bound, &last, sizeof last);
        if (isnan(a->bound)) /* infinite keys share their first digit with NaN */
            a->bound = INFINITY;
    }
    memcpy(&key, &a->prefix, sizeof key);
    return key;
}

/* Counts the pairs below the limit, or writes them at degree[i] if row and col are allocated. */
static void take_pairs(int64_t begin, int64_t end, void *arg)
{
    const pairs *a = arg;
    double key[CHUNK];

    for (int64_t i = begin; i < end; i++) {
        int64_t at = a->row ? a->degree[i] : 0;
        double nearest = -1;

        for (int64_t j = i + 1, n; (n = next_chunk(key, a, i, j)) > 0; j += n)
            for (int64_t k = 0; k < n; k++) {
                if (!(key[k] < a->limit))
                    continue;
                if (a->row) {
                    a->row[at] = a->id[i];
                    a->col[at] = a->id[j + k];
                }
                at++;
                nearest = fmax(nearest, key[k]);
            }
        if (!a->row) {
            a->degree[i] = at;
            a->nearest[i] = nearest;
        }
    }
}

static int by_x(const void *p, const void *q)
{
    const point *a = p, *b = q;

    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static gnd_status no_memory(int64_t n, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for the nearest of %lld points", (long long)n);
}

static gnd_status pairs_init(pairs *a, const double *z, int64_t n, gnd_metric metric,
                             const gnd_pool *pool, gnd_error *err)
{
    point *p = gnd_alloc(n, sizeof *p);
    gnd_status st = GND_OK;

    *a = (pairs){
        .n = n, .hyperbolic = metric == GND_METRIC_HYPERBOLIC, .size = gnd_pool_threads(pool)};
    a->x = gnd_alloc(n, sizeof *a->x);
    a->y = gnd_alloc(n, sizeof *a->y);
    a->gap = gnd_alloc(n, sizeof *a->gap);
    a->id = gnd_alloc(n, sizeof *a->id);
    a->degree = gnd_alloc(n, sizeof *a->degree);
    a->nearest = gnd_alloc(n, sizeof *a->nearest);
    a->count = gnd_alloc((int64_t)a->size * DIGITS, sizeof *a->count);
    if (!p || !a->x || !a->y || !a->gap || !a->id || !a->degree || !a->nearest || !a->count)
        GND_TRY(no_memory(n, err));
    for (int64_t i = 0; i < n; i++) {
        const double r = z[2 * i] * z[2 * i] + z[2 * i + 1] * z[2 * i + 1];

        if (!isfinite(r) || (a->hyperbolic && r >= 1))
            GND_TRY(gnd_fail(err, GND_ERR_ARG, "point %lld is %s", (long long)i,
                             isfinite(r) ? "outside the unit disk" : "not finite"));
        p[i] = (point){z[2 * i], z[2 * i + 1], (int32_t)i};
    }
    qsort(p, (size_t)n, sizeof *p, by_x);
    for (int64_t i = 0; i < n; i++) {
        a->x[i] = p[i].x;
        a->y[i] = p[i].y;
        a->gap[i] = a->hyperbolic ? 1 - (p[i].x * p[i].x + p[i].y * p[i].y) : 1;
        a->id[i] = p[i].id;
    }
out:
    gnd_free(p);
    return st;
}

static void pairs_fini(pairs *a)
{
    gnd_free(a->x);
    gnd_free(a->y);
    gnd_free(a->gap);
    gnd_free(a->id);
    gnd_free(a->degree);
    gnd_free(a->nearest);
    gnd_free(a->count);
    gnd_free(a->row);
    gnd_free(a->col);
}

static double distance_of(double key, bool hyperbolic)
{
    return hyperbolic ? log1p(2 * key + sqrt(2 * key * (2 * key + 2))) : sqrt(key);
}

/* Collects every pair with a key below the limit. nearest: the largest such key, or -1. */
static gnd_status collect(gnd_csr *out, double *nearest, int64_t *found, pairs *a, gnd_pool *pool,
                          gnd_error *err)
{
    enum { GRAIN = 64 };
    int64_t total = 0;
    gnd_status st = GND_OK;

    *nearest = -1;
    a->bound = a->limit;
    gnd_parallel_for(pool, a->n, GRAIN, a->n * a->n, take_pairs, a);
    for (int64_t i = 0; i < a->n; i++) {
        const int64_t here = a->degree[i];

        a->degree[i] = total;
        total += here;
        *nearest = fmax(*nearest, a->nearest[i]);
    }
    a->row = gnd_alloc(2 * total, sizeof *a->row);
    a->col = gnd_alloc(2 * total, sizeof *a->col);
    if (!a->row || !a->col)
        GND_TRY(no_memory(a->n, err));
    gnd_parallel_for(pool, a->n, GRAIN, a->n * a->n, take_pairs, a);
    for (int64_t p = 0; p < total; p++) {
        a->row[total + p] = a->col[p];
        a->col[total + p] = a->row[p];
    }
    *found = total;
    GND_TRY(gnd_csr_from_triplets(out, &(gnd_triplets){a->n, a->n, 2 * total, a->row, a->col, NULL},
                                  GND_DUP_MAX, NULL, err));
out:
    return st;
}

gnd_status gnd_latent_pairs(gnd_csr *out, double *rho, const gnd_plane_points *points,
                            int64_t n_pair, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = points->n, all = n * (n - 1) / 2;
    pairs a;
    double nearest;
    int64_t found;
    gnd_status st;

    *out = (gnd_csr){0};
    *rho = 0;
    GND_TRY(pairs_init(&a, points->z, n, points->metric, pool, err));
    if (n_pair <= 0)
        a.limit = 0;
    else if (n_pair >= all)
        a.limit = INFINITY;
    else
        a.limit = select_key(&a, n_pair + 1, pool); /* below rho: below the next key */
    GND_TRY(collect(out, &nearest, &found, &a, pool, err));
    if (n_pair >= all && n_pair > 0)
        *rho = INFINITY;
    else if (n_pair > 0)
        *rho = (distance_of(found == n_pair ? nearest : a.limit, a.hyperbolic) +
                distance_of(a.limit, a.hyperbolic)) /
               2;
out:
    pairs_fini(&a);
    return st;
}
