/* SPDX-License-Identifier: MIT
 * graph.h - a graph with features and labels: made by the readers, used by the methods. */
#ifndef GND_GRAPH_GRAPH_H
#define GND_GRAPH_GRAPH_H

#include "base/mapping.h"
#include "base/note.h"
#include "base/str.h"
#include "kern/components.h"
#include "kern/csr.h"

typedef struct gnd_users gnd_users;

struct gnd_graph {
    char *name;
    gnd_graph_mode mode;
    int64_t n_node, n_feat;
    int32_t n_class;
    gnd_csr adj;  /* [n_node, n_node]; row i lists the out-links of i; val NULL: weights 1 */
    gnd_csr feat; /* [n_node, n_feat]; n_feat 0: the graph has no features */
    /* Graphs made by conversion share matrices with the original. The number of graphs that use
     * adj and feat: the last one frees the matrix. Shared matrices are not changed. */
    gnd_users *adj_users, *feat_users;
    int32_t *label; /* [n_node]; -1: none */
    gnd_names *cls; /* class names, numbered as in label */
    gnd_names *ids; /* ids of the user's files, numbered as vertices; NULL: 0 .. n_node - 1 */
    int32_t *old;   /* [n_node] vertex numbers before largest-component reduction; NULL: same */
    unsigned char *in_train_file; /* [n_node] 1: the vertex is in the file of training labels; NULL:
                                     there is no such file */
    bool keep_all;                /* mode std keeps every component (Planetoid) */
    /* Planetoid's fixed split, otherwise zero: vertices 0 .. n_fixed_train - 1 are for training,
     * the next 500 for validation. */
    int64_t n_fixed_train;
    int32_t *fixed_test;
    int64_t n_fixed_test;
    /* The vertices were put into another order, for several processes (gnd_graph_partition):
     * original[i] is the number of vertex i before. NULL: they were not. Results are written, and
     * splits are drawn, in the original order. */
    int32_t *original;
    int64_t *part_start; /* [n_part + 1] the first vertex of each part; NULL: no parts */
    int32_t n_part;
    /* [n_node, GND_ROLES] structural roles of the vertices (roles.h), stored when the graph was
     * partitioned; NULL: not computed. roles_source: the mapped file that they are in, which is
     * held; NULL: they are freed with the graph. */
    const gnd_real *roles;
    gnd_mapping *roles_source;
    gnd_notes notes; /* facts found in the files and changes made to the graph */
    /* The graph is one of several parts: n_node counts its own vertices and the copies of others.
     * Freed with the graph; adj.part is the same. NULL: the whole graph. */
    gnd_part *part;
    int32_t *number; /* [n_node] numbers in canonical order (canonical.h), of a part */
};

/* An empty graph of n vertices, all unlabelled; the reader fills adj, feat, label, cls, ids. */
gnd_status gnd_graph_new(gnd_graph **out, const char *name, int64_t n_node, gnd_error *err);
/* Use the adjacency matrix or the features of g in c, which has none, without a copy. */
void gnd_graph_share_links(gnd_graph *c, const gnd_graph *g);
void gnd_graph_share_features(gnd_graph *c, const gnd_graph *g);
/* The matrices of g borrow arrays from a mapped file: it stays mapped as long as a graph uses one
 * of them. */
void gnd_graph_hold(gnd_graph *g, gnd_mapping *source);
/* Forget the roles: links or vertices change. */
void gnd_graph_drop_roles(gnd_graph *g);
/* c uses the roles of g, which has the same vertices and links. */
void gnd_graph_share_roles(gnd_graph *c, const gnd_graph *g);
/* Replace the features by feat, which is then empty. */
gnd_status gnd_graph_replace_features(gnd_graph *g, gnd_csr *feat, gnd_error *err);
/* Class number of a name, added if new. */
gnd_status gnd_graph_class_of(int32_t *out, gnd_graph *g, const char *name, size_t len,
                              gnd_error *err);
/* Sort the classes by number if all names are integers, otherwise by name, and renumber the labels.
 * For readers that number classes in file order. */
gnd_status gnd_graph_sort_classes(gnd_graph *g, gnd_error *err);
/* Check that shapes agree, indices are in range and sorted, weights are finite and not negative,
 * features are finite, and labels are in -1 .. n_class - 1. Every reader ends with this check.
 * path: for the message. */
gnd_status gnd_graph_check(const gnd_graph *g, const char *path, gnd_error *err);

/* Add the notes of gnd_graph_convert to a part of a graph that src/dist converted to mode und.
 * before: counts of the graph as stored. All processes call it. */
gnd_status gnd_graph_note_parts(gnd_graph *c, const gnd_graph_info *before, int64_t uneven,
                                gnd_error *err);

/* A copy of g with vertex order[k] as its k-th, without links; `original` is set. */
gnd_status gnd_graph_reorder(gnd_graph **out, const gnd_graph *g, const int32_t *order,
                             gnd_error *err);
/* *vertex: [n] the vertices in their original order; NULL: they are in it. The caller frees it. */
gnd_status gnd_graph_original_order(int32_t **vertex, const gnd_graph *g, gnd_error *err);

/* As gnd_graph_info_get, without the check of the struct's size. */
gnd_status gnd_graph_count(gnd_graph_info *out, const gnd_graph *g, gnd_error *err);

#endif
