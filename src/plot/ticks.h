/* SPDX-License-Identifier: MIT
 * ticks.h - the range of an axis and its ticks. */
#ifndef GND_PLOT_TICKS_H
#define GND_PLOT_TICKS_H

#include <stdbool.h>
#include <stdint.h>

/* What an axis shows; low < high, and 0 < low if log. */
typedef struct {
    double low, high;
    bool log;
} gnd_range;

enum { GND_TICKS = 64, GND_TICK_TEXT = 24 };

typedef struct {
    double at;
    char text[GND_TICK_TEXT]; /* what follows '^' is an exponent; empty: a tick without label */
} gnd_tick;

/* The range for data from low to high, a little wider than they are, so that no mark touches the
 * frame. Also valid for a single value, and for none: low > high. */
gnd_range gnd_range_make(double low, double high, bool log);
/* Where a value is in the range: 0 at its low end, 1 at its high end. */
double gnd_range_share(const gnd_range *r, double v);
/* Ticks at round values, about `want` of them with labels. out: [GND_TICKS]. Returns their
 * number. */
int64_t gnd_ticks_make(gnd_tick *out, const gnd_range *r, int want);

/* v rounded to a number of decimals (0 to 12), with a decimal point in any locale; zeros at its end
 * are kept. |v| < 1e6. Returns buf, of GND_TICK_TEXT bytes. */
const char *gnd_decimal_text(char *buf, double v, int decimals);
/* A short text of a value that is a tick of its own: "0.25", "30", "2*10^6". */
void gnd_tick_name(char *buf, double v);

#endif
