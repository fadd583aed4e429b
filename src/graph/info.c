/* SPDX-License-Identifier: MIT
 * info.c - counts of vertices, links, components, features and labels of a graph. */
#include "graph.h"

#include "base/alloc.h"
#include "base/opts.h"

/* Edges, loops, isolated vertices and whether the graph is directed. at: the transpose of a; it
 * borrows the arrays of a symmetric a. */
static void count_links(gnd_graph_info *o, const gnd_csr *a, const gnd_csr *at)
{
    int64_t both = 0; /* arcs whose reverse is stored */

    for (int64_t i = 0; i < a->n_row; i++) {
        const int64_t loop = gnd_csr_find(a, i, (int32_t)i) >= 0;
        int64_t p = a->ptr[i], r = at->ptr[i];

        o->n_loop += loop;
        o->n_isolated += a->ptr[i + 1] - p == loop && at->ptr[i + 1] - r == loop;
        if (at->col == a->col) {
            both += a->ptr[i + 1] - p - loop;
            continue;
        }
        while (p < a->ptr[i + 1] && r < at->ptr[i + 1]) {
            const int32_t j = a->col[p], k = at->col[r];

            both += j == k && j != i;
            p += j <= k;
            r += k <= j;
        }
    }
    o->n_edge = o->n_arc - o->n_loop - both / 2;
    o->directed = both != o->n_arc - o->n_loop;
}

static void count_features(gnd_graph_info *o, const gnd_csr *x)
{
    for (int64_t i = 0; i < x->n_row; i++) {
        bool empty = true;

        for (int64_t p = x->ptr[i]; p < x->ptr[i + 1]; p++)
            empty &= gnd_csr_val(x, p) == 0;
        o->n_empty_feat += empty;
    }
}

/* Of a graph that several processes hold, which is undirected; components are not counted. */
static void count_parts(gnd_graph_info *out, const gnd_graph *g)
{
    const gnd_row_range own = gnd_part_own(g->part, g->n_node);
    int64_t n[5] = {gnd_csr_nnz(&g->adj)}; /* arcs, isolated, labelled, weighted, feature entries */

    for (int64_t i = own.begin; i < own.end; i++) {
        n[1] += g->adj.ptr[i + 1] == g->adj.ptr[i];
        n[2] += g->label[i] >= 0;
        n[4] += g->n_feat > 0 ? g->feat.ptr[i + 1] - g->feat.ptr[i] : 0;
    }
    for (int64_t p = 0; g->adj.val && p < gnd_csr_nnz(&g->adj); p++)
        n[3] += g->adj.val[p] != 1;
    gnd_part_counts(g->part, n, 5);
    *out = (gnd_graph_info){.size = sizeof *out,
                            .n_node = g->part->n_global,
                            .n_feat = g->n_feat,
                            .n_class = g->n_class,
                            .n_arc = n[0],
                            .n_edge = n[0] / 2,
                            .n_isolated = n[1],
                            .n_labelled = n[2],
                            .weighted = n[3] > 0,
                            .n_feat_entry = n[4],
                            .n_component = -1,
                            .n_largest = -1,
                            .n_empty_feat = -1};
}

gnd_status gnd_graph_count(gnd_graph_info *out, const gnd_graph *g, gnd_error *err)
{
    gnd_csr pattern = g->adj, at = {0};
    int32_t *comp = gnd_alloc(g->n_node, sizeof *comp), *size = NULL;
    gnd_graph_info o = {
        .size = sizeof o, .n_node = g->n_node, .n_feat = g->n_feat, .n_class = g->n_class};
    gnd_status st = GND_OK;

    *out = (gnd_graph_info){0};
    if (g->part) {
        count_parts(out, g);
        gnd_free(comp);
        return gnd_part_check(g->part, err);
    }
    pattern.val = NULL; /* the transpose needs no weights */
    if (g->mode == GND_GRAPH_RAW) {
        GND_TRY(gnd_csr_transpose_or_borrow(&at, &pattern, err));
    } else { /* it is undirected */
        at = pattern;
        at.borrowed = GND_CSR_ARRAYS;
    }
    o.n_component = comp ? gnd_components(comp, &g->adj) : -1;
    size = gnd_alloc(g->n_node, sizeof *size);
    if (o.n_component < 0 || !size)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the components of %lld vertices",
                         (long long)g->n_node));
    o.n_arc = gnd_csr_nnz(&g->adj);
    o.n_feat_entry = g->n_feat > 0 ? gnd_csr_nnz(&g->feat) : 0;
    count_links(&o, &g->adj, &at);
    if (g->n_feat > 0)
        count_features(&o, &g->feat);
    for (int64_t i = 0; i < g->n_node; i++) {
        o.n_labelled += g->label[i] >= 0;
        if (++size[comp[i]] > o.n_largest)
            o.n_largest = size[comp[i]];
    }
    for (int64_t p = 0; g->adj.val && p < o.n_arc; p++)
        o.weighted |= g->adj.val[p] != 1;
    *out = o;
out:
    gnd_free(size);
    gnd_free(comp);
    gnd_csr_fini(&at);
    return st;
}

gnd_status gnd_graph_info_get(gnd_graph_info *out, const gnd_graph *g, gnd_error *err)
{
    gnd_graph_info all = {0};
    gnd_status st;

    gnd_error_clear(err);
    GND_TRY(gnd_opts_check(out, sizeof all, "gnd_graph_info", err));
    st = gnd_graph_count(&all, g, err);
    gnd_opts_put(out, &all, sizeof all); /* all zero after a failure */
out:
    return st;
}
