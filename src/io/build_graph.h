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

#endif
