/* SPDX-License-Identifier: MIT
 * io.h - files into graphs. Readers take hostile input: sizes are checked before anything is
 * allocated for them, nothing recurses, nothing in a file is ever executed, and each ends with
 * gnd_graph_check. */
#ifndef GND_IO_IO_H
#define GND_IO_IO_H

#include "graph/graph.h"

/* A reader of whole graphs. path is what the user gave or a data set's name resolved to. */
typedef gnd_status gnd_reader(gnd_graph **out, const char *path, const gnd_load_opts *o,
                              gnd_error *err);

typedef struct {
    const char *name;  /* "planetoid" */
    const char *about; /* one line for `gnd data list` */
    /* Is this path such a file? head: its first bytes, decompressed if it is gzip ("" for a prefix
     * such as dir/ind.cora or a folder). */
    bool (*sniff)(const char *path, const char *head, size_t n_head);
    gnd_reader *read;
    /* The i-th of the files that the graph at path consists of, into buf; false beyond the last,
     * and if it does not fit. NULL: path is the only file. */
    bool (*part)(char *buf, size_t size, const char *path, int i);
} gnd_format;

/* The list is formats.def; the first whose sniffer says yes reads the file. */
#define X(name) extern const gnd_format gnd_format_##name;
#include "formats.def"
#undef X

/* Limits on what a file may claim, checked before memory is asked for. */
enum { GND_MAX_NODE = INT32_MAX - 1, GND_MAX_FEAT = INT32_MAX - 1 };

/* Features for a graph that has its vertices: CSV (id first), npz, Matrix Market, svmlight (rows in
 * vertex order). Replaces g's features. Of o, which may be NULL, here and below header and
 * max_input count. */
gnd_status gnd_features_load(gnd_graph *g, const char *path, const gnd_load_opts *o,
                             gnd_error *err);
/* Labels `id,label` for a graph that has its vertices. Replaces g's labels and classes; empty and
 * -1 mean unlabelled. */
gnd_status gnd_labels_load(gnd_graph *g, const char *path, const gnd_load_opts *o, gnd_error *err);

/* The same, but vertices that the file does not label keep their labels, and g->in_train_file says
 * which it labels. */
gnd_status gnd_train_labels_load(gnd_graph *g, const char *path, const gnd_load_opts *o,
                                 gnd_error *err);

/* Writers of `gnd data convert`. */
gnd_status gnd_npz_save(const gnd_graph *g, const char *path, gnd_error *err);
gnd_status gnd_csv_save(const gnd_graph *g, const char *folder, gnd_error *err);

#endif
