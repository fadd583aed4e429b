/* SPDX-License-Identifier: MIT
 * row.c - the columns of a stored run, defined once for SQL, CSV and the checks of both. */
#include "row.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/str.h"
#include "key.h"

typedef enum {
    NAME,
    HASH,
    CHOICE,
    SETTINGS,
    DATE,
    NOTE,
    COUNT,
    SEED,
    RESULT_COUNT,
    RESULT,
    SECONDS
} kind;

typedef struct {
    const char *name;
    kind kind;
    size_t at;           /* offset in gnd_row */
    const char *choices; /* of a choice: "|ok|diverged|" */
    double max;          /* of a number, whose minimum is 0 unless this is infinite */
} column;

#define AT(field) offsetof(gnd_row, field)

static const column columns[] = {
    {"dataset", NAME, AT(dataset), NULL, 0},
    {"graph", CHOICE, AT(graph), "|raw|und|std|", 0},
    {"data", HASH, AT(data), NULL, 0},
    {"split", CHOICE, AT(split), "|paper|planetoid|honest|", 0},
    {"labels_per_class", COUNT, AT(per_class), NULL, INT32_MAX},
    {"validation", COUNT, AT(n_val), NULL, INT32_MAX},
    {"score_unlabelled", COUNT, AT(score_unlabelled), NULL, 1},
    {"split_seed", COUNT, AT(split_seed), NULL, UINT32_MAX},
    {"split_hash", HASH, AT(split_hash), NULL, 0},
    {"method", NAME, AT(method), NULL, 0},
    {"settings", SETTINGS, AT(settings), NULL, 0},
    {"seed", SEED, AT(seed), NULL, 0},
    {"status", CHOICE, AT(status), "|ok|diverged|", 0},
    {"epochs", RESULT_COUNT, AT(result.epochs), NULL, INT32_MAX},
    {"best_epoch", RESULT_COUNT, AT(result.best_epoch), NULL, INT32_MAX},
    {"train_loss", RESULT, AT(result.loss_train), NULL, INFINITY},
    {"train_accuracy", RESULT, AT(result.acc_train), NULL, 1},
    {"val_accuracy", RESULT, AT(result.acc_val), NULL, 1},
    {"test_accuracy", RESULT, AT(result.acc_test), NULL, 1},
    {"val_loss", RESULT, AT(result.loss_val), NULL, INFINITY},
    {"test_loss", RESULT, AT(result.loss_test), NULL, INFINITY},
    {"test_macro_f1", RESULT, AT(result.f1_test), NULL, 1},
    {"seconds", SECONDS, AT(seconds), NULL, 1e12},
    {"build", NAME, AT(build), NULL, 0},
    {"finished", DATE, AT(finished), NULL, 0},
    {"plan", NOTE, AT(plan), NULL, 0},
    {"test_ece", RESULT, AT(result.ece_test), NULL, 1},
    {"test_accuracy_half", RESULT, AT(result.acc_half), NULL, 1},
};
/* The first version ended with `finished`; later versions appended these columns. */
enum { N_COLUMN = sizeof columns / sizeof columns[0], N_COLUMN_LEAST = 25 };
/* Of rows that name a configuration in place of the settings. */
static const char named_heading[] = "config";
/* Hashes had 32 digits, of which the first 16 are the present ones. */
enum { OLD_HASH = 32 };

static bool is_text(kind k)
{
    return k <= NOTE;
}

static const char **text_at(gnd_row *r, const column *c)
{
    return (const char **)((char *)r + c->at);
}

/* Rows stored before there was a plan column have NULL there. */
static const char *text_of(gnd_row *r, const column *c)
{
    return *text_at(r, c) ? *text_at(r, c) : "";
}

static int64_t *count_at(gnd_row *r, const column *c)
{
    return (int64_t *)((char *)r + c->at);
}

static double *real_at(gnd_row *r, const column *c)
{
    return (double *)((char *)r + c->at);
}

