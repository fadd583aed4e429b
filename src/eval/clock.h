/* SPDX-License-Identifier: MIT
 * clock.h - all access to clocks: elapsed time, CPU time and the date. No result depends on
 * them. */
#ifndef GND_EVAL_CLOCK_H
#define GND_EVAL_CLOCK_H

/* Seconds since an arbitrary start; monotonic. */
double gnd_clock(void);
/* CPU seconds of the calling thread: load by other programs does not change them. */
double gnd_clock_thread(void);
/* Seconds since 1970, by the system clock. */
double gnd_clock_date(void);
/* The same date as text, "2026-01-31T23:59:59Z". Returns buf. */
enum { GND_DATE_TEXT = 32 };
const char *gnd_clock_text(char buf[GND_DATE_TEXT]);

#endif
