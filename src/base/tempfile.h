/* SPDX-License-Identifier: MIT
 * tempfile.h - a file without a name, for data that do not fit into memory. It disappears when it
 * is closed or the process ends, however that happens. */
#ifndef GND_BASE_TEMPFILE_H
#define GND_BASE_TEMPFILE_H

#include <stdint.h>

#include "status.h"

/* Zero is not valid: use GND_TEMPFILE_NONE. */
typedef struct {
    int fd;
    const char *folder; /* borrowed, for messages */
    int64_t size;       /* bytes that were appended */
} gnd_tempfile;

#define GND_TEMPFILE_NONE ((gnd_tempfile){.fd = -1})

/* Create one in a folder. */
gnd_status gnd_tempfile_open(gnd_tempfile *t, const char *folder, gnd_error *err);
void gnd_tempfile_close(gnd_tempfile *t);
/* Write n bytes at a place that the caller chose, from any thread; size does not change. */
gnd_status gnd_tempfile_write(const gnd_tempfile *t, const void *bytes, int64_t n, int64_t at,
                              gnd_error *err);
gnd_status gnd_tempfile_append(gnd_tempfile *t, const void *bytes, int64_t n, gnd_error *err);
/* Read n bytes from a place. */
gnd_status gnd_tempfile_read(const gnd_tempfile *t, void *bytes, int64_t n, int64_t at,
                             gnd_error *err);
/* Bytes begin .. end - 1 are not needed any more: give back their place, where the system can. */
void gnd_tempfile_forget(const gnd_tempfile *t, int64_t begin, int64_t end);
/* Write all of n bytes at a place of an open file; 0, or the errno. */
int gnd_write_at(int fd, const void *bytes, int64_t n, int64_t at);
/* The folder for temporary files beside an output: $TMPDIR or, if it is not set, the folder of
 * path. By gnd_alloc; NULL: no memory. */
char *gnd_temp_folder(const char *path);

#endif
