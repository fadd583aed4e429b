/* SPDX-License-Identifier: MIT
 * list_order.h - gradients of an operator on a part of a graph, added in the order of one process.
 *
 * One process computes only the rows that the requested rows depend on (receptive_field.h), and
 * their gradients are added in the order of its list of rows. Several processes compute all rows.
 * Rows that are not in the list have the gradient 0. So the bits are the same if each row of the
 * transpose has its entries in the order of the list. */
#ifndef GND_TAPE_LIST_ORDER_H
#define GND_TAPE_LIST_ORDER_H

#include "op.h"

typedef struct gnd_list_order {
    gnd_csr at; /* the transpose with reordered rows; those that are not listed come last */
    const int64_t *from; /* [entries] index of each entry in the transpose as given */
    int64_t lowest; /* the lowest level of a receptive field that does not hold all rows; depth + 1:
                       none */
} gnd_list_order;

/* For the lasting requested rows of this pass and `depth` products with a, whose transpose is at;
 * computed once. NULL: a is not on a part, the pass has no gradients or no lasting rows, or after
 * an error. */
const gnd_list_order *gnd_list_order_get(gnd_tape *t, const gnd_csr *a, const gnd_csr *at,
                                         int64_t depth);

#endif
