/* SPDX-License-Identifier: MIT
 * predict.h - predictions: the label and the class probabilities of every vertex. */
#ifndef GND_TRAIN_PREDICT_H
#define GND_TRAIN_PREDICT_H

#include "model/model.h"

struct gnd_prediction {
    int64_t n;
    int32_t n_class;
    float *prob;          /* [n, n_class] */
    int32_t *top;         /* [n] most probable class */
    int32_t *label;       /* [n] top, or -1: the vertex gets no label */
    unsigned char *given; /* [n] 1: the label was known before */
    int64_t n_not_finite; /* unknown vertices whose probabilities are not finite */
    gnd_notes notes;
    bool calibrated;
    gnd_held_out held_out;
    gnd_part *part; /* of the graph, which must live as long; NULL: all vertices */
};

/* Output of a trained model for all vertices of a graph. Zero-initialised it is valid and empty. */
typedef struct {
    const gnd_real *logits; /* [n, C]; softmax gives the probabilities. On the tape, or `own` */
    gnd_real *own;
    gnd_notes notes;
    bool calibrated;
    gnd_held_out held_out;
} gnd_finished;

/* Compute it by a pass, or by the method's estimate. g: the graph of in; NULL: make no notes. */
gnd_status gnd_finish(gnd_finished *out, const gnd_model *m, const gnd_inputs *in,
                      const gnd_graph *g, gnd_tape *t, gnd_error *err);
void gnd_finished_fini(gnd_finished *f);

/* Classes and probabilities from logits, [n, C]. label[i] is the class, but -1 for rows whose
 * probabilities are not finite and, with GND_OUT_MASS, for rows without mass (all zero). */
gnd_status gnd_prediction_new(gnd_prediction **out, const gnd_real *logits, int64_t n,
                              int32_t n_class, gnd_output kind, gnd_error *err);
/* A prediction from f; the notes and held-out labels of f are moved into it. */
gnd_status gnd_prediction_of(gnd_prediction **out, gnd_finished *f, const gnd_model *m,
                             const gnd_inputs *in, const gnd_graph *g, gnd_error *err);

/* informed[i] = 1: a vertex of the component of i, comp: [n] below n, has a label that the model
 * keeps or a feature in m->seen. */
gnd_status gnd_mark_informed(unsigned char *informed, const int32_t *comp, const gnd_model *m,
                             const gnd_inputs *in, gnd_error *err);

/* reached[i] = 1: vertex i is in a component with a training vertex, or in one with a feature that
 * occurs in such a component. */
gnd_status gnd_mark_reached(unsigned char *reached, const gnd_graph *g, const int32_t *train,
                            int64_t n_train, gnd_error *err);

/* Set m->seen for the features that occur in a component with a training vertex. */
gnd_status gnd_model_mark_seen(gnd_model *m, const gnd_graph *g, const int32_t *train,
                               int64_t n_train, gnd_error *err);

#endif
