/* SPDX-License-Identifier: MIT
 * build_graph.h - make a graph from what a reader found, in the order of its file. */
#ifndef GND_IO_BUILD_GRAPH_H
#define GND_IO_BUILD_GRAPH_H

#include "io.h"
#include "coo.h"

/* What a reader found; vertices are numbered as in ids. */
typedef struct {
    gnd_names **ids; /* taken over by the graph; NULL then */
    const int32_t *label;
    gnd_coo *arc, *feat; /* renumbered in place */
    int64_t n_feat;
} gnd_graph_parts;

/* Set the vertices, links, features and labels of g. Vertices whose ids are numbers are in
 * ascending order (gnd_ids_settle). g already has its classes, which are sorted. n_dup: number of
 * links merged into an equal one. */
gnd_status gnd_graph_build(gnd_graph *g, const gnd_graph_parts *met, int64_t *n_dup,
                           gnd_error *err);

/* A raw graph with this adjacency matrix, in which duplicates were added up. adj is taken over and
 * empty then, also after some failures. n_merged: number of duplicates, for a note. Zeros are left
 * out, so borrowed arrays must have none. */
gnd_status gnd_graph_of_matrix(gnd_graph **out, const char *name, gnd_csr *adj, int64_t n_merged,
                               gnd_error *err);
/* GND_ERR_SHAPE if a feature matrix of n_row rows does not fit the graph. */
gnd_status gnd_graph_features_fit(const gnd_graph *g, int64_t n_row, gnd_error *err);
/* Replace the features of g by feat, in which n_merged duplicates were added up, and which is empty
 * then. feat NULL or without columns: the graph has none. After a failure g is as it was. */
gnd_status gnd_graph_take_features(gnd_graph *g, gnd_csr *feat, int64_t n_merged, gnd_error *err);

#endif
