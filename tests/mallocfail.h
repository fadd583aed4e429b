/* SPDX-License-Identifier: MIT
 * mallocfail.h - make the n-th allocation fail.
 *
 * A test program named test_*_nomem.c is linked with --wrap, so that gnd_alloc and gnd_realloc as
 * called by other files of the library pass through here. NOMEM_WALK repeats a call with 0, 1, 2,
 * ... allowed allocations until it succeeds and checks that each failure says so:
 *
 *     NOMEM_WALK(gnd_split_new(&s, g, &o, &err), assert_null(s));
 *
 * The second argument is run after each failure. Leaks are AddressSanitizer's business. */
#ifndef GND_TESTS_MALLOCFAIL_H
#define GND_TESTS_MALLOCFAIL_H

#include "check.h"

/* Allow n more allocations; all later ones fail. Negative: no limit, the state at start. */
void mallocfail_allow(int64_t n);
/* Allocations asked for since the last mallocfail_allow. */
int64_t mallocfail_count(void);

#define NOMEM_WALK(call, after_failure)                                                            \
    do {                                                                                           \
        gnd_status st_ = GND_ERR_NOMEM;                                                            \
        int64_t k_ = 0;                                                                            \
                                                                                                   \
        for (; st_ != GND_OK; k_++) {                                                              \
            err = (gnd_error){0};                                                                  \
            mallocfail_allow(k_);                                                                  \
            st_ = (call);                                                                          \
            mallocfail_allow(-1);                                                                  \
            if (st_ == GND_OK)                                                                     \
                break;                                                                             \
            if (st_ != GND_ERR_NOMEM || err.code != st_ || !err.msg[0])                            \
                fail_msg("%s with %lld allocations gave %d \"%s\"; expected no memory", #call,     \
                         (long long)k_, st_, err.msg);                                             \
            after_failure;                                                                         \
        }                                                                                          \
        if (k_ == 0)                                                                               \
            fail_msg("%s made no allocation: it is not walked", #call);                            \
    } while (0)

#endif
