/* SPDX-License-Identifier: MIT
 * tick.c - calls of a progress-and-cancel callback, at intervals. */
#define _POSIX_C_SOURCE 200809L
#include "tick.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The header promises five calls per second. A call follows the first check after the interval, so
 * this leaves as much again for the time between two checks. */
enum { DEFAULT_MS = 100 };

static int64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void gnd_tick_init(gnd_ticker *t, gnd_on_progress *fn, void *user, const char *stage)
{
    const char *ms = fn ? getenv("GND_TICK_MS") : NULL;

    t->interval = (ms && *ms ? strtoll(ms, NULL, 10) : DEFAULT_MS) * 1000000;
    t->fn = fn;
    t->user = user;
    t->stage = stage;
    gnd_tick_step(t, NULL);
    t->span = (gnd_span){0, 1};
    t->share = 0;
    t->next = 0;
    atomic_init(&t->stopped, false);
}

void gnd_tick_step(gnd_ticker *t, const char *step)
{
    if (t->fn)
        snprintf(t->text, sizeof t->text, "%s%s%s", t->stage, step ? ": " : "", step ? step : "");
}

bool gnd_tick_call(gnd_ticker *t)
{
    int64_t at;

    if (!t->fn)
        return false;
    if (gnd_tick_stopped(t))
        return true;
    at = now();
    if (at < t->next)
        return false;
    t->next = at + t->interval;
    if (t->fn(t->text, t->share, t->user) != 0)
        atomic_store(&t->stopped, true);
    return gnd_tick_stopped(t);
}

bool gnd_tick_stopped(const gnd_ticker *t)
{
    return atomic_load_explicit(&t->stopped, memory_order_relaxed);
}

void gnd_tick_done(gnd_ticker *t, double part)
{
    const double share = t->span.begin + fmin(fmax(part, 0), 1) * (t->span.end - t->span.begin);

    t->share = fmax(t->share, share);
}
