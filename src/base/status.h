/* SPDX-License-Identifier: MIT
 * status.h - errors: every function that can fail returns a gnd_status and fills a gnd_error. */
#ifndef GND_BASE_STATUS_H
#define GND_BASE_STATUS_H

#include "gnd.h"

/* Record code and message in err (which may be NULL) and return code. If err already has an error,
 * it is kept: the innermost function knows the most, so callers may add their own without a
 * check. */
gnd_status gnd_fail(gnd_error *err, gnd_status code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Put "context: " in front of the recorded message. */
void gnd_error_prefix(gnd_error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Clear err; every public function calls it first. */
void gnd_error_clear(gnd_error *err);

/* For functions with `gnd_status st` and the exit label `out`. */
#define GND_TRY(expr)                                                                              \
    do {                                                                                           \
        st = (expr);                                                                               \
        if (st != GND_OK)                                                                          \
            goto out;                                                                              \
    } while (0)

/* GND_ERR_ARG if a text that a call requires is NULL; what names it in the message. */
gnd_status gnd_require(const char *text, const char *what, gnd_error *err);

#endif
