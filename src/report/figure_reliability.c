/* SPDX-License-Identifier: MIT
 * figure_reliability.c - reliability diagram: accuracy against confidence, in bins, and how many
 * vertices are in each bin. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "graph/split.h"
#include "io/text.h"
#include "plot/figure.h"
#include "report.h"
#include "train/metric.h"

enum { BINS = GND_CALIBRATION_BINS };

static gnd_status draw(gnd_figure **out, const gnd_calibration *c, gnd_error *err)
{
    static const double diagonal[] = {0, 1};
    const gnd_figure_shape shape = {"reliability diagram", GND_FIGURE_SINGLE, 1};
    double conf[BINS], acc[BINS], low[BINS], high[BINS], middle[BINS], share[BINS];
    gnd_status st;

    *out = NULL;
    if (c->n == 0)
        return gnd_fail(err, GND_ERR_ARG,
                        "no vertex has both a label and a prediction, so there is no reliability "
                        "diagram");
    for (int b = 0; b < BINS; b++) {
        const double n = (double)c->bin[b].n;
        const double p = n > 0 ? (double)c->bin[b].right / n : NAN, se = sqrt(p * (1 - p) / n);

        middle[b] = (b + 0.5) / BINS;
        conf[b] = n > 0 ? c->bin[b].conf / n : NAN;
        acc[b] = p;
        low[b] = fmax(0, p - se);
        high[b] = fmin(1, p + se);
        share[b] = 100 * n / (double)c->n;
    }
    st = gnd_figure_new(out, &shape, err);
    if (st != GND_OK)
        return st;
    gnd_figure_panel(*out, &(gnd_panel){.x = {.label = "", .low = 0, .high = 1},
                                        .y = {.label = "accuracy", .low = 0, .high = 1},
                                        .aspect = 0.8});
    gnd_figure_series(*out, &(gnd_plot_series){.name = "perfect calibration",
                                               .draw = GND_DRAW_LINE,
                                               .style = GND_STYLE_REFERENCE,
                                               .n = 2,
                                               .x = diagonal,
                                               .y = diagonal});
    gnd_figure_series(*out,
                      &(gnd_plot_series){.name = "predictions",
                                         .draw = GND_DRAW_LINE | GND_DRAW_MARK | GND_DRAW_ERROR,
                                         .style = 0,
                                         .n = BINS,
                                         .x = conf,
                                         .y = acc,
                                         .low = low,
                                         .high = high});
    gnd_figure_panel(*out, &(gnd_panel){.x = {.label = "confidence", .low = 0, .high = 1},
                                        .y = {.label = "vertices (%)"},
                                        .aspect = 0.25});
    gnd_figure_series(*out, &(gnd_plot_series){.name = "vertices",
                                               .unlisted = true,
                                               .draw = GND_DRAW_BAR,
                                               .style = 0,
                                               .n = BINS,
                                               .x = middle,
                                               .y = share,
                                               .width = 1.0 / BINS});
    gnd_figure_note(
        *out, "Expected calibration error %.1f %% on %lld vertices. Error bars: standard error.",
        100 * gnd_calibration_error(c), (long long)c->n);
    return GND_OK;
}

gnd_status gnd_figure_reliability(gnd_figure **out, const gnd_metrics *m, gnd_error *err)
{
    gnd_error_clear(err);
    return draw(out, gnd_metrics_calibration(m), err);
}

/* ---- a file of predictions ---- */

typedef struct {
    gnd_text text;
    const gnd_graph *g;
    gnd_names *ids;        /* of all vertices, in their order */
    unsigned char *counts; /* [n_node] 1: a test vertex that was not counted yet */
    gnd_calibration sum;
} reader;

static gnd_status reader_init(reader *r, const gnd_graph *g, const gnd_split *s, gnd_error *err)
{
    char buf[32];

    *r = (reader){.g = g, .ids = gnd_names_new()};
    r->counts = gnd_alloc(g->n_node, 1);
    for (int64_t i = 0; r->ids && i < g->n_node; i++) {
        const char *id = gnd_graph_id(g, i, buf);

        if (gnd_names_add(r->ids, id, strlen(id)) < 0)
            return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld ids", (long long)g->n_node);
    }
    if (!r->ids || !r->counts)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld ids", (long long)g->n_node);
    for (int64_t i = 0; i < s->n_test; i++)
        r->counts[s->test[i]] = 1;
    return GND_OK;
}

static void reader_fini(reader *r)
{
    gnd_text_close(&r->text);
    gnd_names_free(r->ids);
    gnd_free(r->counts);
}

static gnd_status line_read(reader *r, const gnd_csv_field f[3], gnd_error *err)
{
    const int64_t v = gnd_names_find(r->ids, f[0].s, f[0].len);
    char show[GND_SHOWN];
    double p;

    if (v < 0)
        return gnd_text_fail(&r->text, err, "there is no vertex '%s' in %s",
                             gnd_field_show(show, f[0]), r->g->name);
    if (f[2].len == 0) /* unknown */
        return GND_OK;
    if (!gnd_field_real(&p, f[2]) || p < 0 || p > 1)
        return gnd_text_fail(&r->text, err, "expected a probability from 0 to 1, got '%s'",
                             gnd_field_show(show, f[2]));
    if (r->counts[v] && r->g->label[v] >= 0)
        gnd_calibration_add(&r->sum, p,
                            gnd_field_equals(f[1], gnd_names_get(r->g->cls, r->g->label[v])));
    r->counts[v] = 0;
    return GND_OK;
}

static gnd_status file_read(reader *r, gnd_error *err)
{
    static const char *const heading[] = {"id", "label", "probability"};
    gnd_csv_field f[3];
    const char *s;
    size_t len;
    int64_t n, n_column = 3;
    gnd_status st = GND_OK;

    for (bool first = true; gnd_text_line(&r->text, &s, &len); first = false) {
        GND_TRY(gnd_fields_split(gnd_text_fields(&r->text, s, len, ','), f, 3, &n, err));
        if (first)
            n_column = n; /* --probabilities adds some */
        if (n < 3 || n != n_column)
            GND_TRY(gnd_text_fail(&r->text, err, "expected id,label,probability%s, got %lld fields",
                                  n_column > 3 ? " and the other columns of the heading" : "",
                                  (long long)n));
        for (int c = 0; first && c < 3; c++)
            if (!gnd_field_equals(f[c], heading[c]))
                GND_TRY(gnd_text_fail(&r->text, err,
                                      "expected the heading id,label,probability of `gnd label "
                                      "-o`, `gnd predict -o` or `gnd train --predictions`"));
        if (!first)
            GND_TRY(line_read(r, f, err));
    }
    if (r->text.line == 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: is empty; expected id,label,probability",
                         r->text.path));
out:
    return st;
}

gnd_status gnd_figure_reliability_file(gnd_figure **out, const char *path, const gnd_graph *g,
                                       const gnd_split *s, gnd_error *err)
{
    reader r = {0};
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(gnd_require(path, "the path of the predictions", err));
    GND_TRY(reader_init(&r, g, s, err));
    GND_TRY(gnd_text_open_lines(&r.text, path, 0, err));
    GND_TRY(file_read(&r, err));
    GND_TRY(draw(out, &r.sum, err));
out:
    reader_fini(&r);
    return st;
}
