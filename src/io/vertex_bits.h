/* SPDX-License-Identifier: MIT
 * vertex_bits.h - a set of vertex numbers as bits: which occur, and how many are below one. */
#ifndef GND_IO_VERTEX_BITS_H
#define GND_IO_VERTEX_BITS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Zero is valid and empty. */
typedef struct {
    _Atomic uint64_t *word; /* [n_word] */
    uint32_t *below;        /* [n_word / 8 + 1] numbers before each group of 8 words */
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
    const int64_t w = v >> 6;
    uint32_t n = b->below[w >> 3];

    for (int64_t k = w & ~INT64_C(7); k < w; k++)
        n += (uint32_t)__builtin_popcountll(b->word[k]);
    n += (uint32_t)__builtin_popcountll(b->word[w] & ((UINT64_C(1) << (v & 63)) - 1));
    return (int32_t)n;
}

/* The smallest member from v on; -1: there is none. */
int64_t gnd_vertex_bits_next(const gnd_vertex_bits *b, int64_t v);

#endif
