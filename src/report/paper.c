/* SPDX-License-Identifier: MIT
 * paper.c - the paper's tables other than accuracy: the data sets, in how many cells each method
 * is best, times, and the training runs that are left. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/str.h"
#include "report.h"

/* ---- the data sets ---- */

static void data_row(gnd_table *t, const char *name, const char *source, const int64_t n[5])
{
    char text[GND_COUNT_TEXT];

    gnd_table_cell(t, "%s", name);
    gnd_table_cell(t, "%s", source);
    for (int i = 0; i < 5; i++)
        gnd_table_cell(t, "%s", n[i] >= 0 ? gnd_count_text(text, n[i]) : "-");
}

static bool published_find(gnd_published_data *out, const char *name)
{
    for (int i = 0; gnd_published_data_get(out, i); i++)
        if (strcmp(out->name, name) == 0)
            return true;
    return false;
}

static void info_row(gnd_view *v, gnd_table *t, int64_t d, const char *name, gnd_graph_mode mode)
{
    gnd_graph_info i = {.size = sizeof i};

    if (v->st == GND_OK)
        v->st = gnd_sweep_dataset_info(&i, v->s, d, mode, v->err);
    data_row(t, name, gnd_graph_mode_name(mode),
             (int64_t[]){i.n_node, i.n_edge, i.n_arc, i.n_feat, i.n_class});
}

void gnd_view_data(gnd_view *v)
{
    const gnd_sweep_opts *o = gnd_sweep_options(v->s);
    gnd_table *t = gnd_table_new("llrrrrr");
    gnd_buffer notes = {0};

    gnd_table_row(t, (const char *const[]){"data set", "graph", "vertices", "edges", "arcs stored",
                                           "features", "classes"});
    for (int64_t d = 0; d < o->n_dataset; d++) {
        gnd_published_data p = {.size = sizeof p};
        const char *name = o->datasets[d];
        char n[GND_COUNT_TEXT];

        if (published_find(&p, name)) {
            data_row(t, name, "published",
                     (int64_t[]){p.n_node, p.n_edge, -1, p.n_feat, p.n_class});
            gnd_text_add(&notes, "%s: %s edges published: %s\n", name, gnd_count_text(n, p.n_edge),
                         p.about);
            name = "";
        }
        info_row(v, t, d, name, GND_GRAPH_RAW);
        info_row(v, t, d, "", GND_GRAPH_STD);
    }
    if (notes.failed)
        gnd_view_failed(v);
    gnd_view_table(
        v, t,
        &(gnd_caption){"the data sets (Table 1 of the paper)",
                       "as published, as stored (raw) and standardised (std); an edge is a pair of "
                       "distinct vertices that are linked",
                       notes.text});
    gnd_buffer_fini(&notes);
}

/* ---- in how many cells a method is best ---- */

static void score_measured(gnd_report_score *out, const gnd_sweep *s, int64_t setting, int64_t row)
{
    const gnd_sweep_opts *o = gnd_sweep_options(s);

    for (int64_t k = 0; k < o->n_dataset * o->n_per_class; k++) {
        const int64_t b = setting * o->n_dataset + k / o->n_per_class, q = k % o->n_per_class;
        gnd_report_published p = {.size = sizeof p};
        bool all = true, whole = true;

        for (int64_t r = 0; r < gnd_sweep_n_row(s); r++) {
            const gnd_sweep_cell *c = gnd_sweep_cell_get(s, b, r, q);

            all = all && c && c->cell->n > 0;
            whole = whole && c && c->cell->n + c->n_diverged == o->n_split;
        }
        gnd_report_published_get(&p, s, b, row, q);
        out->n_near += fabs(p.difference) <= 2; /* not if it is NAN */
        out->n_near_strict += fabs(p.difference_strict) <= 2;
        out->n_compared += !isnan(p.difference);
        out->n_cell += all;
        out->n_partial += all && !whole;
        out->n_best += all && gnd_sweep_cell_get(s, b, row, q)->is_best;
    }
}

/* The same for the published figures; a figure that is N/A is not best. */
static void score_published(gnd_report_score *out, const gnd_sweep *s, int64_t row)
{
    const gnd_sweep_opts *o = gnd_sweep_options(s);

    for (int64_t k = 0; k < o->n_dataset * o->n_per_class; k++) {
        const char *data = o->datasets[k / o->n_per_class];
        const int32_t labels = o->per_class[k % o->n_per_class];
        gnd_published p = {.size = sizeof p};
        double top = -1;

        for (int64_t r = 0; r < gnd_sweep_n_row(s); r++)
            if (gnd_published_get(&p, data, gnd_sweep_row_method(s, r), labels) && p.mean > top)
                top = p.mean;
        out->n_cell += top >= 0;
        out->n_best += top >= 0 &&
                       gnd_published_get(&p, data, gnd_sweep_row_method(s, row), labels) &&
                       p.mean >= top;
    }
}

