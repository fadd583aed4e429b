/* SPDX-License-Identifier: MIT
 * refine.c - discriminants of own features, means over neighbours. refine.h has the formula; p, q,
 * next: [n, C]. */
#include "refine.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "linalg/lda.h"
#include "class_priors.h"
#include "constants.h"

enum { ROWS = 64 };

typedef struct {
    const gnd_refine_opts *r;
    int64_t n, C;
    gnd_real *p;     /* [n, C] */
    gnd_real *q;     /* [n, C] */
    gnd_real *spare; /* [n, C] weights of the fit of q; argmax of q; p before smoothing */
    gnd_real *next;  /* [n, C] result of a mean over neighbours */
    unsigned char *featureless; /* [n] 1: it has no features */
    unsigned char *skip;        /* [n] 1: featureless, excluded or without links */
    double *table;              /* [2 C (C + 1)] scratch */
    const gnd_real *source;     /* [n, C] what is averaged now, */
    double share;               /* and its weight */
} refinement;

static void refinement_fini(refinement *v)
{
    gnd_free(v->q);
    gnd_free(v->spare);
    gnd_free(v->next);
    gnd_free(v->featureless);
    gnd_free(v->skip);
    gnd_free(v->table);
}

static gnd_status refinement_init(refinement *v, gnd_error *err)
{
    const gnd_csr *links = v->r->links;

    v->q = gnd_alloc_raw(v->n * v->C, sizeof *v->q);
    v->spare = gnd_alloc(v->n * v->C, sizeof *v->spare);
    v->next = gnd_alloc_raw(v->n * v->C, sizeof *v->next);
    v->featureless = gnd_alloc(v->n, 1);
    v->skip = gnd_alloc(v->n, 1);
    v->table = gnd_alloc(2 * v->C * (v->C + 1), sizeof *v->table);
    if (!v->q || !v->spare || !v->next || !v->featureless || !v->skip || !v->table)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to look at %lld vertices again",
                        (long long)v->n);
    for (int64_t i = 0; i < v->n; i++) {
        v->featureless[i] = gnd_points_is_zero(v->r->own, i);
        v->skip[i] = v->featureless[i] || v->r->excluded[i] || links->ptr[i + 1] == links->ptr[i];
    }
    return GND_OK;
}

static int64_t top(const refinement *v, const gnd_real *rows, int64_t i)
{
    return gnd_argmax(rows + i * v->C, v->C);
}

/* q^own_power of discriminants fitted to the classes found. */
static gnd_status fit_own(refinement *v, gnd_pool *pool, gnd_error *err)
{
    const gnd_labelled *s = v->r->labelled;

    for (int64_t i = 0; i < v->n; i++) {
        const int64_t e = i * v->C + top(v, v->p, i);

        v->spare[e] = v->p[e];
    }
    gnd_labelled_set_rows(v->spare, s, 1 + gnd_labelled_weight(s, v->n));
    for (int64_t i = 0; i < v->n; i++)
        if (v->featureless[i])
            memset(v->spare + i * v->C, 0, (size_t)v->C * sizeof *v->spare);
    return gnd_lda(v->q, v->r->own, v->spare, &(gnd_lda_opts){v->C, SHRINKAGE, v->r->own_power},
                   pool, err);
}

/* ---- neighbours ---- */

static void average_rows(int64_t begin, int64_t end, void *arg)
{
    const refinement *v = arg;
    const gnd_csr *links = v->r->links;
    const int64_t C = v->C;

    for (int64_t i = begin; i < end; i++) {
        const gnd_real *was = v->spare + i * C;
        gnd_real *row = v->next + i * C;
        double weight = 0;

        for (int64_t e = links->ptr[i]; e < links->ptr[i + 1]; e++)
            weight += (double)gnd_csr_val(links, e);
        for (int64_t c = 0; c < C; c++) {
            double sum = 0;

            for (int64_t e = links->ptr[i]; e < links->ptr[i + 1]; e++)
                sum += (double)gnd_csr_val(links, e) * (double)v->source[links->col[e] * C + c];
            row[c] = weight > 0
                         ? (gnd_real)((1 - v->share) * (double)was[c] + v->share * (sum / weight))
                         : was[c];
        }
    }
}

/* next = (1 - share) spare + share times the mean of source over neighbours; spare without any. */
static void average(refinement *v, const gnd_real *source, double share, gnd_pool *pool)
{
    v->source = source;
    v->share = share;
    gnd_parallel_for(pool, v->n, ROWS, gnd_csr_nnz(v->r->links) * v->C, average_rows, v);
}

