/* SPDX-License-Identifier: MIT
 * tables.h - views of a sweep: tables for people, records for programs. */
#ifndef GND_CLI_TABLES_H
#define GND_CLI_TABLES_H

#include "sweep.h"

typedef struct {
    FILE *f;
    table_style style; /* not TABLE_CSV */
    bool ansi;         /* f ends on a terminal */
    int64_t n_table;   /* printed so far */
} view;

/* A table, an empty line before all but the first. head: what it is about; figures: what stands in
 * it; notes: text below, lines separated by '\n', or NULL. Frees what t holds. */
void view_table(view *v, const char *head, const char *figures, table *t, const char *notes);
/* "cora, graph raw, original stopping rule"; the caller frees. */
char *block_text(const sweep_block *b);
/* Accuracy of one block: a row a method, a column a label count, published figures below. */
void view_accuracy(view *v, const sweep *s, const sweep_block *b);
/* Calibration error and accuracy of the surer half of one block. */
void view_trust(view *v, const sweep *s, const sweep_block *b);
/* Seconds and epochs a training of one block. */
void view_times(view *v, const sweep *s, const sweep_block *b);
/* Every row of a block against the best one, split by split. */
void view_paired(view *v, const sweep *s, const sweep_block *b);

/* "0.52": fewer digits the longer it takes. Returns buf. */
const char *seconds_text(char buf[32], double seconds);
/* "1 label", "5 labels". Returns buf. */
const char *labels_text(char buf[32], int32_t n);
/* Is the cell's mean the highest of its column, and the column more than one row? */
bool is_best(const sweep *s, const sweep_block *b, int64_t row, int64_t q);

/* ---- records.c ---- */

/* A row a cell, with a heading. The caller ends with table_fini. */
void records_table(table *t, const sweep *s);
/* [{...}], an object a cell. */
json_t *records_json(const sweep *s);
/* The style that --format names, of those for people. */
table_style table_style_of(const char *format);
/* The text that print wrote into a stream, to path, or to stdout if that is NULL. */
int print_to(const char *path, void (*print)(view *v, const void *user), table_style style,
             const void *user);

#endif
