/* SPDX-License-Identifier: MIT
 * outfile.h - a file that is written completely or not at all; gnd_writer in gnd.h is its public
 * handle. */
#ifndef GND_BASE_OUTFILE_H
#define GND_BASE_OUTFILE_H

#include <stdio.h>

#include "status.h"

typedef struct {
    FILE *f;    /* write here */
    char *path; /* the target, after following symbolic links */
    char *temp; /* the temporary file in the folder of path; NULL: path is a pipe, a device or
                   an open descriptor */
} gnd_outfile;

/* Zero the struct first. On success the caller calls commit or discard at the end. */
gnd_status gnd_outfile_open(gnd_outfile *o, const char *path, gnd_error *err);
/* Flush, check for write errors, and rename to the target; on failure no file is left. */
gnd_status gnd_outfile_commit(gnd_outfile *o, gnd_error *err);
/* Remove the temporary file: the target is unchanged. Does nothing after commit or before open. */
void gnd_outfile_discard(gnd_outfile *o);

#endif
