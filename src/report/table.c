/* SPDX-License-Identifier: MIT
 * table.c - a table of texts, written as text, Markdown, LaTeX or CSV. */
#include <stdarg.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "report.h"

struct gnd_table {
    char *align;
    int64_t n_col;
    char **cell; /* [n_cell], row by row */
    bool *bold;  /* [n_cell] */
    int64_t n_cell;
    bool failed; /* an allocation failed */
};

/* ---- cells ---- */

gnd_table *gnd_table_new(const char *align)
{
    gnd_table *t = align && *align ? gnd_alloc(1, sizeof *t) : NULL;

    if (!t)
        return NULL;
    t->align = gnd_strdup(align);
    t->n_col = (int64_t)strlen(align);
    if (!t->align) {
        gnd_free(t);
        return NULL;
    }
    return t;
}

void gnd_table_free(gnd_table *t)
{
    if (!t)
        return;
    for (int64_t i = 0; i < t->n_cell; i++)
        gnd_free(t->cell[i]);
    gnd_free(t->cell);
    gnd_free(t->bold);
    gnd_free(t->align);
    gnd_free(t);
}

/* Takes ownership of the text; NULL: it could not be allocated. */
static void cell_take(gnd_table *t, char *text)
{
    char **cell = text ? gnd_realloc(t->cell, t->n_cell + 1, sizeof *cell) : NULL;
    bool *bold;

    if (cell)
        t->cell = cell;
    bold = cell ? gnd_realloc(t->bold, t->n_cell + 1, sizeof *bold) : NULL;
    if (!bold) {
        t->failed = true;
        gnd_free(text);
        return;
    }
    t->bold = bold;
    bold[t->n_cell] = false;
    cell[t->n_cell++] = text;
}

void gnd_table_cell(gnd_table *t, const char *fmt, ...)
{
    va_list ap;
    char *text;
    int n;

    if (!t)
        return;
    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    text = n < 0 ? NULL : gnd_alloc(n + 1, 1);
    if (text) {
        va_start(ap, fmt);
        vsnprintf(text, (size_t)n + 1, fmt, ap);
        va_end(ap);
    }
    cell_take(t, text);
}

void gnd_table_row(gnd_table *t, const char *const *cells)
{
    for (int64_t j = 0; t && j < t->n_col; j++)
        cell_take(t, gnd_strdup(cells[j] ? cells[j] : ""));
}

void gnd_table_bold(gnd_table *t)
{
    if (t && t->n_cell > 0)
        t->bold[t->n_cell - 1] = true;
}

int64_t gnd_table_n_row(const gnd_table *t)
{
    return t ? t->n_cell / t->n_col : 0;
}

/* ---- escaping ---- */

/* Columns that a text takes on a terminal: UTF-8 continuation bytes take none. */
static int width_of(const char *s)
{
    int n = 0;

    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

static void add(gnd_buffer *b, const char *text)
{
    gnd_buffer_add(b, text, strlen(text));
}

/* Characters that Markdown reads as markup. */
static void markdown_add(gnd_buffer *b, const char *s)
{
    for (; *s; s++) {
        if (*s == '|' || *s == '*' || *s == '_')
            add(b, "\\");
        gnd_buffer_add(b, s, 1);
    }
}

static void latex_add(gnd_buffer *b, const char *text)
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
    const size_t n_rule = sizeof rule / sizeof *rule;
    char last = ' ';

    while (*text) {
        const bool first = last == '(' || last == ' ';
        size_t k = 0;

        while (k < n_rule && strncmp(text, rule[k].from, strlen(rule[k].from)) != 0)
            k++;
        if (k < n_rule) {
            add(b, rule[k].to);
            last = '}';
            text += strlen(rule[k].from);
        } else if (first && *text == '-' && text[1] >= '0' && text[1] <= '9') {
            add(b, "$-$"); /* a minus sign instead of a hyphen */
            last = '$';
            text++;
        } else {
            gnd_buffer_add(b, text, 1);
            last = *text++;
        }
    }
}

void gnd_text_escape(gnd_buffer *b, const char *text, gnd_table_format format)
{
    b->size = 0;
    add(b, "");
    if (format == GND_FORMAT_LATEX)
        latex_add(b, text);
    else if (format == GND_FORMAT_MARKDOWN)
        markdown_add(b, text);
    else
        add(b, text);
    if (!b->failed) {
        gnd_text_mask(b->text);
        b->size = strlen(b->text);
    }
}

void gnd_text_wrap(FILE *f, const char *text, int at, int indent)
{
    enum { WIDTH = 79 };
    bool first = true;

    for (; text && *text; text += strspn(text, " ")) {
        const int n = (int)strcspn(text, " ");

        if (!first && at + 1 + n > WIDTH) {
            fprintf(f, "\n%*s", indent, "");
            at = indent;
        } else if (!first) {
            fputc(' ', f);
            at++;
        }
        fprintf(f, "%.*s", n, text);
        text += n;
        at += n;
        first = false;
    }
    fputc('\n', f);
}

/* ---- the table ---- */

