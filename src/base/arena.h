/* SPDX-License-Identifier: MIT
 * arena.h - memory that is given out in order and taken back at once. */
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
/* Take everything back; the memory is kept, so a second pass of the same shape allocates
 * nothing. */
void gnd_arena_reset(gnd_arena *a);
/* Bytes given out since the last reset. */
size_t gnd_arena_used(const gnd_arena *a);
void gnd_arena_fini(gnd_arena *a);

#endif
