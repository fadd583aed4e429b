/* SPDX-License-Identifier: MIT
 * out.h - output of results: tables, JSON values, files. */
#ifndef GND_CLI_OUT_H
#define GND_CLI_OUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "gnd.h"

/* A table; exits if memory is short. */
gnd_table *table_new(const char *align);
/* Write it to stdout and free it. */
void table_print(gnd_table *t, gnd_table_format format, int indent);
/* The format of --format; json is not one of them. */
gnd_table_format table_format(const char *name);

/* A count with thousands separated: 1,433. Returns buf. */
const char *count_text(char buf[32], int64_t n);
/* A share as percent, or "-" if there is none. Returns buf. */
const char *percent_text(char buf[32], double share);

/* JSON values; exit if memory is short. NaN and NULL are null, bytes that are not UTF-8 become
 * '?'. */
json_t *js_real(double v);
json_t *js_text(const char *text);
json_t *js_count(int64_t v);
/* obj[key] = value; takes ownership of value. */
void js_set(json_t *obj, const char *key, json_t *value);
void js_append(json_t *array, json_t *value);
/* Print one object and a newline, and free it. */
void js_print(FILE *f, json_t *obj);

/* Write the file path completely or not at all: print writes its content to f. Returns 0, or
 * EXIT_FAILED after a message. */
int file_write(const char *path, void (*print)(FILE *f, const void *user), const void *user);
/* Write t as CSV to path in the same way, and free it. */
int table_save(gnd_table *t, const char *path);

#endif
