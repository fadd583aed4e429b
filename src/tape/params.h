/* SPDX-License-Identifier: MIT
 * params.h - the parameters of a model: one block of values, one of gradients. */
#ifndef GND_TAPE_PARAMS_H
#define GND_TAPE_PARAMS_H

#include "tape.h"

typedef enum {
    GND_INIT_ZERO,
    GND_INIT_GLOROT, /* U(-s, s), s = sqrt(6 / (fan + cols)) */
    GND_INIT_LINEAR, /* U(-s, s), s = 1 / sqrt(fan): torch's Linear, weight and bias alike */
    GND_INIT_NORMAL  /* N(0, std^2) */
} gnd_init;

typedef struct {
    char *name;
    int64_t rows, cols;
    int64_t at; /* offset in the block */
    gnd_init init;
    int64_t fan; /* fan-in: the rows, unless the method says otherwise */
    double std;  /* for GND_INIT_NORMAL */
    bool decay;  /* the L2 term covers it */
} gnd_param;

/* Zero is valid and empty. */
typedef struct {
    gnd_param *p;
    int32_t n, cap;
    int64_t size; /* of the block */
    gnd_real *v;  /* [size] after gnd_params_alloc */
    gnd_real *g;  /* [size] */
} gnd_params;

typedef enum { GND_NO_DECAY, GND_DECAY } gnd_decay;

gnd_status gnd_param_add(gnd_params *ps, const char *name, int64_t rows, int64_t cols,
                         gnd_init init, gnd_decay decay, gnd_error *err);
/* Make the blocks, zeroed; no more parameters can be added. */
gnd_status gnd_params_alloc(gnd_params *ps, gnd_error *err);
/* Draw initial values; each parameter has its own stream, named by it. */
void gnd_params_draw(gnd_params *ps, uint64_t seed);
/* The i-th parameter as a variable; without a gradient when the tape is not training. */
gnd_var gnd_param_var(gnd_tape *t, const gnd_params *ps, int i);
/* Index of a name, -1 if there is none. */
int gnd_params_find(const gnd_params *ps, const char *name);
void gnd_params_fini(gnd_params *ps);

typedef enum {
    GND_L2_HALF, /* c/2 sum theta^2, gradient c theta (TF's l2_loss, torch's weight_decay) */
    GND_L2_FULL  /* c sum theta^2, gradient 2 c theta (Keras) */
} gnd_l2;

/* The L2 term of the parameters marked for decay. */
double gnd_l2_value(const gnd_params *ps, gnd_l2 how, double c);
/* Add its gradient to g. */
void gnd_l2_add_grad(gnd_params *ps, gnd_l2 how, double c);

#endif
