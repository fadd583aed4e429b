/* SPDX-License-Identifier: MIT
 * edge_numbers.c - rows of two vertex numbers. Eight bytes of text are treated at once, in a word
 * of 64 bits: which of them are digits, and the value of these. */
#include "edge_numbers.h"

#include <stdbool.h>
#include <string.h>

#include "arc_sort.h"

enum {
    WORD = 8,         /* bytes of text that are treated at once */
    WINDOW = 3 * WORD /* bytes in which most rows end; text that is left for the last rows */
};

/* A one in each byte. */
#define ONES (UINT64_MAX / 255)

static inline uint64_t load(const char *s)
{
    uint64_t x;

    memcpy(&x, s, sizeof x); /* little-endian: the first byte is the lowest */
    return x;
}

/* The high bit of each byte of x that is no digit; no other bit. */
static inline uint64_t others(uint64_t x)
{
    x ^= '0' * ONES; /* digits are 0 .. 9; no sum below leaves its byte */
    return (((x & 0x7f * ONES) + (0x80 - 10) * ONES) | x) & 0x80 * ONES;
}

/* These bits side by side, the first byte's is the lowest. */
static inline uint32_t gathered(uint64_t high)
{
    return (uint32_t)(((high >> 7) * UINT64_C(0x0102040810204080)) >> 56);
}

/* The number of the first n bytes of x, 1 <= n <= 8, which are digits. Zeros come before the
 * digits, bytes after them leave; neighbouring digits are joined to numbers of 2, 4 and 8. */
static inline uint32_t digits_value(uint64_t x, int n)
{
    x = (x ^ ('0' * ONES)) << (64 - 8 * n);
    x = (x * 10 + (x >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x * 100 + (x >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(x * 10000 + (x >> 32));
}

const char *gnd_vertex_number(int32_t *out, const char *s, const char *end)
{
    const char *p = s;
    int64_t v = 0;

    if (end - s > 11) {
        const uint64_t x = load(s), other = others(x);
        const int n = other ? __builtin_ctzll(other) / 8 : WORD;

        end = s + 11; /* a number has up to 10 digits */
        v = n > 0 ? digits_value(x, n) : 0;
        p += n;
    }
    for (; p < end && (unsigned char)(*p - '0') <= 9; p++)
        v = 10 * v + (*p - '0');
    if (p == s || p == end || v >= INT32_MAX || (*s == '0' && p - s > 1))
        return NULL;
    *out = (int32_t)v;
    return p;
}

/* A row at s of numbers of any length. Returns the place of its line end; NULL: it is none. */
static const char *long_row(int32_t *u, int32_t *v, const char *s, const gnd_edge_numbers_of *of)
{
    const char *p = gnd_vertex_number(u, s, of->end);

    return p && *p == of->sep ? gnd_vertex_number(v, p + 1, of->end) : NULL;
}

/* A row at p, where WINDOW bytes can be read. Returns the place after its line end; NULL: it is
 * none. Line ends of one byte have a path without a sum: the next row waits for the place. */
static inline const char *row_at(int32_t *u, int32_t *v, const char *p,
                                 const gnd_edge_numbers_of *of)
{
    const uint64_t first = load(p);
    uint32_t mask = gathered(others(first)) | gathered(others(load(p + WORD))) << WORD, left;
    const char *second, *line;
    int n_first, n_second;

    if ((mask & (mask - 1)) == 0)
        mask |= gathered(others(load(p + 2 * WORD))) << 2 * WORD;
    left = mask & (mask - 1); /* without the first */
    n_first = mask ? __builtin_ctz(mask) : WINDOW;
    n_second = left ? __builtin_ctz(left) - n_first - 1 : WINDOW;
    second = p + n_first + 1;
    line = second + n_second;
    if (n_first <= WORD && n_second <= WORD) {
        if (n_first == 0 || n_second == 0 || p[n_first] != of->sep || (*p == '0' && n_first > 1) ||
            (*second == '0' && n_second > 1))
            return NULL;
        *u = (int32_t)digits_value(first, n_first);
        *v = (int32_t)digits_value(load(second), n_second);
    } else {
        line = long_row(u, v, p, of);
        if (!line)
            return NULL;
    }
    if (*u >= of->limit || *v >= of->limit)
        return NULL;
    if (*line == '\n')
        return line + 1;
    return *line == '\r' && line + 1 < of->end && line[1] == '\n' ? line + 2 : NULL;
}

int64_t gnd_edge_numbers(uint64_t *key, int64_t cap, const char **s, int32_t *max,
                         const gnd_edge_numbers_of *of)
{
    const char *p = *s;
    int32_t most = *max, u, v;
    int64_t n = 0;

    for (; n < cap && of->end - p > WINDOW; n++) {
        const char *next = row_at(&u, &v, p, of);

        if (!next)
            break;
        most = u > most ? u : most;
        most = v > most ? v : most;
        key[n] = gnd_arc_key(u, v);
        p = next;
    }
    *s = p;
    *max = most;
    return n;
}
