/* SPDX-License-Identifier: MIT
 * progress.h - how far a long job is, on stderr. */
#ifndef GND_CLI_PROGRESS_H
#define GND_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "gnd.h"

/* Seconds of a clock that only goes forward. */
double clock_now(void);

typedef struct {
    const char *what; /* "cora, gnd-slp: epoch" */
    const char *left; /* "about", or "at most" if the job may end early */
    bool quiet, terminal, drawn;
    double start, last;
} progress;

/* Nothing is shown before the job has taken over a second, and nothing ever if quiet. On a terminal
 * one line is redrawn; elsewhere a line is written every few seconds. what and left must outlive
 * p. */
void progress_start(progress *p, const char *what, const char *left, bool quiet);
/* done of at most total steps; detail follows in the line, may be "". */
void progress_step(progress *p, int64_t done, int64_t total, const char *detail);
/* The same with a bar, for steps of unequal length, whose work the library estimates. */
void progress_work(progress *p, const gnd_sweep_progress *at, const char *detail);
/* The same where nobody knows how long it takes. */
void progress_wait(progress *p, int64_t done, int64_t total, const char *detail);
/* Wipe the line. Call before anything else is said. */
void progress_end(progress *p);

#endif
