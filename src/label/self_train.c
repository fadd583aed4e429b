/* SPDX-License-Identifier: MIT
 * self_train.c - prototypes, then Gaussian classes; each step refits the classes to the
 * probabilities of the step before.
 *
 *     w_ic: weight of point i for class c;  of a labelled point 1 + label_weight n / C
 *     soft:   w = P max_c P where max_c P is at least its mean, else 0
 *     quota:  w = 1 for the m most confident points of each class, m = n / (phi C)
 *     P, w: [n, C]   Z: [n, r]
 *
 * A labelled point has the weight of a fraction of a class, so that unlabelled ones cannot outvote
 * it. */
#include "self_train.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "kern/kern.h"
#include "constants.h"
#include "lda.h"
#include "class_priors.h"

/* A quota is the mean class size divided by each of these in turn. */
static const double phis[] = {16, 8, 4, 3, 2, 1.5};

typedef struct {
    const gnd_points *z;
    const gnd_labelled *s;
    gnd_pool *pool;
    gnd_real *prob;   /* [n, C] */
    gnd_real *weight; /* [n, C] */
    gnd_real *m;      /* [C, r] */
    gnd_real *mt;     /* [r, C] */
    gnd_real *bias;   /* [C] 0, or -INFINITY for a class without a label */
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
    return s->label_weight * (double)n / (double)s->n_class;
}

static double label_weight(const fit *f)
{
    return gnd_labelled_weight(f->s, f->z->n);
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
    gnd_discriminate(f->prob, f->z, &(gnd_discriminant){f->mt, f->bias, C, by / f->s->temperature},
                     f->pool);
    gnd_labelled_set_rows(f->prob, f->s, 1);
}

/* m += by times the labelled points. */
static void add_known(fit *f, double by)
{
    const int64_t r = f->z->r;

    for (int64_t k = 0; k < f->s->n; k++)
        gnd_kern_get()->axpy(f->m + f->s->cls[k] * r, (gnd_real)by, f->z->z + f->s->point[k] * r,
                             r);
}

static void prototypes_init(fit *f, double by)
{
    memset(f->m, 0, (size_t)(f->s->n_class * f->z->r) * sizeof *f->m);
    add_known(f, 1);
    assign(f, by);
}

/* Move prototypes to the mean of the points assigned to them; then prob^by. */
static void prototypes_update(fit *f, double by)
{
    enum { BLOCK = 1024 };
    const int64_t C = f->s->n_class, r = f->z->r, n = f->z->n;

    /* Sum by blocks: a float sum over all points would lose small terms. */
    memset(f->m, 0, (size_t)(C * r) * sizeof *f->m);
    for (int64_t i = 0; i < n; i += BLOCK) {
        memset(f->mt, 0, (size_t)(C * r) * sizeof *f->mt);
        gnd_kern_get()->gemm_t(f->mt, f->prob, f->z->z, C, r, i, i + BLOCK < n ? i + BLOCK : n);
        for (int64_t e = 0; e < C * r; e++)
            f->m[e] += f->mt[e];
    }
    add_known(f, label_weight(f));
    assign(f, by);
}

/* ---- weights of the points ---- */

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
    gnd_labelled_set_rows(f->weight, f->s, 1 + label_weight(f));
}

typedef struct {
    gnd_real p;
    int32_t i;
} candidate;

/* Higher probability first, then lower number: no ties. */
static bool before(candidate a, candidate b)
{
    return a.p > b.p || (a.p == b.p && a.i < b.i);
}

/* Move the m first of v[0..n-1] to the front, m < n: Hoare's selection. */
static void select_first(candidate *v, int64_t n, int64_t m)
{
    int64_t lo = 0, hi = n - 1;

    while (lo < hi) {
        const candidate pivot = v[lo + (hi - lo) / 2];
        int64_t i = lo, j = hi;

        while (i <= j) {
            while (before(v[i], pivot))
                i++;
            while (before(pivot, v[j]))
                j--;
            if (i <= j) {
                const candidate x = v[i];

                v[i++] = v[j];
                v[j--] = x;
            }
        }
        if (m <= j)
            hi = j;
        else if (m >= i)
            lo = i;
        else
            return;
    }
}

/* weight = 1 for the m most confident points of each class. list, first: scratch [n], [C + 1]. */
static void weigh_quota(fit *f, int64_t m, double known, candidate *list, int64_t *first)
{
    const int64_t n = f->z->n, C = f->s->n_class;

    memset(f->weight, 0, (size_t)(n * C) * sizeof *f->weight);
    memset(first, 0, (size_t)(C + 1) * sizeof *first);
    for (int64_t i = 0; i < n; i++)
        first[gnd_argmax(f->prob + i * C, C) + 1]++;
    for (int64_t c = 0; c < C; c++)
        first[c + 1] += first[c];
    for (int64_t i = 0; i < n; i++) {
        const int64_t top = gnd_argmax(f->prob + i * C, C);

        list[first[top]++] = (candidate){f->prob[i * C + top], (int32_t)i};
    }
    for (int64_t c = 0; c < C; c++) { /* first[c] is where c ends now */
        candidate *v = list + (c > 0 ? first[c - 1] : 0);
        const int64_t k = first[c] - (c > 0 ? first[c - 1] : 0);

        if (m < k)
            select_first(v, k, m);
        for (int64_t j = 0; j < k && j < m; j++)
            f->weight[v[j].i * C + c] = 1;
    }
    gnd_labelled_set_rows(f->weight, f->s, 1 + known);
}

