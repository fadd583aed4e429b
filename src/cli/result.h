/* SPDX-License-Identifier: MIT
 * result.h - the result of `gnd train` as text and as JSON. */
#ifndef GND_CLI_RESULT_H
#define GND_CLI_RESULT_H

#include "common.h"
#include "explain.h"

typedef struct {
    const cli_args *args;
    gnd_graph *g;
    gnd_split *s;
    gnd_split_kind split_kind;
    gnd_config *c;
    bool authors; /* the settings are those the authors used on the data set */
    gnd_model *m;
    gnd_result res;
    gnd_prediction *p;
    gnd_metrics *metrics; /* of the test vertices; NULL: none */
    explanation explained;
    double seconds_load, seconds_fit;
} train_report;

void train_print_text(const train_report *r);
void train_print_json(const train_report *r);

#endif
