/* SPDX-License-Identifier: MIT
 * clock.h - the only place that reads a clock: how long a training took, and when. No result
 * depends on it. */
#ifndef GND_EVAL_CLOCK_H
#define GND_EVAL_CLOCK_H

/* Seconds since some moment; it never goes back. */
double gnd_clock(void);
/* Seconds that a CPU has worked for this thread: a busy machine does not add to them. */
double gnd_clock_thread(void);
/* Seconds since 1970, by the system's date. */
double gnd_clock_date(void);
/* That date as text, "2026-01-31T23:59:59Z". Returns buf. */
enum { GND_DATE_TEXT = 32 };
const char *gnd_clock_text(char buf[GND_DATE_TEXT]);

#endif
