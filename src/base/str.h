/* SPDX-License-Identifier: MIT
 * str.h - strings with numbers: a table of distinct names, and strict parsing. */
#ifndef GND_BASE_STR_H
#define GND_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "utf8.h"

/* Distinct strings, numbered 0, 1, ... in the order they came. */
typedef struct gnd_names gnd_names;

gnd_names *gnd_names_new(void); /* NULL: no memory */
void gnd_names_free(gnd_names *t);
int64_t gnd_names_count(const gnd_names *t);
/* Number of the len bytes at s, added if new; -1: no memory or more than INT32_MAX names. */
int64_t gnd_names_add(gnd_names *t, const char *s, size_t len);
/* Number of the string, -1 if it is not there. */
int64_t gnd_names_find(const gnd_names *t, const char *s, size_t len);
/* NUL-terminated, valid while the table lives. */
const char *gnd_names_get(const gnd_names *t, int64_t i);

/* The whole of the len bytes at s must be the number; false otherwise, out of range included. No
 * leading or trailing blanks. gnd_parse_real accepts "nan" and "inf" as strtod does: callers
 * judge. */
bool gnd_parse_int(int64_t *out, const char *s, size_t len);
bool gnd_parse_real(double *out, const char *s, size_t len);

/* v with so many significant digits (17 at most) and a decimal point, whatever the locale. Returns
 * buf. */
enum { GND_REAL_TEXT = 40 };
const char *gnd_real_text(char buf[GND_REAL_TEXT], double v, int digits);

/* A number of things, 0 or more, with thousands separated: 1,433. Returns buf. */
enum { GND_COUNT_TEXT = 32 };
const char *gnd_count_text(char buf[GND_COUNT_TEXT], int64_t n);

/* Shortest edit distance, for "did you mean": INT32_MAX for names over 64 bytes. */
int32_t gnd_edit_distance(const char *a, const char *b);

#endif
