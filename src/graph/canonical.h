/* SPDX-License-Identifier: MIT
 * canonical.h - vertices in an order that does not depend on the order of lines in the user's
 * files. Random numbers, folds and sums go by the number of a vertex; in canonical order the same
 * graph gives the same bits however its files are sorted. */
#ifndef GND_GRAPH_CANONICAL_H
#define GND_GRAPH_CANONICAL_H

#include "graph.h"
#include "kern/numbers.h"

/* Canonical order is that of the ids: whole numbers ascending, then all others by their bytes.
 * vertex: [n] the vertices of g in this order; NULL: g has it already. */
gnd_status gnd_canonical_order(int32_t **vertex, const gnd_graph *g, gnd_error *err);

/* *number: [n] the position of each vertex in canonical order; in a graph without ids that was put
 * into another order, its original number. NULL: as stored. */
gnd_status gnd_canonical_numbers(int32_t **number, const gnd_graph *g, gnd_error *err);

/* Vertices of many links first, in groups by degree, and in the order of *vertex within a group:
 * their rows are used most, and next to each other they stay in the cache (Faldu et al., "A closer
 * look at lightweight graph reordering", IISWC 2019). *vertex: as gnd_canonical_order gives it, or
 * NULL; replaced. *number: [n] position of each in that order, by which random numbers go. adj: [n,
 * n]. */
gnd_status gnd_canonical_hubs_first(int32_t **vertex, int32_t **number, const gnd_csr *adj,
                                    gnd_error *err);

/* `order` lists the n vertices in canonical order; row NULL: they are, and nothing changes. */

/* out: the transpose of a: [n, n], rows and columns in canonical order; order.row is not NULL. */
gnd_status gnd_canonical_links(gnd_csr *out, const gnd_csr *a, gnd_row_list order, gnd_error *err);

/* Renumber labelled vertices, point and cls: [n_label], as order says, in the order of their
 * numbers. The new lists are in *own, which the caller frees; NULL: nothing changed. */
gnd_status gnd_canonical_labels(int32_t **own, const int32_t **point, const int32_t **cls,
                                int64_t n_label, gnd_row_list order, const gnd_numbers *at,
                                gnd_error *err);

/* Put rows: [n, n_col], in canonical order, into that of the graph. */
gnd_status gnd_canonical_restore(gnd_real *rows, int64_t n_col, gnd_row_list order, gnd_error *err);

#endif
