/* SPDX-License-Identifier: MIT
 * stability.h - would other labels have told the same? */
#ifndef GND_LABEL_STABILITY_H
#define GND_LABEL_STABILITY_H

#include "self_train.h"

/* Shares of points, 0 to 1. */
typedef struct {
    double fit, prototype; /* what each gives the class it has been given, from labels drawn anew */
} gnd_resampling;

/* The classes that points have, largest in the rows of prob: [n, n_class], are taken for true. A
 * few times over, as many points of each as are known are drawn, and the others are told from them
 * by gnd_fit_soft over the first r coordinates, to a power, and by gnd_fit_prototype over all. Some
 * two thousand points take part, none in the middle, of which nothing is known; 1 if there are
 * none. Classes that chance could have drawn otherwise are not found again, so it bounds what to
 * expect of the labels at hand; and what grows from labels should come closer than what does not.
 */
gnd_status gnd_stability(gnd_resampling *out, const gnd_fit_shape *shape, const gnd_real *prob,
                         const gnd_labelled *s, gnd_pool *pool, gnd_error *err);

/* How sure it is, 0 to 1, that classes grow in vain: those grown from other labels are others, and
 * hardly closer to these than prototypes. */
double gnd_instability(const gnd_resampling *r);

#endif
