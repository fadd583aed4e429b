/* SPDX-License-Identifier: MIT
 * say.h - messages on stderr, exits, signals. */
#ifndef GND_CLI_SAY_H
#define GND_CLI_SAY_H

#include <stdbool.h>
#include <stddef.h>

#include "gnd.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Print one line `gnd: ...`; control characters are shown as '?'. Returns EXIT_FAILED. */
int say_failed(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same for an error in the command line. Returns EXIT_USAGE. */
int say_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* `note: ...`, unless quiet. */
void say_note(bool quiet, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* `warning: ...`, unless quiet: something that may make a result wrong. */
void say_warning(bool quiet, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A note of the library, printed by its severity. */
void say_library_note(bool quiet, const gnd_note *n);

/* From now on nothing is printed: other processes print the same. The first line `gnd: ...` is kept
 * for say_kept. */
void say_mute(void);
bool say_muted(void);
/* Print that line, and `where` after it ("process 2 of 4"), if there is one. */
void say_kept(const char *where);

/* Memory; exits with a message if there is none. */
void *need(size_t n, size_t size);
void *need_more(void *p, size_t n, size_t size);
char *need_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* SIGINT and SIGTERM end the program at once with a message, except while files are being written:
 * then when they are complete. Writing to a closed pipe or over a file size limit becomes an
 * ordinary error. */
void signals_init(void);
/* Call around every write of the file or folder path. A pipe or device is not protected: nothing
 * incomplete is left there, and writing to it may block. */
void signals_hold(const char *path);
/* The file is made from this store: a signal interrupts the store, so that no file is made. */
void signals_hold_store(gnd_store *s);
void signals_release(void);
/* A signal that ends the program removes this file, which must outlive the call; NULL: none. */
void signals_remove(const char *path);
/* A signal ends this process without a message, for another process that prints one. */
void signals_silent(void);
/* This process is one of several: SIGTERM comes from mpirun, which says why, and is not reported
 * again. */
void signals_job(void);
/* From now on the first signal is only recorded, and the note printed: the job checks
 * signals_asked(), the signal's number or 0, and ends at a point where no result is lost. The
 * second signal ends the program at once. note: a line, "note: ...\n"; NULL: as before again. */
void signals_ask(const char *note);
int signals_asked(void);
/* A progress line is on the terminal; a signal must erase it first. */
void signals_line(bool drawn);

/* Print why writing to stdout failed, by errno. Returns EXIT_FAILED. */
int stdout_failed(void);
/* Flush stdout; EXIT_FAILED after a message if a write failed, else rc. */
int stdout_check(int rc);

#endif
