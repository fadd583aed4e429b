/* SPDX-License-Identifier: MIT
 * figure.h - a figure: panels with axes and series of data, written as SVG or as CSV.
 *
 * A figure holds data, not drawings: the same series are drawn and written as CSV. A failed
 * allocation is remembered, so that only gnd_figure_write needs a check. */
#ifndef GND_PLOT_FIGURE_H
#define GND_PLOT_FIGURE_H

#include "base/status.h"

/* Widths of the columns of a paper, in mm. */
#define GND_FIGURE_SINGLE 84.0
#define GND_FIGURE_DOUBLE 174.0

typedef struct {
    const char *title; /* of the file; it is not drawn */
    double width;      /* in mm */
    int columns;       /* panels beside each other */
} gnd_figure_shape;

typedef struct {
    const char *label;
    bool log;         /* values that are not positive are not drawn */
    double low, high; /* the range; low = high: that of the data */
    const double *at; /* [n_at] places of the ticks; NULL: at round values */
    int64_t n_at;
    const char *const *name; /* [n_at] labels of these ticks; NULL: numbers */
} gnd_axis;

typedef struct {
    const char *title; /* NULL: none */
    gnd_axis x, y;
    double aspect; /* height of the frame / its width */
} gnd_panel;

/* What is drawn of a series; several may be combined. */
enum {
    GND_DRAW_LINE = 1,   /* lines between neighbours */
    GND_DRAW_MARK = 2,   /* marks of the style's shape */
    GND_DRAW_HOLLOW = 4, /* marks that are not filled */
    GND_DRAW_ERROR = 8,  /* a vertical line from low to high */
    GND_DRAW_BAND = 16,  /* the area between low and high */
    GND_DRAW_BAR = 32,   /* a bar from 0 to y */
    GND_DRAW_DOT = 64    /* small marks, for thousands of points */
};

/* A style is a colour, a line style and a mark; the first GND_COLOURS differ in all three, all
 * others up to GND_STYLES in at least one. */
enum { GND_COLOURS = 7, GND_STYLES = 49, GND_STYLE_REFERENCE = -1 /* thin, grey, dashed */ };

typedef struct {
    const char *name; /* in the legend and in the CSV file */
    bool unlisted;    /* not in the legend */
    unsigned draw;    /* GND_DRAW_LINE | ... */
    int style;
    int64_t n;
    const double *x, *y;      /* [n]; values that are not finite are not drawn */
    const double *low, *high; /* [n]; NULL: none */
    double width;             /* of bars, in units of x */
    double shift;             /* of everything drawn to the right, in points */
} gnd_plot_series;

/* Every argument is copied. */
gnd_status gnd_figure_new(gnd_figure **out, const gnd_figure_shape *shape, gnd_error *err);
/* Add a panel, to the right of the last one or in a new row. Later series go to it. */
void gnd_figure_panel(gnd_figure *f, const gnd_panel *p);
void gnd_figure_series(gnd_figure *f, const gnd_plot_series *s);
/* Add a sentence below the panels: what error bars are, where data come from. */
void gnd_figure_note(gnd_figure *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A scatter panel of n points [n, 2] with a series for each class. */
typedef struct {
    const char *title;
    const float *at;    /* [n, 2] */
    const int32_t *cls; /* [n]; -1: none */
    int64_t n;
    int32_t n_class;
    const char *const *names; /* [n_class] */
} gnd_scatter;
void gnd_figure_scatter(gnd_figure *f, const gnd_scatter *s);

#endif
