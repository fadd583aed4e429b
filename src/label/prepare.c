/* SPDX-License-Identifier: MIT
 * prepare.c - links and features in the form that predictors use, coordinates, roles, and the
 * lengths of the rows of S^2. */
#include "prepare.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "feature_homophily.h"
#include "kern/components.h"
#include "kern/csr_product.h"
#include "roles.h"

/* Weights become multiples of their mean: D^-1/2 (A + I) D^-1/2 gives a vertex itself the weight 1,
 * which must be comparable to a link whatever the unit of the weights. */
static void to_mean_weight(gnd_csr *a)
{
    const int64_t nnz = gnd_csr_nnz(a);
    double sum = 0;

    for (int64_t q = 0; q < nnz && a->val; q++)
        sum += (double)a->val[q];
    for (int64_t q = 0; q < nnz && sum > 0; q++)
        a->val[q] = (gnd_real)((double)a->val[q] / (sum / (double)nnz));
}

static gnd_status links_make(gnd_prepared *g, const gnd_csr *adj, gnd_error *err)
{
    gnd_csr both = {0};
    gnd_status st;

    GND_TRY(gnd_csr_symmetrise(&both, adj, err));
    GND_TRY(gnd_csr_drop_loops(&g->links, &both, NULL, err));
    to_mean_weight(&g->links);
    GND_TRY(gnd_operator_init(&g->S, GND_OP_S, &g->links, err));
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t q = g->links.ptr[i]; q < g->links.ptr[i + 1]; q++)
            g->degree[i] += (double)gnd_csr_val(&g->links, q);
    if (gnd_components(g->component, &g->links) < 0)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n));
out:
    gnd_csr_fini(&both);
    return st;
}

/* Rows of length 1; a row of zeros stays. */
static gnd_status unit_rows(gnd_csr *out, const gnd_csr *x, gnd_error *err)
{
    const gnd_status st = gnd_csr_init(out, x->n_row, x->n_col, gnd_csr_nnz(x), true, err);

    if (st != GND_OK)
        return st;
    memcpy(out->ptr, x->ptr, (size_t)(x->n_row + 1) * sizeof *x->ptr);
    memcpy(out->col, x->col, (size_t)gnd_csr_nnz(x) * sizeof *x->col);
    for (int64_t i = 0; i < x->n_row; i++) {
        double square = 0;

        for (int64_t q = x->ptr[i]; q < x->ptr[i + 1]; q++)
            square += (double)gnd_csr_val(x, q) * (double)gnd_csr_val(x, q);
        for (int64_t q = x->ptr[i]; q < x->ptr[i + 1] && square > 0; q++)
            out->val[q] = (gnd_real)((double)gnd_csr_val(x, q) / sqrt(square));
    }
    return GND_OK;
}

/* row_mean, mean_square; and row_length from random projections, r_i . s for SKETCH_COLUMNS vectors
 * s of random signs: the mean square of these is |r_i|^2. */
static gnd_status row_lengths(gnd_prepared *g, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = g->n, k = SKETCH_COLUMNS;
    gnd_real *s = gnd_alloc(n * k, sizeof *s), *room = gnd_alloc(n * k, sizeof *room);
    gnd_real *mean = gnd_alloc(n, sizeof *mean), *half = gnd_alloc(n, sizeof *half);
    double shift[SKETCH_COLUMNS] = {0};
    gnd_status st = GND_OK;

    if (!s || !room || !mean || !half)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    for (int64_t i = 0; i < n; i++)
        mean[i] = (gnd_real)(1 / (double)n);
    gnd_csr_times(half, &g->S.a, mean, 1, pool);
    gnd_csr_times(mean, &g->S.a, half, 1, pool);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t bits = gnd_hash_at(1, (uint64_t)i);

        g->mean_square += (double)mean[i] * (double)mean[i];
        for (int64_t c = 0; c < k; c++) {
            s[i * k + c] = bits >> c & 1 ? 1 : -1;
            shift[c] += (double)mean[i] * (double)s[i * k + c];
        }
    }
    gnd_csr_times(half, &g->S.a, mean, 1, pool);
    gnd_csr_times(mean, &g->S.a, half, 1, pool);
    gnd_csr_times(room, &g->S.a, s, k, pool);
    gnd_csr_times(s, &g->S.a, room, k, pool);
    for (int64_t i = 0; i < n; i++) {
        double square = 0;

        for (int64_t c = 0; c < k; c++)
            square += pow((double)s[i * k + c] - shift[c], 2) / (double)k;
        g->row_mean[i] = (double)mean[i];
        g->row_length[i] = sqrt(square);
    }
out:
    gnd_free(half);
    gnd_free(mean);
    gnd_free(room);
    gnd_free(s);
    return st;
}

gnd_status gnd_prepare(gnd_prepared *g, const gnd_csr *x, const gnd_csr *adj,
                       const gnd_coordinates_opts *o, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = adj->n_row;
    double *degree = gnd_alloc(n, sizeof *degree);
    gnd_coordinates_opts wanted = *o;
    gnd_features f = {0};
    gnd_status st = GND_OK;

    *g = (gnd_prepared){.n = n};
    g->degree = gnd_alloc(n, sizeof *g->degree);
    g->component = gnd_alloc(n, sizeof *g->component);
    g->roles = gnd_alloc(n * GND_ROLES, sizeof *g->roles);
    g->row_mean = gnd_alloc(n, sizeof *g->row_mean);
    g->row_length = gnd_alloc(n, sizeof *g->row_length);
    if (!degree || !g->degree || !g->component || !g->roles || !g->row_mean || !g->row_length)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    GND_TRY(links_make(g, adj, err));
    for (int64_t i = 0; i < n; i++)
        degree[i] = g->degree[i] + 1;
    GND_TRY(gnd_features_init(&f, x, n, o->numeric_raw, pool, err));
    if (!f.is_identity && gnd_csr_nnz(&g->links) > 0)
        g->uncorrelated = gnd_uncorrelated(gnd_feature_homophily(
            f.x, f.differ && o->weighting[GND_WEIGHT_IDF] ? f.idf : NULL, &g->links, 1));
    wanted.apart = o->apart && (f.is_identity || g->uncorrelated > 0);
    GND_TRY(gnd_coordinates_init(&g->z, &f, &(gnd_links){&g->links, &g->S.a, degree}, &wanted, pool,
                                 err));
    if (!f.is_identity)
        GND_TRY(unit_rows(&g->x, f.x, err));
    GND_TRY(gnd_roles(g->roles, &g->links, pool, err));
    GND_TRY(row_lengths(g, pool, err));
out:
    if (st != GND_OK)
        gnd_prepared_fini(g);
    gnd_features_fini(&f);
    gnd_free(degree);
    return st;
}

void gnd_prepared_fini(gnd_prepared *g)
{
    gnd_csr_fini(&g->x);
    gnd_csr_fini(&g->links);
    gnd_operator_fini(&g->S);
    gnd_free(g->degree);
    gnd_free(g->component);
    gnd_coordinates_fini(&g->z);
    gnd_free(g->roles);
    gnd_free(g->row_mean);
    gnd_free(g->row_length);
    *g = (gnd_prepared){0};
}
