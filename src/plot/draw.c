/* SPDX-License-Identifier: MIT
 * draw.c - a figure as SVG: panels in rows, below them the legend and the notes, so that no text is
 * over data. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "frame.h"
#include "svg.h"

/* Sizes in points. */
static const double tick_font = 7, label_font = 8, legend_font = 7, note_font = 6.5;
static const double pad = 3, tick_length = 2.5, line_height = 9.5, sample_width = 20, gap = 10;

typedef struct {
    const gnd_figure *f;
    gnd_buffer *b;
    double width, height;   /* of the page */
    double left;            /* from a panel's edge to its frame */
    double column;          /* width of a panel with its labels */
    int64_t n_entry;        /* of the legend */
    int64_t legend_columns; /* and how they are placed */
} page;

static void add(gnd_buffer *b, const char *text)
{
    gnd_buffer_add(b, text, strlen(text));
}

/* ---- texts ---- */

/* A text that fits into a width, cut at a character and followed by "..." where it does not. */
static void text_fitted(page *p, const gnd_svg_place *at, const char *text, double width)
{
    char cut[256];
    size_t n = strlen(text);

    if (n < sizeof cut && gnd_svg_width(text, at->size) <= width) {
        gnd_svg_text(p->b, at, text, false);
        return;
    }
    n = n < sizeof cut - 4 ? n : sizeof cut - 4;
    do {
        memcpy(cut, text, n);
        cut[n] = '\0';
        gnd_utf8_trim(cut);
        n = strlen(cut);
        strcpy(cut + n, "...");
    } while (n > 0 && gnd_svg_width(cut, at->size) > width && n-- > 0);
    gnd_svg_text(p->b, at, cut, false);
}

/* Bytes of the longest part of the text that ends between words and fits; at least one word. */
static size_t line_length(const char *text, double width)
{
    char line[256];
    size_t good = 0;

    for (size_t n = 1; n < sizeof line; n++) {
        if (text[n] != ' ' && text[n] != '\0')
            continue;
        memcpy(line, text, n);
        line[n] = '\0';
        if (good > 0 && gnd_svg_width(line, note_font) > width)
            break;
        good = n;
        if (text[n] == '\0')
            break;
    }
    return good > 0 ? good : strlen(text);
}

/* Writes the notes from y on, or only counts their lines if y is NAN. Returns the number. */
static int64_t notes_draw(page *p, double y)
{
    int64_t n_line = 0;

    for (int64_t i = 0; i < p->f->n_note; i++)
        for (const char *text = p->f->note[i]; *text; n_line++) {
            const size_t n = line_length(text, p->width - 2 * pad);
            const gnd_svg_place at = {
                .x = pad, .y = y + (double)n_line * line_height, .size = note_font, .anchor = 's'};
            char line[256];

            memcpy(line, text, n < sizeof line ? n : sizeof line - 1);
            line[n < sizeof line ? n : sizeof line - 1] = '\0';
            if (isfinite(y))
                text_fitted(p, &at, line, p->width - 2 * pad);
            text += n;
            while (*text == ' ')
                text++;
        }
    return n_line;
}

/* ---- axes ---- */

/* Ticks of an axis; none if it has no label. */
static int64_t axis_ticks(gnd_tick *out, const gnd_axis *a, const gnd_range *r, double length,
                          double per_label)
{
    int64_t n = 0;

    if (!a->label)
        return 0;
    if (!a->at)
        return gnd_ticks_make(out, r, (int)fmax(2, length / per_label));
    for (int64_t i = 0; i < a->n_at && n < GND_TICKS; i++) {
        const double share = gnd_range_share(r, a->at[i]);

        if (!(share >= -1e-9 && share <= 1 + 1e-9))
            continue;
        out[n].at = a->at[i];
        if (a->name)
            gnd_utf8_trim(strncat(strcpy(out[n].text, ""), a->name[i], GND_TICK_TEXT - 1));
        else
            gnd_tick_name(out[n].text, a->at[i]);
        n++;
    }
    return n;
}

static int64_t x_ticks(gnd_tick *out, const page *p, const gnd_frame *fr)
{
    return axis_ticks(out, &p->f->panel[fr->panel].x, &fr->rx, fr->w, 34);
}

static int64_t y_ticks(gnd_tick *out, const page *p, const gnd_frame *fr)
{
    return axis_ticks(out, &p->f->panel[fr->panel].y, &fr->ry, fr->h, 22);
}

static void tick_line(page *p, double x, double y, double dx, double dy)
{
    add(p->b, "M");
    gnd_svg_pair(p->b, x, y);
    add(p->b, "l");
    gnd_svg_pair(p->b, dx, dy);
}

