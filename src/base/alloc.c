/* SPDX-License-Identifier: MIT
 * alloc.c - checked allocation. */
#define _DEFAULT_SOURCE /* madvise */
#include "alloc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Blocks of at least HUGE_FROM bytes are aligned to huge pages, and the kernel is asked to use
 * them: random access then has far fewer TLB misses. */
enum { LINE = 64, HUGE_PAGE = 1 << 21, HUGE_FROM = 1 << 22 };

/* Bytes of n items, or 0 if the size is not valid; for 0 items one byte is allocated. */
static size_t bytes_of(int64_t n, size_t size)
{
    size_t bytes;

    if (n < 0 || __builtin_mul_overflow((size_t)n, size, &bytes) || bytes > PTRDIFF_MAX - HUGE_PAGE)
        return 0;
    return bytes ? bytes : 1;
}

#ifdef MADV_HUGEPAGE
static void ask_for_huge(void *p, size_t bytes)
{
    madvise(p, bytes / HUGE_PAGE * HUGE_PAGE,
            MADV_HUGEPAGE); /* ignored by kernels without huge pages */
}
#else
static void ask_for_huge(void *p, size_t bytes)
{
    (void)p, (void)bytes;
}
#endif

static void *aligned(size_t bytes)
{
    void *p = NULL;

    if (!bytes || posix_memalign(&p, bytes < HUGE_FROM ? LINE : HUGE_PAGE, bytes) != 0)
        return NULL;
    if (bytes >= HUGE_FROM)
        ask_for_huge(p, bytes);
    return p;
}

void *gnd_alloc_raw(int64_t n, size_t size)
{
    return aligned(bytes_of(n, size));
}

void *gnd_alloc(int64_t n, size_t size)
{
    const size_t bytes = bytes_of(n, size);
    void *p = aligned(bytes);

    return p ? memset(p, 0, bytes) : NULL;
}

void *gnd_realloc(void *p, int64_t n, size_t size)
{
    const size_t bytes = bytes_of(n, size);

    return bytes ? realloc(p, bytes) : NULL;
}

void gnd_free(void *p)
{
    free(p);
}

char *gnd_strndup(const char *s, size_t n)
{
    char *copy = n < PTRDIFF_MAX ? gnd_realloc(NULL, (int64_t)n + 1, 1) : NULL;

    if (copy) {
        memcpy(copy, s, n);
        copy[n] = '\0';
    }
    return copy;
}

char *gnd_strdup(const char *s)
{
    return gnd_strndup(s, strlen(s));
}
