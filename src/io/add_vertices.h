/* SPDX-License-Identifier: MIT
 * add_vertices.h - match the ids of a file with those of a graph, and add the vertices that it
 * lacks. */
#ifndef GND_IO_ADD_VERTICES_H
#define GND_IO_ADD_VERTICES_H

#include "graph/graph.h"
#include "text.h"

/* The vertex with an id; -1 if there is none. */
int64_t gnd_id_find(const gnd_graph *g, gnd_csv_field id);

/* A vertex that has features or a label but no edge is isolated; this is not an error. A file is
 * read to its end before the graph is changed, so that an invalid file leaves the graph unchanged.
 * Until then, ids that the graph lacks are numbered n_node, n_node + 1, ... */
typedef struct {
    const gnd_graph *g;
    gnd_names *fresh; /* ids the graph lacks */
} gnd_id_map;

gnd_status gnd_id_map_init(gnd_id_map *m, const gnd_graph *g, gnd_error *err);
void gnd_id_map_fini(gnd_id_map *m);
gnd_status gnd_id_map_find(int32_t *out, gnd_id_map *m, gnd_csv_field id, gnd_error *err);
/* Number of vertices of the graph, and of those that it lacks. */
int64_t gnd_id_map_count(const gnd_id_map *m);

/* All arrays of the larger graph, made before anything is changed. */
typedef struct {
    int64_t n_node;
    int32_t *place; /* [n_node]: final number of each vertex of the id map */
    int64_t *adj_ptr, *feat_ptr;
    int32_t *label;
    gnd_names *ids; /* NULL: the graph's ids stay as they are */
} gnd_addition;

/* If the vertices of g are 0 .. n-1 and the new ids are n, n + 1, ..., each gets its own number;
 * otherwise they are appended in the order of occurrence. */
gnd_status gnd_addition_init(gnd_addition *w, const gnd_id_map *m, gnd_error *err);
/* Cannot fail. Leaves w empty. Features that already have a row for each new vertex stay. */
void gnd_graph_add_vertices(gnd_graph *g, gnd_addition *w);
void gnd_addition_fini(gnd_addition *w);

/* If ids are the numbers 0 .. n-1 in some order, free the table (*ids becomes NULL) and set
 * place[i] to the number of id i; otherwise place is the identity. place: [count]. */
void gnd_ids_settle(gnd_names **ids, int32_t *place);

#endif
