/* SPDX-License-Identifier: MIT
 * class_priors.c - sums over rows of class probabilities, in double and in order. Known class
 * shares are met by Sinkhorn and Knopp's scaling (1967). */
#include "class_priors.h"

#include <math.h>
#include <string.h>

#include "constants.h"

gnd_kappa gnd_class_kappa(const gnd_real *p, const gnd_real *q, int64_t n, int64_t n_class,
                          const unsigned char *skip, double *room, gnd_part *part)
{
    const gnd_row_range own = gnd_part_own(part, n);
    double same = 0, compared = 0, chance = 0;

    memset(room, 0, (size_t)(2 * n_class) * sizeof *room);
    for (int64_t i = own.begin; i < own.end; i++) {
        const int64_t a = gnd_argmax(p + i * n_class, n_class);
        const int64_t b = gnd_argmax(q + i * n_class, n_class);

        if (skip[i])
            continue;
        room[a]++;
        room[n_class + b]++;
        same += a == b;
        compared++;
    }
    gnd_part_sum(part, room, 2 * n_class);
    gnd_part_sum(part, &same, 1);
    gnd_part_sum(part, &compared, 1);
    for (int64_t c = 0; c < n_class && compared > 0; c++)
        chance += room[c] / compared * (room[n_class + c] / compared);
    if (!(compared > 0 && chance < 1))
        return (gnd_kappa){0, 0};
    return (gnd_kappa){(same / compared - chance) / (1 - chance),
                       sqrt(chance / ((1 - chance) * compared))};
}

void gnd_class_shares(double *share, const gnd_real *p, int64_t n, int64_t n_class,
                      const unsigned char *skip, gnd_part *part)
{
    const gnd_row_range own = gnd_part_own(part, n);
    int64_t count = 0;

    for (int64_t i = own.begin; i < own.end; i++)
        count += !skip || !skip[i];
    gnd_part_counts(part, &count, 1);
    memset(share, 0, (size_t)n_class * sizeof *share);
    for (int64_t i = own.begin; i < own.end; i++)
        for (int64_t c = 0; c < n_class && (!skip || !skip[i]); c++)
            share[c] += (double)p[i * n_class + c] / (double)count;
    gnd_part_sum(part, share, n_class);
}

void gnd_match_priors(gnd_real *p, int64_t n, int64_t n_class, const unsigned char *skip,
                      const gnd_real *share, double *factor, double *mass, gnd_part *part)
{
    const int64_t C = n_class;

    for (int64_t c = 0; c < C; c++)
        factor[c] = 1;
    for (int k = 0; k < PRIOR_ROUNDS; k++) {
        gnd_class_shares(mass, p, n, C, skip, part);
        for (int64_t c = 0; c < C; c++) {
            mass[c] = mass[c] > 0 ? (double)share[c] / mass[c] : 0;
            factor[c] *= mass[c];
        }
        for (int64_t i = 0; i < n; i++) {
            gnd_real *row = p + i * C;
            double sum = 0;

            if (skip && skip[i])
                continue;
            for (int64_t c = 0; c < C; c++) {
                row[c] *= (gnd_real)mass[c];
                sum += (double)row[c];
            }
            for (int64_t c = 0; c < C && sum > 0; c++)
                row[c] = (gnd_real)((double)row[c] / sum);
        }
    }
}

void gnd_balance_weights(double *weight, const gnd_real *p, int64_t n, int64_t n_class,
                         const unsigned char *skip, gnd_part *part)
{
    gnd_class_shares(weight, p, n, n_class, skip, part);
    for (int64_t c = 0; c < n_class; c++)
        weight[c] = weight[c] > 0 ? pow(weight[c], -BALANCE_POWER) : 1;
}

double gnd_balance_apply(gnd_real *p, int64_t n, int64_t n_class, const double *weight,
                         const unsigned char *skip, gnd_part *part)
{
    const gnd_row_range own = gnd_part_own(part, n);
    double expected = 0;
    int64_t count = 0;

    for (int64_t i = 0; i < n; i++) {
        gnd_real *row = p + i * n_class;
        double sum = 0;
        int64_t top = 0;

        for (int64_t c = 0; c < n_class; c++) {
            top = weight[c] * (double)row[c] > weight[top] * (double)row[top] ? c : top;
            sum += weight[c] * (double)row[c];
        }
        if (i >= own.begin && i < own.end && !skip[i]) {
            expected += (double)row[top];
            count++;
        }
        for (int64_t c = 0; c < n_class && sum > 0; c++)
            row[c] = (gnd_real)(weight[c] * (double)row[c] / sum);
    }
    gnd_part_sum(part, &expected, 1);
    gnd_part_counts(part, &count, 1);
    return count ? expected / (double)count : NAN;
}
