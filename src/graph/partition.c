/* SPDX-License-Identifier: MIT
 * partition.c - vertices in an order in which those that are linked are close, for several
 * processes: METIS cuts the graph into parts of about the same number of links, and each part's
 * vertices follow one another, those with links into other parts last.
 *
 * Karypis and Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs",
 * SIAM J. Sci. Comput. 20 (1998). METIS takes about 80 bytes per entry. */
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "canonical.h"
#include "graph.h"
#include "roles.h"

#ifdef GND_HAVE_METIS
#include <metis.h>

/* part[i]: the part of vertex i.  a: [n, n] symmetric, without loops */
static gnd_status parts_find(int32_t *part, const gnd_csr *a, int32_t n_part, gnd_error *err)
{
    const int64_t n = a->n_row;
    idx_t n_vertex = (idx_t)n, n_weight = 1, parts = n_part, cut, option[METIS_NOPTIONS];
    idx_t *start = gnd_alloc(n + 1, sizeof *start), *weight = gnd_alloc(n, sizeof *weight);
    gnd_status st = GND_OK;

    _Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS with indices of 32 bits");
    if (!start || !weight)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to cut %lld vertices", (long long)n));
    if (gnd_csr_nnz(a) + n > INT32_MAX) /* METIS adds the weights of all vertices */
        GND_TRY(gnd_fail(err, GND_ERR_ARG,
                         "METIS cuts graphs of up to %d entries; this one has %lld, so leave out "
                         "--parts",
                         INT32_MAX, (long long)gnd_csr_nnz(a)));
    for (int64_t i = 0; i < n; i++) {
        start[i + 1] = (idx_t)a->ptr[i + 1];
        weight[i] = (idx_t)(a->ptr[i + 1] - a->ptr[i] + 1);
    }
    METIS_SetDefaultOptions(option);
    option[METIS_OPTION_SEED] = 1;
    if (METIS_PartGraphKway(&n_vertex, &n_weight, start, a->col, weight, NULL, NULL, &parts, NULL,
                            NULL, option, &cut, part) != METIS_OK)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "METIS cannot cut a graph of %lld vertices",
                         (long long)n));
out:
    gnd_free(weight);
    gnd_free(start);
    return st;
}
#else
static gnd_status parts_find(int32_t *part, const gnd_csr *a, int32_t n_part, gnd_error *err)
{
    (void)part, (void)a, (void)n_part;
    return gnd_fail(err, GND_ERR_ARG,
                    "this gnd was built without METIS, which --parts needs: make deps-cluster "
                    "cluster (docs/cluster.md)");
}
#endif

/* How many vertices a part must copy of others, summed over the parts. order: [n] vertices by
 * part; NULL: they are sorted by it. mark: [n]. */
static int64_t count_copies(const gnd_csr *a, const int32_t *part, const int32_t *order,
                            int32_t *mark)
{
    int64_t n = 0;

    memset(mark, -1, (size_t)a->n_row * sizeof *mark);
    for (int64_t k = 0; k < a->n_row; k++) {
        const int64_t i = order ? order[k] : k;

        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
            const int32_t j = a->col[p];

            if (part[j] != part[i] && mark[j] != part[i]) {
                mark[j] = part[i]; /* this part has a copy of j */
                n++;
            }
        }
    }
    return n;
}

/* Parts of consecutive vertices with about the same number of rows and entries. */
static void parts_by_order(int32_t *part, const gnd_csr *a, int32_t n_part)
{
    const double all = (double)(a->n_row + gnd_csr_nnz(a)) + 1;

    for (int64_t i = 0; i < a->n_row; i++)
        part[i] = (int32_t)((double)(i + a->ptr[i]) / all * n_part);
}

/* Does vertex i have a link into another part? */
static bool is_outer(const gnd_csr *a, const int32_t *part, int64_t i)
{
    for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
        if (part[a->col[p]] != part[i])
            return true;
    return false;
}

/* order: [n] vertices by part, inner ones first; start: [n_part + 1]. key: [n] is overwritten. */
static gnd_status order_make(int32_t *order, int64_t *start, const gnd_csr *a, const int32_t *part,
                             int32_t n_part, int32_t *key, gnd_error *err)
{
    int64_t *at = gnd_alloc(2 * (int64_t)n_part + 1, sizeof *at);

    if (!at)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %d parts", n_part);
    for (int64_t i = 0; i < a->n_row; i++) {
        key[i] = 2 * part[i] + is_outer(a, part, i);
        at[key[i] + 1]++;
    }
    for (int32_t k = 0; k < 2 * n_part; k++)
        at[k + 1] += at[k];
    for (int32_t k = 0; k <= n_part; k++)
        start[k] = at[2 * k];
    for (int64_t i = 0; i < a->n_row; i++)
        order[at[key[i]]++] = (int32_t)i;
    gnd_free(at);
    return GND_OK;
}

