/* SPDX-License-Identifier: MIT
 * npy.c - read numpy's array files, in pieces, so that memory grows with the bytes that arrive and
 * not with the size that the header states.
 *
 * "\x93NUMPY", version major and minor, length of the header (2 bytes in version 1, else 4), then
 * a Python dictionary {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } and the items. */
#include "npy.h"

#include <string.h>

#include "base/alloc.h"

enum { HEAD_MAX = 1 << 16, PIECE = 1 << 16 };

/* ---- header ---- */

typedef struct {
    const char *s, *end;
} scan;

static void blanks(scan *c)
{
    while (c->s < c->end && (*c->s == ' ' || *c->s == '\t' || *c->s == '\n' || *c->s == '\r'))
        c->s++;
}

static bool eat(scan *c, char ch)
{
    blanks(c);
    if (c->s >= c->end || *c->s != ch)
        return false;
    c->s++;
    return true;
}

static bool eat_word(scan *c, const char *word)
{
    const size_t n = strlen(word);

    blanks(c);
    if ((size_t)(c->end - c->s) < n || memcmp(c->s, word, n) != 0)
        return false;
    c->s += n;
    return true;
}

/* A quoted string without escapes. */
static bool quoted(scan *c, const char **s, size_t *len)
{
    const char *begin;
    char q;

    blanks(c);
    if (c->s >= c->end || (*c->s != '\'' && *c->s != '"'))
        return false;
    q = *c->s++;
    begin = c->s;
    while (c->s < c->end && *c->s != q)
        c->s++;
    if (c->s >= c->end)
        return false;
    *s = begin;
    *len = (size_t)(c->s++ - begin);
    return true;
}

/* "(3, 4)", "(3,)" or "()"; Python 2 wrote "(3L, 4L)". */
static bool shape(scan *c, gnd_npy *a)
{
    a->n_dim = 0;
    a->n_item = 1;
    a->dim[0] = a->dim[1] = 1;
    if (!eat(c, '('))
        return false;
    while (!eat(c, ')')) {
        const char *s;
        int64_t v;

        blanks(c);
        for (s = c->s; c->s < c->end && *c->s >= '0' && *c->s <= '9'; c->s++)
            ;
        if (!gnd_parse_int(&v, s, (size_t)(c->s - s)) || a->n_dim == 32 ||
            __builtin_mul_overflow(a->n_item, v, &a->n_item))
            return false;
        if (a->n_dim < 2)
            a->dim[a->n_dim] = v;
        a->n_dim++;
        if (c->s < c->end && *c->s == 'L')
            c->s++;
        if (!eat(c, ',')) {
            if (!eat(c, ')'))
                return false;
            break;
        }
    }
    return true;
}

/* Parse the dictionary. A type that is a list (of fields) gives kind '?', and the rest is not
 * parsed. */
static bool dictionary(scan *c, gnd_npy *a)
{
    int seen = 0;

    if (!eat(c, '{'))
        return false;
    while (!eat(c, '}')) {
        const char *s;
        size_t len;

        if (!quoted(c, &s, &len) || !eat(c, ':'))
            return false;
        if (len == 5 && memcmp(s, "descr", 5) == 0) {
            if (eat(c, '[')) {
                a->type = (gnd_npy_type){.kind = '?'};
                return true;
            }
            if (!quoted(c, &s, &len) || !gnd_npy_type_parse(&a->type, s, len))
                return false;
            seen |= 1;
        } else if (len == 13 && memcmp(s, "fortran_order", 13) == 0) {
            a->fortran = eat_word(c, "True");
            if (!a->fortran && !eat_word(c, "False"))
                return false;
            seen |= 2;
        } else if (len == 5 && memcmp(s, "shape", 5) == 0) {
            if (!shape(c, a))
                return false;
            seen |= 4;
        } else {
            return false;
        }
        if (!eat(c, ',')) {
            if (!eat(c, '}'))
                return false;
            break;
        }
    }
    return seen == 7;
}

static gnd_status cut(const gnd_npy *a, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_FORMAT, "%s: the array is cut short or damaged", a->src.what);
}

static gnd_status header_read(gnd_npy *a, int64_t len, gnd_error *err)
{
    char *text = gnd_alloc(len, 1);
    gnd_status st = GND_OK;

    if (!text)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", a->src.what);
    if (a->src.read(a->src.user, text, len) != len)
        st = cut(a, err);
    else if (!dictionary(&(scan){text, text + len}, a))
        st = gnd_fail(err, GND_ERR_FORMAT, "%s: the header of the array is not valid", a->src.what);
    gnd_free(text);
    return st;
}

