/* SPDX-License-Identifier: MIT
 * accuracy.c - tables of one block: accuracy and published figures, calibration, times, paired
 * tests. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/str.h"
#include "eval/sweep.h"
#include "report.h"

bool gnd_report_published_get(gnd_report_published *out, const gnd_sweep *s, int64_t block,
                              int64_t row, int64_t q)
{
    const gnd_sweep_block *b = gnd_sweep_block_get(s, block);
    const gnd_sweep_cell *c = gnd_sweep_cell_get(s, block, row, q);
    const gnd_sweep_opts *o = gnd_sweep_options(s);
    gnd_published figure = {.size = sizeof figure};
    gnd_report_published p = {.difference = NAN, .difference_strict = NAN};
    bool there;

    if (gnd_opts_check(out, sizeof *out, "gnd_report_published", NULL) != GND_OK)
        return false;
    there = c && o->kind == GND_SPLIT_PAPER && (!o->vary || o->pick) &&
            gnd_published_get(&figure, b->dataset, gnd_sweep_row_method(s, row), o->per_class[q]);
    p.mean = figure.mean;
    p.std = figure.std;
    p.not_available = figure.not_available;
    if (there && c->cell->n > 0 && p.std > 0)
        gnd_published_distance(&p, c->cell->mean, c->cell->std, c->cell->n);
    gnd_opts_put(out, &p, sizeof *out);
    return there;
}

/* ---- rows over label counts ---- */

/* A table with a column for each label count. */
typedef struct {
    const gnd_sweep *s;
    const gnd_sweep_opts *o;
    const gnd_sweep_block *b;
    int64_t block;
    gnd_table *t;
} grid;

/* Adds the cell's text to the table. */
typedef void cell_writer(const grid *g, int64_t row, int64_t q, const gnd_sweep_cell *c);

static grid grid_new(const gnd_view *v, int64_t block)
{
    grid g = {.s = v->s,
              .o = gnd_sweep_options(v->s),
              .b = gnd_sweep_block_get(v->s, block),
              .block = block};
    const int64_t n = 1 + g.o->n_per_class;
    char *align = g.b ? gnd_alloc(n + 1, 1) : NULL, text[32];

    if (align) {
        memset(align, 'r', (size_t)n);
        align[0] = 'l';
        g.t = gnd_table_new(align);
    }
    gnd_free(align);
    gnd_table_cell(g.t, "method");
    for (int64_t q = 0; q < g.o->n_per_class; q++)
        gnd_table_cell(g.t, "%s", gnd_labels_text(text, g.o->per_class[q]));
    return g;
}

static void grid_row(const grid *g, const char *name, int64_t row, cell_writer *write)
{
    gnd_table_cell(g->t, "%s", name);
    for (int64_t q = 0; q < g->o->n_per_class; q++)
        write(g, row, q, gnd_sweep_cell_get(g->s, g->block, row, q));
}

/* ---- accuracy ---- */

static void accuracy_cell(const grid *g, int64_t row, int64_t q, const gnd_sweep_cell *c)
{
    (void)row, (void)q;
    if (c->cell->n > 0)
        gnd_table_cell(g->t, "%.2f ± %.2f", c->cell->mean, c->cell->std);
    else
        gnd_table_cell(g->t, "%s", c->n_diverged ? "diverged" : "-");
    if (c->is_best)
        gnd_table_bold(g->t);
}

static void count_cell(const grid *g, int64_t row, int64_t q, const gnd_sweep_cell *c)
{
    (void)row, (void)q;
    if (c->cell->n == g->o->n_split)
        gnd_table_cell(g->t, "all");
    else
        gnd_table_cell(g->t, "%" PRId64 " of %" PRId32, c->cell->n, g->o->n_split);
}

static void interval_cell(const grid *g, int64_t row, int64_t q, const gnd_sweep_cell *c)
{
    (void)row, (void)q;
    /* An interval by Student's t may exceed the range 0 to 100 of an accuracy: clip it. */
    if (c->cell->n > 1)
        gnd_table_cell(g->t, "%.2f to %.2f", fmax(c->cell->low, 0), fmin(c->cell->high, 100));
    else
        gnd_table_cell(g->t, "-");
}

