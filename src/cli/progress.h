/* SPDX-License-Identifier: MIT
 * progress.h - progress of a long job on stderr. */
#ifndef GND_CLI_PROGRESS_H
#define GND_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "args.h"
#include "gnd.h"

/* Seconds of a monotonic clock. */
double clock_now(void);

typedef struct {
    const char *what; /* "cora, gnd-slp: epoch" */
    const char *left; /* "about", or "at most" if the job may end early */
    bool off, terminal, drawn;
    double start, last, every; /* every: seconds between two lines */
} progress;

/* Is no progress shown? With --quiet, and without --progress if stderr is not a terminal. */
bool progress_off(const cli_args *a);
/* Nothing is printed in the first second, and nothing if off. On a terminal one line is redrawn;
 * otherwise a line is written every few seconds. GND_PROGRESS_MS in the environment replaces the
 * first second, for tests. what and left must outlive p. */
void progress_start(progress *p, const char *what, const char *left, bool off);
/* done: steps done of at most total; detail: appended to the line, may be "". */
void progress_step(progress *p, int64_t done, int64_t total, const char *detail);
/* The same with a bar, for steps of unequal length, whose work the library estimates. */
void progress_work(progress *p, const gnd_sweep_progress *at, const char *detail);
/* The same for a call whose share the library estimates, 0..1; what is done, such as "labelling",
 * is in the line in place of p->what. If the share is not known, the time so far is shown. To be
 * passed as on_tick, with p as user. */
int progress_tick(const char *stage, double share, void *p);
/* The same if the remaining time is unknown. */
void progress_wait(progress *p, int64_t done, int64_t total, const char *detail);
/* Erase the line. Call before any other output. */
void progress_end(progress *p);

#endif
