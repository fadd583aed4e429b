/* SPDX-License-Identifier: MIT
 * frame.c - the series of a panel: bands, bars, lines, error bars and marks. */
#include "frame.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "style.h"
#include "svg.h"

static const double line_width = 1, thin = 0.6, mark_size = 1.9, dot_size = 0.9;

static void add(gnd_buffer *b, const char *text)
{
    gnd_buffer_add(b, text, strlen(text));
}

/* ---- ranges ---- */

static void include(double *low, double *high, double v, bool log)
{
    if (!isfinite(v) || (log && v <= 0))
        return;
    *low = fmin(*low, v);
    *high = fmax(*high, v);
}

static gnd_range axis_range(const gnd_axis *a, double low, double high)
{
    if (a->low < a->high)
        return (gnd_range){a->low, a->high, a->log};
    return gnd_range_make(low, high, a->log);
}

void gnd_frame_ranges(gnd_frame *fr, const gnd_figure *f)
{
    const gnd_panel *p = &f->panel[fr->panel];
    double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;

    for (int64_t k = 0; k < f->n_series; k++) {
        const gnd_plot_series *s = &f->series[k].s;

        for (int64_t i = 0; f->series[k].panel == fr->panel && i < s->n; i++) {
            include(&x0, &x1, s->x[i] - s->width / 2, p->x.log);
            include(&x0, &x1, s->x[i] + s->width / 2, p->x.log);
            include(&y0, &y1, s->y[i], p->y.log);
            if (s->low && s->high) {
                include(&y0, &y1, s->low[i], p->y.log);
                include(&y0, &y1, s->high[i], p->y.log);
            }
            if (s->draw & GND_DRAW_BAR)
                include(&y0, &y1, 0, p->y.log);
        }
    }
    fr->rx = axis_range(&p->x, x0, x1);
    fr->ry = axis_range(&p->y, y0, y1);
}

double gnd_frame_x(const gnd_frame *fr, double v)
{
    return fr->x + fr->w * gnd_range_share(&fr->rx, v);
}

double gnd_frame_y(const gnd_frame *fr, double v)
{
    return fr->y + fr->h * (1 - gnd_range_share(&fr->ry, v));
}

/* ---- one series ---- */

static bool is_inside(const gnd_frame *fr, double x, double y)
{
    const double slack = 1e-6;

    return x >= fr->x - slack && x <= fr->x + fr->w + slack && y >= fr->y - slack &&
           y <= fr->y + fr->h + slack;
}

static void stroke(gnd_buffer *b, int style, double width, const char *dashes)
{
    gnd_text_add(b, "\" fill=\"none\" stroke=\"%s\"", gnd_style_colour(style));
    gnd_svg_real(b, "stroke-width", width);
    if (*dashes)
        gnd_text_add(b, " stroke-dasharray=\"%s\"", dashes);
    add(b, "/>\n");
}

static void line_draw(gnd_buffer *b, const gnd_frame *fr, const gnd_plot_series *s)
{
    bool drawing = false;

    add(b, "<path d=\"");
    for (int64_t i = 0; i < s->n; i++) {
        const double x = gnd_frame_x(fr, s->x[i]) + s->shift, y = gnd_frame_y(fr, s->y[i]);
        const bool there = isfinite(x) && isfinite(y);

        if (there) {
            add(b, drawing ? "L" : "M");
            gnd_svg_pair(b, x, y);
        }
        drawing = there;
    }
    stroke(b, s->style, s->style < 0 ? thin : line_width, gnd_style_dashes(s->style));
}

