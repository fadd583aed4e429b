/* SPDX-License-Identifier: MIT
 * ls.h - label spreading itself, for those who check it. */
#ifndef GND_MODEL_METHODS_LS_H
#define GND_MODEL_METHODS_LS_H

#include "model/model.h"

/* F [n, C] of ls.c from the labels that `in` remembers, at this alpha; mass: each column divided by
 * its sum. pool may be NULL. */
gnd_status gnd_ls_spread(gnd_real *F, const gnd_inputs *in, int32_t n_class, double alpha,
                         bool mass, gnd_pool *pool, gnd_error *err);

#endif