static void x_axis_draw(page *p, const gnd_frame *fr)
{
    const double base = fr->y + fr->h;
    const char *label = p->f->panel[fr->panel].x.label;
    gnd_tick tick[GND_TICKS];
    const int64_t n = x_ticks(tick, p, fr);
    double used = -INFINITY; /* where the last label ends */

    add(p->b, "<path d=\"");
    for (int64_t i = 0; i < n; i++)
        tick_line(p, gnd_frame_x(fr, tick[i].at), base, 0, *tick[i].text ? tick_length : 1.5);
    add(p->b, "\" stroke=\"#000\" stroke-width=\".5\"/>\n");
    for (int64_t i = 0; i < n; i++) {
        const double x = gnd_frame_x(fr, tick[i].at);
        const double half = gnd_svg_width(tick[i].text, tick_font) / 2;
        const gnd_svg_place at = {
            .x = x, .y = base + tick_length + 7, .size = tick_font, .anchor = 'm'};

        if (!*tick[i].text || x - half < used)
            continue;
        gnd_svg_text(p->b, &at, tick[i].text, !p->f->panel[fr->panel].x.name);
        used = x + half + 2;
    }
    if (label && *label) {
        const gnd_svg_place at = {.x = fr->x + fr->w / 2,
                                  .y = base + tick_length + 7 + line_height,
                                  .size = label_font,
                                  .anchor = 'm'};

        text_fitted(p, &at, label, p->column);
    }
}

static void y_axis_draw(page *p, const gnd_frame *fr)
{
    const char *label = p->f->panel[fr->panel].y.label;
    gnd_tick tick[GND_TICKS];
    const int64_t n = y_ticks(tick, p, fr);

    add(p->b, "<path d=\"");
    for (int64_t i = 0; i < n; i++)
        if (*tick[i].text)
            tick_line(p, fr->x, gnd_frame_y(fr, tick[i].at), fr->w, 0);
    add(p->b, "\" stroke=\"#ddd\" stroke-width=\".4\"/>\n<path d=\"");
    for (int64_t i = 0; i < n; i++)
        tick_line(p, fr->x, gnd_frame_y(fr, tick[i].at), *tick[i].text ? -tick_length : -1.5, 0);
    add(p->b, "\" stroke=\"#000\" stroke-width=\".5\"/>\n");
    for (int64_t i = 0; i < n; i++) {
        const gnd_svg_place at = {.x = fr->x - tick_length - 1.5,
                                  .y = gnd_frame_y(fr, tick[i].at) + 2.5,
                                  .size = tick_font,
                                  .anchor = 'e'};

        if (*tick[i].text)
            gnd_svg_text(p->b, &at, tick[i].text, !p->f->panel[fr->panel].y.name);
    }
    if (label && *label) {
        const gnd_svg_place at = {.x = fr->x - p->left + label_font,
                                  .y = fr->y + fr->h / 2,
                                  .size = label_font,
                                  .anchor = 'm',
                                  .vertical = true};

        text_fitted(p, &at, label, fr->h + 20);
    }
}

/* ---- panels ---- */

static double top_of(const gnd_panel *p)
{
    return p->title ? label_font + 5 : 4;
}

static double bottom_of(const gnd_panel *p)
{
    const double label = p->x.label && *p->x.label ? line_height + 2 : 0;

    return p->x.label ? tick_length + tick_font + 3 + label : 4;
}

static void panel_draw(page *p, const gnd_frame *fr)
{
    const gnd_panel *panel = &p->f->panel[fr->panel];

    y_axis_draw(p, fr);
    gnd_frame_series(p->b, fr, p->f);
    x_axis_draw(p, fr);
    add(p->b, "<rect");
    gnd_svg_real(p->b, "x", fr->x);
    gnd_svg_real(p->b, "y", fr->y);
    gnd_svg_real(p->b, "width", fr->w);
    gnd_svg_real(p->b, "height", fr->h);
    add(p->b, " fill=\"none\" stroke=\"#000\" stroke-width=\".6\"/>\n");
    if (panel->title) {
        const gnd_svg_place at = {.x = fr->x + fr->w / 2,
                                  .y = fr->y - 4,
                                  .size = label_font,
                                  .anchor = 'm',
                                  .bold = true};

        text_fitted(p, &at, panel->title, p->column - gap);
    }
}

/* Places the panels row by row; draws them, too, if `draw`. Returns the y below the last row. */
static double panels_place(page *p, bool draw)
{
    const int64_t columns = p->f->shape.columns;
    double y = pad;

    for (int64_t first = 0; first < p->f->n_panel; first += columns) {
        const int64_t end = first + columns < p->f->n_panel ? first + columns : p->f->n_panel;
        double top = 0, below = 0;

        for (int64_t k = first; k < end; k++)
            top = fmax(top, top_of(&p->f->panel[k]));
        for (int64_t k = first; k < end; k++) {
            const gnd_panel *panel = &p->f->panel[k];
            const double w = p->column - p->left - gap / 2;
            gnd_frame fr = {.x = pad + (double)(k - first) * (p->column + gap / 2) + p->left,
                            .y = y + top,
                            .w = w,
                            .h = w * (panel->aspect > 0 ? panel->aspect : 0.75),
                            .panel = k};

            gnd_frame_ranges(&fr, p->f);
            below = fmax(below, fr.h + bottom_of(panel));
            if (draw)
                panel_draw(p, &fr);
        }
        y += top + below;
    }
    return y;
}

