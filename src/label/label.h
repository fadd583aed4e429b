/* SPDX-License-Identifier: MIT
 * label.h - the few-label labeller: class probabilities of every vertex from a few known labels. */
#ifndef GND_LABEL_LABEL_H
#define GND_LABEL_LABEL_H

#include "model/model.h"
#include "prepare.h"

/* Settings of method auto as numbers; label.c says what each does. */
typedef struct {
    uint32_t predictors; /* set of gnd_predictor */
    bool numeric_by_rank, calibration;
    bool macro_f1; /* balance: choose labels for a large macro-F1 instead of accuracy */
    double teleport;
} gnd_label_settings;

/* What a labelling is made of; all of it is borrowed. */
typedef struct {
    const gnd_prepared *prepared; /* the whole graph, made with gnd_label_coordinates */
    const gnd_label_settings *settings;
    const int32_t *point, *cls; /* [n_labelled] vertices whose class is known, and the class */
    int64_t n_labelled, n_class;
    const unsigned char *reached; /* [n] vertices of the graph; 0: neither links nor features
                                   * connect it to a label, and it counts nowhere. NULL: all 1 */
    const gnd_real *prior;        /* [n_class] known class shares of reached vertices, or NULL */
    const gnd_graph *graph;       /* names vertices in notes, */
    const gnd_names *names;       /* and this classes */
    gnd_pool *pool;
} gnd_label_input;

/* The settings of a config of method auto. */
gnd_label_settings gnd_label_settings_of(const gnd_config *c);
/* Which coordinates a labelling with these settings needs. */
gnd_coordinates_opts gnd_label_coordinates(const gnd_label_settings *s, int64_t n_class);
/* Fill out->prob, out->calibrated and, if out->notes is not NULL, add notes. GND_ERR_ARG if there
 * is no label. Cost: linear in vertices and links. Same bits for any number of threads. */
gnd_status gnd_label_fit(gnd_estimate *out, const gnd_label_input *in, gnd_error *err);

#endif
