/* SPDX-License-Identifier: MIT
 * optim.h - optimisers that update a contiguous block of parameters. */
#ifndef GND_TAPE_OPTIM_H
#define GND_TAPE_OPTIM_H

#include "params.h"

typedef enum {
    GND_OPT_ADAM_TF,    /* epsilon outside the bias correction */
    GND_OPT_ADAM_TORCH, /* epsilon inside it */
    GND_OPT_SGD,        /* plain; lr_every may lower the step size */
    GND_OPT_ADAGRAD     /* accumulator starts at 0, epsilon 1e-6: see optim.c */
} gnd_opt_kind;

typedef struct {
    gnd_opt_kind kind;
    double lr;        /* current step size */
    int64_t t;        /* number of steps done */
    int64_t lr_every; /* SGD: lr falls by 0.01 lr0 after step i (from 0) if i > 0 and i % lr_every
                         == 0; 0: never */
    double lr0;
    int64_t n;
    gnd_real *m, *v; /* [n] moments */
} gnd_optim;

gnd_status gnd_optim_init(gnd_optim *o, gnd_opt_kind kind, double lr, int64_t n, gnd_error *err);
void gnd_optim_fini(gnd_optim *o);
/* Updates the parameters with their gradients, to which l2 times the parameter is added for those
 * with decay (gnd_l2_factor); ps->size is o->n. */
void gnd_optim_step(gnd_optim *o, gnd_params *ps, double l2);

#endif
