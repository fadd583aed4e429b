/* SPDX-License-Identifier: MIT
 * out.c - results: tables as text, Markdown, LaTeX or CSV; JSON values; files that appear whole. */
#define _POSIX_C_SOURCE 200809L
#include "out.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gnd.h"
#include "say.h"

/* ---- tables ---- */

static int64_t n_col(const table *t)
{
    return (int64_t)strlen(t->align);
}

void table_row(table *t, const char *const *cells)
{
    const int64_t n = n_col(t);

    t->cell = need_more(t->cell, (size_t)((t->n_row + 1) * n), sizeof *t->cell);
    t->bold = need_more(t->bold, (size_t)((t->n_row + 1) * n), sizeof *t->bold);
    for (int64_t j = 0; j < n; j++) {
        t->cell[t->n_row * n + j] = need_text("%s", cells[j]);
        t->bold[t->n_row * n + j] = false;
    }
    t->n_row++;
}

void table_bold(table *t, int64_t j)
{
    t->bold[(t->n_row - 1) * n_col(t) + j] = true;
}

void table_fini(table *t)
{
    for (int64_t i = 0; i < t->n_row * n_col(t); i++)
        free(t->cell[i]);
    free(t->cell);
    free(t->bold);
    t->cell = NULL;
    t->bold = NULL;
    t->n_row = 0;
}

/* Columns a text takes on a terminal: UTF-8 continuation bytes take none. */
static int width_of(const char *s)
{
    int n = 0;

    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

/* Control characters of file contents must not control the terminal. */
static char *plain_text(const char *s, bool md)
{
    char *out = need(2 * strlen(s) + 1, 1), *p = out;

    for (; *s; s++) {
        if (md && (*s == '|' || *s == '*' || *s == '_'))
            *p++ = '\\';
        *p++ = *s;
    }
    return gnd_text_mask(out);
}

char *tex_text(const char *text)
{
    static const struct {
        const char *from, *to;
    } rule[] = {{"\\", "\\textbackslash{}"},
                {"~", "\\textasciitilde{}"},
                {"^", "\\textasciicircum{}"},
                {"_", "\\_"},
                {"&", "\\&"},
                {"%", "\\%"},
                {"$", "\\$"},
                {"#", "\\#"},
                {"{", "\\{"},
                {"}", "\\}"},
                {"±", "$\\pm$"},
                {"√", "$\\surd$"}};
    char *out = need(18 * strlen(text) + 1, 1), *p = out;

    while (*text) {
        const size_t n_rule = sizeof rule / sizeof *rule;
        const bool first = p == out || p[-1] == '(' || p[-1] == ' ';
        size_t k = 0;

        while (k < n_rule && strncmp(text, rule[k].from, strlen(rule[k].from)) != 0)
            k++;
        if (k < n_rule) {
            memcpy(p, rule[k].to, strlen(rule[k].to));
            p += strlen(rule[k].to);
            text += strlen(rule[k].from);
        } else if (first && *text == '-' && text[1] >= '0' && text[1] <= '9') {
            p = stpcpy(p, "$-$"); /* a minus, not a hyphen */
            text++;
        } else {
            *p++ = *text++;
        }
    }
    return gnd_text_mask(out);
}

/* What is printed for cell k, without its padding; *width: the columns it takes. */
static char *cell_render(const table *t, int64_t k, table_style style, int *width)
{
    const bool bold = t->bold[k] && *t->cell[k] && (style != TABLE_TEXT || t->ansi);
    char *text =
        style == TABLE_TEX ? tex_text(t->cell[k]) : plain_text(t->cell[k], style == TABLE_MD);
    char *out = text;

    if (bold) {
        out = style == TABLE_TEX  ? need_text("\\textbf{%s}", text)
              : style == TABLE_MD ? need_text("**%s**", text)
                                  : need_text("\033[1m%s\033[0m", text);
        *width = style == TABLE_TEXT ? width_of(text) : width_of(out);
        free(text);
    } else {
        *width = width_of(out);
    }
    return out;
}

static void table_csv(FILE *f, const table *t)
{
    const int64_t n = n_col(t);

    for (int64_t k = 0; k < t->n_row * n; k++) {
        gnd_csv_write(f, t->cell[k]);
        fputc(k % n == n - 1 ? '\n' : ',', f);
    }
}

static void row_print(FILE *f, const table *t, int64_t i, const int *width, table_style style)
{
    static const char *const before[] = {"", "| ", ""}, *const between[] = {"  ", " | ", " & "},
                             *const after[] = {"", " |", " \\\\"};
    const int64_t n = n_col(t);

    fputs(before[style], f);
    for (int64_t j = 0; j < n; j++) {
        int w;
        char *s = cell_render(t, i * n + j, style, &w);
        const int pad = width[j] - w;
        const bool right = t->align[j] == 'r';

        fprintf(f, "%s%*s%s", j ? between[style] : "", right ? pad : 0, "", s);
        /* No blanks at the end of a line of text. */
        fprintf(f, "%*s", right || (style == TABLE_TEXT && j == n - 1) ? 0 : pad, "");
        free(s);
    }
    fprintf(f, "%s\n", after[style]);
}

static void rule_md(FILE *f, const table *t, const int *width)
{
    for (int64_t j = 0; j < n_col(t); j++) {
        fputs("| ", f);
        for (int k = 0; k < width[j] - 1 || k < 2; k++)
            fputc('-', f);
        fputs(t->align[j] == 'r' ? ": " : "- ", f);
    }
    fputs("|\n", f);
}

void table_print(FILE *f, const table *t, table_style style, int indent)
{
    const int64_t n = n_col(t);
    int *width;

    if (style == TABLE_CSV) {
        table_csv(f, t);
        return;
    }
    width = need((size_t)n, sizeof *width);
    for (int64_t k = 0; k < t->n_row * n; k++) {
        int w;

        free(cell_render(t, k, style, &w));
        width[k % n] = w > width[k % n] ? w : width[k % n];
    }
    for (int64_t j = 0; j < n && style == TABLE_MD; j++)
        width[j] = width[j] < 3 ? 3 : width[j];
    if (style == TABLE_TEX)
        fprintf(f, "\\begin{tabular}{%s}\n\\toprule\n", t->align);
    for (int64_t i = 0; i < t->n_row; i++) {
        fprintf(f, "%*s", style == TABLE_TEXT ? indent : 0, "");
        row_print(f, t, i, width, style);
        if (i == 0 && style == TABLE_MD)
            rule_md(f, t, width);
        else if (i == 0 && style == TABLE_TEX)
            fputs("\\midrule\n", f);
    }
    if (style == TABLE_TEX)
        fputs("\\bottomrule\n\\end{tabular}\n", f);
    free(width);
}

const char *count_text(char buf[32], int64_t n)
{
    char digits[24];
    const int len = snprintf(digits, sizeof digits, "%" PRId64, n);
    char *p = buf;

    for (int i = 0; i < len; i++) {
        if (i > (n < 0) && (len - i) % 3 == 0)
            *p++ = ',';
        *p++ = digits[i];
    }
    *p = '\0';
    return buf;
}

const char *percent_text(char buf[32], double share)
{
    if (isfinite(share))
        snprintf(buf, 32, "%.2f %%", 100 * share);
    else
        snprintf(buf, 32, "-");
    return buf;
}

/* ---- JSON ---- */

static json_t *made(json_t *v)
{
    if (!v)
        exit(say_failed("out of memory"));
    return v;
}

json_t *js_real(double v)
{
    return isfinite(v) ? made(json_real(v)) : json_null();
}

json_t *js_count(int64_t v)
{
    return made(json_integer(v));
}

json_t *js_text(const char *text)
{
    json_t *v;
    char *copy;

    if (!text)
        return json_null();
    if (gnd_is_utf8(text))
        return made(json_string(text));
    copy = need_text("%s", text);
    for (char *p = copy; *p; p++)
        if ((unsigned char)*p >= 0x80)
            *p = '?';
    v = made(json_string(copy));
    free(copy);
    return v;
}

void js_set(json_t *obj, const char *key, json_t *value)
{
    if (json_object_set_new(obj, key, made(value)))
        made(NULL);
}

void js_append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, made(value)))
        made(NULL);
}

