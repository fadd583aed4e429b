/* SPDX-License-Identifier: MIT
 * stats.h - means, deviations, and Student's t. */
#ifndef GND_EVAL_STATS_H
#define GND_EVAL_STATS_H

#include <stdint.h>

/* A running mean (Welford). Zero is empty. */
typedef struct {
    int64_t n;
    double mean, m2;
} gnd_mean;

void gnd_mean_add(gnd_mean *m, double x);
/* The mean; NAN if n = 0. */
double gnd_mean_get(const gnd_mean *m);
/* Population standard deviation (divided by n), as in the published tables; NAN if n = 0. */
double gnd_mean_std(const gnd_mean *m);
/* Half the width of the 95 % interval of the mean, by Student's t with n - 1 degrees of freedom;
 * NAN if n < 2. */
double gnd_mean_margin(const gnd_mean *m);
/* Two-sided p-value of the mean under the hypothesis that the true mean is 0; NAN if n < 2. */
double gnd_mean_p(const gnd_mean *m);

/* P(|T| >= |t|) of Student's t with `freedom` > 0 degrees of freedom. */
double gnd_student_p(double t, double freedom);
/* t >= 0 with P(|T| >= t) = p, 0 < p < 1. */
double gnd_student_quantile(double p, double freedom);

#endif