gnd_status gnd_npy_open(gnd_npy *a, gnd_npy_source src, gnd_error *err)
{
    unsigned char b[12];
    int64_t len, bytes, n_fix = 10;
    gnd_status st;

    *a = (gnd_npy){.src = src};
    if (src.read(src.user, b, 10) != 10)
        return cut(a, err);
    if (memcmp(b, "\x93NUMPY", 6) != 0)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: is not a numpy array", src.what);
    if (b[6] < 1 || b[6] > 3)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: array of version %d; expected 1 to 3", src.what,
                        b[6]);
    len = b[8] | b[9] << 8;
    if (b[6] > 1) {
        if (src.read(src.user, b + 10, 2) != 2)
            return cut(a, err);
        len |= (int64_t)b[10] << 16 | (int64_t)b[11] << 24;
        n_fix = 12;
    }
    if (len > HEAD_MAX)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: a header of %lld bytes; expected at most %d",
                        src.what, (long long)len, HEAD_MAX);
    st = header_read(a, len, err);
    if (st != GND_OK || a->type.kind == '?' || a->type.kind == 'O')
        return st;
    if (__builtin_mul_overflow(a->n_item, (int64_t)a->type.size, &bytes) ||
        bytes > src.size - n_fix - len || a->n_item > src.size)
        return gnd_fail(err, GND_ERR_FORMAT,
                        "%s: states %lld items, more than its %lld bytes can hold", src.what,
                        (long long)a->n_item, (long long)src.size);
    return GND_OK;
}

/* ---- items ---- */

/* Nothing may follow the items; reading further also makes the archive verify its checksum. */
static gnd_status end_check(const gnd_npy *a, gnd_error *err)
{
    char c;
    const int64_t n = a->src.read(a->src.user, &c, 1);

    if (n < 0)
        return cut(a, err);
    return n == 0 ? GND_OK
                  : gnd_fail(err, GND_ERR_FORMAT, "%s: has more bytes than its %lld items take",
                             a->src.what, (long long)a->n_item);
}

typedef struct {
    gnd_real *real;
    int64_t *i64;
    int32_t *i32, lo, hi;
} sink;

/* Convert n items at raw to position i of the sink. */
static int64_t sink_put(const sink *to, int64_t i, const unsigned char *raw, int64_t n,
                        gnd_npy_type d)
{
    if (to->real)
        return gnd_npy_type_reals(to->real + i, raw, n, d);
    if (to->i64)
        return gnd_npy_type_int64(to->i64 + i, raw, n, d);
    return gnd_npy_type_int32(to->i32 + i, raw, n, d, to->lo, to->hi);
}

static gnd_status bad_item(const gnd_npy *a, const sink *to, int64_t i, const unsigned char *raw,
                           gnd_error *err)
{
    int64_t v = 0;

    if (to->real)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: item %lld is not a finite number", a->src.what,
                        (long long)i);
    if (gnd_npy_type_int64(&v, raw, 1, a->type) == 0)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: item %lld is not a whole number", a->src.what,
                        (long long)i);
    return gnd_fail(err, GND_ERR_FORMAT, "%s: item %lld is %lld; expected %d to %d", a->src.what,
                    (long long)i, (long long)v, to->lo, to->hi);
}

static gnd_status numbers_check(const gnd_npy *a, gnd_error *err)
{
    if (gnd_npy_type_is_number(a->type))
        return GND_OK;
    return gnd_fail(err, GND_ERR_FORMAT, "%s: %s; expected an array of numbers", a->src.what,
                    a->type.kind == 'O' ? "has pickled objects, which are never read"
                                        : "its items are not numbers");
}

gnd_status gnd_npy_want(const gnd_npy *a, int32_t n_dim, gnd_error *err)
{
    const gnd_status st = numbers_check(a, err);

    if (st == GND_OK && a->n_dim != n_dim)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: has %d dimensions; expected %d", a->src.what,
                        a->n_dim, n_dim);
    return st;
}

