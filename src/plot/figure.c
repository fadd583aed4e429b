/* SPDX-License-Identifier: MIT
 * figure.c - the content of a figure, and its data as CSV. */
#include "figure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "figure_data.h"

/* ---- copies ---- */

/* NULL stays NULL. */
static char *text_copy(gnd_figure *f, const char *text)
{
    char *copy = text ? gnd_strdup(text) : NULL;

    f->failed |= text && !copy;
    return copy;
}

static double *reals_copy(gnd_figure *f, const double *v, int64_t n)
{
    double *copy = v ? gnd_alloc(n, sizeof *copy) : NULL;

    f->failed |= v && !copy;
    if (copy && n > 0)
        memcpy(copy, v, (size_t)n * sizeof *copy);
    return copy;
}

/* const members of the public view are owned here */
static void owned_free(const void *p)
{
    gnd_free((void *)(uintptr_t)p);
}

static gnd_axis axis_copy(gnd_figure *f, const gnd_axis *a)
{
    gnd_axis copy = *a;
    const char **name = a->name ? gnd_alloc(a->n_at, sizeof *name) : NULL;

    f->failed |= a->name && !name;
    for (int64_t i = 0; name && i < a->n_at; i++)
        name[i] = text_copy(f, a->name[i]);
    copy.name = name;
    copy.label = text_copy(f, a->label);
    copy.at = reals_copy(f, a->at, a->n_at);
    return copy;
}

static void axis_fini(const gnd_axis *a)
{
    for (int64_t i = 0; a->name && i < a->n_at; i++)
        owned_free(a->name[i]);
    owned_free(a->name);
    owned_free(a->label);
    owned_free(a->at);
}

/* Room for one more element of a list; NULL: no memory, which f remembers. */
static void *more(gnd_figure *f, void *list, int64_t n, size_t size)
{
    void *grown = gnd_realloc(list, n + 1, size);

    f->failed |= !grown;
    return grown;
}

/* ---- the content ---- */

gnd_status gnd_figure_new(gnd_figure **out, const gnd_figure_shape *shape, gnd_error *err)
{
    gnd_figure *f = gnd_alloc(1, sizeof *f);

    *out = NULL;
    if (!f)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a figure");
    f->shape = *shape;
    f->shape.columns = shape->columns > 0 ? shape->columns : 1;
    f->shape.title = text_copy(f, shape->title);
    *out = f;
    return GND_OK;
}

void gnd_figure_free(gnd_figure *f)
{
    if (!f)
        return;
    for (int64_t i = 0; i < f->n_panel; i++) {
        owned_free(f->panel[i].title);
        axis_fini(&f->panel[i].x);
        axis_fini(&f->panel[i].y);
    }
    for (int64_t i = 0; i < f->n_series; i++) {
        owned_free(f->series[i].s.name);
        owned_free(f->series[i].s.x);
        owned_free(f->series[i].s.y);
        owned_free(f->series[i].s.low);
        owned_free(f->series[i].s.high);
    }
    for (int64_t i = 0; i < f->n_note; i++)
        gnd_free(f->note[i]);
    gnd_free(f->panel);
    gnd_free(f->series);
    gnd_free(f->note);
    owned_free(f->shape.title);
    gnd_free(f);
}

void gnd_figure_panel(gnd_figure *f, const gnd_panel *p)
{
    gnd_panel *list = more(f, f->panel, f->n_panel, sizeof *list), *to;

    if (!list)
        return;
    f->panel = list;
    to = &list[f->n_panel++];
    *to = *p;
    to->title = text_copy(f, p->title);
    to->x = axis_copy(f, &p->x);
    to->y = axis_copy(f, &p->y);
}

void gnd_figure_series(gnd_figure *f, const gnd_plot_series *s)
{
    gnd_plot_series_data *list = more(f, f->series, f->n_series, sizeof *list);
    gnd_plot_series *to;

    if (!list)
        return;
    f->series = list;
    list[f->n_series] = (gnd_plot_series_data){.s = *s, .panel = f->n_panel - 1};
    to = &list[f->n_series++].s;
    to->name = text_copy(f, s->name ? s->name : "");
    to->x = reals_copy(f, s->x, s->n);
    to->y = reals_copy(f, s->y, s->n);
    to->low = reals_copy(f, s->low, s->n);
    to->high = reals_copy(f, s->high, s->n);
}

