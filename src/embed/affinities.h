/* SPDX-License-Identifier: MIT
 * affinities.h - the input similarities of t-SNE. */
#ifndef GND_EMBED_AFFINITIES_H
#define GND_EMBED_AFFINITIES_H

#include "kern/csr.h"
#include "neighbours.h"

/* P: [n, n], symmetric, of sum 1, from the neighbours of each point:
 *
 *     p_j|i = e^(-b_i |x_i - x_j|^2) / sum_j',     P = (p_j|i + p_i|j) / (2 n)
 *
 * with b_i such that the entropy of p_.|i is log(perplexity), as far as this is possible: points
 * at equal distances are equally similar. 1 <= perplexity; P is empty if k is 0. */
gnd_status gnd_affinities(gnd_csr *out, const gnd_neighbours *nb, double perplexity, gnd_pool *pool,
                          gnd_error *err);

#endif
