/* SPDX-License-Identifier: MIT
 * train.h - the training loop. */
#ifndef GND_TRAIN_TRAIN_H
#define GND_TRAIN_TRAIN_H

#include "graph/split.h"
#include "model/model.h"

/* What happened, epoch by epoch. Zero is valid and empty. */
typedef struct {
    int64_t epochs;     /* epochs run */
    int64_t best_epoch; /* whose weights are used */
    bool stopped;       /* by the rule, before the cap */
    double *loss_train; /* [epochs] with L2, before the step */
    double *loss_val;   /* [epochs] as the stopping rule saw it; NAN without validation */
    double *acc_val;    /* [epochs] */
} gnd_fit_record;

/* Train m in place from its present weights. rec, if not NULL, is overwritten; the caller frees
 * it. */
gnd_status gnd_fit(gnd_model *m, gnd_fit_record *rec, const gnd_graph *g, const gnd_split *s,
                   const gnd_train_opts *o, gnd_error *err);
void gnd_fit_record_fini(gnd_fit_record *rec);

/* gnd_train with what the method makes of the graph once (gnd_inputs_init for a model with the same
 * settings) borrowed from `shared`, which may serve many trainings at a time. */
gnd_status gnd_train_on(gnd_model **out, gnd_result *res, const gnd_graph *g, const gnd_split *s,
                        const gnd_config *c, const gnd_inputs *shared, const gnd_train_opts *o,
                        gnd_error *err);

#endif
