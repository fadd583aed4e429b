/* SPDX-License-Identifier: MIT
 * class_priors.h - statistics of class probabilities: kappa, class shares, weights of classes. */
#ifndef GND_LABEL_CLASS_PRIORS_H
#define GND_LABEL_CLASS_PRIORS_H

#include "kern/argmax.h"
#include "kern/csr.h"

typedef struct {
    double value; /* 1: always the same class; 0: as by chance */
    double error; /* standard error of 0 */
} gnd_kappa;

/* Cohen's kappa of the classes, argmax of each row, by p and by q: [n, C], over rows where skip is
 * 0. Zeros where there are none, or all have one class. room: [2 C] scratch. */
gnd_kappa gnd_class_kappa(const gnd_real *p, const gnd_real *q, int64_t n, int64_t n_class,
                          const unsigned char *skip, double *room, gnd_part *part);

/* share: [C] mean of the rows of p: [n, C] where skip (NULL: none) is 0; 0 if there are none. */
void gnd_class_shares(double *share, const gnd_real *p, int64_t n, int64_t n_class,
                      const unsigned char *skip, gnd_part *part);

/* Scale classes and rows in turn until gnd_class_shares are the known ones, share: [C], all over 0.
 * Classes without probability stay at 0, rows that are skipped as they are. factor: [C] by which
 * classes were multiplied in all. mass: [C] scratch. */
void gnd_match_priors(gnd_real *p, int64_t n, int64_t n_class, const unsigned char *skip,
                      const gnd_real *share, double *factor, double *mass, gnd_part *part);

/* weight: [C] by which to multiply the class probabilities p: [n, C] for a larger macro-F1: the
 * share of a class to the power -BALANCE_POWER. 0 chooses labels for accuracy, 1 for the mean
 * accuracy of the classes. Rows where skip is 1 do not count. */
void gnd_balance_weights(double *weight, const gnd_real *p, int64_t n, int64_t n_class,
                         const unsigned char *skip, gnd_part *part);

/* Multiply the columns of p: [n, C] by weight: [C] and make rows of sum 1. Returns the accuracy to
 * expect of the new argmax, by the old probabilities, where skip is 0; NAN if it is nowhere. */
double gnd_balance_apply(gnd_real *p, int64_t n, int64_t n_class, const double *weight,
                         const unsigned char *skip, gnd_part *part);

/* 0 up to `from`, 1 from `to` on, linear between. */
static inline double gnd_ramp(double x, double from, double to)
{
    const double at = (x - from) / (to - from);

    return at > 0 ? at < 1 ? at : 1 : 0;
}

#endif