void gnd_figure_note(gnd_figure *f, const char *fmt, ...)
{
    char **list = more(f, f->note, f->n_note, sizeof *list);
    gnd_buffer b = {0};
    va_list ap;
    char room[512];

    if (!list)
        return;
    f->note = list;
    va_start(ap, fmt);
    vsnprintf(room, sizeof room, fmt, ap);
    va_end(ap);
    gnd_utf8_trim(room);
    gnd_buffer_add(&b, room, strlen(room));
    f->failed |= b.failed;
    list[f->n_note++] = b.text;
}

void gnd_figure_scatter(gnd_figure *f, const gnd_scatter *s)
{
    double *x = gnd_alloc(s->n, sizeof *x), *y = gnd_alloc(s->n, sizeof *y);
    const gnd_panel p = {.title = s->title, .aspect = 1};
    const int64_t few = 500; /* points that have room for marks of normal size */

    gnd_figure_panel(f, &p);
    f->failed |= !x || !y;
    for (int32_t c = -1; x && y && c < s->n_class; c++) {
        int64_t n = 0;

        for (int64_t i = 0; i < s->n; i++)
            if (s->cls[i] == c) {
                x[n] = (double)s->at[2 * i];
                y[n++] = (double)s->at[2 * i + 1];
            }
        gnd_figure_series(f, &(gnd_plot_series){.name = c < 0 ? "no label" : s->names[c],
                                                .draw = s->n < few ? GND_DRAW_MARK : GND_DRAW_DOT,
                                                .style = c < 0 ? GND_STYLE_REFERENCE : c,
                                                .n = n,
                                                .x = x,
                                                .y = y});
    }
    gnd_free(x);
    gnd_free(y);
}

/* ---- writing ---- */

static void csv_real(FILE *f, const double *v, int64_t i)
{
    char buf[GND_REAL_TEXT];

    fputc(',', f);
    if (v && isfinite(v[i]))
        fputs(gnd_real_text(buf, v[i], 9), f);
}

/* x as the name of its tick, if the axis has names. */
static void csv_x(FILE *f, const gnd_axis *a, const double *x, int64_t i)
{
    for (int64_t k = 0; a->name && k < a->n_at; k++)
        if (a->at[k] == x[i]) {
            fputc(',', f);
            gnd_csv_write(f, a->name[k]);
            return;
        }
    csv_real(f, x, i);
}

static void csv_write(FILE *f, const gnd_figure *fig)
{
    fputs("panel,series,x,y,low,high\n", f);
    for (int64_t k = 0; k < fig->n_series; k++) {
        const gnd_plot_series *s = &fig->series[k].s;
        const gnd_panel *p = &fig->panel[fig->series[k].panel];

        for (int64_t i = 0; i < s->n; i++) {
            gnd_csv_write(f, p->title ? p->title : "");
            fputc(',', f);
            gnd_csv_write(f, s->name);
            csv_x(f, &p->x, s->x, i);
            csv_real(f, s->y, i);
            csv_real(f, s->low, i);
            csv_real(f, s->high, i);
            fputc('\n', f);
        }
    }
}

gnd_status gnd_figure_write(const gnd_figure *fig, FILE *f, gnd_figure_format format,
                            gnd_error *err)
{
    gnd_buffer b = {0};
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    if (!fig || !f || (unsigned)format > GND_FIGURE_CSV)
        return gnd_fail(err, GND_ERR_ARG,
                        "gnd_figure_write: a figure, a stream and a format are needed");
    if (fig->failed)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a figure");
    if (format == GND_FIGURE_CSV) {
        csv_write(f, fig);
    } else {
        gnd_figure_draw(&b, fig);
        if (b.failed)
            st = gnd_fail(err, GND_ERR_NOMEM, "no memory for a figure");
        else
            fwrite(b.text, 1, b.size, f);
    }
    gnd_buffer_fini(&b);
    return st;
}
