/* SPDX-License-Identifier: MIT
 * golden.h - reads files of reference values: named texts, scalars and matrices, one after another.
 *
 *     text NAME value                the rest of the line
 *     scalar NAME value              decimal or C99 hex float
 *     int NAME rows cols             then `rows` lines of `cols` integers and one empty line
 *     real NAME rows cols            likewise, C99 hex floats
 *
 * The last line is `text end ok`, so that a cut file is noticed. Matrices are row-major. */
#ifndef GND_TESTS_GOLDEN_H
#define GND_TESTS_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct golden golden;

/* NULL, and one sentence in why[0..n-1], if the file is not there, is cut or breaks the syntax. */
golden *golden_load(const char *path, char *why, size_t n);
void golden_free(golden *g);

/* Each of these answers NULL or false if there is no such name of that kind. What a pointer points
 * to lives as long as g; an empty matrix gives a valid pointer. */
const char *golden_text(const golden *g, const char *name);
bool golden_scalar(const golden *g, const char *name, double *out);
const int64_t *golden_int(const golden *g, const char *name, int64_t *rows, int64_t *cols);
const double *golden_real(const golden *g, const char *name, int64_t *rows, int64_t *cols);

/* Name of the i-th item in file order, NULL beyond the last: for those that walk a file. */
const char *golden_name(const golden *g, int64_t i);

#endif
