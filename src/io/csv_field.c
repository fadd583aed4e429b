/* SPDX-License-Identifier: MIT
 * csv_field.c - split a line of text into fields, with quotes as in CSV. Also recognises vertex
 * numbers, finite numbers and known column names. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "kern/real.h"
#include "text.h"

char gnd_text_separator(const gnd_text *t, const char *s, size_t len)
{
    const size_t left = t->size - (size_t)(s - t->data);
    bool quoted = false, comma = false;

    for (size_t i = 0; i < len || (quoted && i < left); i++) {
        if (i == len) /* a quoted field contains the line end: continue after it */
            while (len < left && s[len++] != '\n')
                ;
        if (s[i] == '"')
            quoted = !quoted;
        else if (!quoted && s[i] == '\t')
            return '\t';
        else if (!quoted && s[i] == ',')
            comma = true;
    }
    return comma ? ',' : ' ';
}

const char *gnd_separator_name(char sep)
{
    return sep == ','    ? "commas"
           : sep == ';'  ? "semicolons"
           : sep == '\t' ? "tabs"
           : sep == '|'  ? "vertical bars"
                         : "blanks";
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

gnd_fields gnd_text_fields(gnd_text *t, const char *s, size_t len, char sep)
{
    gnd_fields c = {.sep = sep, .more = len > 0, .text = t};

    c.p = t->data + (s - t->data);
    c.end = c.p + len;
    if (sep == ' ') { /* runs of blanks separate fields; blanks at the ends are dropped */
        while (c.end > c.p && is_blank(c.end[-1]))
            c.end--;
        while (c.p < c.end && is_blank(*c.p))
            c.p++;
        c.more = c.p < c.end;
    }
    return c;
}

/* c->p is at the end of a field; move it over the separator to the next one. */
static bool pass_separator(gnd_fields *c)
{
    const char *from = c->p;

    while (c->p < c->end && (c->sep == ' ' || *c->p != c->sep) && is_blank(*c->p))
        c->p++;
    c->more = c->p < c->end;
    if (!c->more)
        return true;
    return c->sep == ' ' ? c->p > from : *c->p++ == c->sep;
}

/* Append the next line of the file, and the line end before it, to the fields; false if there is
 * none. A copy of c may have appended the lines before. */
static bool line_append(gnd_fields *c)
{
    gnd_text *t = c->text;
    char *const last = t->data + t->size;
    char *begin = memchr(c->end, '\n', (size_t)(last - c->end)), *end;

    if (!begin || ++begin == last)
        return false;
    end = memchr(begin, '\n', (size_t)(last - begin));
    end = end ? end : last;
    c->end = end > begin && end[-1] == '\r' ? end - 1 : end;
    end += end < last;
    if (t->next < (size_t)(end - t->data)) {
        t->next = (size_t)(end - t->data);
        t->line++;
    }
    return true;
}

/* The place in t->plain for the text at s, which is made at the first call; NULL: no memory. */
static char *plain_place(gnd_text *t, const char *s)
{
    if (!t->plain)
        gnd_mapping_blank(&t->plain, (int64_t)t->size, t->path, NULL);
    return t->plain ? gnd_mapping_room(t->plain) + (s - t->data) : NULL;
}

/* Is the text at s, with that before it, too much to be copied? */
static bool is_beyond(const gnd_text *t, const char *s)
{
    return t->most > 0 && s - t->data - (int64_t)t->kept > t->most;
}

/* c->p is after an opening quote. The field is in the text or, if it has doubled quotes, a copy
 * with single ones is at the same place of t->plain. */
static bool quoted_next(gnd_fields *c, gnd_csv_field *f)
{
    const int64_t line = c->text->line;
    const char *const from = c->p;
    char *to = NULL, *copy = NULL;

    for (;; c->p++) {
        if (c->p == c->end && !line_append(c)) {
            c->text->line = line; /* for the message: where the quote is */
            c->bad = "a quote is not closed";
            return false;
        }
        if (*c->p == '"' && (++c->p == c->end || *c->p != '"'))
            break;
        if (*c->p == '"' && !copy) {
            copy = plain_place(c->text, from);
            if (!copy) {
                c->bad = "no memory for a quoted field";
                c->no_memory = true;
                return false;
            }
            to = copy + (c->p - 1 - from);
            memcpy(copy, from, (size_t)(to - copy));
        }
        if (copy && is_beyond(c->text, c->p)) {
            c->bad = "its quoted fields take too much memory; give the conversion more (--memory)";
            return false;
        }
        if (copy)
            *to++ = *c->p;
    }
    *f = copy ? (gnd_csv_field){.s = copy, .len = (size_t)(to - copy)}
              : (gnd_csv_field){.s = from, .len = (size_t)(c->p - 1 - from)};
    if (!pass_separator(c)) {
        c->bad = "text follows a closing quote";
        return false;
    }
    return true;
}

bool gnd_fields_next(gnd_fields *c, gnd_csv_field *f)
{
    char *end;

    if (!c->more || c->bad)
        return false;
    while (c->p < c->end && *c->p != c->sep && is_blank(*c->p))
        c->p++;
    if (c->p < c->end && *c->p == '"') {
        c->p++;
        return quoted_next(c, f);
    }
    f->s = c->p;
    if (c->sep == ' ')
        while (c->p < c->end && !is_blank(*c->p))
            c->p++;
    else
        while (c->p < c->end && *c->p != c->sep)
            c->p++;
    end = c->p;
    while (end > f->s && is_blank(end[-1]))
        end--;
    f->len = (size_t)(end - f->s);
    pass_separator(c);
    return true;
}

gnd_status gnd_fields_split(gnd_fields c, gnd_csv_field *f, int64_t cap, int64_t *n, gnd_error *err)
{
    gnd_csv_field over;

    for (*n = 0; gnd_fields_next(&c, *n < cap ? &f[*n] : &over);)
        ++*n;
    return c.bad ? gnd_fields_fail(&c, err) : GND_OK;
}

gnd_status gnd_fields_fail(const gnd_fields *c, gnd_error *err)
{
    if (c->no_memory)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: %s", c->text->path, c->bad);
    return gnd_text_fail(c->text, err, "%s", c->bad);
}

bool gnd_field_equals(gnd_csv_field f, const char *s)
{
    return strlen(s) == f.len && strncasecmp(f.s, s, f.len) == 0;
}

bool gnd_field_vertex(int32_t *out, gnd_csv_field f)
{
    int64_t v = 0;

    if (f.len == 0 || f.len > 10 || (f.s[0] == '0' && f.len > 1))
        return false;
    for (size_t i = 0; i < f.len; i++) {
        if (f.s[i] < '0' || f.s[i] > '9')
            return false;
        v = 10 * v + (f.s[i] - '0');
    }
    if (v >= INT32_MAX)
        return false;
    *out = (int32_t)v;
    return true;
}

/* Parse plain decimals such as 1, 0.25 or -3.5, which most values are, without strtod. Up to 15
 * digits are exact in a double, as are powers of ten up to 10^15, so that the one division rounds
 * as strtod does. */
static bool short_decimal(double *out, gnd_csv_field f)
{
    const bool neg = f.len > 0 && f.s[0] == '-';
    int64_t digits = 0, scale = 1;
    size_t i = neg, n_digit = 0;
    bool point = false;

    if (f.len > 16)
        return false;
    for (; i < f.len; i++) {
        if (f.s[i] == '.' && !point) {
            point = true;
        } else if (f.s[i] >= '0' && f.s[i] <= '9' && n_digit < 15) {
            digits = 10 * digits + (f.s[i] - '0');
            scale *= point ? 10 : 1;
            n_digit++;
        } else {
            return false;
        }
    }
    *out = (double)digits / (double)scale;
    if (neg)
        *out = -*out;
    return n_digit > 0;
}

bool gnd_field_real(double *out, gnd_csv_field f)
{
    return short_decimal(out, f) || (gnd_parse_real(out, f.s, f.len) && isfinite((gnd_real)*out));
}

bool gnd_field_decimal(double *out, gnd_csv_field f, char decimal)
{
    char buf[64], *comma;

    if (decimal != ',')
        return gnd_field_real(out, f);
    if (f.len >= sizeof buf || memchr(f.s, '.', f.len))
        return false;
    memcpy(buf, f.s, f.len);
    comma = memchr(buf, ',', f.len);
    if (comma)
        *comma = '.';
    return gnd_field_real(out, (gnd_csv_field){.s = buf, .len = f.len});
}

const char *gnd_field_not_real(char buf[GND_NOT_REAL], gnd_csv_field f)
{
    const double most = sizeof(gnd_real) == sizeof(float) ? (double)FLT_MAX : DBL_MAX;
    char show[GND_SHOWN], text[GND_REAL_TEXT];
    bool digits = false; /* "inf" has none: it is not a number that is too large */
    double value;

    gnd_field_show(show, f);
    for (size_t i = 0; i < f.len; i++)
        digits |= f.s[i] >= '0' && f.s[i] <= '9';
    if (digits && gnd_parse_real(&value, f.s, f.len) && !isnan(value))
        snprintf(buf, GND_NOT_REAL, "'%s' is too large; expected at most %s", show,
                 gnd_real_text(text, most, 3));
    else
        snprintf(buf, GND_NOT_REAL, "expected a finite number; got '%s'%s", show,
                 digits && memchr(f.s, ',', f.len) ? " (see --decimal for decimal commas)" : "");
    return buf;
}

const char *gnd_field_show(char buf[GND_SHOWN], gnd_csv_field f)
{
    const size_t keep = f.len < GND_SHOWN ? f.len : GND_SHOWN - 4;

    memcpy(buf, f.s, keep);
    buf[keep] = '\0';
    if (keep < f.len)
        gnd_utf8_trim(buf);
    gnd_text_mask(buf);
    if (keep < f.len)
        strcat(buf, "...");
    return buf;
}

bool gnd_path_ends(const char *path, const char *tail)
{
    const size_t n = strlen(path), k = strlen(tail);

    return n >= k && strcasecmp(path + n - k, tail) == 0;
}

void gnd_path_stem(char *buf, size_t size, const char *path)
{
    size_t end = strlen(path), begin, dot;

    while (end > 1 && path[end - 1] == '/')
        end--;
    for (begin = end; begin > 0 && path[begin - 1] != '/'; begin--)
        ;
    if (end - begin > 3 && strncasecmp(path + end - 3, ".gz", 3) == 0)
        end -= 3;
    for (dot = end; dot > begin && path[dot - 1] != '.'; dot--)
        ;
    if (dot > begin + 1)
        end = dot - 1;
    snprintf(buf, size, "%.*s", (int)(end - begin < size ? end - begin : size - 1), path + begin);
}
