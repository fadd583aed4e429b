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
 * columns; its `val`, if any, are those of x. NULL: there is none; x has too many columns or
 * products with it are little work, it does not outlive the tape, or the budget is short. */
const gnd_csr *gnd_narrow_get(gnd_tape *t, const gnd_node *x, int64_t width);
/* x by this copy, for dropout and for ops that only multiply by x; x itself if there is none. Ops
 * that read columns, such as gnd_rows, must not get it. */
gnd_var gnd_narrow(gnd_tape *t, gnd_var x, int64_t width);

#endif
