/* SPDX-License-Identifier: MIT
 * results_csv.h - read the figures that records.c writes: one row per cell of a comparison. */
#ifndef GND_REPORT_RESULTS_CSV_H
#define GND_REPORT_RESULTS_CSV_H

#include "base/status.h"
#include "base/str.h"

/* A number that is not in the file is NAN. Names are numbers in gnd_result_rows.names. */
typedef struct {
    int64_t dataset, graph, method, rule, variant;
    double per_class, splits, mean, std, low, high, published;
} gnd_result_row;

/* Zero is valid and empty. */
typedef struct {
    gnd_result_row *row; /* [n] rows with a mean, in the order of the files */
    int64_t n, room;
    gnd_names *names;
} gnd_result_rows;

/* Add the rows of a file. */
gnd_status gnd_result_rows_read(gnd_result_rows *r, const char *path, int64_t max_input,
                                gnd_error *err);
void gnd_result_rows_fini(gnd_result_rows *r);

#endif
