/* SPDX-License-Identifier: MIT
 * product.h - how a product y = A x with a large operator goes: as it is, by ranges of columns of A
 * (tape/col_blocks.c), by panels of columns of x (tape/panels.c), by rows of similar length
 * (tape/row_groups.h), or with the vertices in order of degree (kern/hubs.h); and in what form its
 * entries are read. */
#ifndef GND_PLAN_PRODUCT_H
#define GND_PLAN_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

/* A: [n_row, n_col] with nnz entries;  x: [n_col, width], value: bytes of a value. */
typedef struct {
    int64_t n_row, n_col, nnz, width, value;
} gnd_product_sizes;

enum { GND_PANEL = 32 }; /* columns of a panel: whole cache lines in either precision */

/* Is x so large that ranges of columns of A pay? */
bool gnd_product_by_ranges(const gnd_product_sizes *s);
/* Columns of a range; all ranges but the last have as many. */
int64_t gnd_product_range(const gnd_product_sizes *s);
/* For products one after another on a graph in no particular order: is x so large that an order by
 * degree pays, and the ranges of columns so few? */
bool gnd_product_by_hubs(const gnd_product_sizes *s);
/* A graph is in a good order already if most columns are at most so far from their row. */
int64_t gnd_product_near(const gnd_product_sizes *s);
/* Columns of a range in that order, at most. */
int64_t gnd_product_hub_range(const gnd_product_sizes *s);
/* Is x so large, and of such a width, that panels pay? */
bool gnd_product_by_panels(const gnd_product_sizes *s);
/* Are the rows so short that those of similar length together pay? */
bool gnd_product_by_groups(const gnd_product_sizes *s);
/* Are they so short that it pays much? */
bool gnd_product_short(const gnd_product_sizes *s);
/* Bytes of that copy. */
int64_t gnd_product_groups_bytes(const gnd_product_sizes *s);
/* Is it faster to multiply the kept and the dropped entries of a apart, once for a validation pass
 * and the training pass after it (tape/drop_ahead.h)? */
bool gnd_product_ahead(const gnd_product_sizes *s);
/* Is it faster to read a with column numbers of 16 bits (tape/narrow.h)? */
bool gnd_product_narrow(const gnd_product_sizes *s);
/* Are the rows so short that it is faster to mask the entries that dropout drops than to leave
 * them out (tape/masked_groups.h), and so many that the copy pays? */
bool gnd_product_by_masks(const gnd_product_sizes *s);
/* Bytes of that copy. */
int64_t gnd_product_masks_bytes(const gnd_product_sizes *s);

#endif
