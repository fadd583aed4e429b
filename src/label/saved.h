/* SPDX-License-Identifier: MIT
 * saved.h - the state of a labelling that a checkpoint keeps: the coordinates, and the scores of
 * the labels that were held out so far. */
#ifndef GND_LABEL_SAVED_H
#define GND_LABEL_SAVED_H

#include "base/checkpoint.h"
#include "prepare.h"

/* *found: z was saved, and is now as it was. c NULL: it was not. n: vertices here. */
gnd_status gnd_saved_coordinates(bool *found, gnd_coordinates *z, gnd_checkpoint *c,
                                 const gnd_numbers *at, int64_t n, gnd_error *err);
/* *folds: how many were held out, with scores in held: [size]; 0: none. */
gnd_status gnd_saved_folds(int64_t *folds, gnd_real *held, int64_t size, gnd_checkpoint *c,
                           gnd_error *err);
/* Save z and the scores of the first `folds` folds, if enough time has passed since the last state.
 * c may be NULL. */
gnd_status gnd_saved_put(gnd_checkpoint *c, const gnd_coordinates *z, int64_t folds, gnd_real *held,
                         int64_t size, gnd_error *err);

#endif
