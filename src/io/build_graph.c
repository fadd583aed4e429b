/* SPDX-License-Identifier: MIT
 * build_graph.c - make a graph from the vertices, arcs, features and labels that a reader found.
 * Vertices get their final numbers here, and everything that refers to them is renumbered. */
#include "build_graph.h"

#include "base/alloc.h"
#include "add_vertices.h"

gnd_status gnd_graph_build(gnd_graph *g, const gnd_graph_parts *met, int64_t *n_dup, gnd_error *err)
{
    const int64_t n = gnd_names_count(*met->ids);
    int32_t *place = gnd_alloc(n, sizeof *place), *label = gnd_alloc(n, sizeof *label);
    gnd_coo *arc = met->arc, *feat = met->feat;
    gnd_status st = GND_OK;

    if (!place || !label)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    gnd_ids_settle(met->ids, place);
    for (int64_t i = 0; i < n; i++)
        label[place[i]] = met->label[i];
    for (int64_t p = 0; p < feat->n; p++)
        feat->row[p] = place[feat->row[p]];
    for (int64_t p = 0; p < arc->n; p++) {
        arc->row[p] = place[arc->row[p]];
        arc->col[p] = place[arc->col[p]];
    }
    g->n_node = n;
    g->ids = *met->ids;
    *met->ids = NULL;
    gnd_free(g->label);
    g->label = label;
    label = NULL;
    GND_TRY(gnd_coo_to_csr(&g->adj, arc, n, n, n_dup, err));
    g->n_feat = met->n_feat;
    if (g->n_feat > 0)
        GND_TRY(gnd_coo_to_csr(&g->feat, feat, n, g->n_feat, NULL, err));
    GND_TRY(gnd_graph_sort_classes(g, err));
out:
    gnd_free(label);
    gnd_free(place);
    return st;
}
