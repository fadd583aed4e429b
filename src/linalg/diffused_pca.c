/* SPDX-License-Identifier: MIT
 * diffused_pca.c - randomised subspace iteration through the diffusion, with normalised rows.
 *
 *     M V = N (p(S) X' V - p(1) sqrt(d) (mu^T V)),    N: normalises each row
 *     V <- orth(M^T M V), a few times;   Z = M V times the eigenvectors of (M V)^T (M V)
 *     X': [n, d]   S: [n, n]   V: [d, p]   M V: [n, p]   Z: [n, r]
 *
 * Halko, Martinsson and Tropp, SIAM Review 53 (2011), algorithm 4.4. The diffusion works on p
 * columns, never on d. A plain random projection of the diffused features is not enough: its small
 * directions are noise, and those separate classes. p(S) is PageRank in Chebyshev polynomials; S is
 * symmetric, so p(S) is its own adjoint. */
#include "diffused_pca.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "kern/components.h"
#include "kern/csr_product.h"
#include "linalg/even_series.h"
#include "linalg/gram.h"
#include "linalg/panels.h"
#include "linalg/principal.h"
#include "kern/kern.h"

enum {
    ROWS = 256,
    SPARE_COLUMNS = 16 /* beyond the rank; Halko et al. suggest 5 to 10 */
};
/* Blocks of up to this size are diffused whole, not by panels. */
static const int64_t WHOLE_BYTES = 1 << 24;
/* Numerical guard: share of a row's square, up to which only rounding is left of it. */
static const double ROW_MIN = 1e-12;

typedef struct {
    const gnd_pca_opts *o;
    gnd_pool *pool;
    const gnd_kern *kern;
    gnd_part *part;
    gnd_row_range own; /* vertices of this process */
    int64_t n, d, p;   /* n: without the last vertices, where these are at 0 */
    double *scale;     /* [n] 1 / |row of X diag(weight)|, or 0 */
    double *root;      /* [n] sqrt(degree) */
    double *mu;        /* [d] */
    double *shift;     /* [p] mu^T V */
    double one;        /* p(1) of the present diffusion */
    bool identity;     /* X is the identity, without some of its rows: v = X^T b is b itself */
    gnd_real *v;       /* [d, p]; identity: b */
    gnd_real *b;       /* [n, p] */
    gnd_csr S;         /* its first n rows */
    gnd_panels panels;
    bool links; /* by links alone: `even` instead of panels */
    gnd_even_series even;
    double *norm; /* [n] norms of the rows of M V before they are normalised */
    double *gram; /* [p, p] */
    gnd_series series, series_pass;
    const gnd_csr *m; /* this and the fields below: of the present product */
    const gnd_real *in;
    gnd_real *out;
} pca;

/* ---- products ---- */

static void product_rows(int64_t begin, int64_t end, void *arg)
{
    const pca *s = arg;

    s->kern->spmm(s->out, s->m, s->in, s->p, 0, NULL, begin, end);
}

static void product(pca *s, gnd_real *out, const gnd_csr *m, const gnd_real *in)
{
    s->m = m;
    s->in = in;
    s->out = out;
    gnd_parallel_for(s->pool, m->n_row, ROWS, gnd_csr_nnz(m) * s->p, product_rows, s);
}

/* y[i,:] *= c[i] */
static void scale_rows(gnd_real *y, const double *c, int64_t n, int64_t p)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < p; k++)
            y[i * p + k] *= (gnd_real)c[i];
}

/* v <- diag(weight) v */
static void weigh(pca *s)
{
    for (int64_t j = 0; j < s->d && s->o->weight; j++)
        for (int64_t k = 0; k < s->p; k++)
            s->v[j * s->p + k] *= (gnd_real)s->o->weight[j];
}

/* b = X' V from diag(weight) V */
static void features_times(pca *s)
{
    if (!s->identity)
        product(s, s->b, s->o->x, s->v);
    scale_rows(s->b, s->scale, s->n, s->p);
}

