/* SPDX-License-Identifier: MIT
 * self_train.c - prototypes, then Gaussian classes; each step refits the classes to the
 * probabilities of the step before.
 *
 *     w_ic: weight of point i for class c;  of a labelled point 1 + label_weight n / C
 *     w = P max_c P where max_c P is at least its mean, else 0
 *     P, w: [n, C]   Z: [n, r]
 *
 * A labelled point has the weight of a fraction of a class, so that unlabelled ones cannot outvote
 * it. */
#include "self_train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "kern/kern.h"
#include "constants.h"
#include "linalg/lda.h"
#include "class_priors.h"

typedef struct {
    const gnd_points *z;
    const gnd_labelled *s;
    gnd_pool *pool;
    gnd_real *prob;     /* [n, C] */
    gnd_real *weight;   /* [n, C] */
    gnd_real *m;        /* [C, r] */
    gnd_real *mt;       /* [r, C] */
    gnd_real *bias;     /* [C] 0, or -INFINITY for a class without a label */
    double temperature; /* of the softmax over cosines to prototypes */
    double soften;      /* <= 1: exponent of probabilities between the steps */
} fit;

static void fit_fini(fit *f)
{
    gnd_free(f->weight);
    gnd_free(f->m);
    gnd_free(f->mt);
    gnd_free(f->bias);
}

static gnd_status fit_init(fit *f, gnd_real *prob, const gnd_points *z, const gnd_labelled *s,
                           gnd_pool *pool, gnd_error *err)
{
    const int64_t C = s->n_class;

    *f = (fit){.z = z, .s = s, .pool = pool, .prob = prob};
    f->weight = gnd_alloc(z->n * C, sizeof *f->weight);
    f->m = gnd_alloc(C * z->r, sizeof *f->m);
    f->mt = gnd_alloc(C * z->r, sizeof *f->mt);
    f->bias = gnd_alloc(C, sizeof *f->bias);
    if (!f->weight || !f->m || !f->mt || !f->bias)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to fit %lld classes to %lld vertices",
                        (long long)C, (long long)z->n);
    for (int64_t c = 0; c < C; c++)
        f->bias[c] = -(gnd_real)INFINITY;
    for (int64_t k = 0; k < s->n; k++)
        f->bias[s->cls[k]] = 0;
    return GND_OK;
}

void gnd_labelled_set_rows(gnd_real *rows, const gnd_labelled *s, double value)
{
    for (int64_t k = 0; k < s->n; k++) {
        gnd_real *row = rows + s->point[k] * s->n_class;

        memset(row, 0, (size_t)s->n_class * sizeof *row);
        row[s->cls[k]] = (gnd_real)value;
    }
}

double gnd_labelled_weight(const gnd_labelled *s, int64_t n)
{
    return LABEL_WEIGHT * (double)n / (double)s->n_class;
}

/* prob^by from the prototypes, rows of m, normalised. */
static void assign(fit *f, double by)
{
    const int64_t C = f->s->n_class, r = f->z->r;

    for (int64_t c = 0; c < C; c++) {
        const gnd_real *m = f->m + c * r;
        const double norm = sqrt(gnd_kern_get()->dot(m, m, r));

        for (int64_t k = 0; k < r; k++)
            f->mt[k * C + c] = norm > 0 ? (gnd_real)((double)m[k] / norm) : 0;
    }
    gnd_discriminate(f->prob, f->z, &(gnd_discriminant){f->mt, f->bias, C, by / f->temperature},
                     f->pool);
    gnd_labelled_set_rows(f->prob, f->s, 1);
}

/* Prototypes: sums of the labelled points and, if `move`, of the points assigned to them. */
static void place_prototypes(fit *f, bool move)
{
    enum { BLOCK = 1024 }; /* a float sum over all points would lose small terms */
    const gnd_kern *kern = gnd_kern_get();
    const int64_t C = f->s->n_class, r = f->z->r, n = move ? f->z->n : 0;
    const double known = move ? gnd_labelled_weight(f->s, n) : 1;

    memset(f->m, 0, (size_t)(C * r) * sizeof *f->m);
    for (int64_t i = 0; i < n; i += BLOCK) {
        memset(f->mt, 0, (size_t)(C * r) * sizeof *f->mt);
        kern->gemm_t(f->mt, f->prob, f->z->z, C, r, i, i + BLOCK < n ? i + BLOCK : n);
        for (int64_t e = 0; e < C * r; e++)
            f->m[e] += f->mt[e];
    }
    for (int64_t k = 0; k < f->s->n; k++)
        kern->axpy(f->m + f->s->cls[k] * r, (gnd_real)known, f->z->z + f->s->point[k] * r, r);
}

