/* SPDX-License-Identifier: MIT
 * text.h - text files as lines and fields, gzip or plain. */
#ifndef GND_IO_TEXT_H
#define GND_IO_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graph/graph.h"

/* What standard input is called in messages; its path is "-". */
#define GND_STDIN_NAME "standard input"

/* A whole file in memory (decompressed if it is gzip), read line by line. Zero is valid and
 * empty. */
typedef struct {
    char *data;
    gnd_mapping *plain; /* [size] quoted fields without their doubled quotes, each at its place in
                           data; NULL until there is one */
    size_t size, next;
    const char *path; /* borrowed, for messages */
    int64_t line;     /* number of the last line returned, from 1 */
    int64_t n_tag;    /* skipped comments that look like data: "#cats,dogs", not "# cats, dogs" */
    const gnd_load_opts *watch; /* of gnd_text_open_watched, or NULL */
    gnd_mapping *map;           /* of gnd_text_map: data is a file that is mapped */
    int64_t most;               /* bytes of text whose fields may be in memory; 0: any number */
    size_t kept;                /* fields before this place were forgotten, but those at the top */
} gnd_text;

typedef struct {
    const char *s;
    size_t len;
} gnd_csv_field;

/* A place in a text to return to. */
typedef struct {
    size_t next;
    int64_t line, n_tag;
} gnd_text_place;

/* Read all of path, or of standard input if path is "-". Errors: more than max_input bytes when
 * unpacked (0: the default, see limit.h), a folder, a damaged gzip stream. A UTF-8 byte order mark
 * is skipped. */
gnd_status gnd_text_open(gnd_text *t, const char *path, int64_t max_input, gnd_error *err);
/* The same for a file that must be text: UTF-16 and a NUL byte are errors too. */
gnd_status gnd_text_open_lines(gnd_text *t, const char *path, int64_t max_input, gnd_error *err);
/* The same with the limit of o, which may be NULL, and with its callback, also while lines are
 * read: after a request to stop there are no more lines. */
gnd_status gnd_text_open_watched(gnd_text *t, const char *path, const gnd_load_opts *o,
                                 gnd_error *err);
/* The same without a copy in memory, for large files: a plain file is mapped; standard input, a
 * pipe and a compressed file are written to a temporary file in folder first. There are no checks
 * for NUL bytes, which would read the whole file, and for requests to stop. The limit of o is for
 * what is written to the temporary file. */
gnd_status gnd_text_map(gnd_text *t, const char *path, const char *folder, const gnd_load_opts *o,
                        gnd_error *err);
/* GND_ERR_FORMAT if the text is UTF-16. */
gnd_status gnd_text_check_utf16(const gnd_text *t, gnd_error *err);
void gnd_text_close(gnd_text *t);
/* Lines that are read between two checks for a request to stop. */
enum { GND_TEXT_LINES = 1 << 12 };
/* Next line without its end (\n or \r\n); false at the end of the file. */
bool gnd_text_line(gnd_text *t, const char **s, size_t *len);
/* The same, but blank lines and comments (first byte # or %) are skipped. */
bool gnd_text_data_line(gnd_text *t, const char **s, size_t *len);
/* Add a note to g with the number of comments that may be data. */
gnd_status gnd_text_note_tags(const gnd_text *t, gnd_graph *g, gnd_error *err);
/* Start again at the first line. */
void gnd_text_rewind(gnd_text *t);
gnd_text_place gnd_text_tell(const gnd_text *t);
void gnd_text_seek(gnd_text *t, gnd_text_place place);
/* Fields of the lines before this place are not used any more: of a text with a limit t->most they
 * leave the memory, if they are many. */
void gnd_text_forget(gnd_text *t);
/* "path:at: ", or "path: list[at]: " if list is not NULL, + message. Control characters of the
 * message are replaced. */
gnd_status gnd_text_vfail(const char *path, const char *list, int64_t at, gnd_error *err,
                          const char *fmt, va_list ap) __attribute__((format(printf, 5, 0)));
/* "path:line: " + message. */
gnd_status gnd_text_fail(const gnd_text *t, gnd_error *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* May a file of this size state n rows or columns? Empty ones need no bytes, so the bound is
 * generous; it stops a short text from requesting gigabytes. */
bool gnd_text_plausible(const gnd_text *t, int64_t n);

/* The fields of one line, one after another. */
typedef struct {
    char *p, *end;
    char sep;
    bool more;       /* another field follows, which may be empty */
    const char *bad; /* not NULL: why the last call stopped early */
    bool no_memory;  /* bad is a lack of memory */
    gnd_text *text;  /* source of the line; a quoted field may continue on the next lines */
} gnd_fields;

/* The separator of the fields of a line of t: a tab if there is one outside quotes, else a comma,
 * else blanks. */
char gnd_text_separator(const gnd_text *t, const char *s, size_t len);
/* "commas", "tabs", "blanks", for messages. */
const char *gnd_separator_name(char sep);
/* The fields of a line s of t, which may be taken again. A quoted field may contain line ends:
 * gnd_text_line does not return the lines that it takes. */
gnd_fields gnd_text_fields(gnd_text *t, const char *s, size_t len, char sep);
/* Next field, without blanks around it (unless quoted). false: there is none, or c->bad is the
 * error. */
bool gnd_fields_next(gnd_fields *c, gnd_csv_field *f);
/* Put up to cap fields of a line into f; *n: number of fields that the line has. A quote that is
 * not valid is an error at the line. */
gnd_status gnd_fields_split(gnd_fields c, gnd_csv_field *f, int64_t cap, int64_t *n,
                            gnd_error *err);
/* The error of c->bad, at its line. */
gnd_status gnd_fields_fail(const gnd_fields *c, gnd_error *err);

bool gnd_field_equals(gnd_csv_field f, const char *s);
/* Parse a vertex number as printf("%d") writes it: no sign, no leading zeros. */
bool gnd_field_vertex(int32_t *out, gnd_csv_field f);
/* A finite number that gnd_real can hold; false otherwise. */
bool gnd_field_real(double *out, gnd_csv_field f);
/* The same with a decimal comma if decimal is ',': "0,5", and no "0.5". */
bool gnd_field_decimal(double *out, gnd_csv_field f, char decimal);
/* The sentence for a field that is no such number: it is too large, or no number. Returns buf. */
enum { GND_NOT_REAL = 128 };
const char *gnd_field_not_real(char buf[GND_NOT_REAL], gnd_csv_field f);
/* f for a message: cut to a useful length, with control characters replaced. Returns
 * buf. */
enum { GND_SHOWN = 48 };
const char *gnd_field_show(char buf[GND_SHOWN], gnd_csv_field f);
/* Name of the file at path: its last part without .gz and one more extension, cut to fit. */
void gnd_path_stem(char *buf, size_t size, const char *path);
bool gnd_path_ends(const char *path, const char *tail);

#endif
