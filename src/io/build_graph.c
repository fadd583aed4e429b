/* SPDX-License-Identifier: MIT
 * build_graph.c - make a graph from the vertices, arcs, features and labels that a reader found,
 * or from matrices.
 * Vertices get their final numbers here, and everything that refers to them is renumbered. */
#include "build_graph.h"

#include "base/alloc.h"
#include "add_vertices.h"
#include "sparse.h"

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

gnd_status gnd_graph_of_matrix(gnd_graph **out, const char *name, gnd_csr *adj, int64_t n_merged,
                               gnd_error *err)
{
    gnd_graph *g = NULL;
    int64_t n_zero;
    gnd_status st = GND_OK;

    *out = NULL;
    if (adj->n_row != adj->n_col)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE,
                         "the adjacency matrix is %lld x %lld; expected a square one",
                         (long long)adj->n_row, (long long)adj->n_col));
    if (adj->n_row == 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "the graph has no vertices"));
    GND_TRY(gnd_graph_new(&g, name, adj->n_row, err));
    n_zero = gnd_sparse_drop_zeros(adj);
    gnd_csr_drop_ones(adj);
    g->adj = *adj;
    *adj = (gnd_csr){0};
    if (n_merged > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "duplicate_edges", err,
                              "%lld duplicate arc%s added to the first one", (long long)n_merged,
                              n_merged == 1 ? " was" : "s were"));
    if (n_zero > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "zero_weights", err,
                              "%lld arc%s of weight 0 %s left out", (long long)n_zero,
                              n_zero == 1 ? "" : "s", n_zero == 1 ? "was" : "were"));
    *out = g;
    g = NULL;
out:
    gnd_graph_free(g);
    return st;
}

gnd_status gnd_graph_features_fit(const gnd_graph *g, int64_t n_row, gnd_error *err)
{
    return n_row == g->n_node
               ? GND_OK
               : gnd_fail(err, GND_ERR_SHAPE, "features of %lld vertices in a graph of %lld",
                          (long long)n_row, (long long)g->n_node);
}

gnd_status gnd_graph_take_features(gnd_graph *g, gnd_csr *feat, int64_t n_merged, gnd_error *err)
{
    const int64_t n_note = g->notes.n;
    gnd_csr none = {0};
    gnd_status st = GND_OK;

    if (feat) {
        GND_TRY(gnd_graph_features_fit(g, feat->n_row, err));
        GND_TRY(gnd_csr_check(feat, "feature", err));
        gnd_csr_drop_ones(feat);
    }
    if (n_merged > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "duplicate_entries", err,
                              "%lld duplicate feature entr%s added to the first one",
                              (long long)n_merged, n_merged == 1 ? "y was" : "ies were"));
    GND_TRY(gnd_graph_replace_features(g, feat && feat->n_col > 0 ? feat : &none, err));
    gnd_notes_drop(&g->notes, "duplicate_entries", n_note); /* of the features that were replaced */
    if (feat)
        gnd_csr_fini(feat);
out:
    if (st != GND_OK)
        gnd_notes_cut(&g->notes, n_note);
    return st;
}
