/* SPDX-License-Identifier: MIT
 * refine.h - refinement of the classes found, by each vertex's own features or by its neighbours.
 */
#ifndef GND_LABEL_REFINE_H
#define GND_LABEL_REFINE_H

#include "self_train.h"

/* Diffusion mixes the features of a vertex and of its surroundings in the same proportion on every
 * graph. Discriminants of own features, fitted to the classes found, show whether that was right:
 * where they predict most of these classes, own features deserve more weight; where they predict
 * few, neighbours do. */
typedef struct {
    const gnd_points *own; /* own features, not diffused; at 0: it has none */
    const gnd_csr *links;  /* [n, n] symmetric, without loops */
    const gnd_labelled *labelled;
    const unsigned char *excluded; /* [n] 1: labelled, or without coordinates */
    double own_power;              /* largest exponent of own features */
    double neighbour_weight;       /* largest weight of neighbours */
} gnd_refine_opts;

/* 0..1 each. */
typedef struct {
    double predicted;   /* how well own features predict the classes found */
    double unexplained; /* own features agree with those of neighbours beyond what the classes found
                           explain */
} gnd_refine_weights;

/* p: [n, C], rows of sum 1; the class found is the argmax.
 *
 *     p' <- (1 - b) p + b mean of p' over neighbours, REFINE_ROUNDS times from p' = p
 *     p_i <- p'_i q_i^(own_power predicted unexplained),  rows of sum 1
 *     b = neighbour_weight (1 - predicted)
 *     predicted = ramp(kappa(q, p))
 *     unexplained = ramp((A - E - error(A)) / (E - chance))
 *
 * q: [n, C] discriminants of own features, fitted to the class found of each vertex weighted by its
 * probability, and to labels as in self-training; kappa: Cohen's, of the argmax of q and p. A: how
 * often the argmax of q is that of most neighbours; E: how often it would be if both erred
 * independently within each class found. Vertices whose neighbours have no clear majority are not
 * compared. Labelled vertices keep their class. Vertices without own features keep p'_i, those
 * without links p_i. out may be NULL. */
gnd_status gnd_refine(gnd_real *p, gnd_refine_weights *out, const gnd_refine_opts *r,
                      gnd_pool *pool, gnd_error *err);

#endif