/* Does this process add row j of V to a sum? Each process has all features. */
static bool adds(const pca *s, int64_t j)
{
    const int64_t vertex = j - s->o->n_feature;

    return !s->part ||
           (vertex < 0 ? s->part->rank == 0 : vertex >= s->own.begin && vertex < s->own.end);
}

/* b = X' V, and shift. V becomes diag(weight) V. */
static void project(pca *s)
{
    const int64_t p = s->p;

    memset(s->shift, 0, (size_t)p * sizeof *s->shift);
    for (int64_t j = 0; j < s->d; j++)
        for (int64_t k = 0; k < p && adds(s, j); k++)
            s->shift[k] += s->mu[j] * (double)s->v[j * p + k];
    gnd_part_sum(s->part, s->shift, p);
    weigh(s);
    features_times(s);
}

/* b -= p(1) root shift^T. A row of which only rounding is left becomes 0: normalised it would be
 * noise. */
static void centre_rows(int64_t begin, int64_t end, void *arg)
{
    const pca *s = arg;
    const int64_t p = s->p;

    for (int64_t i = begin; i < end; i++) {
        gnd_real *row = s->b + i * p;
        const double whole = s->kern->dot(row, row, p);

        for (int64_t k = 0; k < p; k++)
            row[k] -= (gnd_real)(s->one * s->root[i] * s->shift[k]);
        if (s->kern->dot(row, row, p) <= ROW_MIN * whole)
            memset(row, 0, (size_t)p * sizeof *row);
    }
}

static void finish_rows(pca *s)
{
    gnd_parallel_for(s->pool, s->n, ROWS, 4 * s->n * s->p, centre_rows, s);
    gnd_unit_rows(s->b, s->n, s->p, s->norm, s->pool);
}

/* p(1): T_k(1) = 1 for all k. */
static double value_at_one(const pca *s, const gnd_series *by, double odd_weight)
{
    const double a = s->o->teleport;
    double sum = 0;

    if (!s->o->S)
        return 1;
    if (!s->o->quick)
        return (1 + odd_weight * (1 - a)) / (2 - a);
    for (int64_t k = 0; k < by->n; k++)
        sum += by->c[k];
    return sum;
}

static void diffuse(pca *s, const gnd_series *by)
{
    if (s->links)
        gnd_even_series_apply(&s->even, s->b, NULL, 0, by);
    else
        gnd_panels_apply(&s->panels, s->b, by);
}

/* b = M V from b = X' V; rows of length 1 (or 0), s->norm their norms before. */
static void pca_rows(pca *s, const gnd_series *by)
{
    s->one = value_at_one(s, by, s->o->odd_weight);
    diffuse(s, by);
    finish_rows(s);
}

/* v = X^T b: rows of features as sums over all vertices in double, so that they do not depend on
 * the number of processes; rows of vertices from their owners. */
static gnd_status features_adjoint(pca *s, gnd_error *err)
{
    enum { FEATURES = 1024 }; /* that are summed at once */
    const int64_t n = s->o->n_feature, p = s->p;
    double *sum = gnd_alloc_raw((n < FEATURES ? n : FEATURES) * p, sizeof *sum);
    gnd_csr rest = *s->o->xt;

    if (!sum)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for coordinates");
    for (int64_t j = 0; j < n; j += FEATURES) {
        const gnd_row_range rows = {j, j + FEATURES < n ? j + FEATURES : n};
        const int64_t size = (rows.end - rows.begin) * p;

        gnd_csr_sums(sum, s->o->xt, s->b, p, rows, s->pool);
        gnd_part_sum(s->part, sum, size);
        for (int64_t e = 0; e < size; e++)
            s->v[j * p + e] = (gnd_real)sum[e];
    }
    gnd_free(sum);
    if (s->d == n)
        return GND_OK;
    rest.ptr += n;
    rest.n_row -= n;
    product(s, s->v + n * p, &rest, s->b);
    gnd_part_fill(s->part, s->v + n * p, p * (int64_t)sizeof *s->v);
    return GND_OK;
}

