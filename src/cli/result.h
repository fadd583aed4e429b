/* SPDX-License-Identifier: MIT
 * result.h - print the result of `gnd train` as text and as JSON. */
#ifndef GND_CLI_RESULT_H
#define GND_CLI_RESULT_H

#include "common.h"
#include "explain.h"

typedef struct {
    const cli_args *args;
    train_job t;
    gnd_split_kind split_kind;
    gnd_metrics *metrics; /* of the test vertices; NULL: none */
} train_report;

void train_print_text(const train_report *r);
void train_print_json(const train_report *r);

#endif
