/* SPDX-License-Identifier: MIT
 * features.c - features as the labeller uses them: numeric ones by rank (numeric_features.c), words
 * with idf weights, and the identity where features say nothing.
 *
 *     X: [n, d] -> X': [n, d'], d' >= d;   weight_j = log(n / df_j)^(1/2 - s)
 *
 * s is the exponent that the values have already, so that weighted features are not weighted
 * twice. */
#include "features.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "graph/numeric_features.h"
#include "constants.h"

static const double spread_min = 1e-6; /* of log log(n / df), to fit an exponent */

/* The features of all processes, counted. */
typedef struct {
    int64_t n, d; /* vertices, features */
    double *df;   /* [d] vertices that have each feature */
    double *sum;  /* [d] its absolute values, added up */
} holders;

static gnd_status holders_count(holders *h, const gnd_csr *xt, gnd_part *part, gnd_error *err)
{
    *h = (holders){.n = gnd_part_total(part, xt->n_col), .d = xt->n_row};
    h->df = gnd_alloc(2 * h->d, sizeof *h->df);
    if (!h->df)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)h->d);
    h->sum = h->df + h->d;
    for (int64_t j = 0; j < h->d; j++)
        for (int64_t q = xt->ptr[j]; q < xt->ptr[j + 1]; q++) {
            h->df[j] += gnd_csr_val(xt, q) != 0;
            h->sum[j] += fabs((double)gnd_csr_val(xt, q));
        }
    gnd_part_sum(part, h->df, 2 * h->d);
    return GND_OK;
}

/* The exponent s with which the mean values of features follow log(n / df): 0 where values are 1 or
 * 0, about 1 where they are idf-weighted already. Least squares over the logarithms. */
static double idf_exponent(const holders *h, const unsigned char *is_score)
{
    double m = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, spread;

    for (int64_t j = 0; j < h->d; j++) {
        double x, y;

        if (is_score[j] || h->df[j] < 1 || h->df[j] >= (double)h->n)
            continue;
        x = log(log((double)h->n / h->df[j]));
        y = log(h->sum[j] / h->df[j]);
        m++;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    spread = m * sxx - sx * sx;
    return spread > spread_min * m * m ? (m * sxy - sx * sy) / spread : 0;
}

/* weight[j] = log(n / df_j)^(IDF_POWER - s), what the values lack of the idf weight; a numeric
 * feature counts as a word that half of the vertices have. */
static void idf_weights(double *weight, const holders *h, const unsigned char *is_score)
{
    const double missing = fmax(0, IDF_POWER - fmax(0, idf_exponent(h, is_score)));

    for (int64_t j = 0; j < h->d; j++)
        weight[j] = h->df[j] > 0 ? pow(log(is_score[j] ? 2 : (double)h->n / h->df[j]), missing) : 0;
}

/* Do all vertices here have the same features? */
static bool equal_here(const gnd_csr *x)
{
    const int64_t m = x->n_row > 0 ? x->ptr[1] - x->ptr[0] : 0;

    for (int64_t i = 1; i < x->n_row; i++) {
        if (x->ptr[i + 1] - x->ptr[i] != m)
            return false;
        for (int64_t k = 0; k < m; k++)
            if (x->col[x->ptr[i] + k] != x->col[k] ||
                gnd_csr_val(x, x->ptr[i] + k) != gnd_csr_val(x, k))
                return false;
    }
    return true;
}

/* Do all vertices of all processes? The first rows of the processes are compared by a hash. */
static bool all_equal(const gnd_csr *x, gnd_part *part)
{
    const bool equal = equal_here(x);
    uint64_t hash = 0;
    double first;

    if (!part)
        return equal;
    for (int64_t q = 0; x->n_row > 0 && q < x->ptr[1]; q++) {
        const double v = (double)gnd_csr_val(x, q);
        uint64_t bits;

        memcpy(&bits, &v, sizeof bits);
        hash = gnd_mix64(hash ^ gnd_mix64(bits + (uint64_t)x->col[q]));
    }
    first = (double)(hash >> 11); /* exact; a process without vertices has the row of another */
    return !gnd_part_any(part, !equal) && gnd_part_max(part, x->n_row > 0 ? first : -1) ==
                                              -gnd_part_max(part, x->n_row > 0 ? -first : -0x1p54);
}

gnd_status gnd_identity_features(gnd_csr *out, int64_t n, const unsigned char *seen, gnd_error *err)
{
    const gnd_status st = gnd_csr_init(out, n, n, n, false, err);

    for (int64_t i = 0; i < n && st == GND_OK; i++) {
        out->ptr[i + 1] = out->ptr[i] + (!seen || seen[i]);
        out->col[out->ptr[i]] = (int32_t)i;
    }
    return st;
}

void gnd_features_fini(gnd_features *f)
{
    gnd_csr_fini(&f->made);
    gnd_csr_fini(&f->xt);
    gnd_free(f->weight);
    *f = (gnd_features){0};
}

gnd_status gnd_features_init(gnd_features *f, const gnd_csr *x, int64_t n, bool numeric_raw,
                             const gnd_numbers *at, gnd_pool *pool, gnd_error *err)
{
    const int64_t d = x ? 2 * x->n_col : 0;
    unsigned char *is_score = gnd_alloc(d, 1);
    gnd_csr own = {0}, raw = {0};
    holders h = {0};
    gnd_status st;

    if (!is_score)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)d));
    if (x) {
        GND_TRY(gnd_csr_own_rows(&own, x, at->part, err));
        GND_TRY(gnd_csr_transpose(&raw, &own, err));
        GND_TRY(gnd_pool_check(pool, err));
        GND_TRY(gnd_numeric_by_rank(numeric_raw ? NULL : &f->xt, is_score, &raw, GND_RANK_HIGH, at,
                                    pool, err));
        if (f->xt.n_row > 0) {
            gnd_csr_fini(&raw);
            GND_TRY(gnd_csr_transpose(&f->made, &f->xt, err));
            GND_TRY(gnd_csr_complete(&f->made, at->part, err));
            f->x = &f->made;
        } else {
            f->xt = raw;
            raw = (gnd_csr){0};
            f->x = x;
        }
    }
    GND_TRY(gnd_pool_check(pool, err));
    f->is_identity = !x || all_equal(f->x, at->part);
    if (f->is_identity) {
        gnd_csr_fini(&f->made);
        gnd_csr_fini(&f->xt);
        GND_TRY(gnd_identity_features(&f->made, n, NULL, err));
        GND_TRY(gnd_identity_features(&f->xt, n, NULL, err));
        f->x = &f->made;
    }
    if (!f->is_identity) {
        f->weight = gnd_alloc(f->xt.n_row, sizeof *f->weight);
        if (!f->weight)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)d));
        GND_TRY(holders_count(&h, &f->xt, at->part, err));
        idf_weights(f->weight, &h, is_score);
    }
out:
    gnd_free(h.df);
    gnd_csr_fini(&own);
    gnd_csr_fini(&raw);
    gnd_free(is_score);
    return st;
}
