/* SPDX-License-Identifier: MIT
 * records.c - a sweep as CSV for programs: one row per cell, one row per training run. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report.h"

/* Columns of a cell's row, and 'l' or 'r'. */
static const char *const cell_heading[] = {"dataset",
                                           "graph",
                                           "method",
                                           "labels_per_class",
                                           "splits",
                                           "mean",
                                           "std",
                                           "low",
                                           "high",
                                           "val_accuracy",
                                           "epochs",
                                           "rule",
                                           "variant",
                                           "published",
                                           "published_std",
                                           "standard_errors",
                                           "against",
                                           "difference",
                                           "difference_low",
                                           "difference_high",
                                           "p",
                                           "wins",
                                           "ties",
                                           "losses",
                                           "diverged",
                                           "macro_f1",
                                           "ece",
                                           "accuracy_half",
                                           "standard_errors_strict"};
static const char cell_align[] = "lllrrrrrrrrllrrrlrrrrrrrrrrrr";
_Static_assert(sizeof cell_heading / sizeof *cell_heading == sizeof cell_align - 1, "columns");

/* A number with four decimals, or an empty text. */
static void real_cell(gnd_table *t, bool there, double v)
{
    if (there && isfinite(v))
        gnd_table_cell(t, "%.4f", v);
    else
        gnd_table_cell(t, "%s", "");
}

static void int_cell(gnd_table *t, bool there, int64_t v)
{
    if (there)
        gnd_table_cell(t, "%" PRId64, v);
    else
        gnd_table_cell(t, "%s", "");
}

static void published_cells(gnd_table *t, const gnd_report_published *p, bool there)
{
    if (there && p->not_available)
        gnd_table_cell(t, "N/A");
    else
        real_cell(t, there, p->mean);
    real_cell(t, there, p->std);
    real_cell(t, there, p->difference);
}

static void paired_cells(gnd_table *t, const gnd_sweep *s, const gnd_sweep_cell *c, int64_t row)
{
    const gnd_paired *p = c->paired;
    const bool pair = c->best >= 0 && c->best != row && p->n > 0;

    gnd_table_cell(t, "%s", pair ? gnd_sweep_row_name(s, c->best) : "");
    real_cell(t, pair, p->diff);
    real_cell(t, pair && p->n > 1, p->low);
    real_cell(t, pair && p->n > 1, p->high);
    if (pair && isfinite(p->p))
        gnd_table_cell(t, "%.6g", p->p);
    else
        gnd_table_cell(t, "%s", "");
    int_cell(t, pair, p->wins);
    int_cell(t, pair, p->ties);
    int_cell(t, pair, p->losses);
}

static void cell_row(gnd_table *t, const gnd_sweep *s, int64_t block, int64_t row, int64_t q)
{
    const gnd_sweep_block *b = gnd_sweep_block_get(s, block);
    const gnd_sweep_cell *c = gnd_sweep_cell_get(s, block, row, q);
    const gnd_cell *m = c->cell;
    const bool any = m->n > 0;
    gnd_report_published p = {.size = sizeof p};
    const bool published = gnd_report_published_get(&p, s, block, row, q);

    gnd_table_cell(t, "%s", b->dataset);
    gnd_table_cell(t, "%s", gnd_graph_mode_name(b->graph));
    gnd_table_cell(t, "%s", gnd_sweep_row_method(s, row));
    int_cell(t, true, gnd_sweep_options(s)->per_class[q]);
    int_cell(t, true, m->n);
    real_cell(t, any, m->mean);
    real_cell(t, any, m->std);
    real_cell(t, m->n > 1, m->low);
    real_cell(t, m->n > 1, m->high);
    real_cell(t, any, m->mean_val);
    real_cell(t, any, m->mean_epochs);
    gnd_table_cell(t, "%s", b->rule);
    gnd_table_cell(t, "%s", c->variant);
    published_cells(t, &p, published);
    paired_cells(t, s, c, row);
    int_cell(t, true, c->n_diverged);
    real_cell(t, any, m->mean_f1);
    real_cell(t, any, m->mean_ece);
    real_cell(t, any, m->mean_half);
    real_cell(t, published, p.difference_strict);
}

gnd_table *gnd_records_table(const gnd_sweep *s)
{
    gnd_table *t = gnd_table_new(cell_align);

    gnd_table_row(t, cell_heading);
    for (int64_t b = 0; b < gnd_sweep_n_done(s); b++)
        for (int64_t r = 0; r < gnd_sweep_n_row(s); r++)
            for (int64_t q = 0; q < gnd_sweep_options(s)->n_per_class; q++)
                cell_row(t, s, b, r, q);
    return t;
}

/* A share with six decimals, or an empty text. */
static void share_cell(gnd_table *t, bool there, double v)
{
    if (there && !isnan(v))
        gnd_table_cell(t, "%.6f", v);
    else
        gnd_table_cell(t, "%s", "");
}

gnd_table *gnd_runs_table(const gnd_sweep *s)
{
    gnd_table *t = gnd_table_new("lllrrrlrrrrrll");

    gnd_table_row(t, (const char *const[]){"dataset", "graph", "method", "labels_per_class",
                                           "split_seed", "seed", "status", "train_accuracy",
                                           "val_accuracy", "test_accuracy", "epochs", "best_epoch",
                                           "variant", "rule"});
    for (int64_t i = 0; i < gnd_sweep_n_run(s); i++) {
        const gnd_sweep_run *k = gnd_sweep_run_get(s, i);
        const gnd_run *r = k->run;
        const bool ok = r->status == GND_OK;

        gnd_table_cell(t, "%s", k->dataset);
        gnd_table_cell(t, "%s", gnd_graph_mode_name(k->graph));
        gnd_table_cell(t, "%s", r->method);
        int_cell(t, true, r->per_class);
        int_cell(t, true, r->split_seed);
        gnd_table_cell(t, "%" PRIu64, r->seed);
        gnd_table_cell(t, "%s", ok ? "ok" : "diverged");
        share_cell(t, ok, r->result->acc_train);
        share_cell(t, ok, r->result->acc_val);
        share_cell(t, ok, r->result->acc_test);
        int_cell(t, ok, r->result->epochs);
        int_cell(t, ok, r->result->best_epoch);
        gnd_table_cell(t, "%s", k->variant);
        gnd_table_cell(t, "%s", k->rule);
    }
    return t;
}
