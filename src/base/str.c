/* SPDX-License-Identifier: MIT
 * str.c - open-addressing string table; number parsing. */
#include "str.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "rng.h"

/* A part of the hash is stored beside the number, so that a probe seldom compares with a different
 * string. */
typedef struct {
    uint32_t hash;
    int32_t index; /* -1: free */
} name_slot;

struct gnd_names {
    char *text; /* the strings, one after another, NUL-terminated */
    int64_t n_text, cap_text;
    int64_t *start; /* [count] offsets in text */
    int64_t count, cap;
    name_slot *slot; /* [n_slot], a power of two */
    int64_t n_slot;
};

gnd_names *gnd_names_new(void)
{
    return gnd_alloc(1, sizeof(gnd_names));
}

void gnd_names_free(gnd_names *t)
{
    if (!t)
        return;
    gnd_free(t->text);
    gnd_free(t->start);
    gnd_free(t->slot);
    gnd_free(t);
}

int64_t gnd_names_count(const gnd_names *t)
{
    return t ? t->count : 0;
}

int64_t gnd_names_bytes(const gnd_names *t)
{
    return t ? t->cap_text + t->cap * (int64_t)sizeof *t->start +
                   t->n_slot * (int64_t)sizeof *t->slot
             : 0;
}

const char *gnd_names_get(const gnd_names *t, int64_t i)
{
    return t->text + t->start[i];
}

/* Eight bytes per step. The hash is not seeded at random: crafted collisions only slow down a table
 * that is limited by the size of its file. */
static uint64_t hash_bytes(const char *s, size_t len)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15) ^ len;

    while (len >= 8) {
        uint64_t w;

        memcpy(&w, s, 8);
        h = gnd_mix64(h ^ w);
        s += 8;
        len -= 8;
    }
    if (len > 0) {
        uint64_t w = 0;

        memcpy(&w, s, len);
        h = gnd_mix64(h ^ w);
    }
    return h;
}

static size_t name_len(const gnd_names *t, int64_t i)
{
    return (size_t)((i + 1 < t->count ? t->start[i + 1] : t->n_text) - t->start[i] - 1);
}

/* The slot of the string, or the free slot where it is to be inserted. */
static int64_t probe(const gnd_names *t, uint64_t h, const char *s, size_t len)
{
    int64_t k = (int64_t)(h & (uint64_t)(t->n_slot - 1));

    for (; t->slot[k].index >= 0; k = (k + 1) & (t->n_slot - 1)) {
        const int64_t i = t->slot[k].index;

        if (t->slot[k].hash == (uint32_t)(h >> 32) && name_len(t, i) == len &&
            memcmp(gnd_names_get(t, i), s, len) == 0)
            break;
    }
    return k;
}

/* Is name i before (below 0) or after the string? Shorter names come first. */
static int compare(const gnd_names *t, int64_t i, const char *s, size_t len)
{
    const size_t own = name_len(t, i);

    return own != len ? (own < len ? -1 : 1) : memcmp(gnd_names_get(t, i), s, len);
}

/* The string in a table without slots, whose names are sorted. */
static int64_t bisect(const gnd_names *t, const char *s, size_t len)
{
    int64_t low = 0, high = gnd_names_count(t);

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const int order = compare(t, middle, s, len);

        if (order == 0)
            return middle;
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return -1;
}

int64_t gnd_names_find(const gnd_names *t, const char *s, size_t len)
{
    if (!t || t->n_slot == 0)
        return bisect(t, s, len);
    return t->slot[probe(t, hash_bytes(s, len), s, len)].index;
}

static bool rehash(gnd_names *t, int64_t n_slot)
{
    name_slot *slot = gnd_realloc(NULL, n_slot, sizeof *slot), *old = t->slot;

    if (!slot)
        return false;
    memset(slot, 0xff, (size_t)n_slot * sizeof *slot);
    t->slot = slot;
    t->n_slot = n_slot;
    for (int64_t i = 0; i < t->count;
         i++) { /* all strings are distinct: take the first free slot */
        const uint64_t h = hash_bytes(gnd_names_get(t, i), name_len(t, i));
        int64_t k = (int64_t)(h & (uint64_t)(n_slot - 1));

        while (slot[k].index >= 0)
            k = (k + 1) & (n_slot - 1);
        slot[k] = (name_slot){(uint32_t)(h >> 32), (int32_t)i};
    }
    gnd_free(old);
    return true;
}

static bool starts_reserve(gnd_names *t, int64_t cap)
{
    int64_t *start = gnd_realloc(t->start, cap, sizeof *start);

    if (!start)
        return false;
    t->start = start;
    t->cap = cap;
    return true;
}

static bool text_reserve(gnd_names *t, int64_t cap)
{
    char *text = gnd_realloc(t->text, cap, 1);

    if (!text)
        return false;
    t->text = text;
    t->cap_text = cap;
    return true;
}

bool gnd_names_reserve(gnd_names *t, int64_t n, int64_t n_byte)
{
    return n < INT32_MAX && n_byte < INT64_MAX / 4 && (n <= t->cap || starts_reserve(t, n)) &&
           (n_byte + n <= t->cap_text || text_reserve(t, n_byte + n));
}