gnd_status gnd_report_score_get(gnd_report_score *out, const gnd_sweep *s, int64_t setting,
                                int64_t row, gnd_error *err)
{
    gnd_report_score score = {0};
    gnd_status st;

    gnd_error_clear(err);
    GND_TRY(gnd_opts_check(out, sizeof *out, "gnd_report_score", err));
    if (!s || setting < 0 || setting > gnd_sweep_options(s)->n_setting ||
        !gnd_sweep_row_name(s, row))
        return gnd_fail(err, GND_ERR_ARG, "gnd_report_score_get: there is no such setting or row");
    if (setting < gnd_sweep_options(s)->n_setting)
        score_measured(&score, s, setting, row);
    else
        score_published(&score, s, row);
    gnd_opts_put(out, &score, sizeof *out);
out:
    return st;
}

static gnd_report_score score_of(const gnd_sweep *s, int64_t setting, int64_t row)
{
    gnd_report_score c = {.size = sizeof c};

    gnd_report_score_get(&c, s, setting, row, NULL);
    return c;
}

static void near_cell(gnd_table *t, const gnd_report_score *c)
{
    if (c->n_compared)
        gnd_table_cell(t, "%" PRId64 " (%" PRId64 ") of %" PRId64, c->n_near, c->n_near_strict,
                       c->n_compared);
    else
        gnd_table_cell(t, "-");
}

static void best_row(gnd_table *t, const gnd_sweep *s, int64_t row)
{
    const int64_t n_setting = gnd_sweep_options(s)->n_setting;

    gnd_table_cell(t, "%s", gnd_sweep_row_name(s, row));
    for (int64_t k = 0; k <= n_setting; k++) {
        const gnd_report_score c = score_of(s, k, row);

        gnd_table_cell(t, "%" PRId64, c.n_best);
        if (k < n_setting)
            near_cell(t, &c);
    }
}

/* The sums below the rows; also counts the incomplete cells. */
static int64_t sums_row(gnd_table *t, const gnd_sweep *s)
{
    const int64_t n_setting = gnd_sweep_options(s)->n_setting;
    int64_t partial = 0;

    gnd_table_cell(t, "of cells");
    for (int64_t k = 0; k <= n_setting; k++) {
        const gnd_report_score first = score_of(s, k, 0);
        gnd_report_score sum = {0};

        for (int64_t r = 0; r < gnd_sweep_n_row(s); r++) {
            const gnd_report_score c = score_of(s, k, r);

            sum.n_near += c.n_near;
            sum.n_near_strict += c.n_near_strict;
            sum.n_compared += c.n_compared;
        }
        partial += first.n_partial;
        gnd_table_cell(t, "%" PRId64, first.n_cell);
        if (k < n_setting)
            near_cell(t, &sum);
    }
    return partial;
}

/* A table with an 'l' column and n - 1 'r' columns. */
static gnd_table *wide_table(int64_t n)
{
    char *align = gnd_alloc(n + 1, 1);
    gnd_table *t = NULL;

    if (align) {
        memset(align, 'r', (size_t)n);
        align[0] = 'l';
        t = gnd_table_new(align);
    }
    gnd_free(align);
    return t;
}

