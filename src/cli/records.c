/* SPDX-License-Identifier: MIT
 * records.c - views of a sweep for programs: a CSV row or a JSON object a cell. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "say.h"
#include "tables.h"

static const char *const heading[] = {"dataset",
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
                                      "accuracy_half"};
enum { N_FIELD = sizeof heading / sizeof *heading };

/* A number with four decimals, or nothing. */
static char *real_text(double v)
{
    return isfinite(v) ? need_text("%.4f", v) : need_text("%s", "");
}

static char *int_text(bool there, int64_t v)
{
    return there ? need_text("%" PRId64, v) : need_text("%s", "");
}

static void record_add(table *t, const sweep *s, const sweep_block *b, int64_t row,
                       const sweep_cell *c, int32_t labels)
{
    const gnd_cell *m = &c->cell;
    const bool pub = c->has_published, pair = c->best >= 0 && c->best != row && c->paired.n > 0;
    const double none = (double)NAN;
    const bool any = m->n > 0;
    char *f[] = {
        need_text("%s", b->dataset),
        need_text("%s", gnd_graph_mode_name(b->setting.graph)),
        need_text("%s", s->row_method[row]),
        need_text("%" PRId32, labels),
        need_text("%" PRId64, m->n),
        real_text(any ? m->mean : none),
        real_text(any ? m->std : none),
        real_text(m->n > 1 ? m->low : none),
        real_text(m->n > 1 ? m->high : none),
        real_text(any ? m->mean_val : none),
        real_text(any ? m->mean_epochs : none),
        need_text("%s", b->setting.rule),
        need_text("%s", c->variant),
        pub && c->published.not_available ? need_text("%s", "N/A")
                                          : real_text(pub ? c->published.mean : none),
        real_text(pub ? c->published.std : none),
        real_text(c->apart),
        need_text("%s", pair ? s->row_name[c->best] : ""),
        real_text(pair ? c->paired.diff : none),
        real_text(pair && c->paired.n > 1 ? c->paired.low : none),
        real_text(pair && c->paired.n > 1 ? c->paired.high : none),
        pair && isfinite(c->paired.p) ? need_text("%.6g", c->paired.p) : need_text("%s", ""),
        int_text(pair, c->paired.wins),
        int_text(pair, c->paired.ties),
        int_text(pair, c->paired.losses),
        need_text("%" PRId64, c->n_diverged),
        real_text(any ? m->mean_f1 : none),
        real_text(any ? m->mean_ece : none),
        real_text(any ? m->mean_half : none),
    };

    table_row(t, (const char *const *)f);
    for (int i = 0; i < N_FIELD; i++)
        free(f[i]);
}

void records_table(table *t, const sweep *s)
{
    const int64_t n_q = s->per_class->n;

    *t = (table){.align = "lllrrrrrrrrllrrrlrrrrrrrrrrr"};
    table_row(t, heading);
    for (int64_t b = 0; b < s->n_whole; b++)
        for (int64_t r = 0; r < s->n_row; r++)
            for (int64_t q = 0; q < n_q; q++)
                record_add(t, s, &s->block[b], r, &s->block[b].cell[r * n_q + q],
                           s->per_class->v[q]);
}

static json_t *paired_json(const sweep *s, const sweep_cell *c, int64_t row)
{
    json_t *o;

    if (c->best < 0 || c->best == row || c->paired.n == 0)
        return json_null();
    o = json_object();
    js_set(o, "against", js_text(s->row_name[c->best]));
    js_set(o, "splits", js_count(c->paired.n));
    js_set(o, "difference", js_real(c->paired.diff));
    js_set(o, "low", js_real(c->paired.low));
    js_set(o, "high", js_real(c->paired.high));
    js_set(o, "p", js_real(c->paired.p));
    js_set(o, "wins", js_count(c->paired.wins));
    js_set(o, "ties", js_count(c->paired.ties));
    js_set(o, "losses", js_count(c->paired.losses));
    return o;
}

static json_t *record_json(const sweep *s, const sweep_block *b, int64_t row, const sweep_cell *c,
                           int32_t labels)
{
    const gnd_cell *m = &c->cell;
    const double none = (double)NAN;
    const bool any = m->n > 0;
    json_t *o = json_object();

    js_set(o, "dataset", js_text(b->dataset));
    js_set(o, "graph", js_text(gnd_graph_mode_name(b->setting.graph)));
    js_set(o, "rule", js_text(b->setting.rule));
    js_set(o, "method", js_text(s->row_method[row]));
    js_set(o, "variant", js_text(c->variant));
    js_set(o, "labels_per_class", js_count(labels));
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
    js_set(o, "best", json_boolean(is_best(s, b, row, c - b->cell - row * s->per_class->n)));
    js_set(o, "published_mean", js_real(c->has_published ? c->published.mean : none));
    js_set(o, "published_std", js_real(c->has_published ? c->published.std : none));
    js_set(o, "standard_errors", js_real(c->apart));
    js_set(o, "paired", paired_json(s, c, row));
    return o;
}

json_t *records_json(const sweep *s)
{
    const int64_t n_q = s->per_class->n;
    json_t *list = json_array();

    for (int64_t b = 0; b < s->n_whole; b++)
        for (int64_t r = 0; r < s->n_row; r++)
            for (int64_t q = 0; q < n_q; q++)
                js_append(list, record_json(s, &s->block[b], r, &s->block[b].cell[r * n_q + q],
                                            s->per_class->v[q]));
    return list;
}
