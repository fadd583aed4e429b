/* SPDX-License-Identifier: MIT
 * diagnose.h - what may be wrong with a labelling, as notes and warnings for the user. */
#ifndef GND_LABEL_DIAGNOSE_H
#define GND_LABEL_DIAGNOSE_H

#include "base/note.h"
#include "base/str.h"
#include "label.h"
#include "self_train.h"

/* What the ensemble found on its way. Zero is valid: nothing. */
typedef struct {
    bool links_uninformative; /* links join one class no more often than chance, so features decide
                               */
    double homophily;         /* of the classes by raw features */
    bool features_uninformative; /* uncorrelated with the links, which predict the labels better */
    bool two_groupings;          /* features and links show different groups; labels are too few */
    int32_t *suspect;            /* [n labels] class that the other labels predict instead, or -1 */
    int64_t n_held_out, n_hit;   /* labels held out, and how many of them were predicted right */
} gnd_findings;

typedef struct {
    const gnd_real *prob;          /* [n, C] rows of sum 1: the labelling, */
    const gnd_real *prototype;     /* and that of prototypes, or NULL: not to be compared */
    const unsigned char *excluded; /* [n] 1: labelled, or without coordinates */
    const gnd_points *z;
    const gnd_labelled *labelled;
    const gnd_findings *found; /* or NULL */
} gnd_diagnose_input;

/* Where notes go, and the names in them. */
typedef struct {
    gnd_notes *to; /* NULL: no notes are wanted */
    const gnd_graph *graph;
    const gnd_names *names; /* of the classes */
} gnd_diagnosis;

/* Notes on uninformative links or features, suspect labels, classes without labels or support,
 * self-training that drifted from the labels, and classes that overlap. docs/notes.md lists the
 * codes. */
gnd_status gnd_diagnose(const gnd_diagnosis *d, const gnd_diagnose_input *in, gnd_error *err);

/* A note on whether the probabilities were checked against held-out labels and, if not, why. */
gnd_status gnd_diagnose_calibration(const gnd_estimate *e, const gnd_label_input *in,
                                    gnd_error *err);

/* Label k is suspect if fits without it, prob: [n, C], and prototypes without it agree on another
 * class and the fits are confident; there must be SUSPECT_LABELS_MIN labels per class. Returns that
 * class, or -1. */
int32_t gnd_suspect_label(const gnd_labelled *all, int64_t k, const gnd_real *prob,
                          int64_t by_prototype);

#endif
