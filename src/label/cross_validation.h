/* SPDX-License-Identifier: MIT
 * cross_validation.h - known points left out in turn. */
#ifndef GND_LABEL_CROSS_VALIDATION_H
#define GND_LABEL_CROSS_VALIDATION_H

#include <stdbool.h>

#include "self_train.h"

/* Zero is valid and empty. */
typedef struct {
    const gnd_labelled *all; /* borrowed */
    int64_t n;               /* folds */
    gnd_labelled train;      /* those that stay; lists belong to the folds */
    bool *held_out;          /* [all->n] left out */
    int32_t *point, *cls;    /* of in */
    int64_t *position;       /* [all->n] the how-many-th of its class */
    int64_t *class_size;     /* [C] of each class */
} gnd_folds;

/* n folds, 2 or more: each leaves out every n-th of a class; no class loses its last. */
gnd_status gnd_folds_init(gnd_folds *f, const gnd_labelled *all, int64_t n, gnd_error *err);
void gnd_folds_fini(gnd_folds *f);
/* Fold k, 0 <= k < n, into in and out. */
void gnd_folds_take(gnd_folds *f, int64_t k);

/* What hits among asked left-out points say of who hit, as the logarithm of a weight: half the
 * logarithm of how likely they are if any accuracy is, misses spread evenly over the other classes;
 * but for a term that depends on asked only. Near chance that is little, near certainty much. Half,
 * since who knows few points misses some that all would find. n_class >= 2. */
double gnd_log_evidence(double hits, double asked, int64_t n_class);

#endif
