/* SPDX-License-Identifier: MIT
 * numeric_features.c - ranks as normal scores, feature by feature.
 *
 *     z_i = unit (s_i - mean s),      s_i = Phi^-1(rank of x_i / m)
 *     and if there are few            unit / 2 (s_i^2 - mean s^2) / max(1, std s^2),  s centred
 *
 * Ranks, since incomes and counts have long tails in which one vertex would take the whole scale.
 * For the same reason a feature that hardly varies is not scaled up to a standard deviation of 1.
 * Ranks are taken among RANK_KNOTS vertices at most, one drawn from each stratum. */
#include "numeric_features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"

enum {
    RANK_KNOTS = 2048, /* limits the cost */
    NEWTON_STEPS = 8   /* per quantile, exact to rounding */
};

static const double normal_density_at_0 = 0.3989422804014327; /* 1 / sqrt(2 pi) */
static const double spread_min = 1e-9; /* sum of squares up to which all scores are equal */

typedef struct {
    const gnd_csr *xt;
    gnd_csr *out;
    const gnd_numbers *number;
    int64_t n;             /* vertices of all processes */
    int64_t n_score, m, k; /* numeric features; vertices with features; knots among them */
    int64_t m_here;        /* vertices of this process with features */
    int64_t n_extra_at;    /* first row of out with squares, 0: none */
    double unit;
    int64_t *row;       /* [n_score] row of xt of each numeric feature */
    unsigned char *has; /* [vertices here] 1: it has a feature; HAS_WORD: and a word */
    int32_t *at;        /* [vertices here] position among those with features, -1: it has none */
    double *quantile;   /* [2 k + 1] the score of twice a rank */
    gnd_real *knot;     /* [k, n_score] values of the knots */
    double *moment;     /* [n_score] sums over the vertices */
} scores;

enum { HAS_FEATURE = 1, HAS_WORD = 2 };

static void scores_fini(scores *s)
{
    gnd_free(s->row);
    gnd_free(s->at);
    gnd_free(s->has);
    gnd_free(s->quantile);
    gnd_free(s->knot);
    gnd_free(s->moment);
}

/* ---- which features are numeric ---- */

/* Features of all processes. */
typedef struct {
    int64_t *df;  /* [d] vertices that have each feature */
    double *most; /* [d] its largest value among them; -INFINITY: none */
    double *less; /* [d] minus the smallest */
} holders;

static gnd_status holders_count(holders *h, const scores *s, gnd_error *err)
{
    const gnd_csr *xt = s->xt;
    const int64_t d = xt->n_row;

    h->df = gnd_alloc(d, sizeof *h->df);
    h->most = gnd_alloc(2 * d, sizeof *h->most);
    if (!h->df || !h->most)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)d);
    h->less = h->most + d;
    for (int64_t j = 0; j < d; j++) {
        h->most[j] = h->less[j] = -INFINITY;
        for (int64_t q = xt->ptr[j]; q < xt->ptr[j + 1]; q++) {
            const double v = (double)gnd_csr_val(xt, q);

            if (v == 0)
                continue;
            h->df[j]++;
            h->most[j] = fmax(h->most[j], v);
            h->less[j] = fmax(h->less[j], -v);
        }
    }
    gnd_part_counts(s->number->part, h->df, d);
    if (s->number->part)
        s->number->part->calls->max(s->number->part, h->most, 2 * d);
    return GND_OK;
}

/* Do all vertices with feature j have the same value? */
static bool is_constant(const holders *h, int64_t j)
{
    return h->df[j] == 0 || h->most[j] == -h->less[j];
}

static void find_holders(scores *s)
{
    const gnd_csr *xt = s->xt;

    for (int64_t q = 0; q < gnd_csr_nnz(xt); q++)
        if (gnd_csr_val(xt, q) != 0)
            s->has[xt->col[q]] = HAS_FEATURE;
    for (int64_t i = 0; i < xt->n_col; i++)
        s->at[i] = s->has[i] ? (int32_t)s->m_here++ : -1;
    s->m = s->m_here;
    gnd_part_counts(s->number->part, &s->m, 1);
}