static bool is_ok(const gnd_row *r)
{
    return strcmp(r->status, "ok") == 0;
}

/* ---- SQL ---- */

static const char *sql_type(kind k)
{
    switch (k) {
    case COUNT:
    case SEED:
        return " INTEGER NOT NULL";
    case RESULT_COUNT:
        return " INTEGER";
    case RESULT:
        return " REAL";
    case SECONDS:
        return " REAL NOT NULL";
    case NOTE:
        return " TEXT NOT NULL DEFAULT ''";
    default:
        return " TEXT NOT NULL";
    }
}

const char *gnd_row_columns(char buf[GND_ROW_TEXT], int n_added, bool typed)
{
    const int n = n_added < 0 ? N_COLUMN : N_COLUMN_LEAST + n_added;
    size_t used = 0;

    for (int i = 0; i < n; i++) {
        snprintf(buf + used, GND_ROW_TEXT - used, "%s%s%s", i ? ", " : "", columns[i].name,
                 typed ? sql_type(columns[i].kind) : "");
        used += strlen(buf + used);
    }
    return buf;
}

const char *gnd_row_added(int i, const char **type)
{
    if (N_COLUMN_LEAST + i >= N_COLUMN)
        return NULL;
    *type = sql_type(columns[N_COLUMN_LEAST + i].kind);
    return columns[N_COLUMN_LEAST + i].name;
}

const char *gnd_row_marks(char buf[GND_ROW_TEXT])
{
    size_t used = 0;

    for (int i = 0; i < N_COLUMN; i++) {
        if (columns[i].kind == SETTINGS) /* the method is the column before */
            snprintf(buf + used, GND_ROW_TEXT - used, ", current_settings(?%d, ?%d)", i, i + 1);
        else
            snprintf(buf + used, GND_ROW_TEXT - used, "%s?%d", i ? ", " : "", i + 1);
        used += strlen(buf + used);
    }
    return buf;
}

int gnd_row_bind(sqlite3_stmt *q, const gnd_row *row)
{
    gnd_row copy = *row,
            *r = &copy; /* the readers below return pointers that are written through */
    int rc = SQLITE_OK;

    for (int i = 0; i < N_COLUMN && rc == SQLITE_OK; i++) {
        const column *c = &columns[i];

        if (is_text(c->kind))
            rc = sqlite3_bind_text(q, i + 1, text_of(r, c), -1, SQLITE_TRANSIENT);
        else if ((c->kind == RESULT || c->kind == RESULT_COUNT) && !is_ok(r))
            rc = sqlite3_bind_null(q, i + 1);
        else if (c->kind == RESULT || c->kind == SECONDS)
            rc = sqlite3_bind_double(q, i + 1, *real_at(r, c)); /* NAN becomes NULL */
        else
            rc = sqlite3_bind_int64(
                q, i + 1, *count_at(r, c)); /* a seed above 2^63 is stored as a negative number */
    }
    return rc;
}

/* ---- checks ---- */

static bool is_hash(const char *s)
{
    return strlen(s) == GND_HASH_TEXT - 1 && strspn(s, "0123456789abcdef") == GND_HASH_TEXT - 1;
}

static bool is_choice(const char *s, const char *choices)
{
    char word[32];

    return snprintf(word, sizeof word, "|%s|", s) < (int)sizeof word && !strchr(s, '|') &&
           strstr(choices, word);
}

/* Words "name=value", separated by single blanks. */
static bool is_settings(const char *s)
{
    while (*s) {
        const size_t name = strcspn(s, "= "),
                     value = s[name] == '=' ? strcspn(s + name + 1, "= ") : 0;

        if (name == 0 || value == 0)
            return false;
        s += name + 1 + value;
        if (*s == ' ' ? s[1] == '\0' : *s != '\0')
            return false;
        s += *s == ' ';
    }
    return true;
}

