/* SPDX-License-Identifier: MIT
 * stats.c - Welford's recurrence: no catastrophic cancellation. */
#include "stats.h"

#include <math.h>

void gnd_mean_add(gnd_mean *m, double x)
{
    const double d = x - m->mean;

    m->n++;
    m->mean += d / (double)m->n;
    m->m2 += d * (x - m->mean);
}

double gnd_mean_std(const gnd_mean *m)
{
    return m->n ? sqrt(m->m2 / (double)m->n) : NAN;
}
