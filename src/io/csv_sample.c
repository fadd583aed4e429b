/* SPDX-License-Identifier: MIT
 * csv_sample.c - look at the first rows of a table: which separator gives all rows the same number
 * of fields, which columns have numbers, and whether commas are decimal commas. */
#include "csv_sample.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"

enum { SAMPLE_ROWS = 200 };

gnd_status gnd_csv_row(gnd_csv_field **f, int64_t *cap, int64_t *n, gnd_fields c, gnd_error *err)
{
    gnd_csv_field one;

    for (*n = 0; gnd_fields_next(&c, &one); (*f)[(*n)++] = one) {
        const int64_t more = *cap ? 2 * *cap : 16;
        gnd_csv_field *grown;

        if (*n < *cap)
            continue;
        if (*n >= GND_MAX_COLUMN)
            return gnd_text_fail(c.text, err, "has more than %d fields", GND_MAX_COLUMN);
        grown = gnd_realloc(*f, more, sizeof *grown);
        if (!grown)
            return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for a row", c.text->path);
        *f = grown;
        *cap = more;
    }
    return c.bad ? gnd_fields_fail(&c, err) : GND_OK;
}

/* ---- kinds of fields ---- */

bool gnd_field_is_missing(gnd_csv_field f)
{
    static const char *const word[] = {"na",   "n/a",  "#n/a", "<na>", "nan",
                                       "-nan", "null", "none", "?"};

    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
        if (gnd_field_equals(f, word[i]))
            return true;
    return f.len == 0;
}

static size_t digits_at(gnd_csv_field f, size_t i)
{
    size_t n = 0;

    while (i + n < f.len && f.s[i + n] >= '0' && f.s[i + n] <= '9')
        n++;
    return n;
}

/* Is it a number with one comma: 0,5 or 1,234? *decimal: the comma cannot separate thousands. */
static bool is_comma_number(bool *decimal, gnd_csv_field f)
{
    const size_t begin = f.len > 0 && (f.s[0] == '-' || f.s[0] == '+');
    const size_t whole = digits_at(f, begin), at = begin + whole;
    size_t part, end;

    if (whole == 0 || at >= f.len || f.s[at] != ',')
        return false;
    part = digits_at(f, at + 1);
    end = at + 1 + part;
    *decimal = part != 3 || whole > 3 || f.s[begin] == '0' || end < f.len;
    if (end < f.len && (f.s[end] == 'e' || f.s[end] == 'E')) {
        end += end + 1 < f.len && (f.s[end + 1] == '-' || f.s[end + 1] == '+') ? 2 : 1;
        return part > 0 && digits_at(f, end) > 0 && end + digits_at(f, end) == f.len;
    }
    return part > 0 && end == f.len;
}

static bool has_digit(gnd_csv_field f)
{
    for (size_t i = 0; i < f.len; i++)
        if (digits_at(f, i) > 0)
            return true;
    return false;
}

/* A number may be too large here; "inf" is text. */
static gnd_field_kind kind_of(gnd_csv_field f)
{
    double value;
    bool decimal;

    if (gnd_field_is_missing(f))
        return GND_FIELD_MISSING;
    if (gnd_field_real(&value, f) || (gnd_parse_real(&value, f.s, f.len) && has_digit(f)))
        return memchr(f.s, '.', f.len) ? GND_FIELD_POINT : GND_FIELD_WHOLE;
    return is_comma_number(&decimal, f) ? GND_FIELD_COMMA : GND_FIELD_TEXT;
}

/* The class of the characters at *i, which is moved after a run of them: 'a' letters, '0' digits,
 * another character is its own class; 0 at the end. */
static int class_next(gnd_csv_field f, size_t *i)
{
    int cls = 0;

    for (; *i < f.len; ++*i) {
        const unsigned char c = (unsigned char)f.s[*i];
        const int here = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80 ? 'a'
                         : c >= '0' && c <= '9'                                        ? '0'
                                                                                       : c;

        if (cls && (here != cls || (cls != 'a' && cls != '0')))
            break;
        cls = here;
    }
    return cls;
}