static bool is_date(const char *s)
{
    static const char form[] = "0000-00-00T00:00:00Z";

    if (strlen(s) != strlen(form))
        return false;
    for (int i = 0; form[i]; i++)
        if (form[i] == '0' ? s[i] < '0' || s[i] > '9' : s[i] != form[i])
            return false;
    return true;
}

static bool text_ok(const column *c, const char *s)
{
    switch (c->kind) {
    case HASH:
        return is_hash(s);
    case CHOICE:
        return is_choice(s, c->choices);
    case SETTINGS:
        return is_settings(s);
    case DATE:
        return is_date(s);
    case NOTE:
        return strlen(s) < sizeof((gnd_result *)0)->plan;
    default:
        return *s != '\0';
    }
}

/* A value as read from a file or store. */
typedef struct {
    bool empty;
    const char *text; /* texts */
    int64_t count;    /* integers; a seed above 2^63 is negative */
    double real;      /* other numbers */
} value;

/* Check v against the column and put it into r. Files and stores share this check. */
static bool value_take(gnd_row *r, const column *c, const value *v)
{
    if ((c->kind == RESULT || c->kind == RESULT_COUNT) && !is_ok(r))
        return v->empty; /* a run that diverged has no figures */
    if (is_text(c->kind)) {
        *text_at(r, c) = v->text;
        return text_ok(c, v->text);
    }
    if (v->empty) {
        if (c->kind == RESULT)
            *real_at(r, c) = NAN;
        return c->kind == RESULT && c->at != AT(result.acc_test); /* every run is tested */
    }
    if (c->kind == RESULT || c->kind == SECONDS) {
        *real_at(r, c) = v->real;
        return v->real <= c->max && (v->real >= 0 || isinf(c->max));
    }
    *count_at(r, c) = v->count;
    return c->kind == SEED || (v->count >= 0 && (double)v->count <= c->max);
}

static const char *expected(const gnd_row *r, const column *c, char buf[96])
{
    const bool empty = (c->kind == RESULT || c->kind == RESULT_COUNT) && !is_ok(r);

    if (empty)
        return "an empty value, since the run diverged";
    switch (c->kind) {
    case HASH:
        return "16 hexadecimal digits";
    case CHOICE:
        snprintf(buf, 96, "one of %.*s", (int)strlen(c->choices) - 2, c->choices + 1);
        return buf;
    case SETTINGS:
        return "name=value words";
    case DATE:
        return "a date such as 2026-01-31T23:59:59Z";
    case SEED:
        return "a whole number from 0 to 18446744073709551615";
    case NAME:
        return "a text";
    case NOTE:
        return "a text of at most 31 bytes";
    default:
        if (isinf(c->max))
            return "a number";
        snprintf(buf, 96, "a%s number from 0 to %.10g",
                 c->kind == RESULT || c->kind == SECONDS ? "" : " whole", c->max);
        return buf;
    }
}

/* ---- reading a store ---- */

/* The value in column i; false if its type is not that of the column. */
static bool value_read(value *v, const column *c, sqlite3_stmt *q, int i)
{
    const int type = sqlite3_column_type(q, i);

    *v = (value){.empty = type == SQLITE_NULL};
    if (is_text(c->kind)) {
        v->text = (const char *)sqlite3_column_text(q, i);
        return type == SQLITE_TEXT && v->text &&
               strlen(v->text) == (size_t)sqlite3_column_bytes(q, i);
    }
    v->count = sqlite3_column_int64(q, i);
    v->real = sqlite3_column_double(q, i);
    return v->empty || type == SQLITE_INTEGER ||
           (type == SQLITE_FLOAT && (c->kind == RESULT || c->kind == SECONDS));
}

