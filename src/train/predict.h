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
    char **note;          /* [n_note] sentences for the user */
    int64_t n_note;
    bool calibrated;
};

/* A prediction from the logits [n, C] of a finished model, which t holds, and what was remarked on
 * the way. */
gnd_status gnd_prediction_of(gnd_prediction **out, const gnd_model *m, const gnd_inputs *in,
                             gnd_tape *t, gnd_var logits, const gnd_graph *g,
                             const gnd_remarks *remarks, gnd_error *err);

/* Mark the features that occur in a component with a training vertex: where these speak, the model
 * can. */
gnd_status gnd_model_mark_seen(gnd_model *m, const gnd_graph *g, const int32_t *train,
                               int64_t n_train, gnd_error *err);

#endif
