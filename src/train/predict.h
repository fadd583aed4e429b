/* SPDX-License-Identifier: MIT
 * predict.h - a label and a probability for every vertex. */
#ifndef GND_TRAIN_PREDICT_H
#define GND_TRAIN_PREDICT_H

#include "model/model.h"

struct gnd_prediction {
    int64_t n;
    int32_t n_class;
    float *prob;          /* [n, n_class] */
    int32_t *top;         /* [n] most probable class */
    unsigned char *known; /* [n] 0: nothing is known of the vertex */
    int64_t n_not_finite; /* vertices that are not known since their values overflowed */
    gnd_notes notes;
    bool calibrated;
};

/* What a finished model gives for all vertices of a graph. Zero is valid and empty. */
typedef struct {
    const gnd_real *logits; /* [n, C]: their softmax is the probability; on the tape, or own */
    gnd_real *own;
    gnd_notes notes;
    bool calibrated;
} gnd_finished;

/* By a pass, or by the method's estimate. g: the graph of in; NULL: no notes are wanted. */
gnd_status gnd_finish(gnd_finished *out, const gnd_model *m, const gnd_inputs *in,
                      const gnd_graph *g, gnd_tape *t, gnd_error *err);
void gnd_finished_fini(gnd_finished *f);

/* Classes and probabilities from logits, [n, C]. known[i] is 0 for rows without mass (zeros), if
 * the method gives masses, else 1: the caller may clear more. */
gnd_status gnd_prediction_new(gnd_prediction **out, const gnd_real *logits, int64_t n,
                              int32_t n_class, gnd_output kind, gnd_error *err);
/* A prediction from what a finished model gave, whose notes it takes over. */
gnd_status gnd_prediction_of(gnd_prediction **out, gnd_finished *f, const gnd_model *m,
                             const gnd_inputs *in, const gnd_graph *g, gnd_error *err);

/* reached[i] = 1: vertex i is in a component with a training vertex, or in one with a feature that
 * occurs in such a component. */
gnd_status gnd_mark_reached(unsigned char *reached, const gnd_graph *g, const int32_t *train,
                            int64_t n_train, gnd_error *err);

/* Mark the features that occur in a component with a training vertex: where these speak, the model
 * can. */
gnd_status gnd_model_mark_seen(gnd_model *m, const gnd_graph *g, const int32_t *train,
                               int64_t n_train, gnd_error *err);

#endif
