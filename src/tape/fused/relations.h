/* SPDX-License-Identifier: MIT
 * relations.h - functions shared by the ops on several operators (relation_conv.c,
 * relation_conv_mean.c). */
#ifndef GND_TAPE_FUSED_RELATIONS_H
#define GND_TAPE_FUSED_RELATIONS_H

#include "tape/op.h"

/* The i-th row of a list. */
static inline int64_t gnd_row_at(const gnd_row_list *l, int64_t i)
{
    return l->row ? l->row[i] : i;
}

/* True if the list does not change or move while the tape exists (gnd_tape_request_again): it
 * was requested so, or gnd_rows_read derived it from such a list. */
bool gnd_rows_last(const gnd_tape *t, const gnd_operators *a, gnd_row_list l);
/* Checks the shapes of K square operators, x: [.., d] and w: [K d, ..], and that the listed rows
 * exist. Returns false after an error. */
bool gnd_relations_check(gnd_tape *t, const char *op, const gnd_operators *a,
                         const gnd_row_list *to, gnd_var x, gnd_var w);
/* [n] index of each row of the whole matrix in x, -1: not in x; NULL after an error. */
int32_t *gnd_relations_places(gnd_tape *t, int64_t n, const gnd_node *x);
/* Sets the error for a row that is read but not in x. */
void gnd_relations_missing(gnd_tape *t, const char *op, int64_t row);

#endif
