/* SPDX-License-Identifier: MIT
 * receptive_field.h - what the requested rows depend on, through a chain of operators.
 *
 * A loss on a handful of rows sees their neighbours after one operator, the neighbours of these
 * after two. A formula of few layers need not compute the others:
 *
 *     gnd_receptive_field f;
 *     gnd_receptive_init(&f, t, a, at, 2);
 *     h = gnd_relu(t, gnd_receptive_spmm(t, &f, 0, gnd_matmul(t, gnd_receptive_rows(t, &f, x),
 * w))); y = gnd_receptive_spmm(t, &f, 1, h);                     requested rows of A relu(A x w)
 *
 * Levels are nested: one holds the rows that the level above it reads, and first of all those of
 * the level above itself. From where a level would hold 7/8 of all rows it is whole, and so are
 * those below. Dropout drops what it would drop in the whole matrices.
 *
 * If the requested rows last (gnd_tape_request_again), so do the levels: they are made in the first
 * pass. The operator outlives the tape. */
#ifndef GND_TAPE_RECEPTIVE_FIELD_H
#define GND_TAPE_RECEPTIVE_FIELD_H

#include "ops.h"

enum { GND_RECEPTIVE_MAX = 33 };

typedef struct {
    const gnd_csr *a, *at;
    int64_t depth;
    const gnd_csr *op[GND_RECEPTIVE_MAX];      /* the l-th operator, [level l + 1, level l] or
                                              [level l + 1, n]; NULL: all of a */
    gnd_row_list level[GND_RECEPTIVE_MAX + 1]; /* depth: the requested rows; 0: what x is read of */
    const int32_t *at_request; /* [n_request] index of these in any level that is not whole; NULL:
                                  all rows are requested */
    bool lasts;
} gnd_receptive_field;

/* depth <= GND_RECEPTIVE_MAX applications of a: [n, n]; at is its transpose. */
void gnd_receptive_init(gnd_receptive_field *f, gnd_tape *t, const gnd_csr *a, const gnd_csr *at,
                        int64_t depth);
/* The rows of x, dense or sparse, that the lowest level reads. */
gnd_var gnd_receptive_rows(gnd_tape *t, const gnd_receptive_field *f, gnd_var x);
/* a z at level l, 0 the lowest;  z: [rows below, f] -> [rows above, f] */
gnd_var gnd_receptive_spmm(gnd_tape *t, const gnd_receptive_field *f, int64_t l, gnd_var z);
/* a x w at level 0, with a x made once where that is possible and pays;  x: what gnd_receptive_rows
 * gives, or that with dropout, w: [d, f] -> [level 1, f] */
gnd_var gnd_receptive_first(gnd_tape *t, const gnd_receptive_field *f, gnd_var x, gnd_var w);
/* The rows of level `to` out of z, which holds those of a level l <= to. */
gnd_var gnd_receptive_part(gnd_tape *t, const gnd_receptive_field *f, int64_t l, gnd_var z,
                           int64_t to);

#endif
