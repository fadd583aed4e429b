/* SPDX-License-Identifier: MIT
 * stats.h - means and deviations. */
#ifndef GND_EVAL_STATS_H
#define GND_EVAL_STATS_H

#include <stdint.h>

/* A running mean (Welford). Zero is empty. */
typedef struct {
    int64_t n;
    double mean, m2;
} gnd_mean;

void gnd_mean_add(gnd_mean *m, double x);
/* Population standard deviation (divided by n), as the published tables have it. */
double gnd_mean_std(const gnd_mean *m);

#endif