/* weight = prob max_c prob, for points whose max is at least the mean; CONFIDENT_TOL, so that
 * rounding excludes none where all are equal. */
static void weigh_confident(fit *f)
{
    const int64_t n = f->z->n, C = f->s->n_class;
    double mean = 0;

    for (int64_t i = 0; i < n; i++)
        mean += (double)f->prob[i * C + gnd_argmax(f->prob + i * C, C)] / (double)n;
    for (int64_t i = 0; i < n; i++) {
        const gnd_real p = f->prob[i * C + gnd_argmax(f->prob + i * C, C)];
        const gnd_real by = (double)p >= (1 - CONFIDENT_TOL) * mean ? p : 0;

        for (int64_t c = 0; c < C; c++)
            f->weight[i * C + c] = by * f->prob[i * C + c];
    }
    gnd_labelled_set_rows(f->weight, f->s, 1 + gnd_labelled_weight(f->s, f->z->n));
}

/* keep: [r + 1, C] receives the last discriminants, or NULL. */
static gnd_status fit_points(gnd_real *prob, gnd_real *keep, const gnd_points *z,
                             const gnd_labelled *s, gnd_pool *pool, gnd_error *err)
{
    const double narrow = SPREAD_USUAL / z->spread;
    fit f;
    gnd_status st;

    GND_TRY(fit_init(&f, prob, z, s, pool, err));
    /* Points that fill fewer directions have larger cosines: a higher temperature, and softer
     * probabilities between the steps, keep them as far from certain. */
    f.temperature = TEMPERATURE_USUAL * narrow;
    f.soften = narrow > 1 ? 1 / narrow : 1;
    for (int k = 0; k <= PROTOTYPE_MOVES; k++) {
        place_prototypes(&f, k > 0);
        assign(&f, k < PROTOTYPE_MOVES ? 1 : f.soften);
        GND_TRY(gnd_pool_check(pool, err));
    }
    for (int k = 1; k <= SOFT_STEPS; k++) {
        weigh_confident(&f);
        GND_TRY(gnd_pool_check(pool, err));
        GND_TRY(gnd_lda(prob, z, f.weight,
                        &(gnd_lda_opts){.n_class = s->n_class,
                                        .shrink = SHRINKAGE,
                                        .scale = k < SOFT_STEPS ? f.soften : s->sharpness,
                                        .keep = keep},
                        pool, err));
        gnd_labelled_set_rows(prob, s, 1);
    }
out:
    fit_fini(&f);
    return st;
}

gnd_status gnd_fit_soft(gnd_real *prob, const gnd_points *z, const gnd_labelled *s, gnd_pool *pool,
                        gnd_error *err)
{
    return fit_points(prob, NULL, z, s, pool, err);
}

/* Rows of prob: [n, C] of `points` points by the discriminants b: [r + 1, C] of shaped ones. */
static gnd_status apply_to_points(gnd_real *prob, const gnd_fit_shape *shape,
                                  const gnd_points *points, const gnd_real *b,
                                  const gnd_labelled *s, gnd_pool *pool, gnd_error *err)
{
    gnd_points z = {0};
    gnd_status st;

    GND_TRY(gnd_points_shape(&z, points, shape->rank, shape->power, pool, err));
    gnd_discriminate(prob, &z,
                     &(gnd_discriminant){b, b + z.r * s->n_class, s->n_class, s->sharpness}, pool);
    GND_TRY(gnd_pool_check(pool, err));
out:
    gnd_points_fini(&z);
    return st;
}

