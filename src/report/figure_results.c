/* SPDX-License-Identifier: MIT
 * figure_results.c - figures of comparisons: accuracy against the number of labels, and against
 * depth. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "plot/figure.h"
#include "report.h"
#include "results_csv.h"

enum { MAX_TICKS = 64, MAX_SETTING = 32 };

/* A point of a series. */
typedef struct {
    int64_t series;
    double x;
    const gnd_result_row *row;
} point;

typedef struct {
    gnd_figure_results_opts o;
    gnd_result_rows rows;
    point *at; /* [n] */
    int64_t n;
    gnd_names *series; /* names of the lines */
    gnd_error *err;
} results;

static void results_fini(results *r)
{
    gnd_result_rows_fini(&r->rows);
    gnd_free(r->at);
    gnd_names_free(r->series);
}

static gnd_status results_init(results *r, const gnd_figure_results_opts *o, gnd_error *err)
{
    gnd_status st;

    *r = (results){.err = err};
    GND_TRY(gnd_opts_get(&r->o, sizeof r->o, o, "gnd_figure_results_opts", err));
    if (!r->o.paths || r->o.n_path < 1)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "a figure of results needs at least one CSV file"));
    for (int64_t i = 0; i < r->o.n_path; i++)
        GND_TRY(gnd_result_rows_read(&r->rows, r->o.paths[i], r->o.max_input, err));
    if (r->rows.n == 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has no figures yet: every mean is empty",
                         r->o.paths[0]));
    r->at = gnd_alloc(r->rows.n, sizeof *r->at);
    r->series = gnd_names_new();
    if (!r->at || !r->series)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a figure"));
out:
    return st;
}

/* ---- choosing rows ---- */

static const char *name_of(const results *r, int64_t name)
{
    return gnd_names_get(r->rows.names, name);
}

/* Keep the rows whose column at `offset` is the name `want`; NULL: there must be only one name.
 * what and option are for the message. */
static gnd_status rows_choose(results *r, size_t offset, const char *want, const char *what,
                              const char *option)
{
    int64_t kept = 0, first = -1;

    for (int64_t i = 0; i < r->rows.n; i++) {
        int64_t name;

        memcpy(&name, (const char *)&r->rows.row[i] + offset, sizeof name);
        if (want && strcmp(name_of(r, name), want) != 0)
            continue;
        if (first >= 0 && name != first)
            return gnd_fail(r->err, GND_ERR_ARG,
                            "%s: has figures of more than one %s, %s and %s; choose one with %s",
                            r->o.paths[0], what, name_of(r, first), name_of(r, name), option);
        first = name;
        r->rows.row[kept++] = r->rows.row[i];
    }
    r->rows.n = kept;
    if (kept == 0)
        return gnd_fail(r->err, GND_ERR_ARG, "%s: has no figures of %s %s", r->o.paths[0], what,
                        want);
    return GND_OK;
}

static gnd_status block_choose(results *r)
{
    gnd_status st;

    GND_TRY(rows_choose(r, offsetof(gnd_result_row, dataset), r->o.dataset, "data set", "--data"));
    GND_TRY(rows_choose(r, offsetof(gnd_result_row, graph), r->o.graph, "graph mode", "--graph"));
    GND_TRY(rows_choose(r, offsetof(gnd_result_row, rule), r->o.rule, "stopping rule", "--rule"));
out:
    return st;
}

/* Is the k-th of the requested methods one of those before it? */
static bool is_repeated(const results *r, int64_t k)
{
    for (int64_t i = 0; i < k; i++)
        if (strcmp(r->o.methods[i], r->o.methods[k]) == 0)
            return true;
    return false;
}

/* Keep the rows of the requested methods, in the order of the request; none requested: all. */
static gnd_status methods_choose(results *r)
{
    gnd_result_row *kept = gnd_alloc(r->rows.n, sizeof *kept);
    int64_t n = 0;
    gnd_status st = GND_OK;

    if (!kept)
        GND_TRY(gnd_fail(r->err, GND_ERR_NOMEM, "no memory for a figure"));
    for (int64_t k = 0; k < r->o.n_method; k++) {
        const int64_t before = n;

        for (int64_t i = 0; !is_repeated(r, k) && i < r->rows.n; i++)
            if (strcmp(name_of(r, r->rows.row[i].method), r->o.methods[k]) == 0)
                kept[n++] = r->rows.row[i];
        if (n == before && !is_repeated(r, k))
            GND_TRY(gnd_fail(r->err, GND_ERR_ARG, "%s: has no figures of method %s", r->o.paths[0],
                             r->o.methods[k]));
    }
    if (r->o.n_method > 0) {
        memcpy(r->rows.row, kept, (size_t)n * sizeof *kept);
        r->rows.n = n;
    }
out:
    gnd_free(kept);
    return st;
}

