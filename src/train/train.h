/* SPDX-License-Identifier: MIT
 * train.h - gradient training of a model: epochs, validation, stopping rule. */
#ifndef GND_TRAIN_TRAIN_H
#define GND_TRAIN_TRAIN_H

#include "graph/split.h"
#include "model/model.h"

/* Losses and accuracies of each epoch. Zero-initialised it is valid and empty. */
typedef struct {
    int64_t epochs;     /* epochs run */
    int64_t best_epoch; /* the epoch whose weights are used */
    bool stopped;       /* the stopping rule ended training before the maximum of epochs */
    double *loss_train; /* [epochs] objective with penalties, before the steps of the epoch */
    double *acc_train;  /* [epochs] of the passes that made the steps, with dropout */
    double *loss_val;   /* [epochs] loss that the stopping rule uses; NAN without validation */
    double *acc_val;    /* [epochs] */
} gnd_fit_record;

/* Train m in place, starting from its current weights. rec: may be NULL; the caller frees it with
 * gnd_fit_record_fini. */
gnd_status gnd_fit(gnd_model *m, gnd_fit_record *rec, const gnd_graph *g, const gnd_split *s,
                   const gnd_train_opts *o, gnd_error *err);
/* Zero columns of `epochs` epochs. */
gnd_status gnd_fit_record_init(gnd_fit_record *rec, int64_t epochs, gnd_error *err);
void gnd_fit_record_fini(gnd_fit_record *rec);
/* Move the columns into the model, as its history; rec is then empty. */
void gnd_fit_record_keep(gnd_model *m, gnd_fit_record *rec);

/* What a training run reads; nothing of it is kept or changed. */
typedef struct {
    const gnd_graph *graph;
    const gnd_split *split;
    const gnd_config *config;
    const gnd_inputs *shared; /* inputs made for this graph by a model of the same config; many runs
                                 may read them at the same time. NULL: the run makes its own */
    const gnd_train_opts *opts; /* NULL: defaults */
} gnd_train_task;

/* gnd_train that can reuse the inputs of another run. res: may be NULL. */
gnd_status gnd_train_on(gnd_model **out, gnd_result *res, const gnd_train_task *task,
                        gnd_error *err);

#endif
