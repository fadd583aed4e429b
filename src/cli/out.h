/* SPDX-License-Identifier: MIT
 * out.h - results: tables as text, Markdown, LaTeX or CSV; JSON values; files that appear whole. */
#ifndef GND_CLI_OUT_H
#define GND_CLI_OUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    const char *align; /* 'l' or 'r' a column; its length is the number of columns */
    char **cell;       /* [n_row][columns], the first row is the heading */
    bool *bold;        /* [n_row][columns]; stand out in all but CSV */
    int64_t n_row;
    bool ansi; /* a text table goes to a terminal, which can show bold */
} table;

typedef enum { TABLE_TEXT, TABLE_MD, TABLE_TEX, TABLE_CSV } table_style;

/* cells: one text a column, copied. */
void table_row(table *t, const char *const *cells);
/* The cell in column j of the last row stands out. */
void table_bold(table *t, int64_t j);
/* Text as LaTeX sets it: what LaTeX would take for a command is escaped. The caller frees. */
char *tex_text(const char *text);
/* LaTeX: a tabular with booktabs. Text is indented by `indent` columns; cells of a text table lose
 * their control characters. */
void table_print(FILE *f, const table *t, table_style style, int indent);
void table_fini(table *t);

/* A number of things with thousands separated: 1,433. Returns buf. */
const char *count_text(char buf[32], int64_t n);
/* A share as percent, or "-" if there is none. Returns buf. */
const char *percent_text(char buf[32], double share);

/* JSON values that cannot fail: NaN is null, bytes that are no UTF-8 become '?', NULL is null. */
json_t *js_real(double v);
json_t *js_text(const char *text);
json_t *js_count(int64_t v);
/* obj[key] = value; takes value over. */
void js_set(json_t *obj, const char *key, json_t *value);
void js_append(json_t *array, json_t *value);
/* Print one object and a newline, and free it. */
void js_print(FILE *f, json_t *obj);

/* Write the file path, whole or not at all: print writes its content to f. 0, or EXIT_FAILED after
 * a sentence. */
int file_write(const char *path, void (*print)(FILE *f, const void *user), const void *user);
/* Write t as CSV to path, likewise. */
int table_save(const table *t, const char *path);

#endif
