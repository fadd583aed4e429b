/* SPDX-License-Identifier: MIT
 * csv_table.c - read a text file as a table: find out how it is written, return its rows, and note
 * what was decided. */
#include "csv_table.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "csv_table_priv.h"

/* ---- options ---- */

gnd_header gnd_csv_header_option(const gnd_load_opts *o, gnd_csv_kind kind)
{
    const gnd_header one = !o                       ? GND_HEADER_AUTO
                           : kind == GND_CSV_EDGES  ? o->header_edges
                           : kind == GND_CSV_LABELS ? o->header_labels
                                                    : o->header_features;

    return o && one == GND_HEADER_AUTO ? o->header : one;
}

gnd_status gnd_csv_options_check(const gnd_load_opts *o, gnd_error *err)
{
    const gnd_header header[] = {o->header, o->header_edges, o->header_labels, o->header_features};
    gnd_stated_columns columns;
    gnd_status st = GND_OK;

    for (size_t i = 0; i < sizeof header / sizeof header[0]; i++)
        if ((unsigned)header[i] > GND_HEADER_NO)
            return gnd_fail(err, GND_ERR_ARG, "gnd_load_opts: header is %d", (int)header[i]);
    if ((unsigned)o->missing > GND_MISSING_MEAN)
        return gnd_fail(err, GND_ERR_ARG, "gnd_load_opts: missing is %d", (int)o->missing);
    if (o->separator && !strchr(",;|\t ", o->separator))
        return gnd_fail(err, GND_ERR_ARG,
                        "gnd_load_opts: separator is byte %d; expected a comma, semicolon, "
                        "vertical bar, tab or blank",
                        (unsigned char)o->separator);
    if (o->decimal && o->decimal != '.' && o->decimal != ',')
        return gnd_fail(err, GND_ERR_ARG,
                        "gnd_load_opts: decimal is byte %d; expected a point or a comma",
                        (unsigned char)o->decimal);
    if (o->decimal == ',' && o->separator == ',')
        return gnd_fail(err, GND_ERR_ARG,
                        "a comma cannot be both the separator and the decimal point");
    for (int kind = GND_CSV_EDGES; kind <= GND_CSV_FEATURES; kind++)
        GND_TRY(gnd_stated_columns_get(&columns, o->columns, (gnd_csv_kind)kind, err));
out:
    return st;
}

/* What to do if the header is one name short. */
#define ADD_NAME                                                                                   \
    "add the name of the column that the header lacks (R: write.table with row.names = FALSE)"

/* ---- start ---- */

/* The line "sep=;" that Excel writes before the table. */
static bool separator_line(char *sep, gnd_text *t)
{
    const gnd_text_place place = gnd_text_tell(t);
    const char *s;
    size_t len;

    if (gnd_text_data_line(t, &s, &len) && len == 5 && memcmp(s, "sep=", 4) == 0 &&
        strchr(",;|\t", s[4])) {
        *sep = s[4];
        return true;
    }
    gnd_text_seek(t, place);
    return false;
}

static gnd_status find_separator(gnd_csv_table *c, const gnd_load_opts *o, gnd_error *err)
{
    char stated = o ? o->separator : '\0', line = '\0';

    if (separator_line(&line, c->text) && !stated)
        stated = line;
    c->sep = stated;
    c->sep_found = !stated;
    if (!stated)
        return gnd_csv_find_separator(&c->sep, c->text, err);
    return GND_OK;
}

static gnd_status check_width(const gnd_csv_table *c, gnd_error *err)
{
    static const char *const wanted[] = {"source, target and an optional weight", "id and label",
                                         "an id and features"};

    if (c->width - c->trailing >= 2)
        return GND_OK;
    return gnd_fail(err, GND_ERR_FORMAT,
                    "%s:%lld: expected %s; got 1 field separated by %s (--separator sets another "
                    "separator)",
                    c->text->path, (long long)c->first, wanted[c->kind],
                    gnd_separator_name(c->sep));
}

/* Rows with one field more than the header, as R writes them: is the name that lacks certainly the
 * first? It is if the rows are numbered, or if they are features and no other column is the id. */
static gnd_status check_row_names(const gnd_csv_table *c, const gnd_csv_sample *s, gnd_error *err)
{
    bool certain = c->kind == GND_CSV_FEATURES;

    for (int64_t k = 1; k < s->width; k++)
        certain &= gnd_column_rank(GND_ROLE_ID, s->first[k]) == 0;
    if (!s->row_names || s->numbered || certain)
        return GND_OK;
    return gnd_fail(err, GND_ERR_FORMAT,
                    "%s:%lld: has %lld fields, one fewer than the other lines; " ADD_NAME,
                    c->text->path, (long long)c->first, (long long)s->width - 1);
}

/* Go to the first row with data. */
static void pass_header(gnd_csv_table *c)
{
    const char *s;
    size_t len;
    gnd_fields row;
    gnd_csv_field f;

    if (c->header == GND_NO_HEADER || !gnd_text_data_line(c->text, &s, &len))
        return;
    row = gnd_text_fields(c->text, s, len, c->sep);
    while (gnd_fields_next(&row, &f)) /* a quoted name may have line ends */
        ;
}

