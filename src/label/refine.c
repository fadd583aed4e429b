/* SPDX-License-Identifier: MIT
 * refine.c - discriminants of own features, means over neighbours. refine.h has the formula; p, q:
 * [n, C]. */
#include "refine.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "linalg/lda.h"
#include "class_priors.h"
#include "constants.h"

enum { ROWS = 64 };

/* gnd_lda on points in the order of their numbers. Every process fits the same to all of them, or,
 * if they are many, to sums over its own. */
static gnd_status lda_of(gnd_real *q, const gnd_points *z, const gnd_real *weights,
                         const gnd_lda_opts *o, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = gnd_part_total(z->at.part, z->n), bytes = o->n_class * (int64_t)sizeof *q;
    const bool ordered = !z->at.part && !z->at.number;
    int32_t *list = NULL;
    gnd_real *all = NULL;
    gnd_points points = {0};
    gnd_status st = GND_OK;

    if (ordered || n > FIT_POINTS)
        return gnd_lda(q, z, weights, o, pool, err);
    list = gnd_alloc(n, sizeof *list);
    all = gnd_alloc_raw(2 * n * o->n_class, sizeof *all);
    if (!list || !all)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to refine %lld vertices", (long long)n));
    for (int64_t i = 0; i < n; i++)
        list[i] = (int32_t)i;
    GND_TRY(gnd_points_subset(&points, z, list, n, err));
    GND_TRY(gnd_numbers_rows(all, &z->at, list, n, weights, z->n, bytes, err));
    GND_TRY(gnd_lda(all + n * o->n_class, &points, all, o, pool, err));
    for (int64_t i = 0; i < z->n; i++)
        memcpy(q + i * o->n_class, all + (n + gnd_number_of(&z->at, i)) * o->n_class,
               (size_t)bytes);
out:
    gnd_points_fini(&points);
    gnd_free(all);
    gnd_free(list);
    return st;
}

/* q: discriminants of own features to own_power, fitted to the classes found by weights: [n, C]. */
static gnd_status fit_own(gnd_real *q, gnd_real *weights, const gnd_real *p,
                          const gnd_refine_opts *r, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = r->own->n, C = r->labelled->n_class;

    memset(weights, 0, (size_t)(n * C) * sizeof *weights);
    for (int64_t i = 0; i < n; i++) {
        const int64_t e = i * C + gnd_argmax(p + i * C, C);

        weights[e] = p[e];
    }
    gnd_labelled_set_rows(weights, r->labelled,
                          1 + gnd_labelled_weight(r->labelled, gnd_part_total(r->own->at.part, n)));
    for (int64_t i = 0; i < n; i++)
        if (gnd_points_is_zero(r->own, i))
            memset(weights + i * C, 0, (size_t)C * sizeof *weights);
    return lda_of(q, r->own, weights, &(gnd_lda_opts){C, SHRINKAGE, r->own_power, NULL}, pool, err);
}

/* p <- p q, rows of sum 1; rows without own features stay. */
static void multiply_own(gnd_real *p, const gnd_real *q, const gnd_refine_opts *r)
{
    const int64_t C = r->labelled->n_class;

    for (int64_t i = 0; i < r->own->n; i++) {
        gnd_real *row = p + i * C;
        double sum = 0;

        if (gnd_points_is_zero(r->own, i))
            continue;
        for (int64_t c = 0; c < C; c++)
            sum += (double)(row[c] * q[i * C + c]);
        for (int64_t c = 0; c < C && sum > 0; c++)
            row[c] = (gnd_real)((double)(row[c] * q[i * C + c]) / sum);
    }
}

typedef struct {
    const gnd_refine_opts *r;
    const gnd_real *from; /* [n, C] */
    gnd_real *to;         /* [n, C] */
} smoothing;

static void smooth_rows(int64_t begin, int64_t end, void *arg)
{
    const smoothing *s = arg;
    const gnd_csr *links = s->r->links;
    const int64_t C = s->r->labelled->n_class;
    const double share = s->r->neighbour_weight;

    for (int64_t i = begin; i < end; i++) {
        double weight = 0;

        for (int64_t e = links->ptr[i]; e < links->ptr[i + 1]; e++)
            weight += (double)gnd_csr_val(links, e);
        for (int64_t c = 0; c < C && weight > 0; c++) {
            double sum = 0;

            for (int64_t e = links->ptr[i]; e < links->ptr[i + 1]; e++)
                sum += (double)gnd_csr_val(links, e) * (double)s->from[links->col[e] * C + c];
            s->to[i * C + c] =
                (gnd_real)((1 - share) * (double)s->from[i * C + c] + share * (sum / weight));
        }
    }
}

gnd_status gnd_refine(gnd_real *p, bool *by_own, const gnd_refine_opts *r, gnd_pool *pool,
                      gnd_error *err)
{
    const int64_t n = r->own->n, C = r->labelled->n_class;
    gnd_real *q = gnd_alloc_raw(n * C, sizeof *q), *room = gnd_alloc_raw(n * C, sizeof *room);
    unsigned char *skip = gnd_alloc(n, 1);
    double *table = gnd_alloc(2 * C, sizeof *table);
    bool own;
    gnd_status st = GND_OK;

    if (!q || !room || !skip || !table)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to refine %lld vertices", (long long)n));
    GND_TRY(fit_own(q, room, p, r, pool, err));
    for (int64_t i = 0; i < n; i++)
        skip[i] = r->excluded[i] || r->links->ptr[i + 1] == r->links->ptr[i] ||
                  gnd_points_is_zero(r->own, i);
    own = gnd_class_kappa(q, p, n, C, skip, table, r->links->part).value > REFINE_KAPPA;
    if (own) {
        multiply_own(p, q, r);
    } else {
        memcpy(room, p, (size_t)(n * C) * sizeof *p);
        gnd_rows_product(pool,
                         &(gnd_rows_of){.part = r->links->part,
                                        .y = p,
                                        .bytes = C * (int64_t)sizeof *p,
                                        .n = n,
                                        .grain = ROWS,
                                        .cost = gnd_csr_nnz(r->links) * C},
                         smooth_rows, &(smoothing){r, room, p});
    }
    gnd_labelled_set_rows(p, r->labelled, 1);
    if (by_own)
        *by_own = own;
out:
    gnd_free(table);
    gnd_free(skip);
    gnd_free(room);
    gnd_free(q);
    return st;
}
