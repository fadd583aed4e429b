/* SPDX-License-Identifier: MIT
 * clock.c - elapsed time, CPU time and the date. */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"

#include <time.h>

static double read_clock(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double gnd_clock(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double gnd_clock_thread(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double gnd_clock_date(void)
{
    return read_clock(CLOCK_REALTIME);
}

const char *gnd_clock_text(char buf[GND_DATE_TEXT])
{
    const time_t now = (time_t)gnd_clock_date();
    struct tm tm;

    gmtime_r(&now, &tm);
    strftime(buf, GND_DATE_TEXT, "%Y-%m-%dT%H:%M:%SZ", &tm);
    return buf;
}
