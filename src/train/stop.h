/* SPDX-License-Identifier: MIT
 * stop.h - early stopping rules by name; they change results by tens of points. */
#ifndef GND_TRAIN_STOP_H
#define GND_TRAIN_STOP_H

#include "model/model.h"

/* In the order of GND_STOP_NAMES in model/model.h. */
typedef enum {
    GND_STOP_KIPF,      /* loss above the mean of the last w; last weights */
    GND_STOP_KIPF_BEST, /* the same, weights of lowest loss */
    GND_STOP_GAT, /* neither accuracy nor loss at its best for p epochs; weights of the last joint
                     best */
    GND_STOP_GAT_LAST, /* the same wait; last weights, as a release does that means to do the other
                        */
    GND_STOP_PPNP,     /* the same wait; weights of highest accuracy, then lowest loss */
    GND_STOP_MIXHOP,   /* p epochs after the best (accuracy, then loss, then earliest) */
    GND_STOP_DCNN,     /* loss not below the mean of the last w, infinite at first; last weights */
    GND_STOP_SHCHUR,   /* loss not improved for p epochs; weights of lowest loss */
    GND_STOP_NONE      /* never; last weights */
} gnd_stop_rule;

typedef struct {
    gnd_stop_rule rule;
    int64_t patience; /* p or w */
    double acc_best, loss_best, acc_saved, loss_saved;
    int64_t count, epoch_best;
    double *ring; /* [patience] last losses (kipf, dcnn) */
    int64_t n_ring;
} gnd_stop;

typedef struct {
    bool save; /* keep these weights: they are the ones to use so far */
    bool stop; /* this was the last epoch */
} gnd_verdict;

gnd_status gnd_stop_init(gnd_stop *s, gnd_stop_rule rule, int64_t patience, gnd_error *err);
void gnd_stop_fini(gnd_stop *s);
/* After epoch e (from 0, each once in order) with these validation figures. */
gnd_verdict gnd_stop_see(gnd_stop *s, int64_t epoch, double loss, double acc);
/* Does the rule test the last weights whatever was best? */
bool gnd_stop_uses_last(gnd_stop_rule rule);

#endif
