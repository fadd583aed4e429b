/* SPDX-License-Identifier: MIT
 * prepare.c - links and features in the form that predictors use, coordinates, roles, and the
 * lengths of the rows of regressions. */
#include "prepare.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "graph/feature_homophily.h"
#include "kern/components.h"
#include "saved.h"

/* Shares of the time, for progress. */
static const double BEFORE_COORDINATES = 0.1, AFTER_COORDINATES = 0.9;

/* Weights become multiples of their mean: D^-1/2 (A + I) D^-1/2 gives a vertex itself the weight 1,
 * which must be comparable to a link whatever the unit of the weights. */
static void to_mean_weight(gnd_csr *a, int64_t n_all)
{
    const int64_t nnz = gnd_csr_nnz(a);
    double sum = 0;

    for (int64_t q = 0; q < nnz && a->val; q++)
        sum += (double)a->val[q];
    if (a->val) /* in one process if in any: src/dist sees to it */
        gnd_part_sum(a->part, &sum, 1);
    for (int64_t q = 0; q < nnz && sum > 0; q++)
        a->val[q] = (gnd_real)((double)a->val[q] / (sum / (double)n_all));
}

/* g->links: adj in both directions, without loops. A part has both directions, and no loops. */
static gnd_status links_take(gnd_prepared *g, const gnd_csr *adj, gnd_pool *pool, gnd_error *err)
{
    gnd_csr both = {0};
    gnd_status st = GND_OK;

    if (adj->part && adj->val) {
        GND_TRY(gnd_csr_copy(&g->links, adj, err));
        g->links.part = adj->part;
        return GND_OK;
    }
    if (adj->part) {
        g->links = *adj;
        g->links.borrowed = GND_CSR_ARRAYS;
        return GND_OK;
    }
    GND_TRY(gnd_csr_symmetrise(&both, adj, err));
    GND_TRY(gnd_pool_check(pool, err));
    if (both.borrowed && !adj->val && !gnd_csr_has_loops(adj))
        g->links = both;
    else
        GND_TRY(gnd_csr_drop_loops(&g->links, &both, NULL, err));
out:
    gnd_csr_fini(&both);
    return st;
}

static gnd_status links_make(gnd_prepared *g, const gnd_csr *adj, gnd_pool *pool, gnd_error *err)
{
    gnd_status st;

    GND_TRY(links_take(g, adj, pool, err));
    g->n_link = gnd_csr_nnz_total(&g->links);
    to_mean_weight(&g->links, g->n_link);
    GND_TRY(gnd_pool_check(pool, err));
    GND_TRY(gnd_operator_init_in(&g->S, GND_OP_S, &g->links, pool, err));
    GND_TRY(gnd_pool_check(pool, err));
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t q = g->links.ptr[i]; q < g->links.ptr[i + 1]; q++)
            g->degree[i] += (double)gnd_csr_val(&g->links, q);
    gnd_part_fill(g->at.part, g->degree, sizeof *g->degree);
    GND_TRY(gnd_pool_check(pool, err));
    if (gnd_components(g->component, &g->links) < 0)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n));
out:
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

gnd_design gnd_design_diffused(const gnd_prepared *g)
{
    return (gnd_design){.factor = {&g->S.a, &g->S.a, &g->x},
                        .transposed = {&g->S.a, &g->S.a, &g->x_t},
                        .length = g->diffused_length,
                        .at = g->at};
}

gnd_design gnd_design_links(const gnd_prepared *g)
{
    return (gnd_design){.factor = {&g->S.a, &g->S.a},
                        .transposed = {&g->S.a, &g->S.a},
                        .mean = g->link_mean,
                        .by_vertex = true,
                        .length = g->link_length,
                        .at = g->at};
}

