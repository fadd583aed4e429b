/* SPDX-License-Identifier: MIT
 * params.h - the parameters of a model: one block of values and one block of gradients. */
#ifndef GND_TAPE_PARAMS_H
#define GND_TAPE_PARAMS_H

#include "tape.h"

typedef enum {
    GND_INIT_ZERO,
    GND_INIT_GLOROT, /* U(-s, s), s = sqrt(6 / (fan + cols)) */
    GND_INIT_LINEAR, /* U(-s, s), s = 1 / sqrt(fan): torch.nn.Linear, weight and bias */
    GND_INIT_NORMAL  /* N(0, std^2) */
} gnd_init;

typedef struct {
    char *name;
    int64_t rows, cols;
    int64_t at; /* offset in the blocks */
    gnd_init init;
    int64_t fan; /* fan-in: the number of rows, unless the model overrides it */
    double std;  /* for GND_INIT_NORMAL */
    bool decay;  /* included in the L2 term */
    double rate; /* factor of the step size; 1 unless the model overrides it */
} gnd_param;

/* All zero is a valid empty set. */
typedef struct {
    gnd_param *p;
    int32_t n, cap;
    int64_t size; /* values per block */
    gnd_real *v;  /* [size], NULL before gnd_params_alloc */
    gnd_real *g;  /* [size] */
} gnd_params;

/* Adds a parameter [rows, cols]. flags: a gnd_init, with | GND_DECAY if the L2 term includes it. */
enum { GND_DECAY = 8 };
gnd_status gnd_param_add(gnd_params *ps, const char *name, int64_t rows, int64_t cols, int flags,
                         gnd_error *err);
/* Allocates both blocks, zeroed. No parameter can be added afterwards. */
gnd_status gnd_params_alloc(gnd_params *ps, gnd_error *err);
/* Draws the initial values. Each parameter has its own random stream, derived from its name. */
void gnd_params_draw(gnd_params *ps, uint64_t seed);
/* The i-th parameter as a variable; it has no gradient unless the tape is training. */
gnd_var gnd_param_var(gnd_tape *t, const gnd_params *ps, int i);
/* The index of the parameter with this name, or -1. */
int gnd_params_find(const gnd_params *ps, const char *name);
void gnd_params_fini(gnd_params *ps);

typedef enum {
    GND_L2_HALF, /* c/2 sum theta^2, gradient c theta (tf.nn.l2_loss, torch weight_decay) */
    GND_L2_FULL  /* c sum theta^2, gradient 2 c theta (Keras) */
} gnd_l2;

/* The L2 term of the parameters with decay. */
double gnd_l2_value(const gnd_params *ps, gnd_l2 how, double c);
/* The gradient of the term is this times the parameter; gnd_optim_step adds it. */
double gnd_l2_factor(gnd_l2 how, double c);

#endif
