/* SPDX-License-Identifier: MIT
 * graph_file.h - graphs in safetensors files that are mapped, not read: names of the tensors and of
 * the metadata. docs/formats.md describes the format. */
#ifndef GND_IO_GRAPH_FILE_H
#define GND_IO_GRAPH_FILE_H

#include <jansson.h>

#include "io.h"
#include "base/mapping.h"
#include "safetensors.h"

/* The value of "format" in the metadata. A reader refuses another version. */
#define GND_GRAPH_FORMAT "gnd-graph-1"

/* The tensors, in the order in which they are written: large items first. POINTERS: I64, INDICES:
 * I32, VALUES: F32. Names are U8 text, one after another, with I64 offsets. */
#define GND_ADJ_POINTERS  "adjacency.pointers_to_1"
#define GND_ADJ_INDICES   "adjacency.indices_1"
#define GND_ADJ_VALUES    "adjacency.values"
#define GND_FEAT_POINTERS "features.pointers_to_1"
#define GND_FEAT_INDICES  "features.indices_1"
#define GND_FEAT_VALUES   "features.values"
#define GND_IDS           "ids"
#define GND_ID_OFFSETS    "ids.offsets"
#define GND_CLASSES       "classes"
#define GND_CLASS_OFFSETS "classes.offsets"
#define GND_LABELS        "labels"
#define GND_TRAIN_LABELS  "train_labels"
#define GND_FIXED_TEST    "planetoid.test"
#define GND_ORIGINAL      "original"
#define GND_PART_START    "parts"
#define GND_ROLE_VALUES   "roles"

/* The type of gnd_real in a file. */
#define GND_REAL_DTYPE (sizeof(gnd_real) == sizeof(float) ? "F32" : "F64")

/* Metadata of a file with n_feat columns of features; NULL: no memory. */
json_t *gnd_graph_file_meta(int64_t n_feat);
/* The graph in a file that this process has just written, under a name of its own: without
 * the pass over the data that finds invalid entries. *ids: its ids, which are taken over instead of
 * read; NULL: they are read. */
gnd_status gnd_graph_file_trust(gnd_graph **out, gnd_mapping *map, const char *path,
                                gnd_names **ids, gnd_error *err);
/* The matrices and ids of a file where they are mapped, for a process that uses some rows. Only
 * their sizes are checked: pointers and indices may have any value. */
typedef struct {
    gnd_safetensors file;
    gnd_csr adj, feat; /* borrowed; no features: empty */
    int64_t n_feat;
    const char *id;       /* the ids one after another, id_bytes of them; NULL: there are none */
    const int64_t *id_at; /* [n + 1] */
    int64_t id_bytes;
    const int32_t *original;   /* [n]; NULL: vertices are in their original order */
    const int64_t *part_start; /* [n_part + 1] */
    int64_t n_part;
    const gnd_real *roles; /* [n, GND_ROLES]; NULL: there are none */
} gnd_graph_rows;
gnd_status gnd_graph_rows_open(gnd_graph_rows *r, const char *path, gnd_error *err);
void gnd_graph_rows_fini(gnd_graph_rows *r);
/* A graph of all its vertices with their ids and labels, without links and features. */
gnd_status gnd_graph_rows_vertices(gnd_graph **out, const gnd_graph_rows *r, gnd_error *err);
/* Write a graph. pool: for its callback only; NULL: none. */
gnd_status gnd_graph_file_save(const gnd_graph *g, const char *path, gnd_pool *pool,
                               gnd_error *err);

#endif
