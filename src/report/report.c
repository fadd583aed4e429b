/* SPDX-License-Identifier: MIT
 * report.c - reports on a sweep: tables with captions in every format. */
#include "report.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"

const char *gnd_seconds_text(char buf[32], double seconds)
{
    snprintf(buf, 32, "%.*f",
             seconds < 0.0995  ? 3
             : seconds < 9.995 ? 2
             : seconds < 99.95 ? 1
                               : 0,
             seconds);
    return buf;
}

const char *gnd_labels_text(char buf[32], int32_t n)
{
    snprintf(buf, 32, "%" PRId32 " label%s", n, n == 1 ? "" : "s");
    return buf;
}

const char *gnd_rule_text(const char *rule)
{
    return strcmp(rule, "published") == 0 ? "presets published"
           : strcmp(rule, "common") == 0  ? "common stopping rule"
                                          : "original stopping rule";
}

void gnd_block_head(gnd_buffer *b, const gnd_sweep_block *block)
{
    gnd_text_add(b, "%s, graph %s, %s", block->dataset, gnd_graph_mode_name(block->graph),
                 gnd_rule_text(block->rule));
}

/* ---- a table with its caption ---- */

void gnd_view_failed(gnd_view *v)
{
    if (v->st == GND_OK)
        v->st = gnd_fail(v->err, GND_ERR_NOMEM, "no memory for a report");
}

static void title_write(gnd_view *v, const gnd_caption *c)
{
    gnd_buffer b = {0};

    if (v->o.format == GND_FORMAT_LATEX) {
        gnd_text_escape(&b, c->head, v->o.format);
        fprintf(v->f, "\\begin{table}\n\\centering\n\\caption{%s: ", b.failed ? "" : b.text);
        gnd_text_escape(&b, c->figures, v->o.format);
        fprintf(v->f, "%s}\n", b.failed ? "" : b.text);
    } else if (v->o.format == GND_FORMAT_MARKDOWN) {
        fprintf(v->f, "### %s\n\n%s\n\n", c->head, c->figures);
    } else {
        fprintf(v->f, "%s%s%s\n", v->o.ansi ? "\033[1m" : "", c->head, v->o.ansi ? "\033[0m" : "");
        gnd_text_wrap(v->f, c->figures, 0, 0);
    }
    if (b.failed)
        gnd_view_failed(v);
    gnd_buffer_fini(&b);
}

static void note_write(gnd_view *v, const char *note)
{
    gnd_buffer b = {0};

    if (v->o.format == GND_FORMAT_LATEX) {
        gnd_text_escape(&b, note, v->o.format);
        fprintf(v->f, "\\par\\smallskip\\footnotesize %s\n", b.failed ? "" : b.text);
    } else if (v->o.format == GND_FORMAT_MARKDOWN) {
        fprintf(v->f, "\n%s\n", note);
    } else {
        gnd_text_wrap(v->f, note, 0, 0);
    }
    if (b.failed)
        gnd_view_failed(v);
    gnd_buffer_fini(&b);
}

static void notes_write(gnd_view *v, const char *notes)
{
    while (notes && *notes) {
        const size_t n = strcspn(notes, "\n");
        char *one = gnd_strndup(notes, n);

        if (one)
            note_write(v, one);
        else
            gnd_view_failed(v);
        gnd_free(one);
        notes += n + (notes[n] == '\n');
    }
}

void gnd_view_table(gnd_view *v, gnd_table *t, const gnd_caption *c)
{
    const gnd_table_opts o = {.size = sizeof o, .format = v->o.format, .ansi = v->o.ansi};

    if (!t || !c->head || !c->figures)
        gnd_view_failed(v);
    if (v->st == GND_OK) {
        fputs(v->n_table++ ? "\n" : "", v->f);
        title_write(v, c);
        v->st = gnd_table_write(t, v->f, &o, v->err);
        notes_write(v, c->notes);
        if (v->o.format == GND_FORMAT_LATEX)
            fputs("\\end{table}\n", v->f);
    }
    gnd_table_free(t);
}

/* ---- whole reports ---- */

static void comparison_write(gnd_view *v)
{
    const gnd_sweep_opts *o = gnd_sweep_options(v->s);
    const int64_t n = gnd_sweep_n_done(v->s);

    for (int64_t b = 0; b < n; b++) {
        gnd_view_accuracy(v, b);
        if (o->kind == GND_SPLIT_HONEST)
            gnd_view_calibration(v, b);
        if (o->paired)
            gnd_view_paired(v, b);
    }
    for (int64_t b = 0; b < n; b++)
        gnd_view_times(v, b);
}

static void paper_write(gnd_view *v)
{
    gnd_view_data(v);
    for (int64_t b = 0; b < gnd_sweep_n_block(v->s); b++)
        gnd_view_accuracy(v, b);
    gnd_view_best(v);
    for (int64_t k = 0; k < gnd_sweep_options(v->s)->n_setting; k++)
        gnd_view_paper_times(v, k);
}

static void plain_write(gnd_view *v, gnd_table *t)
{
    const gnd_table_opts o = {.size = sizeof o, .format = v->o.format, .ansi = v->o.ansi};

    v->st = gnd_table_write(t, v->f, &o, v->err);
    gnd_table_free(t);
}

gnd_status gnd_report_write(FILE *f, const gnd_sweep *s, const gnd_report_opts *o, gnd_error *err)
{
    gnd_view v = {.f = f, .s = s, .err = err};
    bool csv;

    gnd_error_clear(err);
    v.st = gnd_opts_get(&v.o, sizeof v.o, o, "gnd_report_opts", err);
    if (v.st != GND_OK)
        return v.st;
    if (!f || !s || (unsigned)v.o.kind > GND_REPORT_RUNS || (unsigned)v.o.format > GND_FORMAT_CSV)
        return gnd_fail(err, GND_ERR_ARG,
                        "gnd_report_write: a stream, a sweep, a kind and a format are needed");
    csv = v.o.format == GND_FORMAT_CSV;
    if (v.o.kind == GND_REPORT_RUNS)
        plain_write(&v, gnd_runs_table(s));
    else if (csv && v.o.kind != GND_REPORT_PLAN)
        plain_write(&v, gnd_records_table(s));
    else if (csv)
        return gnd_fail(err, GND_ERR_ARG, "gnd_report_write: the plan is not written as CSV");
    else if (v.o.kind == GND_REPORT_COMPARISON)
        comparison_write(&v);
    else if (v.o.kind == GND_REPORT_PAPER)
        paper_write(&v);
    else
        gnd_view_plan(&v);
    return v.st;
}