/* v = M^T b, not yet orthonormal. b is overwritten. */
static gnd_status adjoint(pca *s, gnd_error *err)
{
    const int64_t p = s->p;
    gnd_status st = GND_OK;

    memset(s->shift, 0, (size_t)p * sizeof *s->shift);
    for (int64_t i = 0; i < s->n; i++) {
        const double c = s->norm[i] > 0 ? 1 / s->norm[i] : 0;
        const bool own = i >= s->own.begin && i < s->own.end;

        for (int64_t k = 0; k < p; k++)
            s->b[i * p + k] *= (gnd_real)c;
        for (int64_t k = 0; k < p && own; k++)
            s->shift[k] += s->root[i] * (double)s->b[i * p + k];
    }
    gnd_part_sum(s->part, s->shift, p);
    diffuse(s, &s->series_pass);
    scale_rows(s->b, s->scale, s->n, p);
    if (!s->identity)
        st = features_adjoint(s, err);
    weigh(s);
    for (int64_t j = 0; j < s->d; j++)
        for (int64_t k = 0; k < p; k++)
            s->v[j * p + k] -= (gnd_real)(s->one * s->mu[j] * s->shift[k]);
    return st;
}

/* ---- small matrices ---- */

/* n: with the last vertices, which several processes do not leave out: it decides the blocks. */
static gnd_gram_of gram_rows(const pca *s)
{
    return (gnd_gram_of){s->kern, s->pool, s->part, s->own, s->o->x->n_row, s->p};
}

/* Z = b times the leading eigenvectors of b^T b. */
static gnd_status rotate(gnd_points *out, pca *s, gnd_error *err)
{
    const gnd_gram_of of = gram_rows(s);

    return gnd_points_principal(out, &(gnd_principal){s->b, s->gram, s->n, s->o->rank, s->o->at},
                                &of, err);
}

/* ---- all steps ---- */

/* Vertices that no feature reaches get root 0: they are at 0 and do not count in the mean. */
static gnd_status drop_unreached(pca *s, gnd_error *err)
{
    const int32_t *comp = s->o->S ? s->o->component : NULL;
    unsigned char *reached = gnd_alloc(s->n, 1), *flag = gnd_alloc(s->part ? s->n : 0, 1);
    gnd_status st = GND_OK;

    if (!reached || !flag)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the coordinates of %lld vertices",
                         (long long)s->n));
    for (int64_t i = 0; i < s->n; i++)
        reached[comp ? comp[i] : i] |= s->scale[i] > 0;
    if (comp)
        gnd_component_any(reached, comp, flag, s->part);
    for (int64_t i = 0; i < s->n; i++)
        s->root[i] *= reached[comp ? comp[i] : i];
out:
    gnd_free(flag);
    gnd_free(reached);
    return st;
}