/* The width of the widest y labels, which all panels reserve, so that their frames are aligned. */
static void left_measure(page *p)
{
    p->left = 2;
    for (int64_t k = 0; k < p->f->n_panel; k++) {
        const gnd_panel *panel = &p->f->panel[k];
        gnd_frame fr = {.w = p->column - 30, .panel = k};
        gnd_tick tick[GND_TICKS];
        double widest = 0;

        fr.h = fr.w * (panel->aspect > 0 ? panel->aspect : 0.75);
        gnd_frame_ranges(&fr, p->f);
        for (int64_t n = y_ticks(tick, p, &fr), i = 0; i < n; i++)
            widest = fmax(widest, gnd_svg_width(tick[i].text, tick_font));
        if (panel->y.label)
            p->left =
                fmax(p->left, widest + tick_length + 3 + (*panel->y.label ? label_font + 3 : 0));
    }
}

/* ---- legend ---- */

/* Is series k the first of its name that the legend shows? */
static bool has_entry(const gnd_figure *f, int64_t k)
{
    const gnd_plot_series *s = &f->series[k].s;

    if (s->unlisted || s->n == 0 || !*s->name)
        return false;
    for (int64_t i = 0; i < k; i++)
        if (!f->series[i].s.unlisted && f->series[i].s.n > 0 &&
            strcmp(f->series[i].s.name, s->name) == 0)
            return false;
    return true;
}

/* The width of column `column` of a legend with `columns` columns: that of its widest entry. */
static double legend_width(const page *p, int64_t column, int64_t columns)
{
    double widest = 0;
    int64_t n = 0;

    for (int64_t k = 0; k < p->f->n_series; k++)
        if (has_entry(p->f, k) && n++ % columns == column)
            widest = fmax(widest, gnd_svg_width(p->f->series[k].s.name, legend_font));
    return fmin(p->width - 2 * pad, sample_width + widest + 8);
}

static double legend_total(const page *p, int64_t columns)
{
    double sum = 0;

    for (int64_t c = 0; c < columns; c++)
        sum += legend_width(p, c, columns);
    return sum;
}

/* As few rows as fit, and then rows of about equal length. */
static void legend_measure(page *p)
{
    int64_t columns, rows;

    for (int64_t k = 0; k < p->f->n_series; k++)
        p->n_entry += has_entry(p->f, k);
    if (p->n_entry == 0)
        return;
    for (columns = p->n_entry; columns > 1; columns--)
        if (legend_total(p, columns) <= p->width - 2 * pad)
            break;
    rows = (p->n_entry + columns - 1) / columns;
    p->legend_columns = (p->n_entry + rows - 1) / rows;
    if (legend_total(p, p->legend_columns) > p->width - 2 * pad)
        p->legend_columns = columns;
}

static double legend_height(const page *p)
{
    const int64_t c = p->legend_columns;

    return p->n_entry > 0 ? 4 + line_height * (double)((p->n_entry + c - 1) / c) : 0;
}

static void legend_draw(page *p, double y)
{
    const int64_t columns = p->legend_columns;
    const double start = p->n_entry > 0 ? (p->width - legend_total(p, columns)) / 2 : 0;
    double x = start;
    int64_t n = 0;

    for (int64_t k = 0; k < p->f->n_series; k++) {
        const gnd_plot_series *s = &p->f->series[k].s;
        gnd_svg_place at = {.size = legend_font, .anchor = 's'};
        double width;

        if (!has_entry(p->f, k))
            continue;
        if (n % columns == 0)
            x = start;
        width = legend_width(p, n % columns, columns);
        at.x = x + sample_width;
        at.y = y + (double)(n / columns + 1) * line_height;
        gnd_plot_series_sample(p->b, s, x + sample_width / 2, at.y - 2.4);
        text_fitted(p, &at, s->name, width - sample_width);
        x += width;
        n++;
    }
}

/* ---- the page ---- */

static void head_draw(page *p)
{
    const double mm = 25.4 / 72;

    add(p->b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
    gnd_svg_number(p->b, p->width * mm, 2);
    add(p->b, "mm\" height=\"");
    gnd_svg_number(p->b, p->height * mm, 2);
    add(p->b, "mm\" viewBox=\"0 0 ");
    gnd_svg_pair(p->b, p->width, p->height);
    add(p->b, "\" font-family=\"sans-serif\">\n<title>");
    gnd_svg_escape(p->b, p->f->shape.title ? p->f->shape.title : "");
    add(p->b, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
}

void gnd_figure_draw(gnd_buffer *b, const gnd_figure *f)
{
    const int columns = f->shape.columns;
    page p = {.f = f, .b = b, .width = f->shape.width * 72 / 25.4};
    double y;

    p.column = (p.width - 2 * pad - gap / 2 * (columns - 1)) / columns;
    left_measure(&p);
    legend_measure(&p);
    y = panels_place(&p, false);
    p.height = y + legend_height(&p) + (double)notes_draw(&p, NAN) * line_height + pad + 2;
    head_draw(&p);
    panels_place(&p, true);
    legend_draw(&p, y);
    notes_draw(&p, y + legend_height(&p) + line_height);
    add(b, "</svg>\n");
}
