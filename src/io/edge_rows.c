/* SPDX-License-Identifier: MIT
 * edge_rows.c - read rows of edges: vertex numbers or ids, weights, and Gephi's types. Rows of two
 * numbers and a plain weight, which most are, take a short path; all others that of csv_table.h. */
#include "edge_rows.h"

#include <math.h>
#include <string.h>

#include "edge_numbers.h"
#include "foreign.h"
#include "io.h"

enum { HEAD = 4096 }; /* bytes that tell a format */

static gnd_status no_memory(const gnd_text *t, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for vertex ids", t->path);
}

gnd_status gnd_edge_name(int32_t *out, gnd_names *ids, gnd_csv_field id, const gnd_text *t,
                         gnd_error *err)
{
    const int64_t i = gnd_names_add(ids, id.s, id.len);

    if (i < 0 || i > GND_MAX_NODE)
        return no_memory(t, err);
    *out = (int32_t)i;
    return GND_OK;
}

/* ---- comments ---- */

static gnd_status stated_vertices(const gnd_names *ids, int64_t *n_stated, gnd_text *t,
                                  const char *s, size_t len, gnd_error *err)
{
    int64_t n;

    if (!gnd_parse_int(&n, s, len) || n < 1 || n > GND_MAX_NODE || ids || *n_stated)
        return gnd_text_fail(t, err, "expected '# gnd vertices N' once, N from 1 to %d",
                             GND_MAX_NODE);
    if (!gnd_text_plausible(t, n))
        return gnd_text_fail(t, err, "%lld vertices are more than a file of %zu bytes can state",
                             (long long)n, t->size);
    *n_stated = n;
    return GND_OK;
}

static gnd_status stated_vertex(gnd_names **ids, int64_t n_stated, gnd_text *t, const char *s,
                                size_t len, gnd_error *err)
{
    char show[GND_SHOWN];
    gnd_csv_field id;
    int32_t v = 0;
    int64_t n, before;
    gnd_status st = GND_OK;

    GND_TRY(gnd_fields_split(gnd_text_fields(t, s, len, ','), &id, 1, &n, err));
    if (n != 1 || n_stated)
        return gnd_text_fail(t, err,
                             "expected one id in '# gnd vertex ID', quoted if it has commas");
    if (!*ids)
        *ids = gnd_names_new();
    if (!*ids)
        GND_TRY(no_memory(t, err));
    before = gnd_names_count(*ids);
    GND_TRY(gnd_edge_name(&v, *ids, id, t, err));
    if (v < before)
        return gnd_text_fail(t, err, "vertex '%s' is stated twice", gnd_field_show(show, id));
out:
    return st;
}

/* An id that contains a line end makes such a comment longer than a line. */
gnd_status gnd_edge_comments(gnd_names **ids, int64_t *n_stated, gnd_text *t, gnd_error *err)
{
    static const char all[] = "# gnd vertices ", one[] = "# gnd vertex ";
    size_t len, next;
    int64_t line = 0;
    const char *s;
    gnd_status st = GND_OK;

    next = t->next;
    while (gnd_text_line(t, &s, &len) && (len == 0 || s[0] == '#' || s[0] == '%')) {
        if (len >= sizeof all && memcmp(s, all, sizeof all - 1) == 0)
            GND_TRY(stated_vertices(*ids, n_stated, t, s + sizeof all - 1, len - (sizeof all - 1),
                                    err));
        else if (len >= sizeof one && memcmp(s, one, sizeof one - 1) == 0)
            GND_TRY(
                stated_vertex(ids, *n_stated, t, s + sizeof one - 1, len - (sizeof one - 1), err));
        else
            continue;
        next = t->next;
        line = t->line;
        gnd_text_forget(t);
    }
    t->next = next;
    t->line = line;
out:
    return st;
}

/* ---- rows ---- */

/* Are the columns source, target and at most a weight, in this order? */
static bool is_simple(const gnd_csv_table *c)
{
    const bool weight = c->at[GND_ROLE_WEIGHT] == 2;

    return c->at[GND_ROLE_SOURCE] == 0 && c->at[GND_ROLE_TARGET] == 1 && c->width == 2 + weight &&
           c->at[GND_ROLE_TYPE] < 0 && !c->trailing && !c->row_longer && c->decimal == '.';
}

gnd_status gnd_edge_rows_start(gnd_edge_rows *r, gnd_text *t, const gnd_load_opts *o,
                               gnd_error *err)
{
    gnd_status st;

    *r = (gnd_edge_rows){.text = t};
    GND_TRY(gnd_csv_table_start(&r->table, t, GND_CSV_EDGES, o, NULL, err));
    r->simple = is_simple(&r->table);
out:
    return st;
}

void gnd_edge_rows_fini(gnd_edge_rows *r)
{
    gnd_csv_table_fini(&r->table);
    *r = (gnd_edge_rows){0};
}

