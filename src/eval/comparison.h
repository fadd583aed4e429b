/* SPDX-License-Identifier: MIT
 * comparison.h - the trainings of a comparison and what they amount to. */
#ifndef GND_EVAL_COMPARISON_H
#define GND_EVAL_COMPARISON_H

#include "base/status.h"

struct gnd_comparison {
    gnd_run *run;       /* [n_run], config by config, label count by label count, split by split */
    gnd_result *result; /* [n_run] what each run's result points to */
    int64_t n_run, n_split;
    gnd_cell *cell; /* [n_cell] */
    int64_t n_cell;
};

/* All trainings named, none done. */
gnd_status gnd_comparison_new(gnd_comparison **out, const gnd_compare_opts *o, gnd_error *err);
/* Means and intervals, once all are done. */
void gnd_comparison_fill(gnd_comparison *c);

#endif
