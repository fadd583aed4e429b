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
    double own_power;              /* exponent of own features */
    double neighbour_weight;       /* weight of neighbours */
} gnd_refine_opts;

/* p: [n, C], rows of sum 1; the class found is the argmax.
 *
 *     kappa(q, p) > REFINE_KAPPA    p_i <- p_i q_i^own_power, rows of sum 1
 *     else                          p_i <- (1 - b) p_i + b mean of p over neighbours
 *     b = neighbour_weight
 *
 * q: [n, C] discriminants of own features, fitted to the class found of each vertex weighted by its
 * probability, and to labels as in self-training; kappa: Cohen's, of the argmax of q and p, over
 * vertices with features and links that are not excluded. Labelled vertices keep their class.
 * Vertices without own features, or without links, keep p_i. by_own: which of the two; may be NULL.
 * Same bits for any number of threads. */
gnd_status gnd_refine(gnd_real *p, bool *by_own, const gnd_refine_opts *r, gnd_pool *pool,
                      gnd_error *err);

#endif