/* Make room for another name, but in the hash table. */
static bool reserve(gnd_names *t, size_t len)
{
    if (t->count == t->cap && !starts_reserve(t, t->cap ? 2 * t->cap : 64))
        return false;
    if (t->cap_text - t->n_text < (int64_t)len + 1 &&
        !text_reserve(t, 2 * t->cap_text + (int64_t)len + 1024))
        return false;
    return true;
}

static bool slots_reserve(gnd_names *t)
{
    int64_t n_slot = t->n_slot ? t->n_slot : 128;

    while (n_slot < 2 * (t->count + 1))
        n_slot *= 2;
    return n_slot == t->n_slot || rehash(t, n_slot);
}

static int64_t append(gnd_names *t, const char *s, size_t len)
{
    memcpy(t->text + t->n_text, s, len);
    t->text[t->n_text + (int64_t)len] = '\0';
    t->start[t->count] = t->n_text;
    t->n_text += (int64_t)len + 1;
    return t->count++;
}

int64_t gnd_names_add(gnd_names *t, const char *s, size_t len)
{
    const uint64_t h = hash_bytes(s, len);
    int64_t k;

    if (len > INT32_MAX || t->count >= INT32_MAX || !reserve(t, len) || !slots_reserve(t))
        return -1;
    k = probe(t, h, s, len);
    if (t->slot[k].index >= 0)
        return t->slot[k].index;
    t->slot[k] = (name_slot){(uint32_t)(h >> 32), (int32_t)t->count};
    return append(t, s, len);
}

int64_t gnd_names_add_sorted(gnd_names *t, const char *s, size_t len)
{
    if (t->n_slot > 0 || (t->count > 0 && compare(t, t->count - 1, s, len) >= 0))
        return gnd_names_add(t, s, len);
    if (len > INT32_MAX || t->count >= INT32_MAX || !reserve(t, len))
        return -1;
    return append(t, s, len);
}

bool gnd_parse_int(int64_t *out, const char *s, size_t len)
{
    const bool neg = len > 0 && s[0] == '-';
    uint64_t v = 0;
    size_t i = neg || (len > 0 && s[0] == '+') ? 1 : 0;

    if (i == len)
        return false;
    for (; i < len; i++) {
        if (s[i] < '0' || s[i] > '9')
            return false;
        if (v > (INT64_MAX - 9) / 10)
            return false;
        v = 10 * v + (uint64_t)(s[i] - '0');
    }
    *out = neg ? -(int64_t)v : (int64_t)v;
    return true;
}

enum { REAL_MAX = 63, POINT_MAX = 8 }; /* bytes of a number; of a decimal point in any locale */

/* Replace the first `from` in buf by `to`; both are decimal points. */
static void swap_point(char *buf, const char *from, const char *to)
{
    char *at = strstr(buf, from);

    if (!at)
        return;
    memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    memcpy(at, to, strlen(to));
}

/* The locale of the calling program may have another decimal point; files always use '.'. */
bool gnd_parse_real(double *out, const char *s, size_t len)
{
    const char *point = localeconv()->decimal_point;
    char buf[REAL_MAX + POINT_MAX + 1];
    char *end;

    if (len == 0 || len > REAL_MAX || s[0] == ' ' || (s[0] >= '\t' && s[0] <= '\r'))
        return false;
    memcpy(buf, s, len);
    buf[len] = '\0';
    if (strlen(buf) != len)
        return false;
    if (strcmp(point, ".") != 0) {
        if (strlen(point) > POINT_MAX || strstr(buf, point))
            return false;
        swap_point(buf, ".", point);
    }
    *out = strtod(buf, &end);
    return *end == '\0';
}

const char *gnd_real_text(char buf[GND_REAL_TEXT], double v, int digits)
{
    const char *point = localeconv()->decimal_point;

    snprintf(buf, GND_REAL_TEXT, "%.*g", digits < 17 ? digits : 17, v);
    if (strcmp(point, ".") != 0)
        swap_point(buf, point, ".");
    return buf;
}

const char *gnd_count_text(char buf[GND_COUNT_TEXT], int64_t n)
{
    char digits[GND_COUNT_TEXT];
    const int len = snprintf(digits, sizeof digits, "%lld", (long long)n);
    char *to = buf;

    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return buf;
}

int32_t gnd_edit_distance(const char *a, const char *b)
{
    enum { MAX = 64 };
    const size_t na = strlen(a), nb = strlen(b);
    int32_t row[MAX + 1];

    if (na > MAX || nb > MAX)
        return INT32_MAX;
    for (size_t j = 0; j <= nb; j++)
        row[j] = (int32_t)j;
    for (size_t i = 1; i <= na; i++) {
        int32_t diag = row[0];

        row[0] = (int32_t)i;
        for (size_t j = 1; j <= nb; j++) {
            const int32_t change = diag + (a[i - 1] != b[j - 1]);
            int32_t best = row[j] + 1;

            diag = row[j];
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = change < best ? change : best;
        }
    }
    return row[nb];
}

char *gnd_text_make(const char *fmt, ...)
{
    va_list ap;
    char *text;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    text = n < 0 ? NULL : gnd_alloc(n + 1, 1);
    if (!text)
        return NULL;
    va_start(ap, fmt);
    vsnprintf(text, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return text;
}
