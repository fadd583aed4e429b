/* SPDX-License-Identifier: MIT
 * diagnose.h - what may be wrong with a labelling, as notes and warnings for the user. */
#ifndef GND_LABEL_DIAGNOSE_H
#define GND_LABEL_DIAGNOSE_H

#include "base/note.h"
#include "base/str.h"
#include "label.h"
#include "mixture.h"

/* Held-out labels compared with shuffled ones, in standard errors. */
typedef struct {
    double errors; /* how much more probable they are */
    double most;   /* and would be if all were predicted right */
} gnd_chance;

typedef struct {
    const gnd_real *prob;          /* [n, C] rows of sum 1: the labelling */
    const unsigned char *excluded; /* [n] 1: labelled, or without coordinates */
    const gnd_prepared *prepared;
    const gnd_labelled *labelled;
    const gnd_mixture *mixture;
    gnd_chance chance;
} gnd_diagnose_input;

/* Where notes go, and the names in them. */
typedef struct {
    gnd_notes *to; /* NULL: no notes are wanted */
    const gnd_graph *graph;
    const gnd_names *names; /* of the classes */
} gnd_diagnosis;

/* Notes on predictions at chance level, uninformative links or features, suspect labels and
 * classes without labels or support. docs/notes.md lists the codes. */
gnd_status gnd_diagnose(const gnd_diagnosis *d, const gnd_diagnose_input *in, gnd_error *err);

/* Predictions are better than chance if errors > CHANCE_ERRORS. */
gnd_status gnd_chance_test(gnd_chance *out, const gnd_mixture *m, const gnd_labelled *s,
                           gnd_error *err);

/* A warning if a class has another share than the known one by more than PRIOR_APART; it names the
 * class that is furthest apart. share, prior: [n_class]. */
gnd_status gnd_diagnose_prior(const gnd_diagnosis *d, const double *share, const gnd_real *prior,
                              int64_t n_class, gnd_error *err);

/* A note on whether the probabilities were checked against held-out labels and, if not, why. */
gnd_status gnd_diagnose_calibration(const gnd_estimate *e, const gnd_label_input *in,
                                    gnd_error *err);

#endif