static gnd_status items_read(const gnd_npy *a, const sink *to, gnd_error *err)
{
    unsigned char *buf = NULL;
    gnd_status st;

    GND_TRY(numbers_check(a, err));
    buf = gnd_realloc(NULL, PIECE, 1);
    if (!buf)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", a->src.what));
    for (int64_t i = 0; i < a->n_item;) {
        const int64_t room = PIECE / a->type.size;
        const int64_t n = a->n_item - i < room ? a->n_item - i : room;
        int64_t good;

        if (a->src.read(a->src.user, buf, n * a->type.size) != n * a->type.size)
            GND_TRY(cut(a, err));
        good = sink_put(to, i, buf, n, a->type);
        if (good < n)
            GND_TRY(bad_item(a, to, i + good, buf + good * a->type.size, err));
        i += n;
    }
    GND_TRY(end_check(a, err));
out:
    gnd_free(buf);
    return st;
}

gnd_status gnd_npy_reals(const gnd_npy *a, gnd_real *out, gnd_error *err)
{
    return items_read(a, &(sink){.real = out}, err);
}

gnd_status gnd_npy_int64(const gnd_npy *a, int64_t *out, gnd_error *err)
{
    return items_read(a, &(sink){.i64 = out}, err);
}

gnd_status gnd_npy_int32(const gnd_npy *a, int32_t *out, int32_t lo, int32_t hi, gnd_error *err)
{
    return items_read(a, &(sink){.i32 = out, .lo = lo, .hi = hi}, err);
}

/* ---- strings ---- */

/* Write one character as UTF-8. Python represents bytes that are not UTF-8 as U+DC80 .. U+DCFF:
 * these are converted back. Returns the length, 0 if there is no such character. */
static int utf8_put(char *s, uint32_t c)
{
    if (c >= 0xdc80 && c <= 0xdcff) {
        s[0] = (char)(c & 0xff);
        return 1;
    }
    if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return 0;
    if (c < 0x80) {
        s[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        s[0] = (char)(0xc0 | c >> 6);
        s[1] = (char)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        s[0] = (char)(0xe0 | c >> 12);
        s[1] = (char)(0x80 | (c >> 6 & 63));
        s[2] = (char)(0x80 | (c & 63));
        return 3;
    }
    s[0] = (char)(0xf0 | c >> 18);
    s[1] = (char)(0x80 | (c >> 12 & 63));
    s[2] = (char)(0x80 | (c >> 6 & 63));
    s[3] = (char)(0x80 | (c & 63));
    return 4;
}

/* One item as text, without its padding of zeros. Returns its length, -1 if it is not text. */
static int64_t text_get(char *out, const unsigned char *raw, gnd_npy_type d)
{
    const int32_t width = d.kind == 'U' ? 4 : 1;
    int32_t n = d.size / width;
    int64_t len = 0;

    for (bool zero = true; n > 0 && zero; n -= zero)
        for (int32_t k = 0; k < width; k++)
            zero = zero && raw[(n - 1) * width + k] == 0;
    for (int32_t i = 0; i < n; i++) {
        const unsigned char *p = raw + i * width;
        const uint32_t big =
            width == 4 ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
                       : p[0];
        const uint32_t c = width == 4 && !d.big ? __builtin_bswap32(big) : big;
        int k = 1;

        if (width == 4)
            k = utf8_put(out + len, c);
        else
            out[len] = (char)c;
        if (k == 0 || c == 0)
            return -1;
        len += k;
    }
    return len;
}

gnd_status gnd_npy_names(const gnd_npy *a, gnd_names *out, bool *distinct, gnd_error *err)
{
    const int64_t room = a->n_item > 0 ? a->type.size + 1 : 1;
    unsigned char *raw = gnd_alloc(room, 1);
    char *text = gnd_alloc(room, 1); /* UTF-8 takes at most 4 bytes per character */
    gnd_status st = GND_OK;

    *distinct = true;
    if (!raw || !text)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", a->src.what));
    if (a->type.kind != 'U' && a->type.kind != 'S')
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: expected an array of strings", a->src.what));
    for (int64_t i = 0; i < a->n_item; i++) {
        int64_t len, k;

        if (a->src.read(a->src.user, raw, a->type.size) != a->type.size)
            GND_TRY(cut(a, err));
        len = text_get(text, raw, a->type);
        if (len < 0)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: item %lld is not text", a->src.what,
                             (long long)i));
        /* Names taken from lines of text often keep the line end. */
        while (len > 0 && strchr(" \t\r\n", text[len - 1]))
            len--;
        k = gnd_names_add(out, text, (size_t)len);
        if (k < 0)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", a->src.what));
        *distinct = *distinct && k == i;
    }
    GND_TRY(end_check(a, err));
out:
    gnd_free(raw);
    gnd_free(text);
    return st;
}
