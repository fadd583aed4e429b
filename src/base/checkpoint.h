/* SPDX-License-Identifier: MIT
 * checkpoint.h - arrays that a long run saves from time to time, so that it can continue after a
 * crash. docs/cluster.md describes the files.
 *
 * A folder holds the state of one run: data files, and a manifest that names them and the run.
 * Arrays that are the same in all processes are written by the first; each process writes the rows
 * that only it has. All files are written under temporary names and renamed; the manifest comes
 * last, and the files of the state before it are removed afterwards. So there is a complete state
 * at any time. */
#ifndef GND_BASE_CHECKPOINT_H
#define GND_BASE_CHECKPOINT_H

#include "team.h"

typedef struct gnd_checkpoint gnd_checkpoint;

typedef struct {
    const char *folder; /* is made if it does not exist */
    double seconds;     /* the least time between two states; 0: each that is offered */
    /* What the run is, lines "key<TAB>value". A state of another run is refused, with the first
     * line that differs. */
    const char *run;
    gnd_team team;
} gnd_checkpoint_opts;

typedef struct {
    const char *name;
    void *data;
    int64_t bytes;
    bool own; /* each process has other values; else all have the same */
} gnd_saved_array;

/* Open the folder and read its manifest, if there is one. */
gnd_status gnd_checkpoint_open(gnd_checkpoint **out, const gnd_checkpoint_opts *o, gnd_error *err);
void gnd_checkpoint_free(gnd_checkpoint *c);
/* Has enough time passed to save a state? NULL: no. */
bool gnd_checkpoint_due(gnd_checkpoint *c);
/* Replace the saved state. stage: what is being computed, a line of text; step: how far it is. */
gnd_status gnd_checkpoint_save(gnd_checkpoint *c, const char *stage, int64_t step,
                               const gnd_saved_array *a, int n, gnd_error *err);
/* Read the arrays of the saved state if it is of this stage. *step: -1 if it is not, or c is NULL.
 */
gnd_status gnd_checkpoint_load(int64_t *step, gnd_checkpoint *c, const char *stage,
                               const gnd_saved_array *a, int n, gnd_error *err);
/* Was a state read? NULL: no. */
bool gnd_checkpoint_used(const gnd_checkpoint *c);

#endif
