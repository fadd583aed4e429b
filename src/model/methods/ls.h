/* SPDX-License-Identifier: MIT
 * ls.h - label spreading as a function, for the tests. */
#ifndef GND_MODEL_METHODS_LS_H
#define GND_MODEL_METHODS_LS_H

#include "model/model.h"

typedef struct {
    double alpha;   /* weight of the neighbours, in (0, 1) */
    bool normalise; /* divide each column of F by its sum */
} gnd_ls_opts;

/* F [n, n_class] of ls.c from the labels in->labelled. pool may be NULL. */
gnd_status gnd_ls_spread(gnd_real *F, const gnd_inputs *in, int32_t n_class, gnd_ls_opts o,
                         gnd_pool *pool, gnd_error *err);

#endif
