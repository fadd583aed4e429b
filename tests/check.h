/* SPDX-License-Identifier: MIT
 * check.h - a few words on top of cmocka. */
#ifndef GND_TESTS_CHECK_H
#define GND_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gnd.h"

#define LENGTH(a) ((int64_t)(sizeof(a) / sizeof((a)[0])))

#define CHECK_CLOSE(a, b, tol)                                                                     \
    do {                                                                                           \
        const double a_ = (double)(a), b_ = (double)(b), tol_ = (double)(tol);                     \
        if (!(fabs(a_ - b_) <= tol_))                                                              \
            fail_msg("%s = %.17g, %s = %.17g, apart by %g > %g", #a, a_, #b, b_, fabs(a_ - b_),    \
                     tol_);                                                                        \
    } while (0)

/* The call succeeds; its message is shown if it does not. Needs `gnd_error err` in scope. */
#define CHECK_OK(call)                                                                             \
    do {                                                                                           \
        err = (gnd_error){0};                                                                      \
        if ((call) != GND_OK)                                                                      \
            fail_msg("%s: %s", #call, err.msg);                                                    \
    } while (0)

/* The call fails with this code, and its one-sentence message contains text. */
#define CHECK_FAILS(call, code_, text)                                                             \
    do {                                                                                           \
        err = (gnd_error){0};                                                                      \
        const gnd_status st_ = (call);                                                             \
        if (st_ != (code_) || err.code != st_ || !strstr(err.msg, text) || strchr(err.msg, '\n'))  \
            fail_msg("%s gave %d \"%s\"; expected %d \"...%s...\"", #call, st_, err.msg, code_,    \
                     text);                                                                        \
    } while (0)

/* The real data sets are not part of the source; tests that need them say so and skip. */
static inline bool shared_missing(const char *path)
{
    if (access(path, R_OK) == 0)
        return false;
    print_message("SKIP: %s is not there\n", path);
    return true;
}
#define NEEDS_SHARED(path)                                                                         \
    do {                                                                                           \
        if (shared_missing(path))                                                                  \
            skip();                                                                                \
    } while (0)

#endif
