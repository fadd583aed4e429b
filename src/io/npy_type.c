/* SPDX-License-Identifier: MIT
 * npy_type.c - types of items of numpy arrays, such as "<f4". Converts items of any numeric type
 * to the types of gnd and finds values that do not fit. */
#include <math.h>
#include <string.h>

#include "npy.h"

#define HOST_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

bool gnd_npy_type_is_number(gnd_npy_type d)
{
    return d.kind == 'b' || d.kind == 'i' || d.kind == 'u' || d.kind == 'f';
}

/* Sizes in which the kind is read; any other type becomes '?'. */
static bool size_known(char kind, int64_t size)
{
    switch (kind) {
    case 'b':
        return size == 1;
    case 'i':
    case 'u':
        return size == 1 || size == 2 || size == 4 || size == 8;
    case 'f':
        return size == 2 || size == 4 || size == 8;
    case 'O':
    case 'U':
    case 'S':
        return true;
    default:
        return false;
    }
}

bool gnd_npy_type_parse(gnd_npy_type *out, const char *s, size_t len)
{
    int64_t size = 0;

    *out = (gnd_npy_type){.kind = '?', .big = HOST_BIG};
    if (len > 0 && strchr("<>|=", s[0]) && s[0]) {
        out->big = s[0] == '>' || (s[0] != '<' && HOST_BIG);
        s++;
        len--;
    }
    if (len == 0 || !((s[0] >= 'a' && s[0] <= 'z') || (s[0] >= 'A' && s[0] <= 'Z') || s[0] == '?'))
        return false;
    if (len > 1 && (!gnd_parse_int(&size, s + 1, len - 1) || size < 0))
        return s[0] == 'M' || s[0] == 'm'; /* dates have a unit: "M8[ns]" */
    if (s[0] == 'a')
        return true; /* an old name of S that files do not use */
    if (!size_known(s[0], size) || size > (1 << 24))
        return true;
    out->kind = s[0];
    out->size = (int32_t)(s[0] == 'U' ? 4 * size : size);
    return true;
}

/* The size bytes at p as an unsigned number. */
static uint64_t bits_get(const unsigned char *p, int32_t size, bool big)
{
    uint64_t v = 0;

    for (int32_t k = 0; k < size; k++)
        v = v << 8 | p[big ? k : size - 1 - k];
    return v;
}

/* IEEE half precision: 1 sign, 5 exponent and 10 fraction bits. */
static double half_get(uint64_t h)
{
    const int e = (int)(h >> 10 & 31);
    const double frac = (double)(h & 1023) / 1024;
    double v;

    if (e == 31)
        v = frac == 0 ? (double)INFINITY : (double)NAN;
    else
        v = e == 0 ? ldexp(frac, -14) : ldexp(1 + frac, e - 15);
    return h >> 15 ? -v : v;
}

static double real_get(const unsigned char *p, gnd_npy_type d)
{
    const uint64_t u = bits_get(p, d.size, d.big);
    float f;
    double r;
    uint32_t w;

    switch (d.kind) {
    case 'b':
        return u != 0;
    case 'u':
        return (double)u;
    case 'i':
        /* Sign extension: shift left as unsigned, then right as signed. */
        return d.size == 8 ? (double)(int64_t)u
                           : (double)(int64_t)(u ^ UINT64_C(1) << (8 * d.size - 1)) -
                                 (double)(UINT64_C(1) << (8 * d.size - 1));
    default:
        break;
    }
    if (d.size == 2)
        return half_get(u);
    if (d.size == 4) {
        w = (uint32_t)u;
        memcpy(&f, &w, 4);
        return (double)f;
    }
    memcpy(&r, &u, 8);
    return r;
}

/* An item as an integer; false if it is not one. */
static bool int_get(int64_t *out, const unsigned char *p, gnd_npy_type d)
{
    const uint64_t u = bits_get(p, d.size, d.big);
    double r;

    switch (d.kind) {
    case 'b':
        *out = u != 0;
        return true;
    case 'u':
        *out = (int64_t)u;
        return u <= INT64_MAX;
    case 'i':
        if (d.size == 8)
            *out = (int64_t)u;
        else
            *out = (int64_t)(u ^ UINT64_C(1) << (8 * d.size - 1)) -
                   (int64_t)(UINT64_C(1) << (8 * d.size - 1));
        return true;
    default:
        r = real_get(p, d);
        if (!(fabs(r) < 9e15) || r != floor(r))
            return false;
        *out = (int64_t)r;
        return true;
    }
}

static bool is_native(gnd_npy_type d, char kind, size_t size)
{
    return d.kind == kind && (size_t)d.size == size && d.big == HOST_BIG;
}

int64_t gnd_npy_type_reals(gnd_real *out, const unsigned char *raw, int64_t n, gnd_npy_type d)
{
    if (is_native(d, 'f', sizeof(gnd_real)))
        memcpy(out, raw, (size_t)n * sizeof *out);
    else
        for (int64_t i = 0; i < n; i++)
            out[i] = (gnd_real)real_get(raw + i * d.size, d);
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(out[i]))
            return i;
    return n;
}

int64_t gnd_npy_type_int64(int64_t *out, const unsigned char *raw, int64_t n, gnd_npy_type d)
{
    for (int64_t i = 0; i < n; i++)
        if (!int_get(&out[i], raw + i * d.size, d))
            return i;
    return n;
}

int64_t gnd_npy_type_int32(int32_t *out, const unsigned char *raw, int64_t n, gnd_npy_type d,
                           int32_t lo, int32_t hi)
{
    if (is_native(d, 'i', 4)) {
        memcpy(out, raw, (size_t)n * sizeof *out);
        for (int64_t i = 0; i < n; i++)
            if (out[i] < lo || out[i] > hi)
                return i;
        return n;
    }
    for (int64_t i = 0; i < n; i++) {
        int64_t v;

        if (!int_get(&v, raw + i * d.size, d) || v < lo || v > hi)
            return i;
        out[i] = (int32_t)v;
    }
    return n;
}
