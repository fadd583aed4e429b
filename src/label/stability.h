/* SPDX-License-Identifier: MIT
 * stability.h - do resampled labels lead to the same classes? */
#ifndef GND_LABEL_STABILITY_H
#define GND_LABEL_STABILITY_H

#include "self_train.h"

/* Share of the points, 0..1, that get the same class again from resampled labels. */
typedef struct {
    double fit, prototype; /* by self-training, and by prototypes */
} gnd_resampling;

/* The classes found, argmax of prob: [n, n_class], are taken as true. RESAMPLE_ROUNDS times, as
 * many points of each class as are labelled are drawn, and the others are predicted from them by
 * gnd_fit_soft over the shaped points and by gnd_fit_prototype over all coordinates. Up to
 * RESAMPLE_POINTS points with coordinates take part; 1 if there are none. Classes that depend on
 * which vertices happened to be labelled are not found again, so it bounds the accuracy to expect;
 * and self-training that works finds more again than prototypes. */
gnd_status gnd_stability(gnd_resampling *out, const gnd_fit_shape *shape, const gnd_real *prob,
                         const gnd_labelled *s, gnd_pool *pool, gnd_error *err);

/* 0..1: self-training is unstable: resampled labels give other classes, and it finds hardly more of
 * them again than prototypes. */
double gnd_instability(const gnd_resampling *r);

#endif
