/* SPDX-License-Identifier: MIT
 * row_groups.h - an operator with short rows, copied so that rows of similar length are together.
 *
 * A product with a row of three entries takes less time than the wrong prediction of where the
 * row ends. The rows are therefore ordered by their number of steps from the requested rows and
 * then, in windows, by length, and summed in groups. A product for the rows within some steps
 * computes only these. If all entries of a row have one value, as in W, it is stored once.
 *
 * Rows are independent, and the entries of a row keep their order: every row has the same bits as
 * in an undivided product. plan/product.h decides when groups are used; the copy is charged to the
 * memory budget. */
#ifndef GND_TAPE_ROW_GROUPS_H
#define GND_TAPE_ROW_GROUPS_H

#include "op.h"

typedef struct gnd_row_groups gnd_row_groups;

/* The rows of m, an operator that outlives the tape. a: m or its transpose, [n, n];  rows: a
 * lasting list, from which steps are counted along the rows of a; rows.row NULL: all rows have 0
 * steps, and m may have fewer rows than columns. Rows beyond `depth` steps are left out. NULL: not
 * faster, not enough memory in the budget, or after an error. */
const gnd_row_groups *gnd_row_groups_get(gnd_tape *t, const gnd_csr *m, const gnd_csr *a,
                                         gnd_row_list rows, int64_t depth);
/* y = c z + m x for the rows of at most `steps` steps; other rows of y are left as they are. p->a
 * is not used; p->then needs groups of all rows of a square m. */
void gnd_row_groups_spmm(gnd_tape *t, gnd_real *y, const gnd_row_groups *g, const gnd_product *p,
                         int64_t steps);

#endif
