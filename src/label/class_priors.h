/* SPDX-License-Identifier: MIT
 * class_priors.h - statistics of class probabilities: agreement, homophily, known class shares. */
#ifndef GND_LABEL_CLASS_PRIORS_H
#define GND_LABEL_CLASS_PRIORS_H

#include "kern/argmax.h"
#include "kern/csr.h"

/* Mean over the rows of vote: [n, C] at the argmax of p: [n, C]. */
double gnd_agreement(const gnd_real *vote, const gnd_real *p, int64_t n, int64_t n_class);

typedef struct {
    double value; /* 1: always the same class; 0: as by chance */
    double error; /* standard error of 0 */
} gnd_kappa;

/* Cohen's kappa of the classes, argmax of each row, by p and by q: [n, C], over rows where skip is
 * 0. Zeros where there are none, or all have one class. room: [2 C] scratch. */
gnd_kappa gnd_class_kappa(const gnd_real *p, const gnd_real *q, int64_t n, int64_t n_class,
                          const unsigned char *skip, double *room);

/* Adjusted homophily: 1 if links always join one class, 0 as by chance, below 0 less often. p: [n,
 * C], rows of sum 1; links: [n, n] symmetric, weights not negative; mass: [C] scratch. 0 without
 * links or with one class. Cost: links times C. */
double gnd_homophily(const gnd_real *p, int64_t n_class, const gnd_csr *links, double *mass);

/* How well classes, cls: [n], predict links they were not fitted to. The score of a link between
 * classes a and b is log(r_ab), r_ab the frequency of such links among the others relative to
 * chance. Returns the mean score of the held-out links minus that of randomly joined ends, in
 * standard deviations of the latter: 0 by chance; homophily is not assumed. links: [n, n]
 * symmetric, weighted; left: some of them, symmetric; room: [C C + C] scratch; error: standard
 * error of 0. 0 if nothing is held out or all scores are equal. */
double gnd_link_prediction(const int32_t *cls, int64_t n_class, const gnd_csr *links,
                           const gnd_csr *left, double *room, double *error);

/* Scale classes and rows in turn until the class shares over all rows of p: [n, C] are the known
 * ones, share: [C], all over 0. Classes without probability stay at 0. mass: [C] scratch. */
void gnd_match_priors(gnd_real *p, int64_t n, int64_t n_class, const gnd_real *share, double *mass);

/* 0 up to `from`, 1 from `to` on, linear between. */
static inline double gnd_ramp(double x, double from, double to)
{
    const double at = (x - from) / (to - from);

    return at > 0 ? at < 1 ? at : 1 : 0;
}

#endif
