/* SPDX-License-Identifier: MIT
 * assemble.h - a graph from what a reader met in the order of its file. */
#ifndef GND_IO_ASSEMBLE_H
#define GND_IO_ASSEMBLE_H

#include "io.h"
#include "triplets.h"

/* What was met: vertices are numbered as in ids. */
typedef struct {
    gnd_names **ids; /* taken over by the graph; NULL then */
    const int32_t *label;
    gnd_triplets *arc, *feat; /* renumbered in place */
    int64_t n_feat;
} gnd_met;

/* Give g these vertices, links, features and labels; vertices whose ids are numbers stand in
 * ascending order (gnd_ids_settle). g has its classes, which are sorted. n_dup counts the links
 * merged into another. */
gnd_status gnd_assemble(gnd_graph *g, const gnd_met *met, int64_t *n_dup, gnd_error *err);

#endif
