/* SPDX-License-Identifier: MIT
 * calibrate.c - one exponent for all rows, by bisection: confidence grows with it. */
#include "calibrate.h"

#include <math.h>

enum { ROWS = 1024, STEPS = 30 };
static const double b_max = 32;

typedef struct {
    gnd_real *p;
    int64_t C;
    double b;
} powers;

double gnd_confidence(const gnd_real *p, int64_t n, int64_t n_class, const unsigned char *skip)
{
    double sum = 0;
    int64_t count = 0;

    for (int64_t i = 0; i < n; i++) {
        gnd_real top = 0;

        if (skip && skip[i])
            continue;
        for (int64_t c = 0; c < n_class; c++)
            top = p[i * n_class + c] > top ? p[i * n_class + c] : top;
        sum += (double)top;
        count++;
    }
    return count ? sum / (double)count : NAN;
}

/* The largest share of a row raised to b: 1 / sum_c (p_c / top)^b. */
static double top_share(const gnd_real *row, int64_t C, double b)
{
    double top = 0, sum = 0;

    for (int64_t c = 0; c < C; c++)
        top = fmax(top, (double)row[c]);
    for (int64_t c = 0; c < C; c++)
        sum += row[c] > 0 ? pow((double)row[c] / top, b) : 0;
    return top > 0 ? 1 / sum : 0;
}

/* Every stride-th of the rows that count speaks for all: a mean over some thousand is sharp enough.
 * Not every stride-th row: where every other one is skipped, those could be all there are. */
static double confidence_at(const gnd_real *p, int64_t n, int64_t C, const unsigned char *skip,
                            int64_t stride, double b)
{
    double sum = 0;
    int64_t met = 0, count = 0;

    for (int64_t i = 0; i < n; i++)
        if ((!skip || !skip[i]) && met++ % stride == 0) {
            sum += top_share(p + i * C, C, b);
            count++;
        }
    return sum / (double)count;
}

static void power_rows(int64_t begin, int64_t end, void *arg)
{
    const powers *w = arg;

    for (int64_t i = begin; i < end; i++) {
        gnd_real *row = w->p + i * w->C;
        double top = 0, sum = 0;

        for (int64_t c = 0; c < w->C; c++)
            top = fmax(top, (double)row[c]);
        for (int64_t c = 0; c < w->C; c++) { /* of many classes all may be small: not below float */
            row[c] = row[c] > 0 ? (gnd_real)pow((double)row[c] / top, w->b) : 0;
            sum += (double)row[c];
        }
        for (int64_t c = 0; c < w->C && sum > 0; c++)
            row[c] = (gnd_real)((double)row[c] / sum);
    }
}

double gnd_temper_to(gnd_real *p, int64_t n, int64_t n_class, const unsigned char *skip,
                     double target, gnd_pool *pool)
{
    enum { SAMPLE = 4096 };
    double low = -log(b_max), high = log(b_max);
    powers w = {p, n_class, 1};
    int64_t counting = 0, stride;

    for (int64_t i = 0; i < n; i++)
        counting += !skip || !skip[i];
    if (counting == 0)
        return 1;
    stride = counting > SAMPLE ? counting / SAMPLE : 1;
    for (int k = 0; k < STEPS; k++) {
        const double mid = (low + high) / 2;

        if (confidence_at(p, n, n_class, skip, stride, exp(mid)) < target)
            low = mid;
        else
            high = mid;
    }
    w.b = exp((low + high) / 2);
    gnd_parallel_for(pool, n, ROWS, n * n_class * 40, power_rows, &w);
    return w.b;
}
