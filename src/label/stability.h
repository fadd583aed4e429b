/* SPDX-License-Identifier: MIT
 * stability.h - do resampled labels lead to the same classes? */
#ifndef GND_LABEL_STABILITY_H
#define GND_LABEL_STABILITY_H

#include "self_train.h"

/* out: share of the points, 0..1, that get the same class again from other labels. The classes
 * found, argmax of prob: [n, n_class], are taken as true. RESAMPLE_ROUNDS times, as many points of
 * each class as are labelled are drawn, and the others are predicted from them by gnd_fit_soft over
 * the shaped points. Up to RESAMPLE_POINTS points with coordinates take part; 1 if there are none.
 * Classes that depend on which vertices happened to be labelled are not found again, so this bounds
 * the accuracy to expect. */
gnd_status gnd_stability(double *out, const gnd_fit_shape *shape, const gnd_real *prob,
                         const gnd_labelled *s, gnd_pool *pool, gnd_error *err);

#endif
