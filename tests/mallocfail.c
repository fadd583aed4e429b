/* SPDX-License-Identifier: MIT
 * mallocfail.c - the wrapped allocators. Not for programs that allocate from several threads. */
#include "mallocfail.h"

static int64_t allowed = -1, asked;

void *__real_gnd_alloc(int64_t n, size_t size);
void *__real_gnd_alloc_raw(int64_t n, size_t size);
void *__real_gnd_realloc(void *p, int64_t n, size_t size);
void *__wrap_gnd_alloc(int64_t n, size_t size);
void *__wrap_gnd_alloc_raw(int64_t n, size_t size);
void *__wrap_gnd_realloc(void *p, int64_t n, size_t size);

void mallocfail_allow(int64_t n)
{
    allowed = n;
    asked = 0;
}

int64_t mallocfail_count(void)
{
    return asked;
}

static bool may_allocate(void)
{
    asked++;
    return allowed < 0 || asked <= allowed;
}

void *__wrap_gnd_alloc(int64_t n, size_t size)
{
    return may_allocate() ? __real_gnd_alloc(n, size) : NULL;
}

void *__wrap_gnd_alloc_raw(int64_t n, size_t size)
{
    return may_allocate() ? __real_gnd_alloc_raw(n, size) : NULL;
}

void *__wrap_gnd_realloc(void *p, int64_t n, size_t size)
{
    return may_allocate() ? __real_gnd_realloc(p, n, size) : NULL;
}