/* Find the numeric features, and the root mean square of a word on vertices that have words. If
 * each is constant on the vertices that have features, none is numeric: only the presence of
 * features is information then. */
static gnd_status find_numeric(scores *s, unsigned char *numeric, gnd_error *err)
{
    const gnd_csr *xt = s->xt;
    int64_t filled = 0, used = 0, words = 0, informative = 0, with_words = 0;
    double squares = 0;
    holders h = {0};
    gnd_status st;

    GND_TRY(holders_count(&h, s, err));
    for (int64_t j = 0; j < xt->n_row; j++) {
        filled += h.df[j];
        used += h.df[j] > 0;
    }
    for (int64_t j = 0; j < xt->n_row; j++) {
        const bool constant = is_constant(&h, j);
        const int64_t df = h.df[j];

        numeric[j] = df > 0 && (2 * filled > used * s->n || (2 * df > s->n && !constant));
        informative += numeric[j] && (df < s->m || !constant);
        if (numeric[j])
            s->row[s->n_score++] = j;
        words += df > 0 && !numeric[j];
        for (int64_t q = xt->ptr[j]; q < xt->ptr[j + 1] && !numeric[j]; q++) {
            squares += (double)gnd_csr_val(xt, q) * (double)gnd_csr_val(xt, q);
            with_words += gnd_csr_val(xt, q) != 0 && s->has[xt->col[q]] != HAS_WORD;
            if (gnd_csr_val(xt, q) != 0)
                s->has[xt->col[q]] = HAS_WORD;
        }
    }
    gnd_part_counts(s->number->part, &with_words, 1);
    gnd_part_sum(s->number->part, &squares, 1);
    s->unit = with_words > 0 ? sqrt(squares / ((double)words * (double)with_words)) : 1;
    s->n_score = informative > 0 ? s->n_score : 0;
out:
    gnd_free(h.df);
    gnd_free(h.most);
    return st;
}

/* ---- scores ---- */

/* quantile[t] = Phi^-1(t / 2 k), with ends half a rank inside. From the middle outwards, Newton's
 * method starts at the last root and converges from below, as Phi is concave there. */
static void quantiles(double *quantile, int64_t k)
{
    double z = 0;

    for (int64_t t = k; t <= 2 * k; t++) {
        const double p = fmin((double)t, 2 * (double)k - 1) / (2 * (double)k);

        for (int step = 0; step < NEWTON_STEPS; step++)
            z += (p - 0.5 * erfc(-z * sqrt(0.5))) / (normal_density_at_0 * exp(-z * z / 2));
        quantile[t] = z;
        quantile[2 * k - t] = -z;
    }
}

static int by_size(const void *a, const void *b)
{
    const gnd_real x = *(const gnd_real *)a, y = *(const gnd_real *)b;

    return (x > y) - (x < y);
}