gnd_status gnd_row_read(gnd_row *r, sqlite3_stmt *q, const char *path, gnd_error *err)
{
    *r = (gnd_row){.status = "ok", .plan = ""};
    for (int i = 0; i < N_COLUMN; i++) {
        const column *c = &columns[i];
        value v;

        if (!value_read(&v, c, q, i) || !value_take(r, c, &v)) {
            char shown[GND_SHOWN], want[96];
            const char *text = (const char *)sqlite3_column_text(q, i);
            const gnd_csv_field f = {.s = text ? text : "", .len = text ? strlen(text) : 0};

            return gnd_fail(err, GND_ERR_FORMAT, "%s: %s of a training run is '%s'; expected %s",
                            path, c->name, gnd_field_show(shown, f), expected(r, c, want));
        }
    }
    snprintf(r->result.plan, sizeof r->result.plan, "%s", r->plan);
    return GND_OK;
}

/* ---- rounding ---- */

enum { SHARE_DECIMALS = 1000000, LOSS_DIGITS = 6, SECONDS_DIGITS = 3 };

static double digits_keep(double v, int digits)
{
    char buf[GND_REAL_TEXT];
    double back = v;

    gnd_real_text(buf, v, digits);
    gnd_parse_real(&back, buf, strlen(buf));
    return back;
}

void gnd_row_round(gnd_result *result, double *seconds)
{
    gnd_row row = {.result = *result};

    for (int i = 0; i < N_COLUMN; i++) {
        double *v = real_at(&row, &columns[i]);

        if (columns[i].kind != RESULT)
            continue;
        if (!isinf(columns[i].max))
            *v = round(*v * SHARE_DECIMALS) / SHARE_DECIMALS;
        /* A store keeps neither the bits of a NAN nor the sign of zero. */
        *v = isnan(*v) ? NAN : *v + 0.0;
    }
    *result = row.result;
    *seconds = digits_keep(*seconds, SECONDS_DIGITS);
}

/* ---- CSV ---- */

/* The fewest digits that read back as v, a rounded figure. */
static void print_real(FILE *f, double v)
{
    char buf[GND_REAL_TEXT];
    double back;

    for (int digits = 1; digits <= 17; digits++) {
        gnd_real_text(buf, v, digits);
        if (gnd_parse_real(&back, buf, strlen(buf)) && back == v)
            break;
    }
    fputs(buf, f);
}

void gnd_row_print_header(FILE *f, bool named)
{
    for (int i = 0; i < N_COLUMN; i++)
        fprintf(f, "%s%s", i ? "," : "",
                named && columns[i].kind == SETTINGS ? named_heading : columns[i].name);
    putc('\n', f);
}

void gnd_row_print(FILE *f, const gnd_row *row, const char *config)
{
    gnd_row copy = *row, *r = &copy;

    gnd_row_round(&r->result, &r->seconds);
    if (config)
        r->settings = config;
    for (int i = 0; i < N_COLUMN; i++) {
        const column *c = &columns[i];
        const bool result = c->kind == RESULT || c->kind == RESULT_COUNT;

        if (i)
            putc(',', f);
        if (is_text(c->kind) && !*text_of(r, c))
            fputs("\"\"", f); /* an empty field is a missing figure */
        else if (is_text(c->kind))
            gnd_csv_write(f, text_of(r, c));
        else if (result && (!is_ok(r) || (c->kind == RESULT && isnan(*real_at(r, c)))))
            continue;
        else if (c->kind == RESULT || c->kind == SECONDS)
            print_real(f,
                       isinf(c->max) ? digits_keep(*real_at(r, c), LOSS_DIGITS) : *real_at(r, c));
        else if (c->kind == SEED)
            fprintf(f, "%llu", (unsigned long long)r->seed);
        else
            fprintf(f, "%lld", (long long)*count_at(r, c));
    }
    putc('\n', f);
}

/* Is the field the heading of column i? */
static bool is_heading(gnd_row_header *h, gnd_csv_field f, int i)
{
    if (columns[i].kind == SETTINGS && gnd_field_equals(f, named_heading))
        h->named = true;
    return gnd_field_equals(f, columns[i].name) || (columns[i].kind == SETTINGS && h->named);
}

