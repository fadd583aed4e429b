/* SPDX-License-Identifier: MIT
 * cs.h - the two halves of Correct and Smooth, for those who check them. */
#ifndef GND_MODEL_METHODS_CS_H
#define GND_MODEL_METHODS_CS_H

#include "model/model.h"

typedef struct {
    int64_t n, C, iterations;
    const gnd_csr *op1, *op2; /* [n, n] */
    double a1, a2;
    const int32_t *labelled, *labelled_cls; /* [n_labelled] training vertices and their classes */
    int64_t n_labelled;
    /* What the halves leave, on the tape's arena: */
    double sigma;     /* mean error of a training vertex, summed over classes */
    gnd_real *R;      /* [n, C] spread errors */
    gnd_real *factor; /* [n] what a row of R is multiplied with */
    gnd_real *Z;      /* [n, C] corrected probabilities */
    gnd_real *F;      /* [n, C] smoothed ones */
} gnd_cs;

/* R, factor and Z from probabilities prob [n, C]. NULL pointers after the tape's sticky error. */
void gnd_cs_correct(gnd_cs *w, gnd_tape *t, const gnd_real *prob);
/* F from Z. */
void gnd_cs_smooth(gnd_cs *w, gnd_tape *t);

#endif
