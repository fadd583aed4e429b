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
};

/* Mark the features that occur in a component with a training vertex: where these speak, the model
 * can. */
gnd_status gnd_model_mark_seen(gnd_model *m, const gnd_graph *g, const int32_t *train,
                               int64_t n_train, gnd_error *err);

#endif
