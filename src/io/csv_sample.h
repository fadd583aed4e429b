/* SPDX-License-Identifier: MIT
 * csv_sample.h - the first rows of a table, looked at to find its separator, its decimal point and
 * whether its first row is a header. */
#ifndef GND_IO_CSV_SAMPLE_H
#define GND_IO_CSV_SAMPLE_H

#include "text.h"

/* Kinds of fields: nothing, a number without or with a point, a number with a comma, which may be a
 * decimal comma, and anything else. */
typedef enum {
    GND_FIELD_MISSING,
    GND_FIELD_WHOLE,
    GND_FIELD_POINT,
    GND_FIELD_COMMA,
    GND_FIELD_TEXT,
    GND_N_FIELD_KIND
} gnd_field_kind;

/* What one column has in the first row and in the rows below. */
typedef struct {
    gnd_field_kind first;
    int64_t n[GND_N_FIELD_KIND]; /* rows below with each kind */
    int64_t n_like; /* rows below whose text is written like that of the first row: "n12" and "n7",
                       not "ann" and "bob" */
} gnd_column_sample;

typedef struct {
    gnd_csv_field *first;      /* [width] the first row */
    gnd_column_sample *column; /* [width] */
    int64_t width, cap;
    int64_t n_row;           /* rows below the first */
    int64_t n_decimal_comma; /* numbers with a comma that cannot separate thousands */
    bool row_names;          /* rows begin with a name that the first row lacks, as R writes them:
                                first begins with an empty field instead */
    bool numbered;           /* these names are "1", "2", ... */
    bool longer;             /* all rows below have one more field, which is empty */
    bool trailing;           /* the last field of all rows is empty */
    char sep, decimal;
} gnd_csv_sample;

/* An empty field, NA, NaN, null and the like. */
bool gnd_field_is_missing(gnd_csv_field f);
/* Fields that a row may have: a bound on the memory that a line of separators takes. */
enum { GND_MAX_COLUMN = 1 << 22 };
/* All fields of a line into *f, which grows; *cap: its size, *n: number of fields. */
gnd_status gnd_csv_row(gnd_csv_field **f, int64_t *cap, int64_t *n, gnd_fields c, gnd_error *err);
/* The separator of the rows of t, by content; an error if two fit. */
gnd_status gnd_csv_find_separator(char *sep, gnd_text *t, gnd_error *err);
/* Read the first rows. The text stays at its place. decimal: 0: find it. */
gnd_status gnd_csv_sample_read(gnd_csv_sample *s, gnd_text *t, char sep, char decimal,
                               gnd_error *err);
void gnd_csv_sample_fini(gnd_csv_sample *s);
/* Is the field of the first row a number, is it text; and are the values below all numbers, or is
 * at least one text? */
bool gnd_csv_first_is_number(const gnd_csv_sample *s, int64_t column);
bool gnd_csv_first_is_text(const gnd_csv_sample *s, int64_t column);
bool gnd_csv_below_is_number(const gnd_csv_sample *s, int64_t column);
bool gnd_csv_below_is_text(const gnd_csv_sample *s, int64_t column);
/* Is the text of the first row written like most texts below it? */
bool gnd_csv_first_is_like(const gnd_csv_sample *s, int64_t column);

#endif
