/* SPDX-License-Identifier: MIT
 * sweep_json.c - cells and training runs of a sweep as JSON. */
#include <math.h>

#include "sweep.h"

static json_t *paired_json(const gnd_sweep *s, const gnd_sweep_cell *c, int64_t row)
{
    json_t *o;

    if (c->best < 0 || c->best == row || c->paired->n == 0)
        return json_null();
    o = json_object();
    js_set(o, "against", js_text(gnd_sweep_row_name(s, c->best)));
    js_set(o, "splits", js_count(c->paired->n));
    js_set(o, "difference", js_real(c->paired->diff));
    js_set(o, "low", js_real(c->paired->low));
    js_set(o, "high", js_real(c->paired->high));
    js_set(o, "p", js_real(c->paired->p));
    js_set(o, "wins", js_count(c->paired->wins));
    js_set(o, "ties", js_count(c->paired->ties));
    js_set(o, "losses", js_count(c->paired->losses));
    return o;
}

static json_t *cell_json(const gnd_sweep *s, int64_t block, int64_t row, int64_t q)
{
    const gnd_sweep_block *b = gnd_sweep_block_get(s, block);
    const gnd_sweep_cell *c = gnd_sweep_cell_get(s, block, row, q);
    const gnd_cell *m = c->cell;
    const double none = (double)NAN;
    const bool any = m->n > 0;
    gnd_report_published p = {.size = sizeof p};
    const bool pub = gnd_report_published_get(&p, s, block, row, q);
    json_t *o = json_object();

    js_set(o, "dataset", js_text(b->dataset));
    js_set(o, "graph", js_text(gnd_graph_mode_name(b->graph)));
    js_set(o, "rule", js_text(b->rule));
    js_set(o, "method", js_text(gnd_sweep_row_method(s, row)));
    js_set(o, "variant", js_text(c->variant));
    js_set(o, "labels_per_class", js_count(gnd_sweep_options(s)->per_class[q]));
    js_set(o, "splits", js_count(m->n));
    js_set(o, "diverged", js_count(c->n_diverged));
    js_set(o, "mean", js_real(any ? m->mean : none));
    js_set(o, "std", js_real(any ? m->std : none));
    js_set(o, "low", js_real(m->n > 1 ? m->low : none));
    js_set(o, "high", js_real(m->n > 1 ? m->high : none));
    js_set(o, "mean_val", js_real(any ? m->mean_val : none));
    js_set(o, "mean_f1", js_real(any ? m->mean_f1 : none));
    js_set(o, "mean_ece", js_real(any ? m->mean_ece : none));
    js_set(o, "mean_half", js_real(any ? m->mean_half : none));
    js_set(o, "mean_epochs", js_real(any ? m->mean_epochs : none));
    js_set(o, "mean_seconds", js_real(any ? m->mean_seconds : none));
    js_set(o, "best", json_boolean(c->is_best));
    js_set(o, "published_mean", js_real(pub ? p.mean : none));
    js_set(o, "published_std", js_real(pub ? p.std : none));
    js_set(o, "standard_errors", js_real(pub ? p.difference : none));
    js_set(o, "standard_errors_strict", js_real(pub ? p.difference_strict : none));
    js_set(o, "paired", paired_json(s, c, row));
    return o;
}

json_t *js_cells(const gnd_sweep *s)
{
    json_t *list = json_array();

    for (int64_t b = 0; b < gnd_sweep_n_done(s); b++)
        for (int64_t r = 0; r < gnd_sweep_n_row(s); r++)
            for (int64_t q = 0; q < gnd_sweep_options(s)->n_per_class; q++)
                js_append(list, cell_json(s, b, r, q));
    return list;
}

static json_t *run_json(const gnd_sweep_run *k)
{
    const gnd_run *r = k->run;
    const bool ok = r->status == GND_OK;
    json_t *o = json_object();

    js_set(o, "dataset", js_text(k->dataset));
    js_set(o, "graph", js_text(gnd_graph_mode_name(k->graph)));
    js_set(o, "rule", js_text(k->rule));
    js_set(o, "method", js_text(r->method));
    js_set(o, "variant", js_text(k->variant));
    js_set(o, "labels_per_class", js_count(r->per_class));
    js_set(o, "split_seed", js_count(r->split_seed));
    js_set(o, "seed", js_count((int64_t)r->seed));
    js_set(o, "ok", json_boolean(ok));
    js_set(o, "train_accuracy", ok ? js_real(r->result->acc_train) : json_null());
    js_set(o, "val_accuracy", ok ? js_real(r->result->acc_val) : json_null());
    js_set(o, "test_accuracy", ok ? js_real(r->result->acc_test) : json_null());
    js_set(o, "epochs", ok ? js_count(r->result->epochs) : json_null());
    js_set(o, "best_epoch", ok ? js_count(r->result->best_epoch) : json_null());
    js_set(o, "seconds", js_real(r->seconds));
    return o;
}

json_t *js_runs(const gnd_sweep *s)
{
    json_t *list = json_array();

    for (int64_t i = 0; i < gnd_sweep_n_run(s); i++)
        js_append(list, run_json(gnd_sweep_run_get(s, i)));
    return list;
}
