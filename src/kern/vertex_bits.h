/* SPDX-License-Identifier: MIT
 * vertex_bits.h - a set of vertex numbers as bits: which occur, and how many are below one. */
#ifndef GND_KERN_VERTEX_BITS_H
#define GND_KERN_VERTEX_BITS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"

/* Zero is valid and empty. */
typedef struct {
    _Atomic uint64_t *word; /* [n_word] */
    uint32_t *below;        /* [n_word] numbers before each word */
    int64_t n_word;
} gnd_vertex_bits;

/* Bytes for numbers 0 .. most. */
int64_t gnd_vertex_bits_bytes(int64_t most);
/* Make room for numbers 0 .. most; false: no memory. */
bool gnd_vertex_bits_reserve(gnd_vertex_bits *b, int64_t most);
void gnd_vertex_bits_fini(gnd_vertex_bits *b);

/* Add a number for which there is room. From any thread. */
static inline void gnd_vertex_bits_add(gnd_vertex_bits *b, int32_t v)
{
    const uint64_t bit = UINT64_C(1) << (v & 63);

    if (!(atomic_load_explicit(&b->word[v >> 6], memory_order_relaxed) & bit))
        atomic_fetch_or_explicit(&b->word[v >> 6], bit, memory_order_relaxed);
}

/* No more numbers: prepare gnd_vertex_bits_rank. Returns how many there are; -1: no memory. */
int64_t gnd_vertex_bits_count(gnd_vertex_bits *b);

/* The number of members below v. */
static inline int32_t gnd_vertex_bits_rank(const gnd_vertex_bits *b, int32_t v)
{
    const uint64_t under = (UINT64_C(1) << (v & 63)) - 1;
    const uint64_t word = atomic_load_explicit(&b->word[v >> 6], memory_order_relaxed);

    return (int32_t)(b->below[v >> 6] + (uint32_t)gnd_popcount(word & under));
}

/* The smallest member from v on; -1: there is none. */
int64_t gnd_vertex_bits_next(const gnd_vertex_bits *b, int64_t v);
/* The member that k others are below; there must be one. After gnd_vertex_bits_count. */
int64_t gnd_vertex_bits_at(const gnd_vertex_bits *b, int64_t k);

#endif
