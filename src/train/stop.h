/* SPDX-License-Identifier: MIT
 * stop.h - the early stopping rules of model/stop_rules.def; they change results by tens of points.
 */
#ifndef GND_TRAIN_STOP_H
#define GND_TRAIN_STOP_H

#include "model/model.h"

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
