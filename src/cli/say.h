/* SPDX-License-Identifier: MIT
 * say.h - words to the user on stderr, ends of the program, signals. */
#ifndef GND_CLI_SAY_H
#define GND_CLI_SAY_H

#include <stdbool.h>
#include <stddef.h>

#include "gnd.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* One sentence `gnd: ...`; control characters of file contents are shown as '?'. Returns
 * EXIT_FAILED. */
int say_failed(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same for a mistake on the command line. Returns EXIT_USAGE. */
int say_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* `note: ...`, unless quiet. */
void say_note(bool quiet, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* `warning: ...`: what may make a result wrong, unless quiet. */
void say_warning(bool quiet, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A note of the library, as its severity says. */
void say_library_note(bool quiet, const gnd_note *n);

/* Memory or the end of the program, with a sentence. */
void *need(size_t n, size_t size);
void *need_more(void *p, size_t n, size_t size);
char *need_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* SIGINT and SIGTERM end the program at once with one sentence, except while files are being
 * written: then when they are whole. Writing to a closed pipe or past a limit becomes an ordinary
 * error. */
void signals_init(void);
/* Around every call that writes the file or folder path. A pipe or device is not protected: nothing
 * half done is left there, and it may wait for ever for a reader. */
void signals_hold(const char *path);
/* The file is made from this store: a signal interrupts the store, so that no file is made. */
void signals_hold_store(gnd_store *s);
void signals_release(void);
/* While on, the first signal only asks: the job looks at signals_asked(), the signal's number or 0,
 * and ends where nothing is lost. The second signal ends the program at once. */
void signals_ask(bool on);
int signals_asked(void);
/* A half-drawn progress line is on the terminal; a signal must wipe it first. */
void signals_line(bool drawn);

/* Say why writing to stdout failed, by errno. Returns EXIT_FAILED. */
int stdout_failed(void);
/* Flush stdout; EXIT_FAILED and a sentence if anything written there was lost, else rc. */
int stdout_check(int rc);

#endif
