/* SPDX-License-Identifier: MIT
 * own_rows.h - which rows of a mapped matrix a process owns. */
#ifndef GND_DIST_OWN_ROWS_H
#define GND_DIST_OWN_ROWS_H

#include "exchange.h"
#include "io/graph_file.h"

/* cut: [size + 1] the first vertex of each process: between the parts of the file, if it has one
 * for each process, else so that all have about the same number of rows and entries. nnz: entries
 * of the file. Cuts are between blocks of gnd_vertex_sum. */
void gnd_rows_cut(int64_t *cut, int32_t size, const gnd_graph_rows *r, int64_t nnz);
/* The own rows of a matrix as a matrix of their own, whose columns and values are borrowed. */
gnd_status gnd_rows_take(gnd_csr *own, const gnd_csr *a, int64_t nnz, const gnd_owners *o,
                         gnd_error *err);

#endif
