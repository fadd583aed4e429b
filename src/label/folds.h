/* SPDX-License-Identifier: MIT
 * folds.h - cross-validation folds of the labels. */
#ifndef GND_LABEL_FOLDS_H
#define GND_LABEL_FOLDS_H

#include <stdbool.h>

#include "self_train.h"

/* Zero is valid and empty. */
typedef struct {
    const gnd_labelled *all; /* borrowed */
    int64_t n;               /* folds */
    gnd_labelled train;      /* labels of the training part; its lists are point and cls */
    bool *held_out;          /* [all->n] labels held out */
    int32_t *point, *cls;    /* of train */
    int64_t *position;       /* [all->n] position within its class */
    int64_t *class_size;     /* [C] labels per class */
} gnd_folds;

/* n folds, 2 or more: each holds out every n-th label of a class; no class loses its only label. */
gnd_status gnd_folds_init(gnd_folds *f, const gnd_labelled *all, int64_t n, gnd_error *err);
void gnd_folds_fini(gnd_folds *f);
/* Fold k, 0 <= k < n, into train and held_out. */
void gnd_folds_take(gnd_folds *f, int64_t k);

#endif
