/* SPDX-License-Identifier: MIT
 * diagnose.h - does a labelling hold together? */
#ifndef GND_LABEL_DIAGNOSE_H
#define GND_LABEL_DIAGNOSE_H

#include "model/remark.h"
#include "self_train.h"

typedef struct {
    const gnd_real *prob;          /* [n, C] shares of a row: the labelling, */
    const gnd_real *prototype;     /* and that of plain prototypes, or NULL: not
                                      to be compared */
    const unsigned char *excluded; /* [n] 1: its label is known, or nothing at all is */
    const gnd_points *z;
    const gnd_labelled *labelled;
} gnd_diagnose_input;

/* Remarks on classes without labels, classes that nothing supports, self-training that left the
 * labels' own surroundings, and classes whose vertices lie in the same direction. to NULL: none. */
gnd_status gnd_diagnose(gnd_remarks *to, const gnd_diagnose_input *c, gnd_error *err);

/* A remark if label e is odd: what was fitted without it, prob: [n, C], and prototypes agree on
 * another class, and the former is sure. Fewer than three labels a class cannot tell. */
gnd_status gnd_diagnose_label(gnd_remarks *to, const gnd_labelled *all, int64_t e,
                              const gnd_real *prob, int64_t prototype_says, gnd_error *err);

#endif