/* prob: [n, C] of the points that are asked for. */
static gnd_status apply_to_asked(gnd_real *prob, const gnd_fit_shape *shape, const gnd_real *b,
                                 const gnd_labelled *s, gnd_pool *pool, gnd_error *err)
{
    const gnd_points *p = shape->points;
    const int64_t C = s->n_class;
    gnd_points asked = {0};
    gnd_real *room = gnd_alloc_raw(s->n_ask * C, sizeof *room);
    gnd_status st = GND_OK;

    if (!room)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)s->n_ask));
    GND_TRY(gnd_points_init(&asked, s->n_ask, p->r, err));
    memcpy(asked.value, p->value, (size_t)p->r * sizeof *p->value);
    for (int64_t k = 0; k < s->n_ask; k++)
        memcpy(asked.z + k * p->r, p->z + s->ask[k] * p->r, (size_t)p->r * sizeof *p->z);
    GND_TRY(apply_to_points(room, shape, &asked, b, s, pool, err));
    for (int64_t k = 0; k < s->n_ask; k++)
        memcpy(prob + s->ask[k] * C, room + k * C, (size_t)C * sizeof *prob);
out:
    gnd_points_fini(&asked);
    gnd_free(room);
    return st;
}

/* prob: [n, C] of all points, block by block. */
static gnd_status apply_to_all(gnd_real *prob, const gnd_fit_shape *shape, const gnd_real *b,
                               const gnd_labelled *s, gnd_pool *pool, gnd_error *err)
{
    const gnd_points *p = shape->points;
    gnd_status st = GND_OK;

    for (int64_t i = 0; i < p->n; i += FIT_POINTS) {
        gnd_points block = *p;

        block.z = p->z + i * p->r;
        block.n = p->n - i < FIT_POINTS ? p->n - i : FIT_POINTS;
        GND_TRY(apply_to_points(prob + i * s->n_class, shape, &block, b, s, pool, err));
    }
    gnd_labelled_set_rows(prob, s, 1);
out:
    return st;
}

static int by_number(const void *x, const void *y)
{
    const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;

    return (a > b) - (a < b);
}

/* Drop the labelled points from a list of numbers. sorted: [labels] scratch. Returns how many stay.
 */
static int64_t drop_labelled(int32_t *list, int64_t m, const gnd_points *z, const gnd_labelled *s,
                             int32_t *sorted)
{
    int64_t n = 0;

    for (int64_t k = 0; k < s->n; k++)
        sorted[k] = (int32_t)gnd_number_of(&z->at, s->point[k]);
    qsort(sorted, (size_t)s->n, sizeof *sorted, by_number);
    for (int64_t k = 0; k < m; k++)
        if (!bsearch(&list[k], sorted, (size_t)s->n, sizeof *sorted, by_number))
            list[n++] = list[k];
    return n;
}

/* out: the labelled points, in their order, and a sample of the others. */
static gnd_status choose_points(gnd_points *out, const gnd_points *z, const gnd_labelled *s,
                                gnd_error *err)
{
    int32_t *sorted = gnd_alloc(s->n, sizeof *sorted), *list = NULL;
    const int64_t bytes = z->r * (int64_t)sizeof *z->z;
    int64_t m = z->n_sample;
    gnd_status st = GND_OK;

    *out = (gnd_points){0};
    if (!sorted)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)s->n));
    if (z->sample) {
        list = gnd_alloc(m, sizeof *list);
        if (!list)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)m));
        memcpy(list, z->sample, (size_t)m * sizeof *list);
    } else {
        GND_TRY(gnd_points_sample(&list, &m, z, FIT_POINTS, err));
    }
    m = drop_labelled(list, m, z, s, sorted);
    GND_TRY(gnd_points_init(out, s->n + m, z->r, err));
    memcpy(out->value, z->value, (size_t)z->r * sizeof *z->value);
    for (int64_t k = 0; k < s->n; k++)
        memcpy(out->z + k * z->r, z->z + s->point[k] * z->r, (size_t)bytes);
    GND_TRY(gnd_numbers_rows(out->z + s->n * z->r, &z->at, list, m, z->z, z->n, bytes, err));
out:
    gnd_free(list);
    gnd_free(sorted);
    return st;
}

