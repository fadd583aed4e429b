/* SPDX-License-Identifier: MIT
 * narrow.h - features with column numbers of 16 bits.
 *
 * Products with features read each entry once per pass, mostly from memory. Up to 65536 columns
 * need 2 bytes each, and where all entries of a row are equal, as in binary features and those
 * divided by the sum of the row, the row needs one value. That is 2 bytes per entry instead of 8,
 * before and after dropout. Products have the same bits. */
#ifndef GND_TAPE_NARROW_H
#define GND_TAPE_NARROW_H

#include "op.h"

/* The copy of a sparse x that outlives the tape, made in the first pass for products with `width`
 * columns; its `val`, if any, are those of x. NULL: there is none; x has too many columns or few
 * entries, does not outlive the tape, or the budget is short. */
const gnd_csr *gnd_narrow_get(gnd_tape *t, const gnd_node *x, int64_t width);
/* x by this copy, for dropout and for ops that only multiply by x; x itself if there is none. */
gnd_var gnd_narrow(gnd_tape *t, gnd_var x, int64_t width);
/* Bytes of the arrays for `room` entries after dropout of x. */
int64_t gnd_kept_bytes(const gnd_csr *x, int64_t room);
/* Arrays for `room` entries of y, after dropout of x, and the values of its rows. alloc:
 * gnd_tape_alloc or gnd_tape_store. */
void gnd_kept_arrays(gnd_tape *t, gnd_csr *y, const gnd_csr *x, int64_t room,
                     void *(*alloc)(gnd_tape *t, int64_t n, size_t size));

#endif
