/* SPDX-License-Identifier: MIT
 * csv_columns.h - which column of a table has which role: names that gnd knows, and the columns
 * that the user states. */
#ifndef GND_IO_CSV_COLUMNS_H
#define GND_IO_CSV_COLUMNS_H

#include "text.h"

/* What the rows of a text file are. */
typedef enum { GND_CSV_EDGES, GND_CSV_LABELS, GND_CSV_FEATURES } gnd_csv_kind;

typedef enum {
    GND_ROLE_SOURCE,
    GND_ROLE_TARGET,
    GND_ROLE_WEIGHT,
    GND_ROLE_TYPE, /* of an edge: directed, undirected */
    GND_ROLE_ID,
    GND_ROLE_LABEL,
    GND_ROLE_PROBABILITY, /* of a predicted label */
    GND_N_ROLE
} gnd_role;

/* The roles of a kind of file. required: without it there is nothing to read. */
bool gnd_role_used(gnd_role role, gnd_csv_kind kind);
bool gnd_role_required(gnd_role role, gnd_csv_kind kind);
const char *gnd_role_name(gnd_role role);
/* "edges", "labels", "features". */
const char *gnd_csv_kind_name(gnd_csv_kind kind);

/* Does a column of this name have the role? 0: no; otherwise the columns of the lowest
 * rank have it. An index column of pandas, which has no name, has rank 3.
 * Case, blanks and punctuation do not matter; Neo4j's "userId:ID(User)" is an id. */
int gnd_column_rank(gnd_role role, gnd_csv_field name);
/* A name that the documentation uses: source, src, from, target, dst, to, weight, id, label,
 * class. */
bool gnd_column_is_plain(gnd_role role, gnd_csv_field name);
/* A column that gnd itself writes besides id and label; it is passed over in silence. */
bool gnd_column_is_own(gnd_csv_field name);

/* The columns that the user states for the roles of a file. */
enum { GND_COLUMN_NAME = 128 };
typedef struct {
    bool given[GND_N_ROLE];
    char name[GND_N_ROLE][GND_COLUMN_NAME]; /* a name or a number; empty: no column has the role */
} gnd_stated_columns;

/* Parse gnd_load_opts.columns (NULL: nothing is stated) for a kind of file. Errors name --columns.
 */
gnd_status gnd_stated_columns_get(gnd_stated_columns *out, const char *columns, gnd_csv_kind kind,
                                  gnd_error *err);

#endif
