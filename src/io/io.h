/* SPDX-License-Identifier: MIT
 * io.h - readers of graphs. Input may be hostile: sizes are checked before memory is allocated for
 * them, nothing recurses, nothing in a file is executed, and each reader ends with
 * gnd_graph_check. */
#ifndef GND_IO_IO_H
#define GND_IO_IO_H

#include "base/parallel.h"
#include "graph/graph.h"
#include "find_dataset.h"

/* A reader of whole graphs. path: as the user gave it, or found for the name of a data set. */
typedef gnd_status gnd_reader(gnd_graph **out, const char *path, const gnd_load_opts *o,
                              gnd_error *err);

typedef struct {
    const char *name;  /* "planetoid" */
    const char *about; /* one line for `gnd data list` */
    /* Is this path such a file? head: its first bytes, decompressed if it is gzip ("" for a folder
     * or a prefix such as dir/ind.cora). */
    bool (*sniff)(const char *path, const char *head, size_t n_head);
    gnd_reader *read;
    /* Put the path of the i-th file of the graph at path into buf; false beyond the last, and if it
     * does not fit. NULL: path is the only file. */
    bool (*part)(char *buf, size_t size, const char *path, int i);
    bool has_attributes; /* vertices have named attributes; see gnd_load_opts.label_attribute */
} gnd_format;

/* The list in formats.def; the first format whose sniff function accepts the file reads it. */
#define X(name) extern const gnd_format gnd_format_##name;
#include "formats.def"
#undef X

/* For readers, between two steps that may take a tenth of a second: call the caller's callback if
 * it is time; GND_ERR_STOPPED if it asked to stop. A reader may also just end, with or without a
 * graph, since gnd_load checks again. o may be NULL. */
gnd_status gnd_load_check(const gnd_load_opts *o, gnd_error *err);
/* The same with the part of the present file that was read, 0..1. */
gnd_status gnd_load_check_at(const gnd_load_opts *o, double part, gnd_error *err);

/* Find what gnd_load would read: its path and the name of the graph. *is_edges: it is one text file
 * of edges. opts: the checked options for its files. */
gnd_status gnd_load_find(char path[GND_PATH_SIZE], char name[256], gnd_load_opts *opts,
                         bool *is_edges, const char *name_or_path, const gnd_load_opts *o,
                         gnd_error *err);

/* Limits on the sizes that a file may state, checked before memory is allocated. */
enum { GND_MAX_NODE = INT32_MAX - 1, GND_MAX_FEAT = INT32_MAX - 1 };

/* Read features for a graph that has its vertices: CSV (id first), npz, Matrix Market, svmlight
 * (rows in vertex order). Replaces g's features. Of o, which may be NULL, only header and max_input
 * are used, here and below. */
gnd_status gnd_features_load(gnd_graph *g, const char *path, const gnd_load_opts *o,
                             gnd_error *err);
/* Read labels `id,label` for a graph that has its vertices. Replaces g's labels and classes; empty
 * and -1 mean unlabelled. */
gnd_status gnd_labels_load(gnd_graph *g, const char *path, const gnd_load_opts *o, gnd_error *err);

/* The same, but vertices without a label in the file keep their labels; g->in_train_file marks
 * those that have one. */
gnd_status gnd_train_labels_load(gnd_graph *g, const char *path, const gnd_load_opts *o,
                                 gnd_error *err);

/* Writers of gnd_graph_save. pool: for its callback only; NULL: none. */
gnd_status gnd_npz_save(const gnd_graph *g, const char *path, gnd_pool *pool, gnd_error *err);
gnd_status gnd_csv_save(const gnd_graph *g, const char *folder, gnd_pool *pool, gnd_error *err);

#endif
