/* SPDX-License-Identifier: MIT
 * alloc.h - all heap allocation. Sizes are checked for overflow, and tests wrap these functions at
 * link time to make the n-th allocation fail. */
#ifndef GND_BASE_ALLOC_H
#define GND_BASE_ALLOC_H

#include <stddef.h>
#include <stdint.h>

/* n * size bytes, zeroed, 64-byte aligned (one cache line; kernels rely on it). NULL if n is
 * negative, the product overflows, or memory is short. n = 0 gives a valid pointer. */
void *gnd_alloc(int64_t n, size_t size);
/* The same, not zeroed: for scratch that is written before it is read. */
void *gnd_alloc_raw(int64_t n, size_t size);
/* Grow or shrink to n * size bytes; new bytes are not zeroed, alignment is that of malloc. On
 * failure NULL is returned and p is unchanged. p: from gnd_realloc, or NULL. */
void *gnd_realloc(void *p, int64_t n, size_t size);
/* Free memory from any of these functions; NULL is allowed. */
void gnd_free(void *p);
/* A copy of a string, or of n bytes plus a NUL. */
char *gnd_strdup(const char *s);
char *gnd_strndup(const char *s, size_t n);

#endif