/* Means and lengths of the rows of regressions. */
static gnd_status measure_rows(gnd_prepared *g, gnd_pool *pool, gnd_error *err)
{
    const bool features = g->x.n_row > 0;
    const gnd_design links = gnd_design_links(g), diffused = gnd_design_diffused(g);
    gnd_status st = GND_OK;

    g->link_mean = gnd_alloc(g->n, sizeof *g->link_mean);
    g->link_length = gnd_alloc(g->n, sizeof *g->link_length);
    g->diffused_length = features ? gnd_alloc(g->n, sizeof *g->diffused_length) : NULL;
    if (!g->link_mean || !g->link_length || (features && !g->diffused_length))
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n));
    GND_TRY(gnd_design_measure(g->link_mean, g->link_length, &links, pool, err));
    if (features)
        GND_TRY(gnd_design_measure(NULL, g->diffused_length, &diffused, pool, err));
out:
    return st;
}

/* roles: [n, GND_ROLES], or NULL: they are computed. */
static gnd_status roles_make(gnd_prepared *g, const gnd_real *roles, gnd_pool *pool, gnd_error *err)
{
    gnd_status st;

    GND_TRY(gnd_csr_init(&g->roles, g->n, GND_ROLES, g->n * GND_ROLES, true, err));
    for (int64_t e = 0; e < g->n * GND_ROLES; e++) {
        g->roles.ptr[e / GND_ROLES + 1] = (e / GND_ROLES + 1) * GND_ROLES;
        g->roles.col[e] = (int32_t)(e % GND_ROLES);
    }
    if (roles)
        memcpy(g->roles.val, roles, (size_t)(g->n * GND_ROLES) * sizeof *roles);
    else
        GND_TRY(gnd_roles(g->roles.val, &g->links, pool, err));
out:
    return st;
}

gnd_status gnd_prepare(gnd_prepared *g, const gnd_prepare_of *from, const gnd_coordinates_opts *o,
                       gnd_pool *pool, gnd_error *err)
{
    const int64_t n = from->adj->n_row;
    gnd_csr own = {0};
    double *degree = gnd_alloc(n, sizeof *degree);
    gnd_features f = {0};
    gnd_span all;
    bool saved;
    gnd_status st = GND_OK;

    *g = (gnd_prepared){.n = n, .at = from->at, .checkpoint = o->checkpoint};
    g->degree = gnd_alloc(n, sizeof *g->degree);
    g->component = gnd_alloc(n, sizeof *g->component);
    if (!degree || !g->degree || !g->component)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    gnd_pool_step(pool, "preparing");
    GND_TRY(gnd_pool_check(pool, err));
    GND_TRY(links_make(g, from->adj, pool, err));
    for (int64_t i = 0; i < n; i++)
        degree[i] = g->degree[i] + 1;
    GND_TRY(gnd_features_init(&f, from->x, n, o->numeric_raw, &g->at, pool, err));
    GND_TRY(gnd_pool_check(pool, err));
    if (!f.is_identity && g->n_link > 0) {
        gnd_edge_similarity similar;

        GND_TRY(gnd_feature_homophily(&similar, f.x, f.weight, &g->links, err));
        g->uncorrelated = similar.z_score <= CORRELATED_Z;
    }
    GND_TRY(gnd_pool_check(pool, err));
    if (!f.is_identity) {
        GND_TRY(unit_rows(&g->x, f.x, err));
        GND_TRY(gnd_csr_own_rows(&own, &g->x, g->at.part, err));
        GND_TRY(gnd_csr_transpose(&g->x_t, &own, err));
        GND_TRY(gnd_pool_check(pool, err));
    }
    gnd_pool_step(pool, "coordinates");
    all = gnd_pool_enter(pool, BEFORE_COORDINATES, AFTER_COORDINATES);
    GND_TRY(gnd_saved_coordinates(&saved, &g->z, o->checkpoint, &g->at, n, err));
    if (!saved) {
        const gnd_coordinates_of of = {&f,        &g->x,  &g->links, &g->S.a,  g->component,
                                       g->degree, degree, g->at,     g->n_link};

        GND_TRY(gnd_coordinates_init(&g->z, &of, f.is_identity || g->uncorrelated, o, pool, err));
        GND_TRY(gnd_saved_put(o->checkpoint, &g->z, 0, NULL, 0, err));
    }
    gnd_pool_leave(pool, all);
    gnd_pool_step(pool, "structural roles");
    GND_TRY(gnd_pool_check(pool, err));
    GND_TRY(roles_make(g, from->roles, pool, err));
    GND_TRY(gnd_pool_check(pool, err));
    GND_TRY(measure_rows(g, pool, err));
    GND_TRY(gnd_pool_check(pool, err));
    gnd_pool_step(pool, NULL);
out:
    if (st != GND_OK)
        gnd_prepared_fini(g);
    gnd_csr_fini(&own);
    gnd_features_fini(&f);
    gnd_free(degree);
    return st;
}

