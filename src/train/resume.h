/* SPDX-License-Identifier: MIT
 * resume.h - the state of a training run in a checkpoint (base/checkpoint.h). */
#ifndef GND_TRAIN_RESUME_H
#define GND_TRAIN_RESUME_H

#include "base/checkpoint.h"
#include "plateau.h"
#include "stop.h"
#include "tape/optim.h"
#include "train.h"

/* What changes from epoch to epoch. Processes that share a graph all have the same. */
typedef struct {
    gnd_params *params;
    gnd_optim *optim;
    gnd_stop *stop;
    gnd_plateau *plateau;
    gnd_real *best; /* [params->size] */
    int32_t *order; /* [n_train] */
    int64_t n_train;
    int64_t *n_step;
    gnd_fit_record *rec; /* of at most `epochs` epochs */
    int64_t epochs;
} gnd_training_state;

/* The checkpoint of o->checkpoint; *out is NULL if there is none. It is that of another run if the
 * graph, the training or validation vertices, the settings or the number of processes differ. */
gnd_status gnd_resume_open(gnd_checkpoint **out, const gnd_model *m, const gnd_graph *g,
                           const gnd_split *s, const gnd_train_opts *o, gnd_error *err);
/* Read the state after the last saved epoch. *epoch: the next one; 0: nothing was saved. */
gnd_status gnd_resume_load(int64_t *epoch, gnd_checkpoint *c, const gnd_training_state *t,
                           gnd_error *err);
/* Save the state after t->rec->epochs epochs, if it is time. */
gnd_status gnd_resume_save(gnd_checkpoint *c, const gnd_training_state *t, gnd_error *err);

#endif
