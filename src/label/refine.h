/* SPDX-License-Identifier: MIT
 * refine.h - a second look at the classes found: by a vertex's own features, or by its neighbours.
 */
#ifndef GND_LABEL_REFINE_H
#define GND_LABEL_REFINE_H

#include "self_train.h"

/* Diffusion mixes what a vertex has with all that it reaches, always to the same shares. Once
 * classes are found, it shows whether that left too much or too little of its own: discriminants
 * of own features, fitted to the classes found, tell most of them where features say much, and few
 * where they say little. */
typedef struct {
    const gnd_points *own;         /* own features, not diffused; in the middle: it has none */
    const gnd_csr *links;          /* [n, n] symmetric, without loops */
    const gnd_labelled *labelled;  /* of which shrink and pull count here */
    const unsigned char *excluded; /* [n] 1: its label is known, or nothing at all is */
    double own_power;              /* own features: at most to this power */
    double neighbour_weight;       /* neighbours: at most so much */
    double trust;                  /* 0..1: how far anything can be fitted to the classes found */
} gnd_refine_opts;

/* 0..1 each. */
typedef struct {
    double predicted; /* trust, as far as own features tell the classes found */
    double
        unexplained; /* own features and those of neighbours agree on what these do not explain */
} gnd_refine_weights;

/* p: [n, C] shares of a row, largest for the class found.
 *
 *     p' <- (1 - b) p + b mean of p' over neighbours, thrice from p' = p      b = share (1 - told)
 *     p_i <- p'_i q_i^(own told beyond),  rows of sum 1
 *     told = trust ramp(kappa(q, p))
 *     beyond = ramp((A - E - error(A)) / (E - chance))
 *
 * q: discriminants, fitted to the class found of each vertex, as much as it is sure of it, and to
 * labels as other fits are; kappa: how far they find the same class as p, beyond chance (Cohen). A:
 * how often they find the same as most neighbours' own features; E: how often they would if both
 * erred by chance, each as it does in each class found. Vertices of which neighbours say nothing,
 * or nothing clear, are not asked. Labels keep their class. Vertices without own features keep
 * p'_i, and those without links p_i, in the lines that ask for them. out may be NULL. */
gnd_status gnd_refine(gnd_real *p, gnd_refine_weights *out, const gnd_refine_opts *r,
                      gnd_pool *pool, gnd_error *err);

#endif