static void smooth(refinement *v, double share, gnd_pool *pool)
{
    const size_t size = (size_t)(v->n * v->C) * sizeof *v->p;

    memcpy(v->spare, v->p, size);
    for (int k = 0; k < REFINE_ROUNDS; k++) {
        average(v, v->p, share, pool);
        memcpy(v->p, v->next, size);
    }
}

/* ---- own features ---- */

/* Is the largest entry of row i the only one of its value? */
static bool is_clear(const refinement *v, const gnd_real *rows, int64_t i)
{
    const gnd_real *row = rows + i * v->C;
    const int64_t first = top(v, rows, i);

    for (int64_t c = first + 1; c < v->C; c++)
        if (row[c] == row[first])
            return false;
    return row[first] > 0;
}

/* (A - E - error) / (E - chance) of refine.h. */
static double unexplained_agreement(refinement *v, gnd_pool *pool)
{
    const int64_t C = v->C;
    double *own = v->table, *near = own + C * C, *found = near + C * C, *sum = found + C;
    double compared = 0, same = 0, expect = 0, chance = 0, error;

    memset(v->spare, 0, (size_t)(v->n * C) * sizeof *v->spare);
    for (int64_t i = 0; i < v->n; i++)
        if (!v->featureless[i])
            v->spare[i * C + top(v, v->q, i)] = 1;
    average(v, v->spare, 1, pool);
    memset(v->table, 0, (size_t)(2 * C * (C + 1)) * sizeof *v->table);
    for (int64_t i = 0; i < v->n; i++) {
        const int64_t p = top(v, v->p, i), a = top(v, v->q, i), b = top(v, v->next, i);

        if (v->skip[i] || !is_clear(v, v->next, i))
            continue;
        own[p * C + a]++;
        near[p * C + b]++;
        found[p]++;
        sum[b]++;
        same += a == b;
        compared++;
    }
    for (int64_t a = 0; a < C && compared > 0; a++) {
        double all = 0;

        for (int64_t p = 0; p < C; p++) {
            all += own[p * C + a];
            if (found[p] > 0)
                expect += own[p * C + a] * near[p * C + a] / (found[p] * compared);
        }
        chance += all * sum[a] / (compared * compared);
    }
    error = compared > 0 ? sqrt(expect * (1 - expect) / compared) : 0;
    if (!(expect - chance >
          REFINE_ERRORS * error)) /* own features are unrelated to the classes found */
        return 0;
    return (same / compared - expect - error) / (expect - chance);
}

/* p <- p q^by, rows of sum 1. */
static void multiply_own(refinement *v, double by)
{
    for (int64_t i = 0; i < v->n; i++) {
        gnd_real *p = v->p + i * v->C, *q = v->q + i * v->C;
        double sum = 0;

        if (v->featureless[i])
            continue;
        for (int64_t c = 0; c < v->C; c++) {
            q[c] = p[c] * (by < 1 ? (gnd_real)pow((double)q[c], by) : q[c]);
            sum += (double)q[c];
        }
        for (int64_t c = 0; c < v->C && sum > 0; c++)
            p[c] = (gnd_real)((double)q[c] / sum);
    }
}

gnd_status gnd_refine(gnd_real *p, gnd_refine_weights *out, const gnd_refine_opts *r,
                      gnd_pool *pool, gnd_error *err)
{
    refinement v = {.r = r, .n = r->own->n, .C = r->labelled->n_class, .p = p};
    gnd_refine_weights f = {0};
    gnd_kappa kappa;
    gnd_status st = GND_OK;

    if (r->own_power <= 0 && r->neighbour_weight <= 0)
        goto out;
    GND_TRY(refinement_init(&v, err));
    GND_TRY(fit_own(&v, pool, err));
    kappa = gnd_class_kappa(v.q, p, v.n, v.C, v.skip, v.table);
    f.predicted = gnd_ramp(kappa.value, REFINE_KAPPA_LOW, REFINE_KAPPA_HIGH);
    f.unexplained =
        f.predicted > 0 ? gnd_ramp(unexplained_agreement(&v, pool), 0, REFINE_UNEXPLAINED) : 0;
    if (f.predicted < 1 && r->neighbour_weight > 0)
        smooth(&v, r->neighbour_weight * (1 - f.predicted), pool);
    if (f.predicted * f.unexplained > 0)
        multiply_own(&v, f.predicted * f.unexplained);
    gnd_labelled_set_rows(p, r->labelled, 1);
out:
    if (out && st == GND_OK)
        *out = f;
    refinement_fini(&v);
    return st;
}
