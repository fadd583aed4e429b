/* SPDX-License-Identifier: MIT
 * edges_convert.h - convert a text file of edges that may be larger than memory to a graph file. */
#ifndef GND_IO_EDGES_CONVERT_H
#define GND_IO_EDGES_CONVERT_H

#include "arc_sort.h"
#include "base/parallel.h"
#include "edge_rows.h"
#include "io.h"
#include "tensor_writer.h"
#include "kern/vertex_bits.h"

/* Smallest memory that a conversion takes. */
enum { GND_CONVERT_MIN = 32 << 20 };

/* What was read of the file. */
typedef struct {
    const gnd_load_opts *o; /* may be NULL */
    gnd_pool *pool;
    const char *folder; /* of temporary files */
    int64_t memory, sort_memory;
    gnd_text text;
    gnd_edge_rows rows;
    gnd_arc_sort *sort;
    int64_t n_stated;     /* the vertices are 0 .. n_stated - 1; 0: not stated */
    gnd_names *ids;       /* NULL: ids are numbers */
    int64_t n_id_stated;  /* ids that comments at the top state */
    gnd_vertex_bits seen; /* the numbers that occur, if ids is NULL */
    int32_t max;          /* the largest of them */
    int32_t first[2];     /* the ends of the first arc */
    bool again;           /* one of them is in another arc */
} gnd_edges_read;

/* Read all rows into r->sort. Of r, the members up to sort_memory are set, the others are zero. */
gnd_status gnd_edges_read_all(gnd_edges_read *r, const char *path, gnd_error *err);
/* The arcs are not needed any more. */
void gnd_edges_read_sorted(gnd_edges_read *r);
void gnd_edges_read_fini(gnd_edges_read *r);
/* Merge the arcs into w, which is open, and finish it. *n_dup, *n_zero: arcs that were merged or
 * left out. */
gnd_status gnd_edges_write(gnd_edges_read *r, gnd_tensor_writer *w, int64_t *n_dup, int64_t *n_zero,
                           gnd_error *err);

/* Convert the file of edges at `edges` within `memory` bytes, to path. The graph in *out has the
 * notes of the conversion, and uses the new file; it is in its place if keep, otherwise it has no
 * name and disappears with the graph. */
typedef struct {
    const gnd_load_opts *load; /* may be NULL */
    gnd_pool *pool;
    int64_t memory;
    int64_t sort_memory; /* of it, for arcs; 0: half of it */
    bool keep;
} gnd_edges_convert_how;

gnd_status gnd_edges_convert(gnd_graph **out, const char *edges, const char *path,
                             const gnd_edges_convert_how *how, gnd_error *err);

#endif