/* The number of the first line with data. */
static int64_t first_line(gnd_text *t)
{
    const gnd_text_place place = gnd_text_tell(t);
    const char *s;
    size_t len;
    int64_t line = 0;

    if (gnd_text_data_line(t, &s, &len))
        line = t->line;
    gnd_text_seek(t, place);
    return line;
}

gnd_status gnd_csv_table_start(gnd_csv_table *c, gnd_text *t, gnd_csv_kind kind,
                               const gnd_load_opts *o, const gnd_csv_ids *ids, gnd_error *err)
{
    gnd_csv_sample s = {0};
    gnd_stated_columns stated;
    gnd_status st = GND_OK;

    *c = (gnd_csv_table){.text = t, .kind = kind};
    GND_TRY(gnd_stated_columns_get(&stated, o ? o->columns : NULL, kind, err));
    GND_TRY(find_separator(c, o, err));
    GND_TRY(gnd_csv_sample_read(&s, t, c->sep, o ? o->decimal : '\0', err));
    c->first = first_line(t);
    c->decimal = s.decimal;
    c->decimal_found = s.decimal == ',' && !(o && o->decimal);
    c->width = s.width;
    c->name = s.first;
    if (c->width == 0)
        goto out;
    c->row_names = s.row_names;
    c->trailing = s.trailing && c->sep != ' ' && c->width > 2;
    GND_TRY(check_width(c, err));
    GND_TRY(check_row_names(c, &s, err));
    GND_TRY(gnd_csv_decide_header(c, &s, gnd_csv_header_option(o, kind), &stated, ids, err));
    c->row_longer = s.longer && c->header != GND_NO_HEADER;
    GND_TRY(gnd_csv_assign_roles(c, &stated, err));
    if (c->doubtful && kind == GND_CSV_FEATURES)
        GND_TRY(gnd_csv_table_doubt(c, "the graph has no vertex of that id", err));
    pass_header(c);
out:
    if (c->name) /* it is s.first */
        s.first = NULL;
    gnd_csv_sample_fini(&s);
    if (st != GND_OK)
        gnd_csv_table_fini(c);
    return st;
}

void gnd_csv_table_fini(gnd_csv_table *c)
{
    gnd_free(c->name);
    gnd_free(c->field);
    *c = (gnd_csv_table){0};
}

/* ---- rows ---- */

/* What to do if the number of fields is wrong. */
static const char *hint(const gnd_csv_table *c, int64_t n)
{
    return c->header != GND_NO_HEADER && n == c->width + 1 && !c->row_names
               ? "; add the name of the column that the header lacks (R: write.table with "
                 "row.names "
                 "= FALSE)"
               : "";
}

gnd_status gnd_csv_table_next(gnd_csv_table *c, bool *more, gnd_error *err)
{
    char show[GND_SHOWN];
    const char *s;
    size_t len;
    int64_t n = 0;
    gnd_status st = GND_OK;

    *more = gnd_text_data_line(c->text, &s, &len);
    if (!*more)
        return GND_OK;
    GND_TRY(gnd_csv_row(&c->field, &c->cap, &n, gnd_text_fields(c->text, s, len, c->sep), err));
    if (n != c->width && !(c->row_longer && n == c->width + 1 && c->field[c->width].len == 0))
        GND_TRY(gnd_text_fail(c->text, err,
                              "expected %lld fields separated by %s as in line %lld; got %lld%s",
                              (long long)c->width, gnd_separator_name(c->sep),
                              (long long)c->first + c->row_names, (long long)n, hint(c, n)));
    if (c->trailing && c->field[c->width - 1].len > 0)
        GND_TRY(gnd_text_fail(
            c->text, err, "expected nothing after the last separator, as in line %lld; got '%s'",
            (long long)c->first, gnd_field_show(show, c->field[c->width - 1])));
out:
    return st;
}

gnd_csv_field gnd_csv_table_get(const gnd_csv_table *c, gnd_role role)
{
    return c->at[role] < 0 ? (gnd_csv_field){.s = ""} : c->field[c->at[role]];
}

/* ---- columns ---- */

const char *gnd_csv_table_column(char buf[GND_SHOWN + 2], const gnd_csv_table *c, int64_t column)
{
    char show[GND_SHOWN];

    if (c->header == GND_NO_HEADER || c->name[column].len == 0)
        snprintf(buf, GND_SHOWN + 2, "column %lld", (long long)column + 1);
    else
        snprintf(buf, GND_SHOWN + 2, "'%s'", gnd_field_show(show, c->name[column]));
    return buf;
}

