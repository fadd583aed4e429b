/* SPDX-License-Identifier: MIT
 * arena.c - a list of chunks that is reused from its start after each reset. */
#include "arena.h"

#include "alloc.h"

struct gnd_arena_chunk {
    gnd_arena_chunk *next;
    size_t used, size;
    char *mem;
};

enum { LINE = 64, CHUNK_MIN = 1 << 18 };

static gnd_arena_chunk *chunk_new(size_t bytes)
{
    gnd_arena_chunk *c = gnd_alloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->size = bytes > CHUNK_MIN ? bytes : CHUNK_MIN;
    c->mem = gnd_alloc_raw((int64_t)c->size, 1);
    if (!c->mem) {
        gnd_free(c);
        return NULL;
    }
    return c;
}

void *gnd_arena_alloc(gnd_arena *a, int64_t n, size_t size)
{
    gnd_arena_chunk **link = a->now ? &a->now : &a->first;
    size_t bytes;
    void *p;

    if (n < 0 || __builtin_mul_overflow((size_t)n, size, &bytes) || bytes > PTRDIFF_MAX - LINE)
        return NULL;
    bytes = (bytes + LINE - 1) / LINE * LINE;
    while (*link && (*link)->size - (*link)->used < bytes)
        link = &(*link)->next;
    if (!*link && !(*link = chunk_new(bytes)))
        return NULL;
    a->now = *link;
    p = a->now->mem + a->now->used;
    a->now->used += bytes;
    return p;
}

gnd_arena_mark gnd_arena_mark_get(const gnd_arena *a)
{
    return (gnd_arena_mark){a->now, a->now ? a->now->used : 0};
}

void gnd_arena_release(gnd_arena *a, gnd_arena_mark mark)
{
    if (!mark.chunk) {
        gnd_arena_reset(a);
        return;
    }
    for (gnd_arena_chunk *c = mark.chunk->next; c; c = c->next)
        c->used = 0;
    mark.chunk->used = mark.used;
    a->now = mark.chunk;
}

void gnd_arena_reset(gnd_arena *a)
{
    for (gnd_arena_chunk *c = a->first; c; c = c->next)
        c->used = 0;
    a->now = a->first;
}

size_t gnd_arena_used(const gnd_arena *a)
{
    size_t used = 0;

    for (const gnd_arena_chunk *c = a->first; c; c = c->next)
        used += c->used;
    return used;
}

void gnd_arena_fini(gnd_arena *a)
{
    gnd_arena_chunk *next;

    for (gnd_arena_chunk *c = a->first; c; c = next) {
        next = c->next;
        gnd_free(c->mem);
        gnd_free(c);
    }
    a->first = a->now = NULL;
}
