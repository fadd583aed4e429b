/* SPDX-License-Identifier: MIT
 * mixture.h - the predictors of the classes, weighted by evidence and combined. */
#ifndef GND_LABEL_MIXTURE_H
#define GND_LABEL_MIXTURE_H

#include "predictors.h"

/* Zero is valid and empty. */
typedef struct {
    uint32_t used;                      /* predictors that take part, as bits */
    double prior[GND_PREDICTORS];       /* weights before labels are held out, of sum 1 */
    double weight[GND_PREDICTORS];      /* weights, of sum 1 */
    double temperature[GND_PREDICTORS]; /* factors of the scores */
    double stability; /* share of the vertices that get the same class from resampled labels */
    /* Labels held out in turn; none with one label per class. */
    bool *held_out;      /* [labels] */
    gnd_real *held_prob; /* [labels, C] by a mixture whose weights come from the other folds */
    int64_t n_held_out;
} gnd_mixture;

/* prob: [n, C], rows of sum 1. used: the predictors that may take part, as bits; those that have
 * nothing to go by do not. */
gnd_status gnd_mixture_fit(gnd_mixture *m, gnd_real *prob, const gnd_prepared *g,
                           const gnd_labelled *s, uint32_t used, gnd_pool *pool, gnd_error *err);
void gnd_mixture_fini(gnd_mixture *m);

/* Held-out labels that the mixture predicts right. */
int64_t gnd_held_out_hits(const gnd_mixture *m, const gnd_labelled *s);

#endif
