/* SPDX-License-Identifier: MIT
 * text.h - text files as lines and fields, gzip or plain. */
#ifndef GND_IO_TEXT_H
#define GND_IO_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graph/graph.h"

/* A whole file in memory (decompressed if it is gzip), read line by line. Zero is valid and
 * empty. */
typedef struct {
    char *data;
    size_t size, next;
    const char *path; /* borrowed, for messages */
    int64_t line;     /* number of the line last given, from 1 */
    int64_t n_tag; /* comments passed over that look like data: "#cats,dogs", not "# cats, dogs" */
} gnd_text;

typedef struct {
    const char *s;
    size_t len;
} gnd_csv_field;

/* Read path whole. A file over 16 GiB decompressed, a folder or a broken gzip stream is an error; a
 * UTF-8 byte order mark is not part of the first line. */
gnd_status gnd_text_open(gnd_text *t, const char *path, gnd_error *err);
/* The same for a file that must be text: a NUL byte is an error too. */
gnd_status gnd_text_open_lines(gnd_text *t, const char *path, gnd_error *err);
void gnd_text_close(gnd_text *t);
/* Next line without its end (\n or \r\n); false at the end of the file. */
bool gnd_text_line(gnd_text *t, const char **s, size_t *len);
/* The same, but blank lines and comments (first byte # or %) are passed over. */
bool gnd_text_data_line(gnd_text *t, const char **s, size_t *len);
/* Say in a note of g how many lines were comments but may have been meant as data. */
gnd_status gnd_text_note_tags(const gnd_text *t, gnd_graph *g, gnd_error *err);
/* Read again from the first line. */
void gnd_text_rewind(gnd_text *t);
/* "path:line: " + message. */
gnd_status gnd_text_fail(const gnd_text *t, gnd_error *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* May a file of this size claim n rows or columns? Empty ones need no bytes, so the bound is
 * generous; what it stops is a line of text that asks for gigabytes. */
bool gnd_text_plausible(const gnd_text *t, int64_t n);

/* The fields of one line, one after another. */
typedef struct {
    char *p, *end;
    char sep;
    bool more;       /* another field follows, be it empty */
    const char *bad; /* not NULL: why the last call stopped early */
    gnd_text *text;  /* where the line came from; a quoted field may continue on the next lines */
} gnd_fields;

/* What separates the fields of a line that t gave: a tab if there is one outside quotes, else a
 * comma, else blanks. */
char gnd_text_separator(const gnd_text *t, const char *s, size_t len);
/* "commas", "tabs", "blanks", for messages. */
const char *gnd_separator_name(char sep);
/* s must be a line that t gave: a quoted field with "" in it is made one with " in place. A quoted
 * field may contain line ends: the lines that it takes are no longer given by gnd_text_line. */
gnd_fields gnd_text_fields(gnd_text *t, const char *s, size_t len, char sep);
/* Next field, blanks around it cut (unless quoted). false: no more, or c->bad says what is
 * wrong. */
bool gnd_fields_next(gnd_fields *c, gnd_csv_field *f);
/* Up to cap fields into f; *n is how many the line has in all. A bad quote is an error at t's
 * line. */
gnd_status gnd_text_split(gnd_text *t, const char *s, size_t len, char sep, gnd_csv_field *f,
                          int64_t cap, int64_t *n, gnd_error *err);

/* Is this one of the names that make a first line a header: source, target, id, label, weight
 * ...? */
bool gnd_field_is_known_name(gnd_csv_field f);
bool gnd_field_equals(gnd_csv_field f, const char *s);
/* The number, if f is a vertex number as printf("%d") writes one: no sign, no leading zeros. */
bool gnd_field_vertex(int32_t *out, gnd_csv_field f);
/* A finite number that gnd_real can hold; false otherwise. */
bool gnd_field_real(double *out, gnd_csv_field f);
/* f as it may stand in a message: cut to what is useful, control characters replaced. Returns
 * buf. */
enum { GND_SHOWN = 48 };
const char *gnd_field_show(char buf[GND_SHOWN], gnd_csv_field f);
/* Name for what stands at path: last part of it, without .gz and one more extension, cut to fit. */
void gnd_path_stem(char *buf, size_t size, const char *path);
bool gnd_path_ends(const char *path, const char *tail);

#endif
