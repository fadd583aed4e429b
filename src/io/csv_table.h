/* SPDX-License-Identifier: MIT
 * csv_table.h - a text file of edges, labels or features as a table: separator, decimal point,
 * header and the columns of each role are found once, then the rows are read.
 *
 * Nothing is guessed in silence. What was decided is a note; where two readings are possible, the
 * error names the option that decides. */
#ifndef GND_IO_CSV_TABLE_H
#define GND_IO_CSV_TABLE_H

#include "csv_columns.h"
#include "graph/graph.h"

/* Why the first row is a header. */
typedef enum {
    GND_NO_HEADER,
    GND_HEADER_STATED,   /* by the user */
    GND_HEADER_BY_NAMES, /* it has the names of columns */
    GND_HEADER_BY_TYPES  /* it has text where the rows below have numbers */
} gnd_header_why;

typedef struct {
    gnd_text *text;
    gnd_csv_kind kind;
    char sep, decimal;
    bool sep_found, decimal_found; /* by content */
    gnd_header_why header;
    bool doubtful;           /* the first row is data, but may be a header: the reader finds out */
    int64_t first;           /* line of the first row */
    int64_t width;           /* fields per row */
    int64_t at[GND_N_ROLE];  /* column of the role; -1: none */
    bool stated[GND_N_ROLE]; /* by the user */
    gnd_csv_field *name;     /* [width] the first row: with a header the names of the columns */
    gnd_csv_field *field;    /* [cap] the present row */
    int64_t cap;
    bool row_names;  /* rows begin with a name that the header lacks, as R writes them */
    bool trailing;   /* rows end with a separator: the last column is empty */
    bool row_longer; /* the same, but the header does not */
} gnd_csv_table;

/* Is there such a vertex already? */
typedef struct {
    bool (*has)(const void *user, gnd_csv_field id);
    const void *user;
} gnd_csv_ids;

/* Find out how the table in t is written, from t's place on. o: options, may be NULL. ids: vertices
 * that are known before the file is read, NULL: none. Afterwards the text is before the first row
 * with data. Without rows, c->width is 0. */
gnd_status gnd_csv_table_start(gnd_csv_table *c, gnd_text *t, gnd_csv_kind kind,
                               const gnd_load_opts *o, const gnd_csv_ids *ids, gnd_error *err);
void gnd_csv_table_fini(gnd_csv_table *c);
/* Read the next row into c->field; *more: there was one. */
gnd_status gnd_csv_table_next(gnd_csv_table *c, bool *more, gnd_error *err);
/* The field of a role in the present row; empty if no column has the role. */
gnd_csv_field gnd_csv_table_get(const gnd_csv_table *c, gnd_role role);
/* The name of a column for messages: "'age'" or "column 3". Returns buf. */
const char *gnd_csv_table_column(char buf[GND_SHOWN + 2], const gnd_csv_table *c, int64_t column);
/* Does no role and no trailing separator take the column? */
bool gnd_csv_table_is_free(const gnd_csv_table *c, int64_t column);
/* Add notes on what was decided. */
gnd_status gnd_csv_table_notes(const gnd_csv_table *c, gnd_graph *g, gnd_error *err);
/* The error for a first row that may be a header or not. why: what makes it doubtful. */
gnd_status gnd_csv_table_doubt(const gnd_csv_table *c, const char *why, gnd_error *err);
/* The header option for a kind of file. */
gnd_header gnd_csv_header_option(const gnd_load_opts *o, gnd_csv_kind kind);
/* Check all options of text files. */
gnd_status gnd_csv_options_check(const gnd_load_opts *o, gnd_error *err);

#endif
