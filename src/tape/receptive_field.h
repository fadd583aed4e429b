/* SPDX-License-Identifier: MIT
 * receptive_field.h - the rows on which the requested rows depend through a chain of operators.
 *
 * The requested rows depend on their neighbours after one operator and on the neighbours of these
 * after two. A model with few layers need not compute the other rows. The
 * requested rows of A relu(A x w1) w2 are:
 *
 *     gnd_receptive_init(&f, t, a, at, 2);
 *     h = gnd_matmul(t, gnd_receptive_rows(t, &f, x), w1);
 *     h = gnd_relu(t, gnd_receptive_spmm(t, &f, 0, h));
 *     y = gnd_receptive_spmm(t, &f, 1, gnd_matmul(t, h, w2));
 *
 * Levels are nested: a level starts with the rows of the level above it and then lists the other
 * rows that the level above reads. The levels therefore share one list, and the operators between
 * them one matrix. If a level would hold 7/8 of all rows, it and all levels below it hold all rows;
 * if the requested rows are so many, every level does, and the result has all rows. Dropout masks
 * are the same as for whole matrices. In one of several processes every level but the requested
 * rows holds all rows.
 *
 * If the requested rows are lasting (gnd_tape_request_again), the levels are computed in the
 * first pass and reused. The operator outlives the tape. */
#ifndef GND_TAPE_RECEPTIVE_FIELD_H
#define GND_TAPE_RECEPTIVE_FIELD_H

#include "ops.h"

enum { GND_RECEPTIVE_MAX = 33 };

typedef struct {
    const gnd_csr *a, *at;
    int64_t depth;
    /* Operator l: [level l + 1, level l] or [level l + 1, n]; NULL: use a. */
    const gnd_csr *op[GND_RECEPTIVE_MAX];
    /* level[depth]: the requested rows; level[0]: the rows of x that are read. */
    gnd_row_list level[GND_RECEPTIVE_MAX + 1];
    const int32_t *at_request; /* [n_request] index of the requested rows in every level that does
                                  not hold all rows; NULL: every level holds all rows */
    const struct gnd_list_order *order; /* on a part of a graph: list_order.h; NULL: none */
    bool lasts;
} gnd_receptive_field;

/* Computes the levels for depth <= GND_RECEPTIVE_MAX products with a: [n, n]; at: its transpose. */
void gnd_receptive_init(gnd_receptive_field *f, gnd_tape *t, const gnd_csr *a, const gnd_csr *at,
                        int64_t depth);
/* The rows of x, dense or sparse, at level 0. */
gnd_var gnd_receptive_rows(gnd_tape *t, const gnd_receptive_field *f, gnd_var x);
/* a z from level l to level l + 1;  z: [level l, f] -> [level l + 1, f] */
gnd_var gnd_receptive_spmm(gnd_tape *t, const gnd_receptive_field *f, int64_t l, gnd_var z);
/* a M(x) w from level 0 to level 1, M dropout. Without dropout, a x is computed once and reused if
 * this is possible and faster; x: the result of gnd_receptive_rows, w: [d, f] -> [level 1, f] */
gnd_var gnd_receptive_first(gnd_tape *t, const gnd_receptive_field *f, const gnd_dropped *x,
                            gnd_var w);
/* sum_{k=0}^K T_k(a) Y_k from level 0 to the requested rows, K the depth;  y = [Y_0 | .. | Y_K]:
 * [level 0, (K+1) f] -> [level K, f] */
gnd_var gnd_receptive_cheby(gnd_tape *t, const gnd_receptive_field *f, gnd_var y);
/* The rows of level `to` from z, which holds the rows of level l <= to. */
gnd_var gnd_receptive_part(gnd_tape *t, const gnd_receptive_field *f, int64_t l, gnd_var z,
                           int64_t to);

#endif