static void band_draw(gnd_buffer *b, const gnd_frame *fr, const gnd_plot_series *s)
{
    const char *command = "M";

    add(b, "<path d=\"");
    for (int64_t k = 0; k < 2 * s->n; k++) {
        const int64_t i = k < s->n ? k : 2 * s->n - 1 - k;
        const double x = gnd_frame_x(fr, s->x[i]) + s->shift;
        const double y = gnd_frame_y(fr, k < s->n ? s->low[i] : s->high[i]);

        if (!isfinite(x) || !isfinite(y))
            continue;
        add(b, command);
        gnd_svg_pair(b, x, y);
        command = "L";
    }
    gnd_text_add(b, "z\" fill=\"%s\" fill-opacity=\".2\"/>\n", gnd_style_colour(s->style));
}

static void bars_draw(gnd_buffer *b, const gnd_frame *fr, const gnd_plot_series *s)
{
    add(b, "<path d=\"");
    for (int64_t i = 0; i < s->n; i++) {
        const double left = gnd_frame_x(fr, s->x[i] - s->width / 2);
        const double right = gnd_frame_x(fr, s->x[i] + s->width / 2);
        const double top = gnd_frame_y(fr, s->y[i]);
        double zero = gnd_frame_y(fr, 0);

        if (!isfinite(zero)) /* a log axis has no 0 */
            zero = fr->y + fr->h;
        if (!isfinite(left) || !isfinite(right) || !isfinite(top) || s->y[i] == 0)
            continue;
        add(b, "M");
        gnd_svg_pair(b, left, zero);
        add(b, "V");
        gnd_svg_number(b, top, 2);
        add(b, "H");
        gnd_svg_number(b, right, 2);
        add(b, "V");
        gnd_svg_number(b, zero, 2);
        add(b, "z");
    }
    gnd_text_add(b, "\" fill=\"%s\" fill-opacity=\".45\" stroke=\"%s\" stroke-width=\".4\"/>\n",
                 gnd_style_colour(s->style), gnd_style_colour(s->style));
}

static void errors_draw(gnd_buffer *b, const gnd_frame *fr, const gnd_plot_series *s)
{
    const double cap = 1.4;

    add(b, "<path d=\"");
    for (int64_t i = 0; i < s->n; i++) {
        const double x = gnd_frame_x(fr, s->x[i]) + s->shift;
        const double low = gnd_frame_y(fr, s->low[i]), high = gnd_frame_y(fr, s->high[i]);

        if (!isfinite(x) || !isfinite(low) || !isfinite(high))
            continue;
        add(b, "M");
        gnd_svg_pair(b, x, low);
        add(b, "V");
        gnd_svg_number(b, high, 2);
        for (int end = 0; end < 2; end++) {
            add(b, "M");
            gnd_svg_pair(b, x - cap, end ? high : low);
            add(b, "h");
            gnd_svg_number(b, 2 * cap, 2);
        }
    }
    stroke(b, s->style, thin, "");
}

static void marks_close(gnd_buffer *b, const gnd_plot_series *s)
{
    const char *colour = gnd_style_colour(s->style);

    if (s->draw & GND_DRAW_HOLLOW)
        gnd_text_add(b, "\" fill=\"#fff\" stroke=\"%s\" stroke-width=\".7\"/>\n", colour);
    else
        gnd_text_add(b, "\" fill=\"%s\"/>\n", colour);
}

static void marks_draw(gnd_buffer *b, const gnd_frame *fr, const gnd_plot_series *s)
{
    add(b, "<path d=\"");
    for (int64_t i = 0; i < s->n; i++) {
        const double x = gnd_frame_x(fr, s->x[i]) + s->shift, y = gnd_frame_y(fr, s->y[i]);

        if (isfinite(x) && isfinite(y) && is_inside(fr, x, y))
            gnd_style_mark(b, s->style, x, y, mark_size);
    }
    marks_close(b, s);
}

/* Thousands of small marks: circles and squares are the ends of lines of length 0, which takes the
 * fewest bytes. */
