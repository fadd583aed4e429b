/* SPDX-License-Identifier: MIT
 * ridge.h - kernel ridge regression of the classes on a few labelled vertices. */
#ifndef GND_LABEL_RIDGE_H
#define GND_LABEL_RIDGE_H

#include "self_train.h"

/* The labels that a regression uses: all, or RIDGE_LABELS_MAX of them, taken evenly from the list,
 * so that the cost of a regression stays bounded. Returns how many; which: [s->n]. */
int64_t gnd_ridge_labels(int32_t *which, const gnd_labelled *s);

/* K: [m, m] inner products of the rows of a: [m, d]. room: [d] zeros, which it is left with. */
void gnd_row_products(double *K, const gnd_csr *a, double *room);

/* coef: [m, n_class] = (K + RIDGE_PENALTY I)^-1 (Y - 1 / n_class)
 *
 * K: [m, m] similarities of the m labelled vertices listed in which, symmetric and positive
 * semi-definite, overwritten. Y: [m, n_class], 1 for the class of a label, else 0. The score of a
 * vertex is its similarities to these times coef. */
void gnd_ridge_fit(double *coef, double *K, const int32_t *which, int64_t m, const gnd_labelled *s);

#endif