static gnd_status point_add(results *r, const char *series, double x, const gnd_result_row *row)
{
    const int64_t k = gnd_names_add(r->series, series, strlen(series));

    if (k < 0)
        return gnd_fail(r->err, GND_ERR_NOMEM, "no memory for a figure");
    for (int64_t i = 0; i < r->n; i++)
        if (r->at[i].series == k && r->at[i].x == x)
            return gnd_fail(r->err, GND_ERR_FORMAT, "%s: two rows are of %s at %g",
                            r->o.paths[r->o.n_path - 1], series, x);
    r->at[r->n++] = (point){k, x, row};
    return GND_OK;
}

static int by_x(const void *p, const void *q)
{
    const point *a = p, *b = q;

    if (a->series != b->series)
        return a->series < b->series ? -1 : 1;
    return (a->x > b->x) - (a->x < b->x);
}

/* ---- drawing ---- */

/* The ends of a row's error bar. */
static void error_bar(const results *r, const gnd_result_row *row, double *low, double *high)
{
    double half = row->std; /* of the population: it divides by the number of splits */

    *low = row->low;
    *high = row->high;
    if (r->o.bars == GND_BARS_INTERVAL)
        return;
    if (r->o.bars == GND_BARS_SE)
        half = row->splits > 1 ? row->std / sqrt(row->splits - 1) : NAN;
    *low = row->mean - half;
    *high = row->mean + half;
}

static double shift_of(const results *r, int64_t series)
{
    const int64_t n = gnd_names_count(r->series);
    const double step = fmin(2.2, 16.0 / (double)n);

    return step * ((double)series - (double)(n - 1) / 2);
}

static gnd_status line_draw(results *r, gnd_figure *f, const point *p, int64_t n)
{
    double *v = gnd_alloc(5 * n, sizeof *v), *x = v;
    gnd_plot_series s = {.name = gnd_names_get(r->series, p->series),
                         .draw = GND_DRAW_LINE | GND_DRAW_MARK | GND_DRAW_ERROR,
                         .style = (int)p->series,
                         .n = n,
                         .shift = shift_of(r, p->series)};
    char *name = gnd_text_make("%s, published", s.name);
    bool published = false;

    if (!v || !name) {
        gnd_free(v);
        gnd_free(name);
        return gnd_fail(r->err, GND_ERR_NOMEM, "no memory for a figure");
    }
    for (int64_t i = 0; i < n; i++) {
        x[i] = p[i].x;
        v[n + i] = p[i].row->mean;
        error_bar(r, p[i].row, &v[2 * n + i], &v[3 * n + i]);
        v[4 * n + i] = p[i].row->published;
        published |= isfinite(v[4 * n + i]);
    }
    s.x = x;
    s.y = v + n;
    s.low = v + 2 * n;
    s.high = v + 3 * n;
    gnd_figure_series(f, &s);
    s.name = name;
    s.unlisted = true;
    s.draw = GND_DRAW_HOLLOW;
    s.y = v + 4 * n;
    s.low = s.high = NULL;
    if (published)
        gnd_figure_series(f, &s);
    gnd_free(v);
    gnd_free(name);
    return GND_OK;
}

static void notes_draw(const results *r, gnd_figure *f)
{
    static const char *const bars[] = {"standard error of the mean", "standard deviation",
                                       "95 % interval of the mean"};
    double least = INFINITY, most = 0;
    bool published = false;

    for (int64_t i = 0; i < r->n; i++) {
        least = fmin(least, r->at[i].row->splits);
        most = fmax(most, r->at[i].row->splits);
        published |= isfinite(r->at[i].row->published);
    }
    if (least < most)
        gnd_figure_note(f, "Error bars: %s, %.0f to %.0f splits.", bars[r->o.bars], least, most);
    else
        gnd_figure_note(f, "Error bars: %s, %.0f split%s.", bars[r->o.bars], most,
                        most == 1 ? "" : "s");
    if (published)
        gnd_figure_note(f, "Hollow marks: published figures.");
}

/* Ticks at the values of x; 0 if there are too many. */
static int64_t x_values(double at[MAX_TICKS], const results *r)
{
    int64_t n = 0;

    for (int64_t i = 0; i < r->n; i++) {
        int64_t k = 0;

        while (k < n && at[k] < r->at[i].x)
            k++;
        if (k < n && at[k] == r->at[i].x)
            continue;
        if (n == MAX_TICKS)
            return 0;
        memmove(at + k + 1, at + k, (size_t)(n - k) * sizeof *at);
        at[k] = r->at[i].x;
        n++;
    }
    return n;
}