static void dots_draw(gnd_buffer *b, const gnd_frame *fr, const gnd_plot_series *s)
{
    const char *cap;
    const bool is_cap = gnd_style_is_cap(s->style, &cap);

    add(b, "<path d=\"");
    for (int64_t i = 0; i < s->n; i++) {
        const double x = gnd_frame_x(fr, s->x[i]), y = gnd_frame_y(fr, s->y[i]);

        if (!isfinite(x) || !isfinite(y))
            continue;
        if (is_cap) {
            add(b, "M");
            gnd_svg_number(b, x, 1);
            add(b, " ");
            gnd_svg_number(b, y, 1);
            add(b, "h0");
        } else {
            gnd_style_mark(b, s->style, x, y, dot_size);
        }
    }
    if (is_cap)
        gnd_text_add(b, "\" stroke=\"%s\" stroke-width=\"1.8\" stroke-linecap=\"%s\"/>\n",
                     gnd_style_colour(s->style), cap);
    else
        marks_close(b, s);
}

/* ---- all series of a panel ---- */

/* From the background to the foreground. */
static const struct {
    unsigned draw;
    bool clipped;
    void (*make)(gnd_buffer *b, const gnd_frame *fr, const gnd_plot_series *s);
} layers[] = {
    {GND_DRAW_BAND, true, band_draw},
    {GND_DRAW_BAR, true, bars_draw},
    {GND_DRAW_LINE, true, line_draw},
    {GND_DRAW_ERROR, true, errors_draw},
    {GND_DRAW_DOT, true, dots_draw},
    {GND_DRAW_MARK | GND_DRAW_HOLLOW, false, marks_draw}, /* may overlap the frame's line */
};
enum { N_LAYER = sizeof layers / sizeof *layers };

void gnd_frame_series(gnd_buffer *b, const gnd_frame *fr, const gnd_figure *f)
{
    gnd_text_add(b, "<clipPath id=\"p%" PRId64 "\"><rect", fr->panel);
    gnd_svg_real(b, "x", fr->x);
    gnd_svg_real(b, "y", fr->y);
    gnd_svg_real(b, "width", fr->w);
    gnd_svg_real(b, "height", fr->h);
    add(b, "/></clipPath>\n");
    for (size_t l = 0; l < N_LAYER; l++) {
        if (layers[l].clipped)
            gnd_text_add(b, "<g clip-path=\"url(#p%" PRId64 ")\">\n", fr->panel);
        for (int64_t k = 0; k < f->n_series; k++)
            if (f->series[k].panel == fr->panel && (f->series[k].s.draw & layers[l].draw) &&
                f->series[k].s.n > 0)
                layers[l].make(b, fr, &f->series[k].s);
        if (layers[l].clipped)
            add(b, "</g>\n");
    }
}

void gnd_plot_series_sample(gnd_buffer *b, const gnd_plot_series *s, double x, double y)
{
    /* The series with one or two points, in a frame around the sample. */
    const double px[] = {-8, 8}, level[] = {0, 0}, low[] = {-3, -3}, high[] = {3, 3};
    const gnd_frame fr = {
        .x = x - 8, .y = y - 3, .w = 16, .h = 6, .rx = {-8, 8, false}, .ry = {-3, 3, false}};
    gnd_plot_series one = *s;

    one.shift = 0;
    one.x = px;
    one.y = level;
    one.low = low;
    one.high = high;
    one.n = 2;
    if (s->draw & GND_DRAW_BAND)
        band_draw(b, &fr, &one);
    if (s->draw & GND_DRAW_LINE)
        line_draw(b, &fr, &one);
    one.x = level;
    one.n = 1;
    one.width = 9;
    if (s->draw & GND_DRAW_BAR) {
        one.y = high;
        bars_draw(b, &fr, &one);
        one.y = level;
    }
    if (s->draw & GND_DRAW_ERROR)
        errors_draw(b, &fr, &one);
    one.draw |= s->draw & GND_DRAW_DOT ? GND_DRAW_MARK : 0;
    if (one.draw & (GND_DRAW_MARK | GND_DRAW_HOLLOW))
        marks_draw(b, &fr, &one);
}
