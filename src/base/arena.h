/* SPDX-License-Identifier: MIT
 * arena.h - allocation from large chunks, all of it released at once. */
#ifndef GND_BASE_ARENA_H
#define GND_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct gnd_arena_chunk gnd_arena_chunk;

/* Zero is a valid empty arena. */
typedef struct {
    gnd_arena_chunk *first, *now;
} gnd_arena;

/* n * size bytes, 64-byte aligned, not zeroed; NULL if memory is short. */
void *gnd_arena_alloc(gnd_arena *a, int64_t n, size_t size);
/* A position, and the release of what was allocated after it. The chunks are kept. */
typedef struct {
    gnd_arena_chunk *chunk; /* NULL: nothing was allocated */
    size_t used;
} gnd_arena_mark;
gnd_arena_mark gnd_arena_mark_get(const gnd_arena *a);
void gnd_arena_release(gnd_arena *a, gnd_arena_mark mark);
/* Release everything. The chunks are kept, so that a second pass of the same shape allocates
 * nothing. */
void gnd_arena_reset(gnd_arena *a);
/* Bytes allocated since the last reset. */
size_t gnd_arena_used(const gnd_arena *a);
void gnd_arena_fini(gnd_arena *a);

#endif
