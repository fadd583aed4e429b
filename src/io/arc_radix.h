/* SPDX-License-Identifier: MIT
 * arc_radix.h - arcs in memory as keys of up to 62 bits, source << bits | target, with or without
 * weights: move them into bins by some bits of their keys, and sort them. */
#ifndef GND_IO_ARC_RADIX_H
#define GND_IO_ARC_RADIX_H

#include <stdint.h>

/* Most bits that arcs are moved by at once. */
enum { GND_ARC_DIGIT = 11, GND_ARC_BINS = 1 << GND_ARC_DIGIT };

typedef struct {
    uint64_t *key;
    float *val; /* NULL: no weights */
} gnd_arc_list;

static inline gnd_arc_list gnd_arcs_at(gnd_arc_list a, int64_t i)
{
    return (gnd_arc_list){a.key + i, a.val ? a.val + i : (float *)0};
}

/* Bits of x. */
static inline int gnd_bit_length(uint64_t x)
{
    return x ? 64 - __builtin_clzll(x) : 0;
}

/* Bins: (key - lo) >> shift, below GND_ARC_BINS. */
typedef struct {
    uint64_t lo;
    int shift;
} gnd_arc_bins;

/* count: [GND_ARC_BINS] gets the number of the n keys in each bin added. */
void gnd_arcs_count(int64_t *count, gnd_arc_bins bins, const uint64_t *key, int64_t n);
/* Move n arcs to `to`. place: [GND_ARC_BINS] where those of each bin go; moved on. */
void gnd_arcs_move(gnd_arc_list to, int64_t *place, gnd_arc_bins bins, gnd_arc_list from,
                   int64_t n);
/* Sort n arcs in a, with keys below 2^bits, into out, each key once with the largest weight.
 * Returns how many there are. Both have room for n; a is scratch. */
int64_t gnd_arcs_sort(gnd_arc_list out, gnd_arc_list a, int64_t n, int bits);

#endif