/* Norms of the weighted rows, sqrt(degree), and the component that diffusion only scales. */
static gnd_status scales(pca *s, gnd_error *err)
{
    const gnd_csr *x = s->o->x;
    double total = 0;
    gnd_status st;

    for (int64_t i = 0; i < s->n; i++) {
        double sum = 0;

        for (int64_t q = x->ptr[i]; q < x->ptr[i + 1]; q++) {
            const double w = s->o->weight ? s->o->weight[x->col[q]] : 1;
            const double v = (double)gnd_csr_val(x, q) * w;

            sum += v * v;
        }
        s->scale[i] = sum > 0 ? 1 / sqrt(sum) : 0;
        s->root[i] = s->o->degree ? sqrt(s->o->degree[i]) : 1;
    }
    GND_TRY(gnd_pool_check(s->pool, err));
    GND_TRY(drop_unreached(s, err));
    GND_TRY(gnd_pool_check(s->pool, err));
    for (int64_t i = s->own.begin; i < s->own.end; i++)
        total += s->root[i] * s->root[i];
    gnd_part_sum(s->part, &total, 1);
    if (!(total > 0))
        GND_TRY(gnd_fail(err, GND_ERR_ARG,
                         "no vertex has a feature of positive weight; leave the features out"));
    for (int64_t i = s->own.begin; i < s->own.end; i++)
        for (int64_t q = x->ptr[i]; q < x->ptr[i + 1]; q++) {
            const double w = s->o->weight ? s->o->weight[x->col[q]] : 1;

            s->mu[x->col[q]] += s->root[i] / total * s->scale[i] * w * (double)gnd_csr_val(x, q);
        }
    gnd_part_sum(s->part, s->mu, s->o->n_feature);
    if (s->d > s->o->n_feature)
        gnd_part_fill(s->part, s->mu + s->o->n_feature, sizeof *s->mu);
out:
    return st;
}

static void pca_fini(pca *s)
{
    gnd_series_fini(&s->series);
    gnd_series_fini(&s->series_pass);
    gnd_free(s->scale);
    gnd_free(s->root);
    gnd_free(s->mu);
    gnd_free(s->shift);
    if (!s->identity)
        gnd_free(s->v);
    gnd_panels_fini(&s->panels);
    gnd_even_series_fini(&s->even);
    gnd_free(s->b);
    gnd_free(s->norm);
    gnd_free(s->gram);
}

/* The diffusion: S in one form or the other. */
static gnd_status diffusion_init(pca *s, gnd_error *err)
{
    const gnd_pca_opts *o = s->o;
    const int64_t n_all = gnd_part_total(s->part, o->x->n_row);
    const bool few_bytes = n_all * s->p * (int64_t)sizeof *s->b <= WHOLE_BYTES;
    gnd_status st = GND_OK;

    s->S = *o->S;
    s->S.n_row = s->n;
    if (s->links) {
        s->even = (gnd_even_series){.a = &s->S, .n = s->n, .p = s->p, .pool = s->pool};
        GND_TRY(gnd_even_series_init(&s->even, o->degree, err));
    } else {
        s->panels = (gnd_panels){.S = &s->S,
                                 .n = s->n,
                                 .p = s->p,
                                 .width = few_bytes && !o->by_panels ? s->p : GND_PANEL,
                                 .kern = s->kern,
                                 .pool = s->pool};
        GND_TRY(gnd_panels_init(&s->panels, err));
    }
    GND_TRY(gnd_series_pagerank(&s->series, o->teleport, true, o->tol, err));
    GND_TRY(gnd_series_pagerank(&s->series_pass, o->teleport, true, o->tol_pass, err));
    if (s->links) {
        gnd_series_even(&s->series);
        gnd_series_even(&s->series_pass);
    } else {
        gnd_series_odd(&s->series, o->odd_weight);
        gnd_series_odd(&s->series_pass, o->odd_weight);
    }
out:
    return st;
}

/* Columns: whole panels, with some beyond the rank. By links alone without them: one more pass
 * costs less than a panel. */
static int64_t columns_for(const pca *s)
{
    const int64_t spare = s->links ? 0 : SPARE_COLUMNS;
    const int64_t panel = s->links ? GND_PAIR_COLUMNS : GND_PANEL;

    return (s->o->rank + spare + panel - 1) / panel * panel;
}