/* Has the text something that words lack, such as digits, and do both have the same classes of
 * characters? */
static bool is_like(gnd_csv_field a, gnd_csv_field b)
{
    size_t i = 0, k = 0;
    bool special = false;

    for (;;) {
        const int x = class_next(a, &i), y = class_next(b, &k);

        if (x != y)
            return false;
        if (x == 0)
            return special;
        special |= x != 'a' && !strchr("_- ", x);
    }
}

/* ---- separator ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* How a separator divides the first rows. */
typedef struct {
    char sep;
    int64_t first; /* fields of the first row */
    bool fits;     /* every row has that many, and more than one */
    bool commas;   /* some fields have commas */
    bool others;   /* some of those are not numbers with a decimal comma */
} division;

/* The end of the row that begins at s: a quote may be closed on a later line. *quotes: all quotes
 * are closed; otherwise they are taken as text, and the row is the line. */
static const char *row_end(bool *quotes, const gnd_text *t, const char *s, size_t len)
{
    const char *const last = t->data + t->size, *line = s + len;
    bool open = false;

    for (const char *p = s; p < last; p++) {
        if (p == line && !open)
            break;
        if (p == line) { /* in quotes: continue to the end of the next line */
            const char *next = p;

            while (next < last && *next != '\n')
                next++;
            next += next < last;
            while (next < last && *next != '\n')
                next++;
            line = next;
        }
        open ^= *p == '"';
    }
    *quotes = !open;
    return open ? s + len : line;
}

/* Count the fields of a row from s to end, and look at those with commas outside quotes. */
static int64_t row_divide(division *d, const char *s, const char *end, bool quotes)
{
    int64_t n = 0;

    for (;; s++) {
        gnd_csv_field f;
        bool open = false, comma = false, decimal;

        while (s < end && is_blank(*s) && *s != d->sep)
            s++;
        while (d->sep == ' ' && s < end && is_blank(*s))
            s++;
        if (d->sep == ' ' && s == end)
            return n;
        for (f.s = s; s < end && (open || !(*s == d->sep || (d->sep == ' ' && *s == '\t'))); s++) {
            open ^= quotes && *s == '"';
            comma |= !open && *s == ',';
        }
        for (f.len = (size_t)(s - f.s); f.len > 0 && is_blank(f.s[f.len - 1]);)
            f.len--;
        n++;
        d->commas |= comma;
        d->others |= comma && !is_comma_number(&decimal, f);
        if (s == end)
            return n;
    }
}

static void divide(division *d, gnd_text *t)
{
    const gnd_text_place place = gnd_text_tell(t);
    const char *s;
    size_t len;

    d->fits = true;
    for (int row = 0; row < SAMPLE_ROWS && gnd_text_data_line(t, &s, &len); row++) {
        bool quotes;
        const char *end = row_end(&quotes, t, s, len);
        const int64_t n = row_divide(d, s, end, quotes);

        if (row == 0)
            d->first = n;
        d->fits &= n == d->first && quotes;
        if (!quotes)
            break; /* the search for the end of the quote may have gone over the whole file */
        while (t->data + t->next < end && gnd_text_line(t, &s, &len))
            ;
    }
    d->fits &= d->first > 1;
    gnd_text_seek(t, place);
}

/* Do some fields have commas, and are all of those numbers with decimal commas? */
static bool has_decimals(const division *d)
{
    return d->commas && !d->others;
}

static gnd_status two_fit(const gnd_text *t, char a, char b, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_FORMAT,
                    "%s: its fields may be separated by %s or by %s; say which with --separator "
                    "comma, semicolon, tab, pipe or space",
                    t->path, gnd_separator_name(a), gnd_separator_name(b));
}

