/* SPDX-License-Identifier: MIT
 * masked_groups.h - an operator with short rows whose entries drop out, copied so that rows of
 * equal length are together.
 *
 * As in row_groups.h a wrong prediction of where a row ends takes more time than the row; and how
 * many entries dropout keeps is never predicted. So all entries are multiplied, and a mask decides
 * what is added. Each row has the same bits as the product of its kept entries, but for the sign of
 * a zero. plan/product.h decides when groups are used; the copy is charged to the memory budget. */
#ifndef GND_TAPE_MASKED_GROUPS_H
#define GND_TAPE_MASKED_GROUPS_H

#include "op.h"

typedef struct gnd_masked_groups gnd_masked_groups;

/* Dropout of the entries of a matrix A with drop rate p. m: rows `row` of A, an operator that
 * outlives the tape; NULL: all rows. at: index in the mask of the first entry of each row of A. */
typedef struct {
    const gnd_csr *m;
    const int32_t *row;
    const int64_t *at;
    double p;
} gnd_masked;

/* NULL: not faster, not enough memory in the budget, or after an error. */
const gnd_masked_groups *gnd_masked_groups_get(gnd_tape *t, const gnd_masked *of);
/* y = c z + M(m) x; p->a and p->then are not used. p->f is at least GND_MASKED_COLUMNS. mask: the
 * word after the last may be read. */
enum { GND_MASKED_COLUMNS = 4 };
void gnd_masked_groups_spmm(gnd_tape *t, gnd_real *y, const gnd_masked_groups *g,
                            const gnd_product *p, const uint64_t *mask);

#endif