/* A part of a graph, as it is stored. */
static gnd_status prepare_part(gnd_prepared *out, const gnd_graph *g, const gnd_csr *x,
                               const gnd_coordinates_opts *o, gnd_pool *pool, gnd_error *err)
{
    if (!g->roles)
        return gnd_fail(err, GND_ERR_ARG,
                        "%s lacks the structural roles of its vertices, which auto needs in "
                        "several processes; store them with gnd data convert --parts",
                        g->name);
    return gnd_prepare(out, &(gnd_prepare_of){x, &g->adj, g->roles, {g->part, g->number}}, o, pool,
                       err);
}

gnd_status gnd_prepare_graph(gnd_prepared *out, const gnd_graph *g, const gnd_csr *x,
                             const gnd_coordinates_opts *o, gnd_pool *pool, gnd_error *err)
{
    gnd_csr features = {0}, links = {0};
    int32_t *vertex = NULL, *number = NULL;
    gnd_status st;

    *out = (gnd_prepared){0};
    if (g->part)
        return prepare_part(out, g, x, o, pool, err);
    if (g->original) /* an order was chosen: rows stay in it, as in several processes */
        GND_TRY(gnd_canonical_numbers(&number, g, err));
    else
        GND_TRY(gnd_canonical_order(&vertex, g, err));
    GND_TRY(gnd_pool_check(pool, err));
    if (gnd_csr_nnz(&g->adj) >= LARGE_LINKS && !g->original)
        GND_TRY(gnd_canonical_hubs_first(&vertex, &number, &g->adj, err));
    GND_TRY(gnd_pool_check(pool, err));
    if (vertex) {
        const gnd_row_list order = {vertex, g->n_node};

        if (x)
            GND_TRY(gnd_csr_select(&features, x, order, NULL, x->n_col, err));
        GND_TRY(gnd_pool_check(pool, err));
        GND_TRY(gnd_canonical_links(&links, &g->adj, order, err));
    }
    GND_TRY(gnd_prepare(out,
                        &(gnd_prepare_of){.x = vertex && x ? &features : x,
                                          .adj = vertex ? &links : &g->adj,
                                          .roles = vertex ? NULL : g->roles,
                                          .at = {.number = number}},
                        o, pool, err));
    out->vertex = vertex;
    out->number = number;
    out->ordered = links;
    vertex = number = NULL;
    links = (gnd_csr){0};
out:
    gnd_csr_fini(&features);
    gnd_csr_fini(&links);
    gnd_free(vertex);
    gnd_free(number);
    return st;
}

void gnd_prepared_fini(gnd_prepared *g)
{
    gnd_csr_fini(&g->x);
    gnd_csr_fini(&g->x_t);
    gnd_csr_fini(&g->links);
    gnd_csr_fini(&g->ordered);
    gnd_operator_fini(&g->S);
    gnd_free(g->degree);
    gnd_free(g->component);
    gnd_coordinates_fini(&g->z);
    gnd_csr_fini(&g->roles);
    gnd_free(g->link_mean);
    gnd_free(g->link_length);
    gnd_free(g->diffused_length);
    gnd_free(g->vertex);
    gnd_free(g->number);
    *g = (gnd_prepared){0};
}
