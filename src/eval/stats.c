/* SPDX-License-Identifier: MIT
 * stats.c - running mean and variance by Welford's recurrence, which avoids cancellation;
 * Student's t by the incomplete beta function. */
#define _DEFAULT_SOURCE /* lgamma_r: lgamma writes a global */
#include "stats.h"

#include <float.h>
#include <math.h>

void gnd_mean_add(gnd_mean *m, double x)
{
    const double d = x - m->mean;

    m->n++;
    m->mean += d / (double)m->n;
    m->m2 += d * (x - m->mean);
}

double gnd_mean_get(const gnd_mean *m)
{
    return m->n ? m->mean : NAN;
}

double gnd_mean_std(const gnd_mean *m)
{
    return m->n ? sqrt(m->m2 / (double)m->n) : NAN;
}

/* Standard error of the mean, from the sample deviation. */
static double standard_error(const gnd_mean *m)
{
    return sqrt(m->m2 / (double)(m->n - 1) / (double)m->n);
}

double gnd_mean_margin(const gnd_mean *m)
{
    if (m->n < 2)
        return NAN;
    return gnd_student_quantile(0.05, (double)(m->n - 1)) * standard_error(m);
}

double gnd_mean_p(const gnd_mean *m)
{
    if (m->n < 2)
        return NAN;
    if (m->m2 == 0) /* all values are equal: no variance */
        return m->mean == 0 ? 1 : 0;
    return gnd_student_p(m->mean / standard_error(m), (double)(m->n - 1));
}

static double log_beta(double a, double b)
{
    int sign;

    return lgamma_r(a, &sign) + lgamma_r(b, &sign) - lgamma_r(a + b, &sign);
}

/* The continued fraction 1/(1+ d1/(1+ d2/(1+ ...))) of Abramowitz and Stegun 26.5.8, by Lentz's
 * method; it converges fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    enum { MAX_TERMS = 100000 }; /* about sqrt(max(a, b)) iterations are needed */
    double c = 1, d = 1 / fmax(1 - (a + b) * x / (a + 1), DBL_MIN), f = d;

    for (int k = 1; k < MAX_TERMS; k++) {
        const double m = k, even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double step;

        d = 1 / (1 + even * d);
        c = 1 + even / c;
        f *= c * d;
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        step = c * d;
        f *= step;
        if (fabs(step - 1) < DBL_EPSILON)
            break;
    }
    return f;
}

/* Regularised incomplete beta function I_x(a, b). y = 1 - x is a parameter of its own, since 1 - x
 * loses precision where y is small. */
static double beta_inc(double a, double b, double x, double y)
{
    double front;

    if (x <= 0)
        return 0;
    if (y <= 0)
        return 1;
    front = exp(a * log(x) + b * log(y) - log_beta(a, b));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, y) / b;
}

double gnd_student_p(double t, double freedom)
{
    const double tt = t * t;

    if (isinf(tt))
        return 0;
    return beta_inc(freedom / 2, 0.5, freedom / (freedom + tt), tt / (freedom + tt));
}

/* P decreases with t: double the upper bound until it is above t, then bisect to the last bit. */
double gnd_student_quantile(double p, double freedom)
{
    double low = 0, high = 1;

    while (gnd_student_p(high, freedom) > p && high < DBL_MAX / 4) {
        low = high;
        high *= 2;
    }
    for (;;) {
        const double mid = low + (high - low) / 2;

        if (!(mid > low && mid < high))
            return mid;
        if (gnd_student_p(mid, freedom) > p)
            low = mid;
        else
            high = mid;
    }
}