/* The links of g between vertices in their new order, directed as they are. */
static gnd_status links_move(gnd_csr *out, const gnd_csr *adj, gnd_row_list order, gnd_error *err)
{
    gnd_csr turned = {0};
    gnd_status st;

    GND_TRY(gnd_canonical_links(&turned, adj, order, err));
    GND_TRY(gnd_csr_transpose(out, &turned, err));
out:
    gnd_csr_fini(&turned);
    return st;
}

/* c->roles: those of the vertices of g in their new order, computed in canonical order. */
static gnd_status roles_store(gnd_graph *c, const gnd_graph *g, const gnd_csr *links,
                              const int32_t *order, gnd_error *err)
{
    const int64_t n = g->n_node;
    gnd_real *roles = gnd_alloc_raw(n * GND_ROLES, sizeof *roles);
    gnd_real *to = gnd_alloc_raw(n * GND_ROLES, sizeof *to);
    int32_t *vertex = NULL;
    gnd_csr sorted = {0};
    gnd_status st = GND_OK;

    if (!roles || !to)
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "no memory for the roles of %lld vertices", (long long)n));
    GND_TRY(gnd_canonical_order(&vertex, g, err));
    if (vertex)
        GND_TRY(gnd_canonical_links(&sorted, links, (gnd_row_list){vertex, n}, err));
    GND_TRY(gnd_roles(roles, vertex ? &sorted : links, NULL, err));
    GND_TRY(gnd_canonical_restore(roles, GND_ROLES, (gnd_row_list){vertex, n}, err));
    for (int64_t i = 0; i < n; i++)
        memcpy(to + i * GND_ROLES, roles + order[i] * GND_ROLES, GND_ROLES * sizeof *to);
    c->roles = to;
    to = NULL;
out:
    gnd_csr_fini(&sorted);
    gnd_free(vertex);
    gnd_free(to);
    gnd_free(roles);
    return st;
}

static gnd_status partition(gnd_graph **out, gnd_partition_info *info, const gnd_graph *g,
                            const gnd_csr *links, int32_t n_part, gnd_error *err)
{
    const int64_t n = g->n_node;
    int32_t *part = gnd_alloc(n, sizeof *part), *mark = gnd_alloc(n, sizeof *mark);
    int32_t *order = gnd_alloc(n, sizeof *order);
    int64_t *start = gnd_alloc(n_part + 1, sizeof *start);
    gnd_graph *c = NULL;
    gnd_status st = GND_OK;

    if (!part || !mark || !order || !start)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to cut %lld vertices", (long long)n));
    parts_by_order(part, links, n_part);
    info->copies_before = count_copies(links, part, NULL, mark);
    GND_TRY(parts_find(part, links, n_part, err));
    GND_TRY(order_make(order, start, links, part, n_part, mark, err));
    info->copies = count_copies(links, part, order, mark);
    info->parts = n_part;
    GND_TRY(gnd_graph_reorder(&c, g, order, err));
    GND_TRY(links_move(&c->adj, &g->adj, (gnd_row_list){order, n}, err));
    GND_TRY(roles_store(c, g, links, order, err));
    gnd_free(c->part_start);
    c->part_start = start;
    c->n_part = n_part;
    start = NULL;
    *out = c;
    c = NULL;
out:
    gnd_graph_free(c);
    gnd_free(start);
    gnd_free(order);
    gnd_free(mark);
    gnd_free(part);
    return st;
}

gnd_status gnd_graph_partition(gnd_graph **out, gnd_partition_info *info, const gnd_graph *g,
                               int32_t parts, gnd_error *err)
{
    gnd_partition_info all = {.size = sizeof all};
    gnd_csr both = {0}, links = {0};
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    if (info)
        GND_TRY(gnd_opts_check(info, sizeof all, "gnd_partition_info", err));
    if (parts < 2 || parts > g->n_node)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "%d parts of %lld vertices; expected 2 to %lld", parts,
                         (long long)g->n_node, (long long)g->n_node));
    GND_TRY(gnd_csr_symmetrise(&both, &g->adj, err));
    GND_TRY(gnd_csr_drop_loops(&links, &both, NULL, err));
    GND_TRY(partition(out, &all, g, &links, parts, err));
    if (info)
        gnd_opts_put(info, &all, sizeof all);
out:
    gnd_csr_fini(&links);
    gnd_csr_fini(&both);
    return st;
}
