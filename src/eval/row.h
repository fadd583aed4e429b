/* SPDX-License-Identifier: MIT
 * row.h - one run as a row of the store's table and of its CSV files. */
#ifndef GND_EVAL_ROW_H
#define GND_EVAL_ROW_H

#include <sqlite3.h>

#include "io/text.h"

/* The first group identifies the run: data, split_hash, method, settings and seed determine the
 * result; the others are for readers. Texts are borrowed. */
typedef struct {
    const char *dataset, *graph; /* "cora", "raw" */
    const char *data;            /* hash of the graph */
    const char *split;           /* "paper" */
    int64_t per_class, n_val, score_unlabelled, split_seed;
    const char *split_hash;
    const char *method, *settings;
    uint64_t seed;

    const char *status; /* "ok" or "diverged" */
    gnd_result result;  /* zero if it diverged */
    double seconds;
    const char *build, *finished;
    const char *plan; /* how passes were computed: result.plan */
} gnd_row;

/* The columns that determine a result, as an SQL list. */
#define GND_ROW_KEY "data, split_hash, method, settings, seed"
/* An order of rows that does not depend on the order of insertion. */
#define GND_ROW_ORDER                                                                              \
    "dataset, graph, split, validation, score_unlabelled, method, settings, labels_per_class, "    \
    "split_seed, seed, data, split_hash"

enum { GND_ROW_TEXT = 2048 }; /* room for a list of all columns */

/* The columns as an SQL list, with their types if typed; without blanks this is also the header of
 * a CSV file. n_added: number of columns, of those that older stores lack, to include; -1: all.
 * Returns buf. */
const char *gnd_row_columns(char buf[GND_ROW_TEXT], int n_added, bool typed);
/* "?1, ?2, ..." for the same number of columns. Returns buf. */
const char *gnd_row_marks(char buf[GND_ROW_TEXT]);
/* Bind all columns to ?1, ?2, ... Returns an SQLite code. */
int gnd_row_bind(sqlite3_stmt *q, const gnd_row *r);
/* Read a row from a statement that selects all columns of the store at path, and check every value.
 * Texts are valid until the next step of the statement. */
gnd_status gnd_row_read(gnd_row *r, sqlite3_stmt *q, const char *path, gnd_error *err);

/* Round the figures that tables show to the digits that a file of runs has: shares to 6 decimals,
 * seconds to 3 significant digits. A table is then the same whether its runs are new or were read
 * from a file. */
void gnd_row_round(gnd_result *r, double *seconds);
/* named: the rows have the name of a configuration (configs.h) in place of the settings. */
void gnd_row_print_header(FILE *f, bool named);
/* Figures are rounded, losses to 6 significant digits; NAN is an empty field. config: name in place
 * of the settings, or NULL. */
void gnd_row_print(FILE *f, const gnd_row *r, const char *config);
/* The i-th column that older stores lack, with its SQL type; NULL beyond the last. */
const char *gnd_row_added(int i, const char **type);

/* The header of a file of rows. */
typedef struct {
    int64_t n_column; /* older files lack the last columns */
    bool named;
} gnd_row_header;

/* Check that the line is a header. */
gnd_status gnd_row_check_header(gnd_row_header *h, gnd_text *t, const char *s, size_t len,
                                gnd_error *err);
/* Parse and check the fields of a line. The texts of the row are put into buf, which has room for
 * GND_ROW_TEXT bytes more than the file (a quoted field may span lines). If the rows are named,
 * r->settings is the name. */
gnd_status gnd_row_parse(gnd_row *r, char *buf, const gnd_row_header *h, gnd_fields line,
                         gnd_error *err);

#endif
