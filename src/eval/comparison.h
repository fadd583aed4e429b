/* SPDX-License-Identifier: MIT
 * comparison.h - the runs of a comparison and the cells computed from them. */
#ifndef GND_EVAL_COMPARISON_H
#define GND_EVAL_COMPARISON_H

#include "row.h"

struct gnd_comparison {
    gnd_run *run;       /* [n_run], by config, then label count, then split */
    gnd_result *result; /* [n_run] the results to which run[] points */
    int64_t n_run, n_split;
    gnd_cell *cell; /* [n_cell] */
    int64_t n_cell;
};

/* List all runs; none is done. */
gnd_status gnd_comparison_new(gnd_comparison **out, const gnd_compare_opts *o, gnd_error *err);
/* The part of run i's row that the options determine; settings: of its config. */
gnd_row gnd_comparison_row(const gnd_comparison *c, const gnd_compare_opts *o, int64_t i,
                           const char *settings);
/* Run i is done: take its result from a row of a store. */
void gnd_comparison_take(gnd_comparison *c, int64_t i, const gnd_row *row);
/* Means and intervals, when all runs are done. */
void gnd_comparison_fill(gnd_comparison *c);

#endif
