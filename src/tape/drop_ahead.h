/* SPDX-License-Identifier: MIT
 * drop_ahead.h - one product of sparse features for a validation pass and for the training step
 * after it.
 *
 * Both passes multiply the same x by the same weights, the training pass with dropout. The
 * validation pass therefore draws the mask of the next training pass, multiplies the kept and the
 * dropped entries apart, and uses the sum of both. The training pass takes the product of the kept
 * entries, and the kept entries themselves for its gradient: it has the same bits as without this.
 * The validation pass has other roundings, whether or not a training pass follows. */
#ifndef GND_TAPE_DROP_AHEAD_H
#define GND_TAPE_DROP_AHEAD_H

#include "op.h"

typedef struct {
    const gnd_csr *all;   /* x */
    gnd_csr x;            /* its kept entries, times scale */
    gnd_real *y;          /* [rows of x, width] for their product */
    const uint64_t *keep; /* the mask; only in the validation pass */
    gnd_real scale;
    int64_t room, epoch; /* of x; of the training pass, -1: none */
} gnd_ahead;

/* Before a product in a validation pass: the mask and the kept entries for the next training pass.
 * In that pass: the same again, with y as the caller has left it. NULL: multiply as usual; x is
 * not a whole lasting matrix, nothing is dropped, the next pass is not known, or the budget is
 * short of memory. */
gnd_ahead *gnd_ahead_get(gnd_tape *t, gnd_var x, double p, const char *place, int64_t width);

/* The dropped entries of some rows. */
enum { GND_REST_ENTRIES = 4096, GND_REST_ROWS = 64 };
typedef struct {
    int64_t ptr[GND_REST_ROWS + 1];
    int32_t col[GND_REST_ENTRIES];
    uint16_t col16[GND_REST_ENTRIES]; /* instead of col where x has such */
    gnd_real val[GND_REST_ENTRIES];
    gnd_csr x;    /* the dropped entries of the rows */
    gnd_csr kept; /* the kept ones */
    int64_t row;  /* the first of the rows */
    bool whole;   /* there is one row, too long to be divided */
} gnd_rest;

/* Takes the next rows from r->row + r->x.n_row on, before `end`; start with x.n_row 0. A row of
 * more than GND_REST_ENTRIES entries comes alone, with all its entries as dropped and none as kept.
 * Returns false if there is no row left. */
bool gnd_rest_next(gnd_rest *r, const gnd_kern *kern, const gnd_ahead *a, int64_t end);

#endif