/* Number of ascending knots below x or, if or_same, not above it. */
static int64_t rank_in(const gnd_real *knot, int64_t k, gnd_real x, bool or_same)
{
    int64_t low = 0, high = k;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;

        if (knot[middle] < x || (or_same && knot[middle] == x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Values of numeric feature a of the vertices here; its squares, if `squares`. */
static gnd_real *values_of(const scores *s, int64_t a, bool squares)
{
    return s->out->val + s->out->ptr[squares ? s->n_extra_at + a : s->row[a]];
}

static void values_take(int64_t begin, int64_t end, void *arg)
{
    const scores *s = arg;

    for (int64_t a = begin; a < end; a++) {
        const int64_t j = s->row[a];
        gnd_real *v = values_of(s, a, false);

        for (int64_t q = s->xt->ptr[j]; q < s->xt->ptr[j + 1]; q++)
            if (s->at[s->xt->col[q]] >= 0)
                v[s->at[s->xt->col[q]]] = gnd_csr_val(s->xt, q);
    }
}

/* Values become normal scores of their ranks. */
static void score_rows(int64_t begin, int64_t end, void *arg)
{
    const scores *s = arg;
    gnd_real knot[RANK_KNOTS];

    for (int64_t a = begin; a < end; a++) {
        gnd_real *v = values_of(s, a, false);

        for (int64_t i = 0; i < s->k; i++)
            knot[i] = s->knot[i * s->n_score + a];
        qsort(knot, (size_t)s->k, sizeof *knot, by_size);
        for (int64_t i = 0; i < s->m_here; i++)
            v[i] =
                (gnd_real)
                    s->quantile[rank_in(knot, s->k, v[i], false) + rank_in(knot, s->k, v[i], true)];
    }
}

/* One step over the values of all numeric features. */
typedef struct {
    const scores *s;
    bool squares;
    double unit;
    double *mean, *square; /* [n_score] */
} step;

static void mean_rows(int64_t begin, int64_t end, void *arg)
{
    const step *t = arg;

    for (int64_t a = begin; a < end; a++) {
        const gnd_real *v = values_of(t->s, a, t->squares);

        t->mean[a] = 0;
        for (int64_t i = 0; i < t->s->m_here; i++)
            t->mean[a] += (double)v[i] / (double)t->s->m;
    }
}

static void square_rows(int64_t begin, int64_t end, void *arg)
{
    const step *t = arg;

    for (int64_t a = begin; a < end; a++) {
        const gnd_real *v = values_of(t->s, a, t->squares);

        t->square[a] = 0;
        for (int64_t i = 0; i < t->s->m_here; i++)
            t->square[a] += ((double)v[i] - t->mean[a]) * ((double)v[i] - t->mean[a]);
    }
}

static void scale_rows(int64_t begin, int64_t end, void *arg)
{
    const step *t = arg;

    for (int64_t a = begin; a < end; a++) {
        gnd_real *v = values_of(t->s, a, t->squares);
        const double by =
            t->square[a] > spread_min ? t->unit / fmax(1, sqrt(t->square[a] / (double)t->s->m)) : 0;

        for (int64_t i = 0; i < t->s->m_here; i++)
            v[i] = (gnd_real)(by * ((double)v[i] - t->mean[a]));
    }
}

/* Shift each feature to mean 0 and scale its standard deviation to `unit`, or less if it was below
 * 1; all 0 if values do not differ. */
static void standardise(const scores *s, bool squares, double unit, gnd_pool *pool)
{
    const int64_t cost = 4 * s->n_score * s->m_here;
    gnd_part *part = s->number->part;
    step t = {s, squares, unit, s->moment, s->moment + s->n_score};

    gnd_parallel_for(pool, s->n_score, 1, cost, mean_rows, &t);
    gnd_part_sum(part, t.mean, s->n_score);
    gnd_parallel_for(pool, s->n_score, 1, cost, square_rows, &t);
    gnd_part_sum(part, t.square, s->n_score);
    gnd_parallel_for(pool, s->n_score, 1, cost, scale_rows, &t);
}

/* Squares of the standardised scores, where they are wanted. */
static void take_squares(const scores *s)
{
    for (int64_t a = 0; a < s->n_score && s->n_extra_at; a++) {
        const gnd_real *v = values_of(s, a, false);
        gnd_real *to = values_of(s, a, true);

        for (int64_t i = 0; i < s->m_here; i++)
            to[i] = v[i] * v[i];
    }
}

static void to_unit(const scores *s)
{
    for (int64_t a = 0; a < s->n_score; a++) {
        gnd_real *v = values_of(s, a, false);

        for (int64_t i = 0; i < s->m_here; i++)
            v[i] *= (gnd_real)s->unit;
    }
}

/* The values of the knots: vertices with features, one drawn from each stratum of their numbers. */
static gnd_status knots_take(scores *s, gnd_error *err)
{
    int32_t *list = gnd_alloc(2 * s->k, sizeof *list), *row = list + s->k;
    gnd_vertex_bits marked = {0};
    int64_t m;
    gnd_status st = GND_OK;

    if (!list)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld ranks", (long long)s->k));
    GND_TRY(gnd_numbers_marked(&marked, &m, s->number, s->has, s->xt->n_col, err));
    for (int64_t i = 0; i < s->k; i++)
        list[i] = (int32_t)gnd_vertex_bits_at(&marked, gnd_rng_stratum(i, s->k, m, 1));
    gnd_numbers_find(row, s->number, list, s->k, s->xt->n_col);
    for (int64_t i = 0; i < s->k; i++)
        for (int64_t a = 0; a < s->n_score && row[i] >= 0; a++)
            s->knot[i * s->n_score + a] = values_of(s, a, false)[s->at[row[i]]];
    GND_TRY(gnd_numbers_share(s->knot, s->number, row, s->k, s->n_score * (int64_t)sizeof *s->knot,
                              err));
out:
    gnd_vertex_bits_fini(&marked);
    gnd_free(list);
    return st;
}

/* ---- the matrix ---- */

/* out: words unchanged, room for a score of each vertex that has features. */
static gnd_status make_room(scores *s, const unsigned char *numeric, gnd_error *err)
{
    const gnd_csr *xt = s->xt;
    const int64_t rows = s->n_extra_at ? xt->n_row + s->n_score : xt->n_row;
    int64_t nnz = s->m_here * (s->n_score + rows - xt->n_row), to = 0;
    gnd_status st;

    for (int64_t j = 0; j < xt->n_row; j++)
        nnz += numeric[j] ? 0 : xt->ptr[j + 1] - xt->ptr[j];
    GND_TRY(gnd_csr_init(s->out, rows, xt->n_col, nnz, true, err));
    for (int64_t j = 0; j < rows; j++) {
        if (j >= xt->n_row || numeric[j]) {
            for (int64_t i = 0; i < xt->n_col; i++)
                if (s->at[i] >= 0)
                    s->out->col[to++] = (int32_t)i;
        } else {
            for (int64_t q = xt->ptr[j]; q < xt->ptr[j + 1]; q++, to++) {
                s->out->col[to] = xt->col[q];
                s->out->val[to] = gnd_csr_val(xt, q);
            }
        }
        s->out->ptr[j + 1] = to;
    }
out:
    return st;
}

/* s->out: the scores. */
static gnd_status scores_make(scores *s, const unsigned char *numeric, gnd_pool *pool,
                              gnd_error *err)
{
    const int64_t cost = 32 * s->n_score * s->m_here;
    gnd_status st = GND_OK;

    s->k = s->m < RANK_KNOTS ? s->m : RANK_KNOTS;
    s->quantile = gnd_alloc(2 * s->k + 1, sizeof *s->quantile);
    s->knot = gnd_alloc(s->k * s->n_score, sizeof *s->knot);
    s->moment = gnd_alloc(2 * s->n_score, sizeof *s->moment);
    if (!s->quantile || !s->knot || !s->moment)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld ranks", (long long)s->k));
    quantiles(s->quantile, s->k);
    GND_TRY(make_room(s, numeric, err));
    gnd_parallel_for(pool, s->n_score, 1, cost, values_take, s);
    GND_TRY(knots_take(s, err));
    gnd_parallel_for(pool, s->n_score, 1, cost, score_rows, s);
    standardise(s, false, 1, pool);
    take_squares(s);
    if (s->n_extra_at)
        standardise(s, true, s->unit / 2, pool);
    to_unit(s);
out:
    return st;
}

gnd_status gnd_numeric_by_rank(gnd_csr *out, unsigned char *numeric, const gnd_csr *xt, int64_t few,
                               const gnd_numbers *at, gnd_pool *pool, gnd_error *err)
{
    scores s = {.xt = xt, .out = out, .number = at, .n = gnd_part_total(at->part, xt->n_col)};
    gnd_status st = GND_OK;

    if (out)
        *out = (gnd_csr){0};
    s.row = gnd_alloc(xt->n_row, sizeof *s.row);
    s.at = gnd_alloc(xt->n_col, sizeof *s.at);
    s.has = gnd_alloc(xt->n_col, 1);
    if (!s.row || !s.at || !s.has)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)xt->n_row));
    find_holders(&s);
    GND_TRY(find_numeric(&s, numeric, err));
    if (s.n_score == 0)
        memset(numeric, 0, (size_t)xt->n_row);
    if (s.n_score == 0 || !out)
        goto out;
    s.n_extra_at = s.n_score < few ? xt->n_row : 0;
    GND_TRY(scores_make(&s, numeric, pool, err));
    if (s.n_extra_at)
        memset(numeric + s.n_extra_at, 1, (size_t)s.n_score);
out:
    scores_fini(&s);
    return st;
}
