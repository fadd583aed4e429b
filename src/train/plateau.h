/* SPDX-License-Identifier: MIT
 * plateau.h - reduction of the step size when the validation loss does not improve. */
#ifndef GND_TRAIN_PLATEAU_H
#define GND_TRAIN_PLATEAU_H

#include <stdbool.h>
#include <stdint.h>

/* As PyTorch's ReduceLROnPlateau with factor 0.8. Initialise with patience and zeros. */
typedef struct {
    int64_t patience; /* epochs without improvement before a reduction; 0: never reduce */
    double best;
    bool started;
    int64_t bad; /* epochs since the last improvement or reduction */
} gnd_plateau;

/* The step size after an epoch with this validation loss. A loss is an improvement if it is below
 * (1 - 1e-4) times the best. */
double gnd_plateau_update(gnd_plateau *p, double lr, double loss);

#endif