static gnd_status pca_init(pca *s, gnd_error *err)
{
    const gnd_pca_opts *o = s->o;
    const int64_t n = s->n, d = s->d;
    gnd_status st = GND_OK;

    assert(d == o->n_feature || d == o->n_feature + n);
    s->p = columns_for(s);
    assert(s->p <= GND_POINTS_MAX);
    s->scale = gnd_alloc(n, sizeof *s->scale);
    s->root = gnd_alloc(n, sizeof *s->root);
    s->mu = gnd_alloc(d, sizeof *s->mu);
    s->shift = gnd_alloc(s->p, sizeof *s->shift);
    s->identity = o->n_feature == 0;
    s->b = gnd_alloc_raw(n * s->p, sizeof *s->b);
    s->v = s->identity ? s->b : gnd_alloc_raw(d * s->p, sizeof *s->v);
    s->norm = gnd_alloc(n, sizeof *s->norm);
    s->gram = gnd_alloc(s->p * s->p, sizeof *s->gram);
    if (!s->scale || !s->root || !s->mu || !s->shift || !s->v || !s->b || !s->norm || !s->gram)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the coordinates of %lld vertices",
                         (long long)n));
    if (o->S)
        GND_TRY(diffusion_init(s, err));
out:
    return st;
}

/* From b = X' V: less the mean of the rows that have features, normalised, or 0 as above. Returns
 * whether a row is not 0. */
static bool own_rows(pca *s)
{
    const int64_t n = s->n, p = s->p;
    double *mean = s->shift, count = 0;
    bool any = false;

    memset(mean, 0, (size_t)p * sizeof *mean);
    for (int64_t i = s->own.begin; i < s->own.end; i++) {
        count += s->scale[i] > 0;
        for (int64_t k = 0; k < p; k++)
            mean[k] += (double)s->b[i * p + k];
    }
    gnd_part_sum(s->part, &count, 1);
    gnd_part_sum(s->part, mean, p);
    for (int64_t i = 0; i < n; i++) {
        gnd_real *row = s->b + i * p;
        const double whole = s->kern->dot(row, row, p);

        for (int64_t k = 0; k < p; k++)
            row[k] -= (gnd_real)(mean[k] / count);
        if (s->scale[i] > 0 && s->kern->dot(row, row, p) > ROW_MIN * whole)
            any = true;
        else
            memset(row, 0, (size_t)p * sizeof *row);
    }
    gnd_unit_rows(s->b, n, p, s->norm, s->pool);
    return gnd_part_any(s->part, any);
}

/* Vertices up to the last one that has a feature, of an identity: those after it are at 0. */
static int64_t rows_used(const gnd_pca_opts *o)
{
    int64_t n = o->x->n_row;

    while (o->n_feature == 0 && o->quick && !o->at.part && n > 0 &&
           o->x->ptr[n - 1] == o->x->ptr[n])
        n--;
    return n;
}

/* V: numbers that depend on a feature or vertex alone. */
static gnd_status start(pca *s, gnd_error *err)
{
    const int64_t p = s->p, words = (p + 63) / 64;

    for (int64_t j = 0; j < s->d; j++) {
        const int64_t vertex = j - s->o->n_feature;
        const int64_t row = vertex < 0 ? j : s->o->n_feature + gnd_number_of(&s->o->at, vertex);
        uint64_t bits = 0;

        if (j % ROWS == 0 && gnd_pool_check(s->pool, err) != GND_OK)
            return GND_ERR_STOPPED;
        for (int64_t k = 0; k < p && s->o->quick; k++, bits >>= 1) {
            if (k % 64 == 0)
                bits = gnd_hash_at(s->o->seed, (uint64_t)(row * words + k / 64));
            s->v[j * p + k] = bits & 1 ? 1 : -1;
        }
        for (int64_t k = 0; k < p && !s->o->quick; k++)
            s->v[j * p + k] = (gnd_real)gnd_rng_normal(s->o->seed, (uint64_t)(row * p + k));
    }
    return GND_OK;
}