/* Columns: method; best and near of every setting; best by the published figures. */
void gnd_view_best(gnd_view *v)
{
    const gnd_sweep_opts *o = gnd_sweep_options(v->s);
    gnd_table *t = wide_table(2 + 2 * o->n_setting);
    gnd_buffer notes = {0};
    int64_t partial;

    gnd_table_cell(t, "method");
    for (int64_t k = 0; k < o->n_setting; k++) {
        gnd_table_cell(t, "%s,%s", gnd_graph_mode_name(o->settings[k].graph), o->settings[k].rule);
        gnd_table_cell(t, "near");
    }
    gnd_table_cell(t, "published");
    for (int64_t r = 0; r < gnd_sweep_n_row(v->s); r++)
        best_row(t, v->s, r);
    partial = sums_row(t, v->s);
    gnd_text_add(&notes, "counted are the cells in which every method has a result");
    if (partial)
        gnd_text_add(&notes, " (in %" PRId64 " of them not yet from all %" PRId32 " splits)",
                     partial, o->n_split);
    gnd_text_add(&notes, "; near: cells within 2 √((s² published + s² ours) / 30) of the published "
                         "mean, s being the deviation over 30 splits, and in brackets within 2 s "
                         "published / √30; published: the same count by the paper's tables");
    if (score_of(v->s, o->n_setting, 0).n_cell == 30)
        gnd_text_add(&notes,
                     ", though its text says that GND-Nets is best \"in 4 out of 30 cases\"");
    if (notes.failed)
        gnd_view_failed(v);
    gnd_view_table(v, t,
                   &(gnd_caption){"best methods",
                                  "in how many cells (data set x label count) a method's mean is "
                                  "the highest",
                                  notes.text});
    gnd_buffer_fini(&notes);
}

/* ---- times ---- */

static void time_cell(gnd_table *t, const gnd_sweep *s, int64_t block, int64_t row)
{
    double seconds = 0, epochs = 0, n = 0;
    char sec[32];

    for (int64_t q = 0; q < gnd_sweep_options(s)->n_per_class; q++) {
        const gnd_sweep_cell *c = gnd_sweep_cell_get(s, block, row, q);

        if (c && c->cell->n > 0) {
            seconds += (double)c->cell->n * c->cell->mean_seconds;
            epochs += (double)c->cell->n * c->cell->mean_epochs;
            n += (double)c->cell->n;
        }
    }
    if (n > 0)
        gnd_table_cell(t, "%s s, %.0f", gnd_seconds_text(sec, seconds / n), epochs / n);
    else
        gnd_table_cell(t, "-");
}

/* A row for each method, a column for each data set. */
void gnd_view_paper_times(gnd_view *v, int64_t setting)
{
    const gnd_sweep_opts *o = gnd_sweep_options(v->s);
    gnd_table *t = wide_table(1 + o->n_dataset);
    gnd_buffer head = {0};

    gnd_table_cell(t, "method");
    for (int64_t d = 0; d < o->n_dataset; d++) {
        const gnd_sweep_block *b = gnd_sweep_block_get(v->s, setting * o->n_dataset + d);

        gnd_table_cell(t, "%s", b ? b->dataset : o->datasets[d]);
    }
    for (int64_t r = 0; r < gnd_sweep_n_row(v->s); r++) {
        gnd_table_cell(t, "%s", gnd_sweep_row_name(v->s, r));
        for (int64_t d = 0; d < o->n_dataset; d++)
            time_cell(t, v->s, setting * o->n_dataset + d, r);
    }
    gnd_text_add(&head, "graph %s, %s", gnd_graph_mode_name(o->settings[setting].graph),
                 gnd_rule_text(o->settings[setting].rule));
    gnd_view_table(v, t,
                   &(gnd_caption){head.text,
                                  "CPU seconds and epochs per training run, mean over label counts "
                                  "and splits",
                                  NULL});
    gnd_buffer_fini(&head);
}

/* ---- what is left to train ---- */

void gnd_view_plan(gnd_view *v)
{
    gnd_table *t = gnd_table_new("lllrrr");
    gnd_buffer figures = {0};
    char n[3][GND_COUNT_TEXT];
    int64_t done, total;

    gnd_table_row(t, (const char *const[]){"data set", "graph", "rule", "training runs", "stored",
                                           "to train"});
    for (int64_t i = 0; i < gnd_sweep_n_block(v->s); i++) {
        const gnd_sweep_block *b = gnd_sweep_block_get(v->s, i);

        if (b)
            gnd_table_row(t, (const char *const[]){b->dataset, gnd_graph_mode_name(b->graph),
                                                   b->rule, gnd_count_text(n[0], b->total),
                                                   gnd_count_text(n[1], b->done),
                                                   gnd_count_text(n[2], b->total - b->done)});
    }
    gnd_sweep_count(v->s, &done, &total);
    gnd_text_add(&figures, "%s training runs of %" PRId64 " methods, %s of them in %s, %s to train",
                 gnd_count_text(n[0], total), gnd_sweep_n_row(v->s), gnd_count_text(n[1], done),
                 v->o.store ? v->o.store : "the store", gnd_count_text(n[2], total - done));
    gnd_view_table(v, t, &(gnd_caption){"what `gnd paper` would train", figures.text, NULL});
    gnd_buffer_fini(&figures);
}
