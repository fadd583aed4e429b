/* SPDX-License-Identifier: MIT
 * stop.h - the early stopping rules of model/stop_rules.def. The choice of the rule can change the
 * accuracy by tens of percentage points. */
#ifndef GND_TRAIN_STOP_H
#define GND_TRAIN_STOP_H

#include "model/model.h"

typedef struct {
    gnd_stop_rule rule;
    int64_t patience; /* p or w of stop_rules.def */
    double acc_best, loss_best, acc_saved, loss_saved;
    int64_t count, epoch_best;
    double *ring; /* [patience] last losses (kipf, dcnn) */
    int64_t n_ring;
} gnd_stop;

typedef struct {
    bool save; /* keep these weights: the best so far */
    bool stop; /* end training */
} gnd_stop_decision;

gnd_status gnd_stop_init(gnd_stop *s, gnd_stop_rule rule, int64_t patience, gnd_error *err);
void gnd_stop_fini(gnd_stop *s);
/* To be called once after each epoch, counted from 0, with its validation loss and accuracy. */
gnd_stop_decision gnd_stop_update(gnd_stop *s, int64_t epoch, double loss, double acc);
/* Does the rule use the weights of the last epoch? */
bool gnd_stop_uses_last(gnd_stop_rule rule);

#endif