static void f1_cell(const grid *g, int64_t row, int64_t q, const gnd_sweep_cell *c)
{
    (void)row, (void)q;
    if (c->cell->n > 0 && isfinite(c->cell->mean_f1))
        gnd_table_cell(g->t, "%.2f", c->cell->mean_f1);
    else
        gnd_table_cell(g->t, "-");
}

/* The published figure; in Markdown and LaTeX followed by the difference of ours from it. */
static void published_cell(const grid *g, int64_t row, int64_t q, bool beside)
{
    gnd_report_published p = {.size = sizeof p};

    if (!gnd_report_published_get(&p, g->s, g->block, row, q))
        gnd_table_cell(g->t, "-");
    else if (p.not_available)
        gnd_table_cell(g->t, "N/A");
    else if (beside && !isnan(p.difference))
        gnd_table_cell(g->t, "%.2f ± %.2f (%+.2f)", p.mean, p.std, p.difference);
    else
        gnd_table_cell(g->t, "%.2f ± %.2f", p.mean, p.std);
}

static void published_alone(const grid *g, int64_t row, int64_t q, const gnd_sweep_cell *c)
{
    (void)c;
    published_cell(g, row, q, false);
}

static void published_beside(const grid *g, int64_t row, int64_t q, const gnd_sweep_cell *c)
{
    (void)c;
    published_cell(g, row, q, true);
}

static void difference_cell(const grid *g, int64_t row, int64_t q, const gnd_sweep_cell *c)
{
    gnd_report_published p = {.size = sizeof p};

    (void)c;
    if (gnd_report_published_get(&p, g->s, g->block, row, q) && !isnan(p.difference))
        gnd_table_cell(g->t, "%+.2f s.e.", p.difference);
    else
        gnd_table_cell(g->t, "-");
}

static bool row_published(const grid *g, int64_t row)
{
    gnd_report_published p = {.size = sizeof p};

    for (int64_t q = 0; q < g->o->n_per_class; q++)
        if (gnd_report_published_get(&p, g->s, g->block, row, q))
            return true;
    return false;
}

static bool row_partial(const grid *g, int64_t row)
{
    for (int64_t q = 0; q < g->o->n_per_class; q++) {
        const int64_t n = gnd_sweep_cell_get(g->s, g->block, row, q)->cell->n;

        if (n > 0 && n < g->o->n_split)
            return true;
    }
    return false;
}

/* "picked for jknet by mean validation accuracy: layers=1 with 1 label, ..." */
static void pick_note(gnd_buffer *b, const grid *g, int64_t row)
{
    const gnd_sweep_cost *cost = &g->s->cost[g->block * g->s->n_row + row];
    const char *name = gnd_sweep_row_name(g->s, row);
    bool any = false;

    for (int64_t q = 0; q < g->o->n_per_class; q++) {
        const gnd_sweep_cell *c = gnd_sweep_cell_get(g->s, g->block, row, q);
        char labels[32];

        if (c->cell->n == 0)
            continue;
        if (!any && g->o->n_search < g->o->n_split)
            gnd_text_add(b, "picked for %s by mean validation accuracy on splits 1-%" PRId32 ": ",
                         name, g->o->n_search);
        else if (!any)
            gnd_text_add(b, "picked for %s by mean validation accuracy: ", name);
        gnd_text_add(b, "%s%s with %s", any ? ", " : "", c->variant,
                     gnd_labels_text(labels, g->o->per_class[q]));
        any = true;
    }
    if (any && cost->done < cost->total)
        gnd_text_add(b, "; preliminary: %" PRId64 " of %" PRId64 " training runs of %s are done",
                     cost->done, cost->total, name);
    if (any)
        gnd_text_add(b, "\n");
}

static void accuracy_rows(const grid *g, bool text, bool *published)
{
    for (int64_t r = 0; r < gnd_sweep_n_row(g->s); r++) {
        grid_row(g, gnd_sweep_row_name(g->s, r), r, accuracy_cell);
        if (row_partial(g, r))
            grid_row(g, text ? "  training runs" : "training runs", r, count_cell);
        if (g->o->kind == GND_SPLIT_HONEST) {
            grid_row(g, text ? "  95 % of mean" : "95 % of mean", r, interval_cell);
            grid_row(g, text ? "  macro-F1" : "macro-F1", r, f1_cell);
        }
        if (!row_published(g, r))
            continue;
        *published = true;
        grid_row(g, text ? "  published" : "published", r,
                 text ? published_alone : published_beside);
        if (text)
            grid_row(g, "  difference", r, difference_cell);
    }
}

