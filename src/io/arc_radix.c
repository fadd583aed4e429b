/* SPDX-License-Identifier: MIT
 * arc_radix.c - radix sort of arcs: by their highest bits into bins, until a bin fits into the
 * caches, then digit by digit from the lowest. */
#include "arc_radix.h"

#include <stdbool.h>
#include <string.h>

enum {
    LEAF = 1 << 13, /* arcs that are sorted digit by digit: twice 64 kB */
    PER_BIN = 10,   /* bins get about 2^10 arcs each */
    TINY = 24,      /* arcs that are sorted by insertion */
    FEW = 1 << 10,  /* arcs that are sorted by small digits */
    LOW_DIGIT = 8,
    HIGH_DIGIT = 10,
    MAX_PASS = 8 /* of small digits, of at most 62 bits */
};

void gnd_arcs_count(int64_t *count, gnd_arc_bins bins, const uint64_t *key, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        count[(key[i] - bins.lo) >> bins.shift]++;
}

void gnd_arcs_move(gnd_arc_list to, int64_t *place, gnd_arc_bins bins, gnd_arc_list from, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t p = place[(from.key[i] - bins.lo) >> bins.shift]++;

        to.key[p] = from.key[i];
        if (to.val)
            to.val[p] = from.val[i];
    }
}

/* ---- sort ---- */

/* The sorted arcs are in side[1], before all that are not sorted yet. */
typedef struct {
    gnd_arc_list side[2];
    int64_t n;
} sorting;

static void insert(gnd_arc_list a, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        const uint64_t key = a.key[i];
        const float val = a.val ? a.val[i] : 0;
        int64_t k = i;

        for (; k > 0 && a.key[k - 1] > key; k--) {
            a.key[k] = a.key[k - 1];
            if (a.val)
                a.val[k] = a.val[k - 1];
        }
        a.key[k] = key;
        if (a.val)
            a.val[k] = val;
    }
}

/* Move n arcs by one digit; place: [1 << digit] where those of each digit go. */
static void pass(gnd_arc_list to, gnd_arc_list from, int64_t n, int32_t *place, int shift,
                 int digit)
{
    const uint64_t low = (UINT64_C(1) << digit) - 1;

    if (!to.val) {
        for (int64_t i = 0; i < n; i++)
            to.key[place[(from.key[i] >> shift) & low]++] = from.key[i];
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        const int32_t p = place[(from.key[i] >> shift) & low]++;

        to.key[p] = from.key[i];
        to.val[p] = from.val[i];
    }
}

/* Sort n arcs by their low bits, digit by digit; from and to are exchanged by each pass. Returns
 * the side where they are. */
static gnd_arc_list by_digits(gnd_arc_list from, gnd_arc_list to, int64_t n, int bits)
{
    const int most = n < FEW ? LOW_DIGIT : HIGH_DIGIT, n_pass = (bits + most - 1) / most;
    const int digit = n_pass ? (bits + n_pass - 1) / n_pass : 0;
    const uint64_t low = (UINT64_C(1) << digit) - 1;
    int32_t count[MAX_PASS][1 << HIGH_DIGIT];

    for (int k = 0; k < n_pass; k++)
        memset(count[k], 0, sizeof count[k][0] << digit);
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < n_pass; k++)
            count[k][(from.key[i] >> (k * digit)) & low]++;
    for (int k = 0; k < n_pass; k++) {
        const gnd_arc_list moved = to;
        int32_t at = 0;

        for (uint64_t d = 0; d <= low; d++) {
            const int32_t c = count[k][d];

            count[k][d] = at;
            at += c;
        }
        pass(to, from, n, count[k], k * digit, digit);
        to = from;
        from = moved;
    }
    return from;
}

/* Append n sorted arcs, equal ones merged. None is equal to those before. */
static void append(sorting *s, gnd_arc_list from, int64_t n)
{
    const gnd_arc_list out = s->side[1];
    int64_t q = s->n;

    for (int64_t i = 0; i < n; i++) {
        if (i > 0 && from.key[i] == out.key[q - 1]) {
            if (out.val && from.val[i] > out.val[q - 1])
                out.val[q - 1] = from.val[i];
            continue;
        }
        out.key[q] = from.key[i];
        if (out.val)
            out.val[q] = from.val[i];
        q++;
    }
    s->n = q;
}

/* Sort arcs begin .. begin + n - 1 of a side, which differ in their low bits only. A level takes
 * off 4 bits or more, so that there are at most 16. */
static void sort_part(sorting *s, int side, int64_t begin, int64_t n, int bits)
{
    const gnd_arc_list from = gnd_arcs_at(s->side[side], begin);
    const gnd_arc_list to = gnd_arcs_at(s->side[!side], begin);
    int32_t place[GND_ARC_BINS], at = 0;
    int digit, shift;

    if (n <= TINY) {
        insert(from, n);
        append(s, from, n);
        return;
    }
    if (n <= LEAF || bits == 0) {
        append(s, by_digits(from, to, n, bits), n);
        return;
    }
    digit = gnd_bit_length((uint64_t)n) - PER_BIN;
    digit = digit > GND_ARC_DIGIT ? GND_ARC_DIGIT : digit;
    digit = digit > bits ? bits : digit;
    shift = bits - digit;
    memset(place, 0, sizeof place[0] << digit);
    for (int64_t i = 0; i < n; i++)
        place[(from.key[i] >> shift) & ((UINT64_C(1) << digit) - 1)]++;
    for (int d = 0; d < 1 << digit; d++) {
        const int32_t c = place[d];

        place[d] = at;
        at += c;
    }
    pass(to, from, n, place, shift, digit);
    at = 0;
    for (int d = 0; d < 1 << digit; d++) { /* place[d] is the end of bin d now */
        if (place[d] > at)
            sort_part(s, !side, begin + at, place[d] - at, shift);
        at = place[d];
    }
}

int64_t gnd_arcs_sort(gnd_arc_list out, gnd_arc_list a, int64_t n, int bits)
{
    sorting s = {.side = {a, out}};

    sort_part(&s, 0, 0, n, bits);
    return s.n;
}
