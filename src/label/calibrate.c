/* SPDX-License-Identifier: MIT
 * calibrate.c - one exponent for all rows, by bisection: the mean confidence grows with it.
 *
 *     p_ic <- p_ic^b / sum_k p_ik^b,   mean_i max_c p_ic = target,   p: [n, C] */
#include "calibrate.h"

#include <math.h>
#include <stddef.h>

enum {
    ROWS = 1024,
    SAMPLE = 4096,   /* rows that the mean confidence is measured on, at least; limits the cost */
    STEPS = 24,      /* of the bisection: log b to 4e-7 */
    POWER_COST = 40, /* of a power, in multiplications */
};

typedef struct {
    gnd_real *p;
    int64_t C;
    double b;
} powers;

/* to: [C] row^b, of sum 1; NULL: not wanted. Returns the largest of these. */
static double power_row(gnd_real *to, const gnd_real *row, int64_t C, double b)
{
    double top = 0, sum = 0;

    for (int64_t c = 0; c < C; c++)
        top = fmax(top, (double)row[c]);
    for (int64_t c = 0; c < C; c++) { /* relative to the largest: powers must not underflow */
        const double x = row[c] > 0 ? pow((double)row[c] / top, b) : 0;

        sum += x;
        if (to)
            to[c] = (gnd_real)x;
    }
    for (int64_t c = 0; c < C && to && sum > 0; c++)
        to[c] = (gnd_real)((double)to[c] / sum);
    return sum > 0 ? 1 / sum : 0;
}

static void power_rows(int64_t begin, int64_t end, void *arg)
{
    const powers *w = arg;

    for (int64_t i = begin; i < end; i++)
        power_row(w->p + i * w->C, w->p + i * w->C, w->C, w->b);
}

/* Mean confidence of p^b over every stride-th of the rows that are not skipped; a pattern in skip
 * cannot empty this sample. */
static double confidence(const powers *w, int64_t n, const unsigned char *skip, int64_t stride)
{
    double sum = 0;
    int64_t met = 0, count = 0;

    for (int64_t i = 0; i < n; i++)
        if ((!skip || !skip[i]) && met++ % stride == 0) {
            sum += power_row(NULL, w->p + i * w->C, w->C, w->b);
            count++;
        }
    return sum / (double)count;
}

double gnd_calibrate_to(gnd_real *p, int64_t n, int64_t n_class, const unsigned char *skip,
                        double target, gnd_pool *pool)
{
    double low = -log(GND_CALIBRATE_POWER_MAX), high = -low;
    powers w = {p, n_class, 1};
    int64_t counting = 0;

    for (int64_t i = 0; i < n; i++)
        counting += !skip || !skip[i];
    if (counting == 0)
        return 1;
    for (int k = 0; k < STEPS; k++) {
        const double at = (low + high) / 2;

        w.b = exp(at);
        if (confidence(&w, n, skip, counting > SAMPLE ? counting / SAMPLE : 1) < target)
            low = at;
        else
            high = at;
    }
    gnd_parallel_for(pool, n, ROWS, n * n_class * POWER_COST, power_rows, &w);
    return w.b;
}