/* "test accuracy in %, mean ± deviation over 30 splits, 500 vertices validate" */
static void accuracy_figures(gnd_buffer *b, const gnd_sweep_opts *o)
{
    const bool fixed = o->kind == GND_SPLIT_PLANETOID;
    char n[GND_COUNT_TEXT];

    gnd_text_add(b, "test accuracy in %%, mean ± deviation over %" PRId32 " %s%s, ", o->n_split,
                 fixed ? "training run" : "split", o->n_split == 1 ? "" : "s");
    if (fixed)
        gnd_text_add(b, "Planetoid's fixed split");
    else if (o->n_val > 0)
        gnd_text_add(b, "%s vertices validate", gnd_count_text(n, o->n_val));
    else
        gnd_text_add(b, "no validation");
}

/* How the row's method reads a directed graph; NULL: no memory. */
static const char *row_direction(const grid *g, int64_t row)
{
    const char *direction = NULL;
    gnd_config *c = NULL;

    for (int64_t k = 0; k < g->s->n_variant && !c; k++)
        if (g->s->variant[k].row == row &&
            gnd_variant_open(&c, g->s, k, g->b->dataset, g->b->rule, NULL) != GND_OK)
            return NULL;
    if (c)
        direction = gnd_config_direction(c);
    gnd_config_free(c);
    return direction;
}

/* "how methods read this directed graph: directed arcs: gnd-slp; undirected: sgc, ngcn" */
static void direction_note(gnd_buffer *b, const grid *g)
{
    static const char *const direction[] = {"directed arcs", "reversed arcs", "undirected",
                                            "no arcs"};
    bool any = false;

    gnd_text_add(b, "how methods read this directed graph: ");
    for (size_t k = 0; k < sizeof direction / sizeof *direction; k++) {
        bool named = false;

        for (int64_t r = 0; r < gnd_sweep_n_row(g->s); r++) {
            const char *d = row_direction(g, r);

            if (!d || strcmp(d, direction[k]) != 0)
                continue;
            if (named)
                gnd_text_add(b, ", %s", gnd_sweep_row_name(g->s, r));
            else
                gnd_text_add(b, "%s%s: %s", any ? "; " : "", d, gnd_sweep_row_name(g->s, r));
            named = any = true;
        }
    }
    gnd_text_add(b, "\n");
}

void gnd_view_accuracy(gnd_view *v, int64_t block)
{
    const grid g = grid_new(v, block);
    const bool text = v->o.format == GND_FORMAT_TEXT;
    gnd_buffer head = {0}, figures = {0}, notes = {0};
    bool published = false;

    if (!g.t) {
        if (g.b)
            gnd_view_failed(v);
        return;
    }
    accuracy_rows(&g, text, &published);
    gnd_block_head(&head, g.b);
    accuracy_figures(&figures, g.o);
    for (int64_t r = 0; r < gnd_sweep_n_row(v->s); r++)
        if (gnd_sweep_row_n_variant(v->s, r) > 1)
            pick_note(&notes, &g, r);
    if (g.b->directed)
        direction_note(&notes, &g);
    if (published)
        gnd_text_add(&notes, "%s",
                     text ? "published: arXiv:2201.09698; one s.e. is the standard error of the "
                            "difference of the two means"
                          : "published: arXiv:2201.09698; in brackets how far ours is from it, in "
                            "standard errors of the difference of the two means");
    if (notes.failed)
        gnd_view_failed(v);
    gnd_view_table(v, g.t, &(gnd_caption){head.text, figures.text, notes.text});
    gnd_buffer_fini(&head);
    gnd_buffer_fini(&figures);
    gnd_buffer_fini(&notes);
}

/* ---- calibration and times ---- */

static bool has_calibration(const gnd_cell *c)
{
    return isfinite(c->mean_ece) && isfinite(c->mean_half);
}

static void calibration_cell(const grid *g, int64_t row, int64_t q, const gnd_sweep_cell *c)
{
    (void)row, (void)q;
    if (c->cell->n > 0 && has_calibration(c->cell))
        gnd_table_cell(g->t, "%.1f %%, %.1f", c->cell->mean_ece, c->cell->mean_half);
    else
        gnd_table_cell(g->t, "-");
}