/* A column of features that has labels, by its name. */
static bool is_label_name(const gnd_csv_table *c, int64_t column)
{
    const gnd_csv_field name = c->name[column];

    return c->kind == GND_CSV_FEATURES && c->header != GND_NO_HEADER &&
           !c->stated[GND_ROLE_LABEL] &&
           (gnd_column_is_plain(GND_ROLE_LABEL, name) ||
            (memchr(name.s, ':', name.len) && gnd_column_rank(GND_ROLE_LABEL, name) == 1));
}

/* The index of a table of features that has ids in another column, as pandas and R write it. */
static bool is_index(const gnd_csv_table *c, int64_t column)
{
    return c->kind == GND_CSV_FEATURES && c->header != GND_NO_HEADER && column == 0 &&
           c->name[0].len == 0 && c->at[GND_ROLE_ID] != 0;
}

bool gnd_csv_table_is_free(const gnd_csv_table *c, int64_t column)
{
    for (int r = 0; r < GND_N_ROLE; r++)
        if (c->at[r] == column)
            return false;
    return !(c->trailing && column == c->width - 1) && !is_label_name(c, column) &&
           !is_index(c, column);
}

/* ---- notes ---- */

enum { LIST = 400, LIST_MOST = 5 };

/* The names of the columns that are not used, into buf; returns their number. */
static int64_t list_unused(char buf[LIST], const gnd_csv_table *c)
{
    int64_t n = 0;

    buf[0] = '\0';
    for (int64_t k = 0; k < c->width; k++) {
        char one[GND_SHOWN + 2];
        const size_t at = strlen(buf);
        const bool unused =
            c->kind == GND_CSV_FEATURES
                ? is_label_name(c, k) || c->at[GND_ROLE_LABEL] == k || is_index(c, k)
                : gnd_csv_table_is_free(c, k) && !gnd_column_is_own(c->name[k]);

        if (!unused)
            continue;
        if (n < LIST_MOST)
            snprintf(buf + at, LIST - at, "%s%s", n ? ", " : "", gnd_csv_table_column(one, c, k));
        else if (n == LIST_MOST)
            snprintf(buf + at, LIST - at, ", ...");
        n++;
    }
    return n;
}

/* Are the names and the order of the columns those of the documentation? */
static bool is_plain(const gnd_csv_table *c)
{
    int64_t next = 0;

    if (c->header != GND_HEADER_BY_NAMES)
        return c->header == GND_NO_HEADER;
    for (int r = 0; r < GND_N_ROLE; r++)
        if (c->at[r] >= 0 &&
            (c->at[r] != next++ || !gnd_column_is_plain((gnd_role)r, c->name[c->at[r]])))
            return false;
    return true;
}

static gnd_status note_header(const gnd_csv_table *c, gnd_graph *g, gnd_error *err)
{
    char list[LIST] = "";

    if (is_plain(c))
        return GND_OK;
    for (int r = 0; r < GND_N_ROLE; r++) {
        char one[GND_SHOWN + 2];
        const size_t at = strlen(list);

        if (c->at[r] >= 0 && !(c->kind == GND_CSV_FEATURES && r == GND_ROLE_LABEL))
            snprintf(list + at, LIST - at, "%s%s is %s", at ? ", " : "", gnd_role_name((gnd_role)r),
                     gnd_csv_table_column(one, c, c->at[r]));
    }
    return gnd_notes_add(
        &g->notes, GND_NOTE, "header_read", err, "%s:%lld: is read as a header%s; %s",
        c->text->path, (long long)c->first,
        c->header == GND_HEADER_BY_TYPES ? ", since it has text above numbers" : "", list);
}

gnd_status gnd_csv_table_notes(const gnd_csv_table *c, gnd_graph *g, gnd_error *err)
{
    const char *path = c->text->path;
    char list[LIST];
    int64_t n;
    gnd_status st = GND_OK;

    if (c->sep_found && strchr(";|", c->sep))
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "separator_found", err,
                              "%s: fields are separated by %s", path, gnd_separator_name(c->sep)));
    if (c->decimal_found)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "decimal_comma", err,
                              "%s: numbers have decimal commas: 0,5 is read as 0.5", path));
    GND_TRY(note_header(c, g, err));
    if (c->trailing || c->row_longer)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "trailing_separator", err,
                              "%s: lines end with a separator; no column follows it", path));
    n = list_unused(list, c);
    if (n > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "columns_not_used", err,
                              "%s: %lld column%s not used: %s (--columns names those to use)", path,
                              (long long)n, n == 1 ? " is" : "s are", list));
    GND_TRY(gnd_text_note_tags(c->text, g, err));
out:
    return st;
}

gnd_status gnd_csv_table_doubt(const gnd_csv_table *c, const char *why, gnd_error *err)
{
    const char *kind = gnd_csv_kind_name(c->kind);
    char first[GND_SHOWN], second[GND_SHOWN];

    return gnd_fail(
        err, GND_ERR_FORMAT,
        "%s:%lld: '%s', '%s' may be a header, since %s; give --header %s=yes or --header "
        "%s=no",
        c->text->path, (long long)c->first, gnd_field_show(first, c->name[0]),
        gnd_field_show(second, c->name[1]), why, kind, kind);
}