gnd_status gnd_csv_find_separator(char *sep, gnd_text *t, gnd_error *err)
{
    enum { TAB, COMMA, SEMICOLON, PIPE, BLANK, N };
    division d[N] = {{.sep = '\t'}, {.sep = ','}, {.sep = ';'}, {.sep = '|'}, {.sep = ' '}};
    int best = -1;

    for (int i = 0; i < N; i++)
        divide(&d[i], t);
    if (d[TAB].first > 1) {
        *sep = '\t';
        return GND_OK;
    }
    for (int i = COMMA; i <= PIPE; i++) {
        if (!d[i].fits)
            continue;
        /* "1;2;0,5" also has two fields with commas, but that is not how it is meant */
        if (best >= 0 && !(best == COMMA && has_decimals(&d[i])))
            return two_fit(t, d[best].sep, d[i].sep, err);
        best = i;
    }
    if (best == COMMA && d[BLANK].fits && has_decimals(&d[BLANK]))
        return two_fit(t, ',', ' ', err);
    for (int i = COMMA; best < 0 && i <= PIPE; i++)
        if (d[i].first > 1)
            best = i;
    *sep = best < 0 ? ' ' : d[best].sep;
    return GND_OK;
}

/* ---- rows ---- */

static bool is_number(const gnd_csv_sample *s, gnd_field_kind kind)
{
    return kind == GND_FIELD_WHOLE ||
           kind == (s->decimal == ',' ? GND_FIELD_COMMA : GND_FIELD_POINT);
}

static bool is_text(const gnd_csv_sample *s, gnd_field_kind kind)
{
    return kind != GND_FIELD_MISSING && !is_number(s, kind);
}

bool gnd_csv_first_is_number(const gnd_csv_sample *s, int64_t column)
{
    return is_number(s, s->column[column].first);
}

bool gnd_csv_first_is_text(const gnd_csv_sample *s, int64_t column)
{
    return is_text(s, s->column[column].first);
}

bool gnd_csv_below_is_text(const gnd_csv_sample *s, int64_t column)
{
    bool text = false;

    for (int k = 0; k < GND_N_FIELD_KIND; k++)
        text |= s->column[column].n[k] > 0 && is_text(s, (gnd_field_kind)k);
    return text;
}

bool gnd_csv_below_is_number(const gnd_csv_sample *s, int64_t column)
{
    return s->column[column].n[GND_FIELD_MISSING] < s->n_row && !gnd_csv_below_is_text(s, column);
}

bool gnd_csv_first_is_like(const gnd_csv_sample *s, int64_t column)
{
    return s->column[column].n_like > 0 && 2 * s->column[column].n_like >= s->n_row;
}

static gnd_status decide_decimal(gnd_csv_sample *s, const gnd_text *t, gnd_error *err)
{
    int64_t n_comma = 0, n_point = 0;

    for (int64_t k = 0; k < s->width; k++) {
        n_comma += s->column[k].n[GND_FIELD_COMMA] + (s->column[k].first == GND_FIELD_COMMA);
        n_point += s->column[k].n[GND_FIELD_POINT] + (s->column[k].first == GND_FIELD_POINT);
    }
    if (s->decimal)
        return GND_OK;
    s->decimal = s->sep != ',' && n_comma > 0 ? ',' : '.';
    if (s->decimal == ',' && (s->n_decimal_comma == 0 || n_point > 0))
        return gnd_fail(
            err, GND_ERR_FORMAT,
            "%s: has numbers with commas, which may be decimal commas or not; say which "
            "with --decimal comma or --decimal point",
            t->path);
    return GND_OK;
}

static void look_below(gnd_csv_sample *s, const gnd_csv_field *f)
{
    for (int64_t k = 0; k < s->width; k++) {
        const gnd_field_kind kind = kind_of(f[k]);
        bool decimal = false;

        s->column[k].n[kind]++;
        s->column[k].n_like += is_like(s->first[k], f[k]);
        s->n_decimal_comma += kind == GND_FIELD_COMMA && is_comma_number(&decimal, f[k]) && decimal;
    }
    s->trailing &= f[s->width - 1].len == 0;
    s->n_row++;
}

