/* SPDX-License-Identifier: MIT
 * explain.h - how a training run computes its passes: the estimates and the measured time. */
#ifndef GND_CLI_EXPLAIN_H
#define GND_CLI_EXPLAIN_H

#include "gnd.h"

enum { EXPLAIN_MAX = 16 };

/* Zero is valid and empty. */
typedef struct {
    gnd_plan_info plan[EXPLAIN_MAX];
    int n;
    double begin;       /* start of the training run */
    double first, last; /* end of the first and of the last epoch */
    int64_t epochs;
} explanation;

/* For gnd_train_opts.on_plan, and after each epoch. */
void explain_plan(explanation *x, const gnd_plan_info *p);
void explain_epoch(explanation *x);
/* Milliseconds per epoch without the first; NAN if there were fewer than two. */
double explain_epoch_ms(const explanation *x);
/* Print as a table on stdout. memory: as given by the user. */
void explain_print(const explanation *x, const char *memory);

/* Parse "min" (-1), "512M", "2G", "1000000"; false if it is none of these. */
bool memory_parse(int64_t *out, const char *text);

#endif