gnd_status gnd_row_check_header(gnd_row_header *h, gnd_text *t, const char *s, size_t len,
                                gnd_error *err)
{
    gnd_csv_field f[N_COLUMN] = {{0}};
    char shown[GND_SHOWN];
    int64_t n;
    gnd_status st;

    *h = (gnd_row_header){0};
    GND_TRY(gnd_fields_split(gnd_text_fields(t, s, len, ','), f, N_COLUMN, &n, err));
    for (int i = 0; i < N_COLUMN; i++)
        if (i >= n ? i < N_COLUMN_LEAST : !is_heading(h, f[i], i))
            GND_TRY(gnd_text_fail(t, err,
                                  "column %d of the header is '%s'; expected '%s' (is this a file "
                                  "of exported training runs?)",
                                  i + 1, i < n ? gnd_field_show(shown, f[i]) : "",
                                  columns[i].name));
    if (n > N_COLUMN)
        GND_TRY(gnd_text_fail(t, err, "the header has %lld columns; expected %d", (long long)n,
                              (int)N_COLUMN));
    h->n_column = n;
out:
    return st;
}

static bool parse_seed(uint64_t *out, const char *s)
{
    uint64_t v = 0;

    if (!*s)
        return false;
    for (; *s; s++) {
        const uint64_t digit = (uint64_t)(*s - '0');

        if (*s < '0' || *s > '9' || v > (UINT64_MAX - digit) / 10)
            return false;
        v = 10 * v + digit;
    }
    *out = v;
    return true;
}

/* The value of a field of a file; false if a number is expected and the field is not one. */
static bool value_parse(value *v, const column *c, const char *s)
{
    const size_t len = strlen(s);
    uint64_t seed = 0;
    bool ok;

    *v = (value){.empty = len == 0, .text = s};
    if (is_text(c->kind) || v->empty)
        return true;
    if (c->kind == SEED) {
        ok = parse_seed(&seed, s);
        v->count = (int64_t)seed;
        return ok;
    }
    if (c->kind == RESULT || c->kind == SECONDS)
        return gnd_parse_real(&v->real, s, len);
    return gnd_parse_int(&v->count, s, len);
}

gnd_status gnd_row_parse(gnd_row *r, char *buf, const gnd_row_header *h, gnd_fields line,
                         gnd_error *err)
{
    static const column named = {named_heading, NAME, AT(settings), NULL, 0};
    gnd_csv_field f[N_COLUMN] = {{0}};
    char shown[GND_SHOWN], want[96];
    int64_t n;
    gnd_status st;

    *r = (gnd_row){.status = "ok", .plan = ""};
    GND_TRY(gnd_fields_split(line, f, N_COLUMN, &n, err));
    if (n != h->n_column)
        GND_TRY(gnd_text_fail(line.text, err, "the row has %lld fields; expected %d", (long long)n,
                              (int)h->n_column));
    for (int i = 0; i < h->n_column; i++) {
        const column *c = h->named && columns[i].kind == SETTINGS ? &named : &columns[i];
        value v;

        memcpy(buf, f[i].s, f[i].len);
        buf[f[i].len] = '\0';
        if (c->kind == HASH && f[i].len == OLD_HASH) /* files of older versions */
            buf[GND_HASH_TEXT - 1] = '\0';
        if (!value_parse(&v, c, buf) || !value_take(r, c, &v))
            GND_TRY(gnd_text_fail(line.text, err, "%s is '%s'; expected %s", c->name,
                                  gnd_field_show(shown, f[i]), expected(r, c, want)));
        buf += f[i].len + 1;
    }
    for (int64_t i = h->n_column; i < N_COLUMN; i++)
        if (!is_text(columns[i].kind)) /* a figure that older files lack */
            value_take(r, &columns[i], &(value){.empty = true});
    snprintf(r->result.plan, sizeof r->result.plan, "%s", r->plan);
out:
    return st;
}
