/* SPDX-License-Identifier: MIT
 * vertex_bits.c - a set of vertex numbers as bits. */
#include "vertex_bits.h"

#include <string.h>

#include "base/alloc.h"

int64_t gnd_vertex_bits_bytes(int64_t most)
{
    const int64_t n_word = most / 64 + 1;

    return n_word * (int64_t)sizeof(uint64_t) + n_word * (int64_t)sizeof(uint32_t);
}

bool gnd_vertex_bits_reserve(gnd_vertex_bits *b, int64_t most)
{
    const int64_t n_word = most / 64 + 1;
    void *more;

    if (n_word <= b->n_word)
        return true;
    more = gnd_realloc((void *)b->word, n_word, sizeof *b->word);
    if (!more)
        return false;
    b->word = more;
    memset((char *)more + b->n_word * (int64_t)sizeof *b->word, 0,
           (size_t)(n_word - b->n_word) * sizeof *b->word);
    b->n_word = n_word;
    return true;
}

void gnd_vertex_bits_fini(gnd_vertex_bits *b)
{
    gnd_free((void *)b->word);
    gnd_free(b->below);
    *b = (gnd_vertex_bits){0};
}

int64_t gnd_vertex_bits_count(gnd_vertex_bits *b)
{
    uint32_t n = 0;

    gnd_free(b->below);
    b->below = gnd_alloc(b->n_word, sizeof *b->below);
    if (!b->below)
        return -1;
    for (int64_t k = 0; k < b->n_word; k++) {
        b->below[k] = n;
        n += (uint32_t)gnd_popcount(b->word[k]);
    }
    return n;
}

int64_t gnd_vertex_bits_next(const gnd_vertex_bits *b, int64_t v)
{
    for (int64_t k = v / 64; k < b->n_word; k++) {
        uint64_t w = b->word[k];

        if (k == v / 64)
            w &= ~UINT64_C(0) << (v % 64);
        if (w)
            return 64 * k + __builtin_ctzll(w);
    }
    return -1;
}

int64_t gnd_vertex_bits_at(const gnd_vertex_bits *b, int64_t k)
{
    int64_t low = 0, high = b->n_word, v;

    while (high - low > 1) { /* the last word with at most k members before it */
        const int64_t middle = low + (high - low) / 2;

        if (b->below[middle] <= k)
            low = middle;
        else
            high = middle;
    }
    v = gnd_vertex_bits_next(b, 64 * low);
    for (int64_t left = k - b->below[low]; left > 0; left--)
        v = gnd_vertex_bits_next(b, v + 1);
    return v;
}
