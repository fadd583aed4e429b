/* SPDX-License-Identifier: MIT
 * note.h - a list of notes and warnings for the user. */
#ifndef GND_BASE_NOTE_H
#define GND_BASE_NOTE_H

#include "status.h"

/* Zero is valid and empty. */
typedef struct {
    gnd_note *list; /* [n]; the list owns the texts, codes are string constants */
    int64_t n, room;
} gnd_notes;

/* Add a note. code: a constant such as "self_loops_dropped"; codes do not change between versions,
 * so that programs can rely on them. to NULL: nothing is added. A text that is too long is cut. */
gnd_status gnd_notes_add(gnd_notes *to, gnd_severity severity, const char *code, gnd_error *err,
                         const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* Add copies of all notes of `from`. */
gnd_status gnd_notes_copy(gnd_notes *to, const gnd_notes *from, gnd_error *err);
/* Remove the notes after the first n. */
void gnd_notes_cut(gnd_notes *notes, int64_t n);
/* Remove the notes of this code among the first n. */
void gnd_notes_drop(gnd_notes *notes, const char *code, int64_t n);
void gnd_notes_fini(gnd_notes *n);
/* The i-th note; NULL beyond the last. */
const gnd_note *gnd_notes_at(const gnd_notes *n, int64_t i);

#endif
