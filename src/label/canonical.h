/* SPDX-License-Identifier: MIT
 * canonical.h - vertices in an order that does not depend on the order of lines in the user's
 * files. Random numbers, folds and sums of the labeller go by the number of a vertex; in canonical
 * order the same graph gives the same bits however its files are sorted. */
#ifndef GND_LABEL_CANONICAL_H
#define GND_LABEL_CANONICAL_H

#include "graph/graph.h"
#include "prepare.h"
#include "self_train.h"

/* Canonical order is that of the ids: whole numbers ascending, then all others by their bytes.
 * vertex: [n] the vertices of g in this order; NULL: g has it already. */
gnd_status gnd_canonical_order(int32_t **vertex, const gnd_graph *g, gnd_error *err);

/* gnd_prepare for the links of g and features x: [n, d] or NULL, in canonical order. */
gnd_status gnd_canonical_prepare(gnd_prepared *out, const gnd_graph *g, const gnd_csr *x,
                                 const gnd_coordinates_opts *o, gnd_pool *pool, gnd_error *err);

/* Renumber the points of s, which are vertices of the graph, as in g, ascending. The new lists are
 * in *own, which the caller frees; NULL: nothing changed. */
gnd_status gnd_canonical_labels(int32_t **own, gnd_labelled *s, const gnd_prepared *g,
                                gnd_error *err);

/* Put rows: [n, n_col], in the order of g, into that of the graph. */
gnd_status gnd_canonical_restore(gnd_real *rows, int64_t n_col, const gnd_prepared *g,
                                 gnd_error *err);

#endif
