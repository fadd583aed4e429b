/* SPDX-License-Identifier: MIT
 * plateau.h - a step size that falls when the validation loss no longer does. */
#ifndef GND_TRAIN_PLATEAU_H
#define GND_TRAIN_PLATEAU_H

#include <stdbool.h>
#include <stdint.h>

/* As PyTorch's ReduceLROnPlateau with factor .8. Zero, but for patience, is a valid start. */
typedef struct {
    int64_t patience; /* epochs without improvement that pass; the next one cuts. 0: never cut */
    double best;
    bool started;
    int64_t bad; /* epochs without improvement */
} gnd_plateau;

/* The step size after an epoch with this validation loss. An improvement is a loss below the best
 * by more than 1e-4 of it. */
double gnd_plateau_see(gnd_plateau *p, double lr, double loss);

#endif