/* Discriminants fitted to a sample of the points, applied to all. Every process fits the same. */
static gnd_status fit_sample(gnd_real *prob, const gnd_fit_shape *shape, const gnd_labelled *s,
                             gnd_pool *pool, gnd_error *err)
{
    const int64_t C = s->n_class;
    int32_t *first = gnd_alloc(s->n, sizeof *first);
    gnd_real *b = gnd_alloc((shape->points->r + 1) * C, sizeof *b), *room = NULL;
    gnd_points some = {0}, z = {0};
    gnd_labelled of = *s;
    gnd_status st = GND_OK;

    if (!first || !b)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to fit %lld classes", (long long)C));
    for (int64_t k = 0; k < s->n; k++)
        first[k] = (int32_t)k;
    of.point = first;
    GND_TRY(choose_points(&some, shape->points, s, err));
    GND_TRY(gnd_points_shape(&z, &some, shape->rank, shape->power, pool, err));
    gnd_points_fini(&some);
    room = gnd_alloc_raw(z.n * C, sizeof *room);
    if (!room)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to fit %lld classes", (long long)C));
    GND_TRY(fit_points(room, b, &z, &of, pool, err));
    if (s->ask)
        GND_TRY(apply_to_asked(prob, shape, b, s, pool, err));
    else
        GND_TRY(apply_to_all(prob, shape, b, s, pool, err));
out:
    gnd_points_fini(&z);
    gnd_points_fini(&some);
    gnd_free(room);
    gnd_free(b);
    gnd_free(first);
    return st;
}

/* All points in the order of their numbers, which every process fits. */
static gnd_status fit_in_order(gnd_real *prob, const gnd_fit_shape *shape, const gnd_labelled *s,
                               gnd_pool *pool, gnd_error *err)
{
    const gnd_points *p = shape->points;
    const int64_t n = gnd_part_total(p->at.part, p->n), C = s->n_class;
    int32_t *list = gnd_alloc(n + s->n, sizeof *list), *point = list + n;
    gnd_real *all = gnd_alloc_raw(n * C, sizeof *all);
    gnd_points ordered = {0}, z = {0};
    gnd_labelled of = *s;
    gnd_status st = GND_OK;

    if (!list || !all)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to fit %lld classes to %lld vertices",
                         (long long)C, (long long)n));
    for (int64_t i = 0; i < n; i++)
        list[i] = (int32_t)i;
    for (int64_t k = 0; k < s->n; k++)
        point[k] = (int32_t)gnd_number_of(&p->at, s->point[k]);
    of.point = point;
    GND_TRY(gnd_points_subset(&ordered, p, list, n, err));
    GND_TRY(gnd_points_shape(&z, &ordered, shape->rank, shape->power, pool, err));
    gnd_points_fini(&ordered);
    GND_TRY(gnd_fit_soft(all, &z, &of, pool, err));
    for (int64_t i = 0; i < p->n; i++)
        memcpy(prob + i * C, all + gnd_number_of(&p->at, i) * C, (size_t)C * sizeof *prob);
out:
    gnd_points_fini(&z);
    gnd_points_fini(&ordered);
    gnd_free(all);
    gnd_free(list);
    return st;
}

gnd_status gnd_fit_shaped(gnd_real *prob, const gnd_fit_shape *shape, const gnd_labelled *s,
                          gnd_pool *pool, gnd_error *err)
{
    const gnd_numbers *at = &shape->points->at;
    gnd_points z = {0};
    gnd_status st;

    if (gnd_part_total(at->part, shape->points->n) > FIT_POINTS)
        return fit_sample(prob, shape, s, pool, err);
    if (at->part || at->number)
        return fit_in_order(prob, shape, s, pool, err);
    GND_TRY(gnd_points_shape(&z, shape->points, shape->rank, shape->power, pool, err));
    GND_TRY(gnd_pool_check(pool, err));
    GND_TRY(gnd_fit_soft(prob, &z, s, pool, err));
out:
    gnd_points_fini(&z);
    return st;
}

void gnd_exclude(unsigned char *excluded, const gnd_points *z, const gnd_labelled *s)
{
    for (int64_t i = 0; i < z->n; i++)
        excluded[i] = gnd_points_is_zero(z, i);
    for (int64_t k = 0; k < s->n; k++)
        excluded[s->point[k]] = 1;
}