static gnd_status results_draw(gnd_figure **out, results *r, const char *x_label)
{
    const gnd_result_row *row = r->at[0].row;
    char *title = gnd_text_make("%s, graph %s", name_of(r, row->dataset), name_of(r, row->graph));
    double at[MAX_TICKS + 1];
    const int64_t n_at = x_values(at, r);
    const bool log = n_at > 0 ? at[0] > 0 && at[n_at - 1] / at[0] >= 8 : true;
    const gnd_figure_shape shape = {title, GND_FIGURE_SINGLE, 1};
    gnd_status st = GND_OK;

    *out = NULL;
    if (!title)
        return gnd_fail(r->err, GND_ERR_NOMEM, "no memory for a figure");
    GND_TRY(gnd_figure_new(out, &shape, r->err));
    gnd_figure_panel(*out, &(gnd_panel){.title = title,
                                        .x = {.label = x_label,
                                              .log = log,
                                              .at = n_at > 0 && n_at <= 12 ? at : NULL,
                                              .n_at = n_at},
                                        .y = {.label = "test accuracy (%)"}});
    qsort(r->at, (size_t)r->n, sizeof *r->at, by_x);
    for (int64_t i = 0, end; i < r->n; i = end) {
        for (end = i; end < r->n && r->at[end].series == r->at[i].series;)
            end++;
        GND_TRY(line_draw(r, *out, r->at + i, end - i));
    }
    notes_draw(r, *out);
out:
    gnd_free(title);
    if (st != GND_OK) {
        gnd_figure_free(*out);
        *out = NULL;
    }
    return st;
}

gnd_status gnd_figure_accuracy(gnd_figure **out, const gnd_figure_results_opts *o, gnd_error *err)
{
    results r;
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(results_init(&r, o, err));
    GND_TRY(block_choose(&r));
    GND_TRY(methods_choose(&r));
    for (int64_t i = 0; i < r.rows.n; i++) {
        const gnd_result_row *row = &r.rows.row[i];
        const char *variant = name_of(&r, row->variant);
        char *name =
            gnd_text_make("%s%s%s", name_of(&r, row->method), *variant ? " " : "", variant);

        st = name ? point_add(&r, name, row->per_class, row)
                  : gnd_fail(err, GND_ERR_NOMEM, "no memory for a figure");
        gnd_free(name);
        GND_TRY(st);
    }
    GND_TRY(results_draw(out, &r, "labels per class"));
out:
    results_fini(&r);
    return st;
}

/* ---- depth ---- */

/* "layers=4": the setting and its value. */
static bool variant_split(char setting[MAX_SETTING], double *value, const char *variant)
{
    const char *equals = strchr(variant, '=');
    const size_t n = equals ? (size_t)(equals - variant) : 0;

    if (n == 0 || n >= MAX_SETTING || !gnd_parse_real(value, equals + 1, strlen(equals + 1)))
        return false;
    memcpy(setting, variant, n);
    setting[n] = '\0';
    return isfinite(*value);
}

static gnd_status labels_choose(results *r)
{
    double one = r->o.per_class > 0 ? r->o.per_class : r->rows.row[0].per_class;
    int64_t kept = 0;

    for (int64_t i = 0; i < r->rows.n; i++) {
        if (r->rows.row[i].per_class == one)
            r->rows.row[kept++] = r->rows.row[i];
        else if (r->o.per_class <= 0)
            return gnd_fail(r->err, GND_ERR_ARG,
                            "%s: has figures for %g and for %g labels per class; choose one with "
                            "--labels-per-class",
                            r->o.paths[0], one, r->rows.row[i].per_class);
    }
    r->rows.n = kept;
    if (kept == 0)
        return gnd_fail(r->err, GND_ERR_ARG, "%s: has no figures for %d labels per class",
                        r->o.paths[0], r->o.per_class);
    return GND_OK;
}

gnd_status gnd_figure_depth(gnd_figure **out, const gnd_figure_results_opts *o, gnd_error *err)
{
    char setting[MAX_SETTING];
    gnd_buffer label = {0};
    gnd_names *settings = gnd_names_new();
    results r;
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(results_init(&r, o, err));
    GND_TRY(block_choose(&r));
    GND_TRY(methods_choose(&r));
    GND_TRY(labels_choose(&r));
    for (int64_t i = 0; i < r.rows.n; i++) {
        const gnd_result_row *row = &r.rows.row[i];
        double x;

        if (!variant_split(setting, &x, name_of(&r, row->variant)))
            continue;
        if (!settings || gnd_names_add(settings, setting, strlen(setting)) < 0)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a figure"));
        GND_TRY(point_add(&r, name_of(&r, row->method), x, row));
    }
    if (r.n == 0)
        GND_TRY(
            gnd_fail(err, GND_ERR_ARG,
                     "%s: no row has a variant such as layers=2; make it by `gnd compare --vary "
                     "layers=1,2,4 --format csv`",
                     r.o.paths[0]));
    for (int64_t i = 0; i < gnd_names_count(settings); i++)
        gnd_text_add(&label, "%s%s", i ? " or " : "", gnd_names_get(settings, i));
    if (label.failed)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a figure"));
    GND_TRY(results_draw(out, &r, label.text));
    gnd_figure_note(*out, "%g label%s per class.", r.at[0].row->per_class,
                    r.at[0].row->per_class == 1 ? "" : "s");
out:
    gnd_names_free(settings);
    gnd_buffer_fini(&label);
    results_fini(&r);
    return st;
}
