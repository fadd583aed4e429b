/* SPDX-License-Identifier: MIT
 * feature_cells.h - features from cells that have numbers, text or nothing. A column of text
 * becomes a feature per category; missing values are refused, 0 or the mean of their column. */
#ifndef GND_IO_FEATURE_CELLS_H
#define GND_IO_FEATURE_CELLS_H

#include "coo.h"
#include "graph/graph.h"
#include "text.h"

typedef struct {
    gnd_csv_field name;  /* borrowed, for notes; empty: the column's number is used */
    bool is_text;        /* set before the first cell; otherwise the column has numbers */
    gnd_names *category; /* of text; NULL: none yet */
    bool left_out;       /* its texts are no categories (categories.h) */
    int64_t n_value, n_missing;
    double sum;      /* of numbers */
    int64_t begin;   /* first feature of the column */
    int32_t *sorted; /* [categories] place of each among the sorted ones; NULL: not sorted yet */
} gnd_cell_column;

/* Zero is valid and empty. */
typedef struct {
    gnd_cell_column *column; /* [n_column] */
    int64_t n_column;
    gnd_coo cell;    /* row, column, and value or number of the category */
    gnd_coo missing; /* row and column */
} gnd_cells;

gnd_status gnd_cells_init(gnd_cells *c, int64_t n_column, gnd_error *err);
void gnd_cells_fini(gnd_cells *c);
/* Set a cell; each at most once. Cells that are never set are 0, or have no category. */
gnd_status gnd_cells_number(gnd_cells *c, int32_t row, int32_t column, double value,
                            gnd_error *err);
gnd_status gnd_cells_text(gnd_cells *c, int32_t row, int32_t column, gnd_csv_field text,
                          gnd_error *err);
gnd_status gnd_cells_missing(gnd_cells *c, int32_t row, int32_t column, gnd_error *err);
/* The features of n_row rows. place: [rows used] the final number of each row, NULL: as it is.
 * missing: zero or mean. Notes say which columns became categories, which were left out, and how
 * many values were missing; path: for them. Categories are in the order of their names. An error if
 * no column is left. */
gnd_status gnd_cells_features(gnd_csr *out, gnd_cells *c, int64_t n_row, const int32_t *place,
                              gnd_missing missing, const char *path, gnd_notes *notes,
                              gnd_error *err);

#endif
