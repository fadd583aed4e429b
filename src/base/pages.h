/* SPDX-License-Identifier: MIT
 * pages.h - the pages of memory or of a file that lie wholly in a range of bytes. */
#ifndef GND_BASE_PAGES_H
#define GND_BASE_PAGES_H

#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

/* Narrow begin .. end - 1 to whole pages; false: there are none. */
static inline bool gnd_whole_pages(int64_t *begin, int64_t *end)
{
    const int64_t page = sysconf(_SC_PAGESIZE);

    if (page <= 0)
        return false;
    *begin = (*begin + page - 1) / page * page;
    *end = *end / page * page;
    return *begin < *end;
}

#endif
