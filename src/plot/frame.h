/* SPDX-License-Identifier: MIT
 * frame.h - where a panel is on the page, and its series. */
#ifndef GND_PLOT_FRAME_H
#define GND_PLOT_FRAME_H

#include "figure_data.h"
#include "ticks.h"

/* The frame of a panel's data on the page, in points. */
typedef struct {
    double x, y, w, h; /* its upper left corner and size */
    gnd_range rx, ry;
    int64_t panel;
} gnd_frame;

/* The ranges of the panel's axes, from its series or as it states them. */
void gnd_frame_ranges(gnd_frame *fr, const gnd_figure *f);
/* The place of a value on the page; NAN if it cannot be drawn. */
double gnd_frame_x(const gnd_frame *fr, double v);
double gnd_frame_y(const gnd_frame *fr, double v);
/* Append everything that is inside the frame. */
void gnd_frame_series(gnd_buffer *b, const gnd_frame *fr, const gnd_figure *f);
/* Append a sample of a series for the legend, 16 points wide, centred at x, y. */
void gnd_plot_series_sample(gnd_buffer *b, const gnd_plot_series *s, double x, double y);

#endif