/* prob^by of discriminants fitted to the weights. */
static gnd_status refit(fit *f, double by, gnd_error *err)
{
    const gnd_status st = gnd_lda(f->prob, f->z, f->weight,
                                  &(gnd_lda_opts){f->s->n_class, f->s->shrink, by}, f->pool, err);

    if (st == GND_OK)
        gnd_labelled_set_rows(f->prob, f->s, 1);
    return st;
}

/* ---- fits ---- */

gnd_status gnd_fit_prototype(gnd_real *prob, const gnd_points *z, const gnd_labelled *s,
                             gnd_pool *pool, gnd_error *err)
{
    fit f;
    gnd_status st;

    GND_TRY(fit_init(&f, prob, z, s, pool, err));
    prototypes_init(&f, s->sharpness);
out:
    fit_fini(&f);
    return st;
}

/* Refit to the confident points `steps` times; the last step gives the result. */
static gnd_status refit_confident(fit *f, int steps, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int k = 1; k <= steps; k++) {
        weigh_confident(f);
        GND_TRY(refit(f, k < steps ? f->s->soften : f->s->sharpness, err));
    }
out:
    return st;
}

gnd_status gnd_fit_soft(gnd_real *prob, const gnd_points *z, const gnd_labelled *s, gnd_pool *pool,
                        gnd_error *err)
{
    fit f;
    gnd_status st;

    GND_TRY(fit_init(&f, prob, z, s, pool, err));
    prototypes_init(&f, 1);
    for (int k = 1; k <= PROTOTYPE_MOVES; k++)
        prototypes_update(&f, k < PROTOTYPE_MOVES ? 1 : s->soften);
    GND_TRY(refit_confident(&f, SOFT_STEPS, err));
out:
    fit_fini(&f);
    return st;
}

gnd_status gnd_fit_quota(gnd_real *prob, const gnd_points *z, const gnd_labelled *s, gnd_pool *pool,
                         gnd_error *err)
{
    enum { PHIS = sizeof phis / sizeof phis[0] };
    const int64_t C = s->n_class;
    candidate *list = gnd_alloc(z->n, sizeof *list);
    int64_t *first = gnd_alloc(C + 1, sizeof *first);
    fit f;
    gnd_status st;

    GND_TRY(fit_init(&f, prob, z, s, pool, err));
    if (!list || !first)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to fit %lld classes", (long long)C));
    prototypes_init(&f, 1);
    for (int k = 0; k < PHIS; k++) {
        const int64_t m = (int64_t)((double)z->n / (phis[k] * (double)C));

        weigh_quota(&f, m > QUOTA_MIN ? m : QUOTA_MIN, label_weight(&f) / phis[k], list, first);
        GND_TRY(refit(&f, k < PHIS - 1 ? 1 : s->soften, err));
    }
    GND_TRY(refit_confident(&f, QUOTA_LAST_STEPS, err));
out:
    fit_fini(&f);
    gnd_free(first);
    gnd_free(list);
    return st;
}

gnd_labelled gnd_labelled_for(const gnd_points *z, const gnd_labelled *s)
{
    const double narrow = SPREAD_USUAL / z->spread;
    gnd_labelled chosen = *s;

    chosen.soften = 1;
    if (s->temperature == 0) {
        chosen.temperature = TEMPERATURE_USUAL * narrow;
        chosen.soften = narrow > 1 ? 1 / narrow : 1;
    }
    return chosen;
}

gnd_status gnd_fit_shaped(gnd_real *prob, const gnd_fit_shape *shape, const gnd_labelled *s,
                          gnd_pool *pool, gnd_error *err)
{
    gnd_labelled chosen;
    gnd_points z = {0};
    gnd_status st;

    GND_TRY(gnd_points_shape(&z, shape->points, shape->rank, shape->power, pool, err));
    chosen = gnd_labelled_for(&z, s);
    GND_TRY(shape->fit(prob, &z, &chosen, pool, err));
out:
    gnd_points_fini(&z);
    return st;
}

/* ---- before any fit ---- */

void gnd_exclude(unsigned char *excluded, const gnd_points *z, const gnd_labelled *s)
{
    memset(excluded, 1, (size_t)z->n);
    for (int64_t e = 0; e < z->n * z->r; e++)
        if (z->z[e] != 0)
            excluded[e / z->r] = 0;
    for (int64_t k = 0; k < s->n; k++)
        excluded[s->point[k]] = 1;
}
