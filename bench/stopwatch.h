/* SPDX-License-Identifier: MIT
 * stopwatch.h - clocks and medians for the programs that measure. */
#ifndef GND_BENCH_STOPWATCH_H
#define GND_BENCH_STOPWATCH_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* Milliseconds by CLOCK_MONOTONIC (the wall) or CLOCK_PROCESS_CPUTIME_ID (all threads). */
static inline double now_ms(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static inline int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The median of n numbers, which are sorted. */
static inline double median(double *v, int64_t n)
{
    qsort(v, (size_t)n, sizeof *v, by_size);
    return (v[n / 2] + v[(n - 1) / 2]) / 2;
}

/* The median distance of n + 1 times, which are overwritten. */
static inline double median_step(double *at, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        at[i] = at[i + 1] - at[i];
    return median(at, n);
}

#endif
