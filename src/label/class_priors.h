/* SPDX-License-Identifier: MIT
 * class_priors.h - rows of class shares: who is surest, how links agree with them, known totals. */
#ifndef GND_LABEL_CLASS_PRIORS_H
#define GND_LABEL_CLASS_PRIORS_H

#include "kern/argmax.h"
#include "kern/csr.h"

/* Mean of what rows of vote: [n, C] give to the surest class of the rows of p. */
double gnd_agreement(const gnd_real *vote, const gnd_real *p, int64_t n, int64_t n_class);

typedef struct {
    double value; /* 1: always the same class; 0: as by chance */
    double error; /* standard error of 0 */
} gnd_kappa;

/* Cohen's kappa of the classes, argmax of each row, by p and by q: [n, C], over rows where skip is
 * 0. Zeros where there are none, or all have one class. room: [2 C] scratch. */
gnd_kappa gnd_class_kappa(const gnd_real *p, const gnd_real *q, int64_t n, int64_t n_class,
                          const unsigned char *skip, double *room);

/* How much more links join vertices of one class than chance would: 1 always, 0 by chance, below 0
 * less. p: [n, C] shares of a row; links: [n, n] symmetric, weights not negative; mass: [C]
 * scratch. 0 where there are no links or but one class. Cost: links times C. */
double gnd_homophily(const gnd_real *p, int64_t n_class, const gnd_csr *links, double *mass);

/* How well classes, cls: [n], foretell links that they were not fitted to. What a link of class a
 * with class b is worth is log(r_ab), r_ab how much more of the other links join them than chance
 * would; links left out are worth so much more than ends of theirs that were mixed up, in standard
 * deviations of those. 0 by chance; which classes are joined does not matter. links: [n, n]
 * symmetric, each counts by its weight; left: some of them, both ways; room: [C C + C] scratch;
 * error: its standard error where chance is all there is. 0 where nothing is left, or all is worth
 * the same. */
double gnd_link_prediction(const int32_t *cls, int64_t n_class, const gnd_csr *links,
                           const gnd_csr *left, double *room, double *error);

/* Scale the classes, and rows to sum 1 again, until the classes' shares of all rows of p: [n, C],
 * are the known ones, share: [C], over 0. Classes that no row has stay at 0. mass: [C] scratch. */
void gnd_match_priors(gnd_real *p, int64_t n, int64_t n_class, const gnd_real *share, double *mass);

/* 0 up to `from`, 1 from `to` on, and evenly between. */
static inline double gnd_ramp(double x, double from, double to)
{
    const double at = (x - from) / (to - from);

    return at > 0 ? at < 1 ? at : 1 : 0;
}

#endif
