/* SPDX-License-Identifier: MIT
 * relations.h - what the ops on several operators at once share (relation_conv.c,
 * relation_conv_mean.c). */
#ifndef GND_TAPE_FUSED_RELATIONS_H
#define GND_TAPE_FUSED_RELATIONS_H

#include "tape/op.h"

/* The i-th row of a list. */
static inline int64_t gnd_row_at(const gnd_row_list *l, int64_t i)
{
    return l->row ? l->row[i] : i;
}

/* The list stays where and as it is while the tape lives (gnd_tape_request_again): it was asked
 * for, or is what such a list reads. */
bool gnd_rows_last(const gnd_tape *t, const gnd_operators *a, gnd_row_list l);
/* Are K operators of one square shape, x: [.., d] and w: [K d, ..] made for each other, and the
 * rows listed there? false after the sticky error. */
bool gnd_relations_check(gnd_tape *t, const char *op, const gnd_operators *a,
                         const gnd_row_list *to, gnd_var x, gnd_var w);
/* [n] where each row of the whole stands in x, -1: nowhere; NULL after the sticky error. */
int32_t *gnd_relations_places(gnd_tape *t, int64_t n, const gnd_node *x);
/* A row was read that x does not hold. */
void gnd_relations_missing(gnd_tape *t, const char *op, int64_t row);

#endif
