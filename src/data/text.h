/* SPDX-License-Identifier: MIT
 * text.h - text files as lines and fields, gzip or plain. */
#ifndef GND_DATA_TEXT_H
#define GND_DATA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A whole file in memory (decompressed if it is gzip), read line by line. Zero is valid and empty. */
typedef struct {
    char *data;
    size_t size, next;
    const char *path; /* borrowed, for messages */
    int64_t line;     /* number of the line last given, from 1 */
} gnd_text;

typedef struct {
    const char *s;
    size_t len;
} gnd_field;

/* Read path whole. A file over 16 GiB decompressed, a folder or a broken gzip stream is an error. */
gnd_status gnd_text_open(gnd_text *t, const char *path, gnd_error *err);
void gnd_text_close(gnd_text *t);
/* Next line without its end (\n or \r\n); false at the end of the file. */
bool gnd_text_line(gnd_text *t, const char **s, size_t *len);
/* "path:line: " + message. */
gnd_status gnd_text_fail(const gnd_text *t, gnd_error *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