/* Does the number have a digit besides 0 before its exponent? */
static bool is_nonzero(gnd_csv_field f)
{
    for (size_t i = 0; i < f.len && f.s[i] != 'e' && f.s[i] != 'E'; i++)
        if (f.s[i] >= '1' && f.s[i] <= '9')
            return true;
    return false;
}

static gnd_status weight_get(double *w, const gnd_edge_rows *r, gnd_error *err)
{
    const gnd_csv_field f = gnd_csv_table_get(&r->table, GND_ROLE_WEIGHT);
    char show[GND_SHOWN], why[GND_NOT_REAL];

    *w = 1;
    if (r->table.at[GND_ROLE_WEIGHT] < 0)
        return GND_OK;
    gnd_field_show(show, f);
    if (!gnd_field_decimal(w, f, r->table.decimal))
        return gnd_text_fail(r->text, err, "the weight: %s%s", gnd_field_not_real(why, f),
                             " (--columns weight= ignores the column)");
    if (*w < 0)
        return gnd_text_fail(r->text, err, "expected a weight that is not negative; got '%s'",
                             show);
    if ((gnd_real)*w <= 0 && is_nonzero(f))
        return gnd_text_fail(r->text, err,
                             "the weight '%s' is too small; expected 0, or 1e-38 or "
                             "more",
                             show);
    return GND_OK;
}

/* Whole numbers that are seconds or milliseconds since 1970, from 2001 to 2096. */
static bool is_time(double w)
{
    const double second = w >= 1e12 ? floor(w / 1000) : w;

    return second >= 1e9 && second < 4e9 && floor(w) == w;
}

/* Gephi's column of types: does the edge count in both directions? The first row decides whether
 * the column has such types at all. */
static gnd_status is_undirected(bool *both, gnd_edge_rows *r, gnd_error *err)
{
    const gnd_csv_field f = gnd_csv_table_get(&r->table, GND_ROLE_TYPE);
    char show[GND_SHOWN];

    *both = gnd_field_equals(f, "undirected") || gnd_field_equals(f, "mutual");
    if (r->table.at[GND_ROLE_TYPE] < 0 || *both || gnd_field_equals(f, "directed"))
        return GND_OK;
    if (r->n_row == 0 && !r->table.stated[GND_ROLE_TYPE]) {
        r->table.at[GND_ROLE_TYPE] = -1;
        r->simple = is_simple(&r->table);
        return GND_OK;
    }
    return gnd_text_fail(r->text, err,
                         "expected type directed, undirected or mutual; got '%s' (--columns type= "
                         "ignores the column)",
                         gnd_field_show(show, f));
}

static gnd_status ends_get(gnd_edge_row *row, const gnd_edge_rows *r, gnd_error *err)
{
    row->source = gnd_csv_table_get(&r->table, GND_ROLE_SOURCE);
    row->target = gnd_csv_table_get(&r->table, GND_ROLE_TARGET);
    if (row->source.len == 0 || row->target.len == 0)
        return gnd_text_fail(r->text, err, "the id of the %s vertex is empty",
                             row->source.len == 0 ? "source" : "target");
    row->numbers = gnd_field_vertex(&row->u, row->source) && gnd_field_vertex(&row->v, row->target);
    return GND_OK;
}

/* The next row, if it is two vertex numbers and, if there is a third column, a plain decimal, with
 * single separators and without blanks. Otherwise nothing is read, and the result is false. The
 * last line of a file, and those at which a request to stop is checked, are not simple. */
static bool simple_next(gnd_edge_rows *r, gnd_edge_row *row)
{
    gnd_text *t = r->text;
    const char *const s = t->data + t->next, *const end = t->data + t->size, *p, *from;
    const char sep = r->table.sep;
    bool plain = true;

    if (t->next >= t->size || (t->watch && t->line % GND_TEXT_LINES == 0))
        return false;
    p = gnd_vertex_number(&row->u, s, end);
    if (!p || *p != sep)
        return false;
    row->source = (gnd_csv_field){.s = s, .len = (size_t)(p - s)};
    from = ++p;
    p = gnd_vertex_number(&row->v, p, end);
    if (!p)
        return false;
    row->target = (gnd_csv_field){.s = from, .len = (size_t)(p - from)};
    row->weight = 1;
    if (r->table.width == 3) {
        if (*p != sep)
            return false;
        for (from = ++p; p < end && ((unsigned char)(*p - '0') <= 9 || *p == '.'); p++)
            ;
        plain = gnd_field_real(&row->weight, (gnd_csv_field){.s = from, .len = (size_t)(p - from)});
    }
    if (p < end && *p == '\r')
        p++;
    if (!plain || p >= end || *p != '\n' || (float)row->weight < 1e-30F)
        return false;
    t->next = (size_t)(p + 1 - t->data);
    t->line++;
    row->numbers = true;
    row->both = false;
    return true;
}

