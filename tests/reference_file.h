/* SPDX-License-Identifier: MIT
 * reference_file.h - a file of reference values in a unit test, and the names it uses. */
#ifndef GND_TESTS_REFERENCE_FILE_H
#define GND_TESTS_REFERENCE_FILE_H

#include "check.h"
#include "golden.h"

/* The file of this name, NULL if the reference values are not there: the test is then to be
 * skipped. */
static inline golden *reference_file(const char *name)
{
    char path[512], why[256];
    golden *g;

    snprintf(path, sizeof path, "%s/reference/%s", GND_SHARED_DIR, name);
    if (shared_missing(path))
        return NULL;
    g = golden_load(path, why, sizeof why);
    if (!g)
        fail_msg("%s", why);
    return g;
}

static inline int64_t reference_int(const golden *f, const char *name)
{
    double v = 0;

    assert_true(golden_scalar(f, name, &v));
    return (int64_t)v;
}

#endif
