/* SPDX-License-Identifier: MIT
 * calibrate.c - one exponent for all rows, by false position: confidence grows with it. */
#include "calibrate.h"

#include <math.h>
#include <stdbool.h>

#include "constants.h"

enum { ROWS = 1024, POWER_COST = 40 }; /* POWER_COST: of a power, in multiplications */

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
typedef struct {
    const gnd_real *p; /* [n, C] */
    int64_t n, C, stride;
    const unsigned char *skip; /* [n] or NULL */
} sample;

static double confidence_at(const sample *s, double log_b)
{
    const double b = exp(log_b);
    double sum = 0;
    int64_t met = 0, count = 0;

    for (int64_t i = 0; i < s->n; i++)
        if ((!s->skip || !s->skip[i]) && met++ % s->stride == 0) {
            sum += top_share(s->p + i * s->C, s->C, b);
            count++;
        }
    return sum / (double)count;
}

/* log b for the target, or the nearest there is. What an end that stays lacks is halved each time,
 * Dowell and Jarratt, BIT 11 (1971), "Illinois"; and where two steps have not halved what lies
 * between the ends, as on a plateau, the next does. */
static double power_for(const sample *s, double target)
{
    double low = -log(CALIBRATE_POWER_MAX), high = log(CALIBRATE_POWER_MAX),
           width[2] = {high - low, high - low};
    double lacks = target - confidence_at(s, low), exceeds = confidence_at(s, high) - target;
    int moved = 0; /* the lower end -1, the upper 1 */

    if (!(lacks > 0))
        return low;
    if (!(exceeds > 0))
        return high;
    for (int k = 0; k < CALIBRATE_STEPS && high - low > CALIBRATE_POWER_TOL; k++) {
        const bool slow = k > 1 && high - low > width[k % 2] / 2;
        const double at =
            slow ? (low + high) / 2 : (low * exceeds + high * lacks) / (exceeds + lacks);
        const double over = confidence_at(s, at) - target;

        width[k % 2] = high - low;
        if (fabs(over) < CALIBRATE_CONFIDENCE_TOL)
            return at;
        if (over < 0) {
            low = at;
            lacks = -over;
            exceeds /= moved < 0 ? 2 : 1;
            moved = -1;
        } else {
            high = at;
            exceeds = over;
            lacks /= moved > 0 ? 2 : 1;
            moved = 1;
        }
    }
    return (low + high) / 2;
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

double gnd_calibrate_to(gnd_real *p, int64_t n, int64_t n_class, const unsigned char *skip,
                        double target, gnd_pool *pool)
{
    powers w = {p, n_class, 1};
    int64_t counting = 0;

    for (int64_t i = 0; i < n; i++)
        counting += !skip || !skip[i];
    if (counting == 0)
        return 1;
    w.b = exp(power_for(
        &(sample){p, n, n_class, counting > CALIBRATE_ROWS ? counting / CALIBRATE_ROWS : 1, skip},
        target));
    gnd_parallel_for(pool, n, ROWS, n * n_class * POWER_COST, power_rows, &w);
    return w.b;
}
