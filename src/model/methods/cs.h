/* SPDX-License-Identifier: MIT
 * cs.h - the two steps of Correct and Smooth, for the tests. */
#ifndef GND_MODEL_METHODS_CS_H
#define GND_MODEL_METHODS_CS_H

#include "model/model.h"

typedef struct {
    int64_t n, C, iterations;
    const gnd_csr *op1, *op2; /* [n, n] */
    double a1, a2;
    const int32_t *labelled, *labelled_cls; /* [n_labelled] training vertices and their classes */
    int64_t n_labelled;
    /* Results of the steps, in the tape's arena: */
    double sigma;     /* mean over training vertices of the 1-norm of the error */
    gnd_real *R;      /* [n, C] diffused errors */
    gnd_real *factor; /* [n] f of cs.c */
    gnd_real *Z;      /* [n, C] corrected probabilities */
    gnd_real *F;      /* [n, C] smoothed probabilities */
} gnd_cs;

/* R, factor and Z from probabilities prob [n, C]; NULL if the tape fails. */
void gnd_cs_correct(gnd_cs *w, gnd_tape *t, const gnd_real *prob);
/* F from Z. */
void gnd_cs_smooth(gnd_cs *w, gnd_tape *t);

#endif
