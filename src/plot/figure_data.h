/* SPDX-License-Identifier: MIT
 * figure_data.h - the content of a figure, for the files of plot/ that write it. */
#ifndef GND_PLOT_FIGURE_DATA_H
#define GND_PLOT_FIGURE_DATA_H

#include "base/buffer.h"
#include "figure.h"

/* Pointers are owned, also those of the members that figure.h calls const. */
typedef struct {
    gnd_plot_series s;
    int64_t panel;
} gnd_plot_series_data;

struct gnd_figure {
    gnd_figure_shape shape;
    gnd_panel *panel;
    int64_t n_panel;
    gnd_plot_series_data *series;
    int64_t n_series;
    char **note;
    int64_t n_note;
    bool failed; /* an allocation failed */
};

/* Append the figure as SVG. */
void gnd_figure_draw(gnd_buffer *b, const gnd_figure *f);

#endif