static gnd_status look_first(gnd_csv_sample *s, const gnd_text *t, gnd_error *err)
{
    bool decimal = false;

    s->column = gnd_alloc(s->width, sizeof *s->column);
    if (!s->column)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for columns", t->path);
    for (int64_t k = 0; k < s->width; k++) {
        s->column[k].first = kind_of(s->first[k]);
        s->n_decimal_comma += s->column[k].first == GND_FIELD_COMMA &&
                              is_comma_number(&decimal, s->first[k]) && decimal;
    }
    s->trailing = s->first[s->width - 1].len == 0;
    return GND_OK;
}

static bool is_quoted(const gnd_text *t, gnd_csv_field f)
{
    return f.s > t->data && f.s <= t->data + t->size && f.s[-1] == '"';
}

/* Do all rows have one more field than the first, and do they begin with their names, as R's
 * write.table writes them? Then the first row gets an empty field in front. The quotes are
 * required: without them it may be a column at the end that the header lacks. */
static gnd_status find_row_names(gnd_csv_sample *s, gnd_text *t, char sep, gnd_error *err)
{
    const gnd_text_place place = gnd_text_tell(t);
    gnd_csv_field *f = NULL;
    int64_t cap = 0, n, row = 0;
    const char *line;
    size_t len;
    gnd_status st = GND_OK;

    s->numbered = true;
    for (s->row_names = true; s->row_names && row < SAMPLE_ROWS; row++) {
        int32_t number;

        if (!gnd_text_data_line(t, &line, &len))
            break;
        GND_TRY(gnd_csv_row(&f, &cap, &n, gnd_text_fields(t, line, len, sep), err));
        s->row_names = n == s->width + 1 && is_quoted(t, f[0]);
        s->numbered &= s->row_names && gnd_field_vertex(&number, f[0]) && number == row + 1;
    }
    s->row_names &= row > 0;
    if (!s->row_names)
        goto out;
    if (s->width == s->cap) {
        gnd_csv_field *first = gnd_realloc(s->first, s->cap + 1, sizeof *first);

        if (!first)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for a row", t->path));
        s->first = first;
        s->cap++;
    }
    memmove(s->first + 1, s->first, (size_t)s->width++ * sizeof *s->first);
    s->first[0] = (gnd_csv_field){.s = ""};
out:
    gnd_free(f);
    gnd_text_seek(t, place);
    return st;
}

gnd_status gnd_csv_sample_read(gnd_csv_sample *s, gnd_text *t, char sep, char decimal,
                               gnd_error *err)
{
    const gnd_text_place place = gnd_text_tell(t);
    gnd_csv_field *f = NULL;
    int64_t cap = 0, n;
    const char *line;
    size_t len;
    gnd_status st = GND_OK;

    *s = (gnd_csv_sample){.sep = sep, .decimal = decimal};
    if (!gnd_text_data_line(t, &line, &len))
        goto out;
    GND_TRY(gnd_csv_row(&s->first, &s->cap, &s->width, gnd_text_fields(t, line, len, sep), err));
    GND_TRY(find_row_names(s, t, sep, err));
    GND_TRY(look_first(s, t, err));
    while (s->n_row < SAMPLE_ROWS && gnd_text_data_line(t, &line, &len)) {
        bool longer;

        GND_TRY(gnd_csv_row(&f, &cap, &n, gnd_text_fields(t, line, len, sep), err));
        longer = n == s->width + 1 && f[n - 1].len == 0;
        s->longer |= longer && s->n_row == 0;
        if (n != s->width + s->longer || (s->longer && !longer))
            break; /* the reader reports it */
        look_below(s, f);
    }
    GND_TRY(decide_decimal(s, t, err));
out:
    gnd_free(f);
    gnd_text_seek(t, place);
    return st;
}

void gnd_csv_sample_fini(gnd_csv_sample *s)
{
    gnd_free(s->first);
    gnd_free(s->column);
    *s = (gnd_csv_sample){0};
}