/* Text before and after a bold cell. */
static const char *const bold_begin[] = {"\033[1m", "**", "\\textbf{"}, *const bold_end[] = {
                                                                            "\033[0m", "**", "}"};

typedef struct {
    const gnd_table *t;
    gnd_table_opts o;
    FILE *f;
    gnd_buffer text; /* text of the present cell */
    int *width;      /* [n_col] */
} writer;

static bool is_bold(const writer *w, int64_t k)
{
    return w->t->bold[k] && *w->t->cell[k] && (w->o.format != GND_FORMAT_TEXT || w->o.ansi);
}

/* Put cell k, without padding, into w->text; returns its width. */
static int cell_render(writer *w, int64_t k)
{
    gnd_text_escape(&w->text, w->t->cell[k], w->o.format);
    if (w->text.failed)
        return 0;
    return width_of(w->text.text) +
           (is_bold(w, k) && w->o.format != GND_FORMAT_TEXT
                ? width_of(bold_begin[w->o.format]) + width_of(bold_end[w->o.format])
                : 0);
}

static void row_write(writer *w, int64_t row)
{
    static const char *const before[] = {"", "| ", ""}, *const between[] = {"  ", " | ", " & "},
                             *const after[] = {"", " |", " \\\\"};
    const gnd_table_format format = w->o.format;
    const int64_t n = w->t->n_col;

    fputs(before[format], w->f);
    for (int64_t j = 0; j < n; j++) {
        const int64_t k = row * n + j;
        const int pad = w->width[j] - cell_render(w, k);
        const bool right = w->t->align[j] == 'r', bold = is_bold(w, k);

        if (w->text.failed)
            return;
        fprintf(w->f, "%s%*s%s%s%s", j ? between[format] : "", right ? pad : 0, "",
                bold ? bold_begin[format] : "", w->text.text, bold ? bold_end[format] : "");
        /* Omit blanks at the end of a line. */
        fprintf(w->f, "%*s", right || (format == GND_FORMAT_TEXT && j == n - 1) ? 0 : pad, "");
    }
    fprintf(w->f, "%s\n", after[format]);
}

static void markdown_rule(const writer *w)
{
    for (int64_t j = 0; j < w->t->n_col; j++) {
        fputs("| ", w->f);
        for (int k = 0; k < w->width[j] - 1 || k < 2; k++)
            fputc('-', w->f);
        fputs(w->t->align[j] == 'r' ? ": " : "- ", w->f);
    }
    fputs("|\n", w->f);
}

static void widths_fill(writer *w)
{
    const int64_t n = w->t->n_col;

    for (int64_t j = 0; j < n && w->o.format == GND_FORMAT_MARKDOWN; j++)
        w->width[j] = 3; /* minimum width of a rule in Markdown */
    for (int64_t k = 0; k < gnd_table_n_row(w->t) * n; k++) {
        const int width = cell_render(w, k);

        w->width[k % n] = width > w->width[k % n] ? width : w->width[k % n];
    }
}

static void lines_write(writer *w)
{
    if (w->o.format == GND_FORMAT_LATEX)
        fprintf(w->f, "\\begin{tabular}{%s}\n\\toprule\n", w->t->align);
    for (int64_t i = 0; i < gnd_table_n_row(w->t); i++) {
        fprintf(w->f, "%*s", w->o.format == GND_FORMAT_TEXT ? w->o.indent : 0, "");
        row_write(w, i);
        if (i == 0 && w->o.format == GND_FORMAT_MARKDOWN)
            markdown_rule(w);
        else if (i == 0 && w->o.format == GND_FORMAT_LATEX)
            fputs("\\midrule\n", w->f);
    }
    if (w->o.format == GND_FORMAT_LATEX)
        fputs("\\bottomrule\n\\end{tabular}\n", w->f);
}

static void csv_write(const gnd_table *t, FILE *f)
{
    for (int64_t k = 0; k < gnd_table_n_row(t) * t->n_col; k++) {
        gnd_csv_write(f, t->cell[k]);
        fputc(k % t->n_col == t->n_col - 1 ? '\n' : ',', f);
    }
}

gnd_status gnd_table_write(const gnd_table *t, FILE *f, const gnd_table_opts *o, gnd_error *err)
{
    writer w = {.t = t, .f = f};
    gnd_status st;

    gnd_error_clear(err);
    GND_TRY(gnd_opts_get(&w.o, sizeof w.o, o, "gnd_table_opts", err));
    if ((unsigned)w.o.format > GND_FORMAT_CSV)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "gnd_table_opts: format is %d", (int)w.o.format));
    if (!t || t->failed)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a table"));
    if (w.o.format == GND_FORMAT_CSV) {
        csv_write(t, f);
        goto out;
    }
    w.width = gnd_alloc(t->n_col, sizeof *w.width);
    if (w.width) {
        widths_fill(&w);
        if (!w.text.failed)
            lines_write(&w);
    }
    if (!w.width || w.text.failed)
        st = gnd_fail(err, GND_ERR_NOMEM, "no memory for a table");
out:
    gnd_buffer_fini(&w.text);
    gnd_free(w.width);
    return st;
}
