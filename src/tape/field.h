/* SPDX-License-Identifier: MIT
 * field.h - what the rows asked for depend on, through a chain of operators.
 *
 * A loss on a handful of rows sees their neighbours after one operator, the neighbours of these
 * after two. A formula of few layers need not compute the others:
 *
 *     gnd_field f;
 *     gnd_field_init(&f, t, a, at, 2);
 *     h = gnd_relu(t, gnd_field_spmm(t, &f, 0, gnd_matmul(t, gnd_field_rows(t, &f, x), w)));
 *     y = gnd_field_spmm(t, &f, 1, h);                     rows asked for of A relu(A x w)
 *
 * Dropout drops what it would drop in the whole matrices. From where a level holds half of all rows
 * it is computed whole, and so are those below. */
#ifndef GND_TAPE_FIELD_H
#define GND_TAPE_FIELD_H

#include "ops.h"

enum { GND_FIELD_MAX = 32 };

typedef struct {
    const gnd_csr *a, *at;
    gnd_var op[GND_FIELD_MAX]; /* the l-th operator, [rows above, rows below]; i < 0: all of a */
    const int32_t *row;        /* [n_row] rows of the lowest level; NULL: all */
    int64_t n_row;
} gnd_field;

/* depth <= GND_FIELD_MAX applications of a: [n, n]; at is its transpose. */
void gnd_field_init(gnd_field *f, gnd_tape *t, const gnd_csr *a, const gnd_csr *at, int64_t depth);
/* The rows of x, dense or sparse, that the lowest level reads. */
gnd_var gnd_field_rows(gnd_tape *t, const gnd_field *f, gnd_var x);
/* a z at level l, 0 the lowest;  z: [rows below, f] -> [rows above, f] */
gnd_var gnd_field_spmm(gnd_tape *t, const gnd_field *f, int64_t l, gnd_var z);

#endif
