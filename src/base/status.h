/* SPDX-License-Identifier: MIT
 * status.h - how every call that can fail says so. */
#ifndef GND_BASE_STATUS_H
#define GND_BASE_STATUS_H

#include "gnd.h"

/* Record code and message in err (which may be NULL) and return code. The first writer wins: it
 * stands deepest and knows most, so callers may pass on what they got without looking. */
gnd_status gnd_fail(gnd_error *err, gnd_status code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Put "context: " in front of a message that is there already. */
void gnd_error_prefix(gnd_error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Public calls start here. */
void gnd_error_clear(gnd_error *err);

/* In a function with `gnd_status st` and the exit label `out`. */
#define GND_TRY(expr)                                                                              \
    do {                                                                                           \
        st = (expr);                                                                               \
        if (st != GND_OK)                                                                          \
            goto out;                                                                              \
    } while (0)

/* GND_ERR_ARG if a text that a call requires is NULL; what names it in the message. */
gnd_status gnd_require(const char *text, const char *what, gnd_error *err);

#endif
