/* SPDX-License-Identifier: MIT
 * tick.h - calls of the caller's progress-and-cancel callback during a long call: not more often
 * than needed, and with a share that never falls. */
#ifndef GND_BASE_TICK_H
#define GND_BASE_TICK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "gnd.h"

/* Shares of the call, 0..1, between which the present step lies. */
typedef struct {
    double begin, end;
} gnd_span;

/* Zero is valid: there is no callback. */
typedef struct {
    gnd_on_progress *fn;
    void *user;
    const char *stage;
    char text[64]; /* the stage with its step, if there is one */
    gnd_span span;
    double share;        /* reported last; NAN: not known */
    int64_t next;        /* time of the next call, in ns */
    int64_t interval;    /* between two calls, in ns */
    atomic_bool stopped; /* the callback asked to stop */
} gnd_ticker;

/* Calls are at least 100 ms apart; GND_TICK_MS in the environment sets another interval, for tests.
 */
void gnd_tick_init(gnd_ticker *t, gnd_on_progress *fn, void *user, const char *stage);
/* Call the callback if it is time. Only from the thread that made the call. Returns whether to
 * stop. */
bool gnd_tick_call(gnd_ticker *t);
/* Has the callback asked to stop? From any thread. */
bool gnd_tick_stopped(const gnd_ticker *t);
/* What is being done within the stage: the callback gets "stage: step". NULL: the stage alone. */
void gnd_tick_step(gnd_ticker *t, const char *step);
/* `part` (0..1) of the present step is done. */
void gnd_tick_done(gnd_ticker *t, double part);

#endif
