/* SPDX-License-Identifier: MIT
 * outfile.h - a file that appears whole or not at all; gnd_writer of gnd.h is its public handle. */
#ifndef GND_BASE_OUTFILE_H
#define GND_BASE_OUTFILE_H

#include <stdio.h>

#include "status.h"

typedef struct {
    FILE *f;    /* write here */
    char *path; /* the target, behind symbolic links */
    char *temp; /* the file being written, beside path; NULL: path is a pipe or device */
} gnd_outfile;

/* Zero the struct first. On success the caller ends with commit or discard. */
gnd_status gnd_outfile_open(gnd_outfile *o, const char *path, gnd_error *err);
/* Flush, check every write, and move into place; on failure nothing is left behind. */
gnd_status gnd_outfile_commit(gnd_outfile *o, gnd_error *err);
/* Give up: the target is as it was. Does nothing after commit or before open. */
void gnd_outfile_discard(gnd_outfile *o);

#endif