/* b = X' V with V, after all passes, the leading directions. */
static gnd_status find_directions(pca *s, gnd_error *err)
{
    const gnd_pca_opts *o = s->o;
    gnd_gram_of of;
    gnd_status st;

    GND_TRY(pca_init(s, err));
    of = gram_rows(s);
    GND_TRY(scales(s, err));
    GND_TRY(start(s, err));
    for (int64_t pass = 0; pass < o->passes; pass++) {
        gnd_pool_done(s->pool, (double)pass / (double)(o->passes + 1));
        project(s);
        pca_rows(s, &s->series_pass);
        GND_TRY(gnd_pool_check(s->pool, err));
        GND_TRY(adjoint(s, err));
        GND_TRY(gnd_pool_check(s->pool, err));
        GND_TRY(gnd_orthonormalise(s->v, s->gram, o->n_feature, s->d, &of, err));
    }
    gnd_pool_done(s->pool, (double)o->passes / (double)(o->passes + 1));
    project(s);
out:
    return st;
}

static pca pca_of(const gnd_pca_opts *o, gnd_pool *pool)
{
    const int64_t n = rows_used(o);

    return (pca){.o = o,
                 .pool = pool,
                 .kern = gnd_kern_get(),
                 .part = o->at.part,
                 .own = gnd_part_own(o->at.part, n),
                 .n = n,
                 .d = o->x->n_col - (o->x->n_row - n)};
}

gnd_status gnd_diffused_pca(gnd_points *out, gnd_points *own, const gnd_pca_opts *o, gnd_pool *pool,
                            gnd_error *err)
{
    pca s = pca_of(o, pool);
    gnd_status st;

    *out = (gnd_points){0};
    if (own)
        *own = (gnd_points){0};
    GND_TRY(find_directions(&s, err));
    pca_rows(&s, &s.series);
    GND_TRY(gnd_pool_check(pool, err));
    gnd_panels_fini(&s.panels); /* room for the result */
    GND_TRY(rotate(out, &s, err));
    GND_TRY(gnd_pool_check(pool, err));
    if (own) {
        features_times(&s);
        if (own_rows(&s))
            GND_TRY(rotate(own, &s, err));
    }
out:
    if (st != GND_OK) {
        gnd_points_fini(out);
        if (own)
            gnd_points_fini(own);
    }
    pca_fini(&s);
    return st;
}

/* Z from b = p(S) X' V. */
static gnd_status finish(gnd_points *out, pca *s, double one, gnd_error *err)
{
    s->one = one;
    finish_rows(s);
    return rotate(out, s, err);
}

/* The terms of even degree: a (I - (1-a)^2 S^2)^-1. Times I + (1-a) S they are all terms. */
gnd_status gnd_links_pca(gnd_points *all, gnd_points *even, const gnd_pca_opts *o, gnd_pool *pool,
                         gnd_error *err)
{
    const double odd = 1 - o->teleport;
    pca s = pca_of(o, pool);
    gnd_real *whole = NULL, *b = NULL;
    double one;
    gnd_status st;

    assert(o->S && o->degree && o->n_feature == 0 && o->quick);
    s.links = true;
    *all = *even = (gnd_points){0};
    GND_TRY(find_directions(&s, err));
    one = value_at_one(&s, &s.series, 0);
    whole = gnd_alloc_raw(s.n * s.p, sizeof *whole);
    if (!whole)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the coordinates of %lld vertices",
                         (long long)s.n));
    gnd_even_series_apply(&s.even, s.b, whole, odd, &s.series);
    gnd_even_series_fini(&s.even); /* room for the result */
    GND_TRY(gnd_pool_check(pool, err));
    b = s.b;
    s.b = whole;
    st = finish(all, &s, (1 + odd) * one, err);
    s.b = b;
    gnd_free(whole);
    whole = NULL;
    GND_TRY(st);
    GND_TRY(finish(even, &s, one, err));
out:
    if (st != GND_OK) {
        gnd_points_fini(all);
        gnd_points_fini(even);
    }
    gnd_free(whole);
    pca_fini(&s);
    return st;
}