static void time_cell(const grid *g, int64_t row, int64_t q, const gnd_sweep_cell *c)
{
    char sec[32];

    (void)row, (void)q;
    if (c->cell->n > 0)
        gnd_table_cell(g->t, "%s s, %.0f", gnd_seconds_text(sec, c->cell->mean_seconds),
                       c->cell->mean_epochs);
    else
        gnd_table_cell(g->t, "-");
}

/* A table of one row for each row of the sweep. */
static void rows_view(gnd_view *v, int64_t block, cell_writer *write, const char *figures,
                      const char *notes)
{
    const grid g = grid_new(v, block);
    gnd_buffer head = {0};

    if (g.b)
        gnd_block_head(&head, g.b);
    for (int64_t r = 0; g.t && r < gnd_sweep_n_row(v->s); r++)
        grid_row(&g, gnd_sweep_row_name(v->s, r), r, write);
    gnd_view_table(v, g.t, &(gnd_caption){head.text, figures, notes});
    gnd_buffer_fini(&head);
}

void gnd_view_calibration(gnd_view *v, int64_t block)
{
    bool missing = false;

    for (int64_t r = 0; r < gnd_sweep_n_row(v->s); r++)
        for (int64_t q = 0; q < gnd_sweep_options(v->s)->n_per_class; q++) {
            const gnd_cell *c = gnd_sweep_cell_get(v->s, block, r, q)->cell;

            missing = missing || (c->n > 0 && isfinite(c->mean) && !has_calibration(c));
        }
    rows_view(v, block, calibration_cell,
              "calibration of the probabilities: expected calibration error (15 bins), and top-50 "
              "% confidence accuracy (test accuracy in % of the half of the test vertices with the "
              "highest probabilities), means",
              missing ? "-: of training runs that were stored by an older version without these "
                        "figures; a new store gets them"
                      : NULL);
}

void gnd_view_times(gnd_view *v, int64_t block)
{
    rows_view(v, block, time_cell, "CPU seconds and epochs per training run, mean", NULL);
}

/* ---- pairs ---- */

static void pair_row(gnd_table *t, const gnd_sweep *s, const gnd_sweep_cell *c, int64_t row,
                     int32_t labels)
{
    const gnd_paired *p = c->paired;

    gnd_table_cell(t, "%" PRId32, labels);
    gnd_table_cell(t, "%s", gnd_sweep_row_name(s, row));
    gnd_table_cell(t, "%s", gnd_sweep_row_name(s, c->best));
    gnd_table_cell(t, "%+.2f", p->diff);
    if (p->n > 1)
        gnd_table_cell(t, "%+.2f to %+.2f", p->low, p->high);
    else
        gnd_table_cell(t, "-");
    if (isnan(p->p))
        gnd_table_cell(t, "-");
    else if (p->p < 0.0001)
        gnd_table_cell(t, "< 0.0001");
    else
        gnd_table_cell(t, "%.4f", p->p);
    gnd_table_cell(t, "%" PRId64 " / %" PRId64 " / %" PRId64, p->wins, p->ties, p->losses);
}

void gnd_view_paired(gnd_view *v, int64_t block)
{
    const gnd_sweep_opts *o = gnd_sweep_options(v->s);
    gnd_table *t = gnd_table_new("rllrrrr");
    gnd_buffer head = {0};

    gnd_table_row(t, (const char *const[]){"labels", "method", "best", "difference",
                                           "95 % interval", "p", "wins / ties / losses"});
    for (int64_t q = 0; q < o->n_per_class; q++)
        for (int64_t r = 0; r < gnd_sweep_n_row(v->s); r++) {
            const gnd_sweep_cell *c = gnd_sweep_cell_get(v->s, block, r, q);

            if (c->best >= 0 && c->best != r && c->paired->n > 0)
                pair_row(t, v->s, c, r, o->per_class[q]);
        }
    gnd_block_head(&head, gnd_sweep_block_get(v->s, block));
    if (t && gnd_table_n_row(t) == 1)
        gnd_table_free(t); /* nothing to compare */
    else
        gnd_view_table(v, t,
                       &(gnd_caption){head.text,
                                      "every method against the best of its label count, split by "
                                      "split",
                                      "difference in points of accuracy; p of no difference: "
                                      "two-sided paired t test, not corrected for the number of "
                                      "methods"});
    gnd_buffer_fini(&head);
}
