/* SPDX-License-Identifier: MIT
 * limit.c - the limit on the unpacked size of an input file. A compressed file of a few megabytes
 * can unpack to more than any memory, so every reader checks it first. */
#define _DEFAULT_SOURCE
#include "limit.h"

#include <unistd.h>

int64_t gnd_limit_get(int64_t max_input)
{
    const int64_t fallback = INT64_C(16) << 30; /* if the system does not report its memory */
    long pages = -1, page = -1;

    if (max_input > 0)
        return max_input;
#ifdef _SC_PHYS_PAGES
    pages = sysconf(_SC_PHYS_PAGES);
    page = sysconf(_SC_PAGESIZE);
#endif
    return pages > 0 && page > 0 ? (int64_t)pages / 2 * page : fallback;
}

gnd_status gnd_limit_fail(const char *what, const char *does, int64_t limit, gnd_error *err)
{
    static const struct {
        const char *name, *letter;
        int shift;
    } units[] = {{"GB", "G", 30}, {"MB", "M", 20}, {"kB", "K", 10}, {"bytes", "", 0}};
    size_t u = 0;

    while (u < 3 && limit < INT64_C(1) << units[u].shift)
        u++;
    return gnd_fail(
        err, GND_ERR_FORMAT,
        "%s: %s more than %.3g %s; raise the limit with --max-input %lld%s if you trust "
        "the file",
        what, does, (double)limit / (double)(INT64_C(1) << units[u].shift), units[u].name,
        (long long)(2 * (limit >> units[u].shift) + 2), units[u].letter);
}
