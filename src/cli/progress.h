/* SPDX-License-Identifier: MIT
 * progress.h - progress of a long job on stderr. */
#ifndef GND_CLI_PROGRESS_H
#define GND_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "gnd.h"

/* Seconds of a monotonic clock. */
double clock_now(void);

typedef struct {
    const char *what; /* "cora, gnd-slp: epoch" */
    const char *left; /* "about", or "at most" if the job may end early */
    bool quiet, terminal, drawn;
    double start, last;
} progress;

/* Nothing is printed in the first second, and nothing if quiet. On a terminal one line is redrawn;
 * otherwise a line is written every few seconds. what and left must outlive p. */
void progress_start(progress *p, const char *what, const char *left, bool quiet);
/* done: steps done of at most total; detail: appended to the line, may be "". */
void progress_step(progress *p, int64_t done, int64_t total, const char *detail);
/* The same with a bar, for steps of unequal length, whose work the library estimates. */
void progress_work(progress *p, const gnd_sweep_progress *at, const char *detail);
/* The same for a call whose share the library estimates, 0..1; what is done, such as "labelling",
 * is in the line in place of p->what. To be passed as on_tick, with p as user. */
int progress_tick(const char *stage, double share, void *p);
/* The same if the remaining time is unknown. */
void progress_wait(progress *p, int64_t done, int64_t total, const char *detail);
/* Erase the line. Call before any other output. */
void progress_end(progress *p);

#endif