gnd_status gnd_edge_rows_next(gnd_edge_rows *r, gnd_edge_row *row, bool *more, gnd_error *err)
{
    gnd_status st = GND_OK;

    *more = r->table.width > 0;
    if (!*more)
        return GND_OK;
    if (!r->simple || !simple_next(r, row)) {
        GND_TRY(gnd_csv_table_next(&r->table, more, err));
        if (!*more)
            return GND_OK;
        GND_TRY(weight_get(&row->weight, r, err));
        GND_TRY(is_undirected(&row->both, r, err));
        GND_TRY(ends_get(row, r, err));
    }
    r->n_both += row->both;
    r->n_time += row->weight >= 1e9 && is_time(row->weight);
    r->n_row++;
out:
    return st;
}

int64_t gnd_edge_rows_numbers(gnd_edge_rows *r, uint64_t *key, int64_t cap, int32_t *max,
                              int64_t n_stated)
{
    gnd_text *t = r->text;
    const char *s = t->data + t->next;
    const gnd_edge_numbers_of of = {.end = t->data + t->size,
                                    .sep = r->table.sep,
                                    .limit = n_stated > 0 ? (int32_t)n_stated : INT32_MAX};
    int64_t n;

    if (!r->simple || r->table.width != 2)
        return 0;
    if (t->watch) { /* up to the next line at which a request to stop is checked */
        const int64_t line = t->line % GND_TEXT_LINES, most = line ? GND_TEXT_LINES - line : 0;

        cap = cap < most ? cap : most;
    }
    n = gnd_edge_numbers(key, cap, &s, max, &of);
    t->next = (size_t)(s - t->data);
    t->line += n;
    r->n_row += n;
    return n;
}

/* ---- checks ---- */

gnd_status gnd_edge_row_stated(const gnd_edge_rows *r, const gnd_edge_row *row, int64_t n_stated,
                               gnd_error *err)
{
    const int32_t most = row->u > row->v ? row->u : row->v;

    if (n_stated == 0 || most < n_stated)
        return GND_OK;
    return gnd_text_fail(r->text, err, "vertex %d is beyond the %lld vertices stated at the top",
                         most, (long long)n_stated);
}

gnd_status gnd_edge_header_check(const gnd_edge_rows *r, const gnd_names *ids, gnd_error *err)
{
    if (r->table.header != GND_HEADER_BY_TYPES || !ids)
        return GND_OK;
    for (int k = GND_ROLE_SOURCE; k <= GND_ROLE_TARGET; k++) {
        const gnd_csv_field name = r->table.name[r->table.at[k]];

        if (gnd_names_find(ids, name.s, name.len) >= 0)
            return gnd_csv_table_doubt(&r->table,
                                       "it has text above numbers, and ids of other lines", err);
    }
    return GND_OK;
}

gnd_status gnd_edge_first_doubt(const gnd_edge_rows *r, gnd_error *err)
{
    return gnd_csv_table_doubt(&r->table, "these ids occur in no other line", err);
}

gnd_status gnd_edges_none(const gnd_text *t, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_FORMAT, "%s: has no edges", t->path);
}

gnd_status gnd_edges_check_stated(const gnd_text *t, const gnd_names *ids, int64_t n_stated,
                                  gnd_error *err)
{
    if (!ids || n_stated == 0)
        return GND_OK;
    return gnd_fail(err, GND_ERR_FORMAT,
                    "%s: states that its vertices are 0 to %lld, but has other ids", t->path,
                    (long long)n_stated - 1);
}

/* Standard input and pipes are not inspected before they are read: is it another format? */
gnd_status gnd_edges_check_foreign(const gnd_text *t, gnd_error *err)
{
    char what[160];

    if (!t->data || !gnd_foreign_name(what, sizeof what, t->data, t->size < HEAD ? t->size : HEAD))
        return GND_OK;
    return gnd_fail(err, GND_ERR_FORMAT, "%s: %s (--format names the format)", t->path, what);
}

gnd_status gnd_edge_rows_notes(const gnd_edge_rows *r, gnd_graph *g, int64_t n_dup, int64_t n_zero,
                               gnd_error *err)
{
    const char *path = r->text->path;
    gnd_status st = GND_OK;

    GND_TRY(gnd_csv_table_notes(&r->table, g, err));
    if (r->n_both > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "undirected_rows", err,
                              "%s: %lld line%s type undirected and count%s in both directions",
                              path, (long long)r->n_both, r->n_both == 1 ? " has" : "s have",
                              r->n_both == 1 ? "s" : ""));
    if (r->n_time > 0 && r->n_time == r->n_row && !r->table.stated[GND_ROLE_WEIGHT])
        GND_TRY(gnd_notes_add(&g->notes, GND_WARNING, "weights_like_times", err,
                              "%s: all weights look like times; --columns weight= ignores them",
                              path));
    if (n_dup > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "duplicate_edges", err,
                              "%s: %lld duplicate edge%s merged (the largest weight stays)", path,
                              (long long)n_dup, n_dup == 1 ? " was" : "s were"));
    if (n_zero > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "zero_weights", err,
                              "%s: %lld edge%s of weight 0 %s left out", path, (long long)n_zero,
                              n_zero == 1 ? "" : "s", n_zero == 1 ? "was" : "were"));
out:
    return st;
}