void js_print(FILE *f, json_t *obj)
{
    /* One line, so that runs can be appended to a file; twelve digits, without the rounding noise
     * of the last ones. A failed write is found when the stream is flushed. */
    if (json_dumpf(obj, f, JSON_REAL_PRECISION(12)) != 0 && !ferror(f))
        made(NULL);
    fputc('\n', f);
    json_decref(obj);
}

/* ---- files ---- */

/* The file being written: if the program ends for want of memory meanwhile, nothing of it stays. */
static gnd_writer *open_writer;

static void discard_open(void)
{
    gnd_writer_discard(open_writer);
    open_writer = NULL;
}

int file_write(const char *path, void (*print)(FILE *f, const void *user), const void *user)
{
    static bool registered;
    gnd_writer *w;
    gnd_error err = {0};
    int rc = 0;

    if (!registered && atexit(discard_open) != 0)
        return say_failed("out of memory");
    registered = true;
    signals_hold(path);
    if (gnd_writer_open(&open_writer, path, &err) == GND_OK) {
        print(gnd_writer_stream(open_writer), user);
        w = open_writer;
        open_writer = NULL;
        gnd_writer_close(w, &err);
    }
    if (err.code != GND_OK)
        rc = say_failed("%s", err.msg);
    signals_release();
    return rc;
}

static void print_csv(FILE *f, const void *t)
{
    table_print(f, t, TABLE_CSV, 0);
}

int table_save(const table *t, const char *path)
{
    return file_write(path, print_csv, t);
}
