/* SPDX-License-Identifier: MIT
 * alloc.c - checked allocation. */
#define _POSIX_C_SOURCE 200809L
#include "alloc.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };

/* Bytes of n items, or 0 if that cannot be: malloc(0) is asked for one byte instead. */
static size_t bytes_of(int64_t n, size_t size)
{
    size_t bytes;

    if (n < 0 || __builtin_mul_overflow((size_t)n, size, &bytes) || bytes > PTRDIFF_MAX - LINE)
        return 0;
    return bytes ? bytes : 1;
}

void *gnd_alloc(int64_t n, size_t size)
{
    const size_t bytes = bytes_of(n, size);
    void *p = NULL;

    if (!bytes || posix_memalign(&p, LINE, bytes) != 0)
        return NULL;
    return memset(p, 0, bytes);
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
