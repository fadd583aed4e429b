/* SPDX-License-Identifier: MIT
 * str.h - a table of distinct strings, and strict conversion between strings and numbers. */
#ifndef GND_BASE_STR_H
#define GND_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "utf8.h"

/* Distinct strings, numbered 0, 1, ... in the order of insertion. */
typedef struct gnd_names gnd_names;

gnd_names *gnd_names_new(void); /* NULL: no memory */
void gnd_names_free(gnd_names *t);
int64_t gnd_names_count(const gnd_names *t);
/* Bytes that the table takes. */
int64_t gnd_names_bytes(const gnd_names *t);
/* Make room for n names of n_byte bytes in all; false: no memory. */
bool gnd_names_reserve(gnd_names *t, int64_t n, int64_t n_byte);
/* The same as gnd_names_add. While each name is longer than the last, or as long and after it, as
 * ascending numbers are, the table has no hash table: it takes half the memory, and names are found
 * by bisection. */
int64_t gnd_names_add_sorted(gnd_names *t, const char *s, size_t len);
/* Number of the len bytes at s, added if new; -1: no memory or more than INT32_MAX names. */
int64_t gnd_names_add(gnd_names *t, const char *s, size_t len);
/* Number of the string, -1 if it is not in the table. */
int64_t gnd_names_find(const gnd_names *t, const char *s, size_t len);
/* NUL-terminated, valid until the table is changed or freed. */
const char *gnd_names_get(const gnd_names *t, int64_t i);

/* Parse a number that takes all len bytes at s; false otherwise, also if it is out of range. No
 * leading or trailing blanks. gnd_parse_real accepts "nan" and "inf" as strtod does; callers check
 * for them. */
bool gnd_parse_int(int64_t *out, const char *s, size_t len);
bool gnd_parse_real(double *out, const char *s, size_t len);

/* v with the given number of significant digits (at most 17) and a decimal point in any locale.
 * Returns buf. */
enum { GND_REAL_TEXT = 40 };
const char *gnd_real_text(char buf[GND_REAL_TEXT], double v, int digits);

/* A count, 0 or more, with thousands separated: 1,433. Returns buf. */
enum { GND_COUNT_TEXT = 32 };
const char *gnd_count_text(char buf[GND_COUNT_TEXT], int64_t n);

/* Edit distance, for "did you mean": INT32_MAX for names over 64 bytes. */
int32_t gnd_edit_distance(const char *a, const char *b);

/* A text from a format, by gnd_alloc; NULL: no memory. */
char *gnd_text_make(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
