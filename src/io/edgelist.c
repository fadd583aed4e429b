/* SPDX-License-Identifier: MIT
 * edgelist.c - read a graph from text: one edge per line, with source, target and an optional
 * weight, in any columns of a table (csv_table.h).
 *
 * Each line is one stored arc. Ids are any strings. Where all ids are integers, vertices are in
 * ascending order (0 .. n-1 without gaps are their own numbers), else in the order of their first
 * occurrence. Only ids that occur are vertices, unless comments at the top state the vertices. Our
 * own writer does that, so that isolated vertices and their order are kept:
 *
 *     # gnd vertices 5        the vertices are 0 .. 4
 *     # gnd vertex a          one vertex per line, in order
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "io.h"
#include "coo.h"
#include "csv_table.h"
#include "foreign.h"
#include "sparse.h"

enum { HEAD = 4096 }; /* bytes that tell a format */

typedef struct {
    gnd_text text;
    gnd_coo arc; /* ends of arcs as numbers while ids is NULL, else as indices in ids */
    gnd_names *ids;
    int64_t n_stated; /* from "# gnd vertices"; 0: not stated */
    int32_t max;
    gnd_csv_table table;
    int64_t n_both; /* rows of type undirected, which count in both directions */
    int64_t n_time; /* rows whose weight may be a time */
    int64_t n_row;
} edges;

static gnd_status no_memory(const edges *e, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for vertex ids", e->text.path);
}

static gnd_status name_of(int32_t *out, edges *e, gnd_csv_field id, gnd_error *err)
{
    const int64_t i = gnd_names_add(e->ids, id.s, id.len);

    if (i < 0 || i > GND_MAX_NODE)
        return no_memory(e, err);
    *out = (int32_t)i;
    return GND_OK;
}

/* Add the end of an arc: p even is its source, odd its target. */
static int32_t *end_at(edges *e, int64_t p)
{
    return p % 2 ? &e->arc.col[p / 2] : &e->arc.row[p / 2];
}

static gnd_status name_of_number(int32_t *out, edges *e, int32_t v, gnd_error *err)
{
    char buf[16];
    size_t at = sizeof buf;

    do
        buf[--at] = (char)('0' + v % 10);
    while ((v /= 10) > 0);
    return name_of(out, e, (gnd_csv_field){.s = buf + at, .len = sizeof buf - at}, err);
}

/* At the first id that is not a number: replace the numbers by a table of strings. */
static gnd_status use_names(edges *e, gnd_error *err)
{
    gnd_status st = GND_OK;

    e->ids = gnd_names_new();
    if (!e->ids)
        return no_memory(e, err);
    for (int64_t p = 0; p < 2 * e->arc.n; p++)
        GND_TRY(name_of_number(end_at(e, p), e, *end_at(e, p), err));
out:
    return st;
}

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

/* Numbers with gaps become names, in ascending order: features without ids follow that order, and
 * files may number vertices from 1. */
static gnd_status use_ascending(edges *e, gnd_error *err)
{
    const int64_t n = 2 * e->arc.n;
    int32_t *all = gnd_alloc(n, sizeof *all), place;
    int64_t n_id = 0;
    gnd_status st = GND_OK;

    e->ids = gnd_names_new();
    if (!all || !e->ids)
        GND_TRY(no_memory(e, err));
    for (int64_t p = 0; p < n; p++)
        all[p] = *end_at(e, p);
    qsort(all, (size_t)n, sizeof *all, by_number);
    for (int64_t p = 0; p < n; p++)
        if (p == 0 || all[p] != all[p - 1]) {
            GND_TRY(name_of_number(&place, e, all[p], err));
            all[n_id++] = all[p]; /* p is after the prefix: the rest is still to be compared */
        }
    for (int64_t p = 0; p < n; p++) {
        const int32_t *at = bsearch(end_at(e, p), all, (size_t)n_id, sizeof *all, by_number);

        *end_at(e, p) = (int32_t)(at - all);
    }
out:
    gnd_free(all);
    return st;
}

static gnd_status stated_vertices(edges *e, const char *s, size_t len, gnd_error *err)
{
    gnd_text *t = &e->text;
    int64_t n;

    if (!gnd_parse_int(&n, s, len) || n < 1 || n > GND_MAX_NODE || e->ids || e->n_stated)
        return gnd_text_fail(t, err, "expected '# gnd vertices N' once, N from 1 to %d",
                             GND_MAX_NODE);
    if (!gnd_text_plausible(t, n))
        return gnd_text_fail(t, err, "%lld vertices are more than a file of %zu bytes can state",
                             (long long)n, t->size);
    e->n_stated = n;
    return GND_OK;
}

static gnd_status stated_vertex(edges *e, const char *s, size_t len, gnd_error *err)
{
    gnd_text *t = &e->text;
    char show[GND_SHOWN];
    gnd_csv_field id;
    int32_t v = 0;
    int64_t n, before;
    gnd_status st = GND_OK;

    GND_TRY(gnd_fields_split(gnd_text_fields(t, s, len, ','), &id, 1, &n, err));
    if (n != 1 || e->n_stated)
        return gnd_text_fail(t, err,
                             "expected one id in '# gnd vertex ID', quoted if it has commas");
    if (!e->ids)
        GND_TRY(use_names(e, err));
    before = gnd_names_count(e->ids);
    GND_TRY(name_of(&v, e, id, err));
    if (v < before)
        return gnd_text_fail(t, err, "vertex '%s' is stated twice", gnd_field_show(show, id));
out:
    return st;
}

/* Read the comments at the top of the file that state its vertices. Afterwards the text is after
 * the last of them; an id that contains a line end makes such a comment longer than a line. */
static gnd_status read_comments(edges *e, gnd_error *err)
{
    static const char all[] = "# gnd vertices ", one[] = "# gnd vertex ";
    gnd_text *t = &e->text;
    size_t len, next;
    int64_t line = 0;
    const char *s;
    gnd_status st = GND_OK;

    next = t->next;
    while (gnd_text_line(t, &s, &len) && (len == 0 || s[0] == '#' || s[0] == '%')) {
        if (len >= sizeof all && memcmp(s, all, sizeof all - 1) == 0)
            GND_TRY(stated_vertices(e, s + sizeof all - 1, len - (sizeof all - 1), err));
        else if (len >= sizeof one && memcmp(s, one, sizeof one - 1) == 0)
            GND_TRY(stated_vertex(e, s + sizeof one - 1, len - (sizeof one - 1), err));
        else
            continue;
        next = t->next;
        line = t->line;
    }
    t->next = next;
    t->line = line;
out:
    return st;
}

/* Does the number have a digit besides 0 before its exponent? */
static bool is_nonzero(gnd_csv_field f)
{
    for (size_t i = 0; i < f.len && f.s[i] != 'e' && f.s[i] != 'E'; i++)
        if (f.s[i] >= '1' && f.s[i] <= '9')
            return true;
    return false;
}

static gnd_status weight_get(double *w, const edges *e, gnd_error *err)
{
    const gnd_csv_field f = gnd_csv_table_get(&e->table, GND_ROLE_WEIGHT);
    char show[GND_SHOWN], why[GND_NOT_REAL];

    *w = 1;
    if (e->table.at[GND_ROLE_WEIGHT] < 0)
        return GND_OK;
    gnd_field_show(show, f);
    if (!gnd_field_decimal(w, f, e->table.decimal))
        return gnd_text_fail(&e->text, err, "the weight: %s%s", gnd_field_not_real(why, f),
                             " (--columns weight= ignores the column)");
    if (*w < 0)
        return gnd_text_fail(&e->text, err, "expected a weight that is not negative; got '%s'",
                             show);
    if ((gnd_real)*w <= 0 && is_nonzero(f))
        return gnd_text_fail(&e->text, err,
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
static gnd_status is_undirected(bool *both, edges *e, gnd_error *err)
{
    const gnd_csv_field f = gnd_csv_table_get(&e->table, GND_ROLE_TYPE);
    char show[GND_SHOWN];

    *both = gnd_field_equals(f, "undirected") || gnd_field_equals(f, "mutual");
    if (e->table.at[GND_ROLE_TYPE] < 0 || *both || gnd_field_equals(f, "directed"))
        return GND_OK;
    if (e->n_row == 0 && !e->table.stated[GND_ROLE_TYPE]) {
        e->table.at[GND_ROLE_TYPE] = -1;
        return GND_OK;
    }
    return gnd_text_fail(&e->text, err,
                         "expected type directed, undirected or mutual; got '%s' (--columns type= "
                         "ignores the column)",
                         gnd_field_show(show, f));
}

/* The vertices of an id each. */
static gnd_status ends_get(int32_t *u, int32_t *v, edges *e, gnd_error *err)
{
    const gnd_csv_field source = gnd_csv_table_get(&e->table, GND_ROLE_SOURCE);
    const gnd_csv_field target = gnd_csv_table_get(&e->table, GND_ROLE_TARGET);
    gnd_status st = GND_OK;

    if (source.len == 0 || target.len == 0)
        return gnd_text_fail(&e->text, err, "the id of the %s vertex is empty",
                             source.len == 0 ? "source" : "target");
    if (!e->ids && !(gnd_field_vertex(u, source) && gnd_field_vertex(v, target)))
        GND_TRY(use_names(e, err));
    if (e->ids) {
        GND_TRY(name_of(u, e, source, err));
        GND_TRY(name_of(v, e, target, err));
        return GND_OK;
    }
    e->max = *u > e->max ? *u : e->max;
    e->max = *v > e->max ? *v : e->max;
    if (e->n_stated && e->max >= e->n_stated)
        return gnd_text_fail(&e->text, err,
                             "vertex %d is beyond the %lld vertices stated at the top", e->max,
                             (long long)e->n_stated);
out:
    return st;
}

static gnd_status add_edge(edges *e, gnd_error *err)
{
    int32_t u = 0, v = 0;
    double w;
    bool both;
    gnd_status st = GND_OK;

    GND_TRY(weight_get(&w, e, err));
    GND_TRY(is_undirected(&both, e, err));
    GND_TRY(ends_get(&u, &v, e, err));
    GND_TRY(gnd_coo_add(&e->arc, u, v, w, err));
    if (both && u != v)
        GND_TRY(gnd_coo_add(&e->arc, v, u, w, err));
    e->n_both += both;
    e->n_time += is_time(w);
    e->n_row++;
out:
    return st;
}

/* Is a name of the header, which is one only because of the types of its fields, an id too? */
static bool is_named_vertex(const edges *e)
{
    for (int r = GND_ROLE_SOURCE; r <= GND_ROLE_TARGET; r++) {
        const gnd_csv_field name = e->table.name[e->table.at[r]];

        if (e->ids && gnd_names_find(e->ids, name.s, name.len) >= 0)
            return true;
    }
    return false;
}

/* If the first row may be a header, do its ids occur in other rows? */
static gnd_status check_first(const edges *e, int64_t n_stated, gnd_error *err)
{
    const int32_t u = e->table.doubtful ? e->arc.row[0] : 0;
    const int32_t v = e->table.doubtful ? e->arc.col[0] : 0;
    bool again = !e->table.doubtful || u == v || u < n_stated || v < n_stated;

    if (e->table.header == GND_HEADER_BY_TYPES && is_named_vertex(e))
        return gnd_csv_table_doubt(&e->table, "it has text above numbers, and ids of other lines",
                                   err);
    for (int64_t p = 1; p < e->arc.n && !again; p++)
        again =
            e->arc.row[p] == u || e->arc.row[p] == v || e->arc.col[p] == u || e->arc.col[p] == v;
    return again ? GND_OK : gnd_csv_table_doubt(&e->table, "these ids occur in no other line", err);
}

static gnd_status read_rows(edges *e, const gnd_load_opts *o, gnd_error *err)
{
    const int64_t n_stated = e->ids ? gnd_names_count(e->ids) : 0;
    bool more = true;
    gnd_status st = GND_OK;

    GND_TRY(gnd_csv_table_start(&e->table, &e->text, GND_CSV_EDGES, o, NULL, err));
    while (e->table.width > 0) {
        GND_TRY(gnd_csv_table_next(&e->table, &more, err));
        if (!more)
            break;
        GND_TRY(add_edge(e, err));
    }
    if (e->arc.n == 0 && e->n_stated == 0 && !e->ids)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has no edges", e->text.path));
    GND_TRY(check_first(e, n_stated, err));
out:
    return st;
}

/* Are the numbers exactly 0 .. max? -1: no memory. */
static int is_dense(const edges *e)
{
    const int64_t n = (int64_t)e->max + 1;
    int64_t left = n;
    char *seen;

    if (n > 2 * e->arc.n)
        return 0;
    seen = gnd_alloc(n, 1);
    if (!seen)
        return -1;
    for (int64_t p = 0; p < 2 * e->arc.n; p++) {
        char *s = &seen[p % 2 ? e->arc.col[p / 2] : e->arc.row[p / 2]];

        left -= !*s;
        *s = 1;
    }
    gnd_free(seen);
    return left == 0;
}

static gnd_status count_vertices(int64_t *n, edges *e, gnd_error *err)
{
    gnd_status st = GND_OK;

    *n = e->n_stated;
    if (!e->ids && !e->n_stated) {
        const int dense = is_dense(e);

        if (dense < 0)
            return no_memory(e, err);
        if (dense)
            *n = (int64_t)e->max + 1;
        else
            GND_TRY(use_ascending(e, err));
    }
    if (e->ids && e->n_stated)
        return gnd_fail(err, GND_ERR_FORMAT,
                        "%s: states that its vertices are 0 to %lld, but has other ids",
                        e->text.path, (long long)e->n_stated - 1);
    if (e->ids)
        *n = gnd_names_count(e->ids);
out:
    return st;
}

static gnd_status add_notes(gnd_graph *g, const edges *e, int64_t n_dup, gnd_error *err)
{
    const long long n_zero = (long long)gnd_sparse_drop_zeros(&g->adj);
    const char *path = e->text.path;
    gnd_status st = GND_OK;

    GND_TRY(gnd_csv_table_notes(&e->table, g, err));
    if (e->n_both > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "undirected_rows", err,
                              "%s: %lld line%s type undirected and count%s in both directions",
                              path, (long long)e->n_both, e->n_both == 1 ? " has" : "s have",
                              e->n_both == 1 ? "s" : ""));
    if (e->n_time > 0 && e->n_time == e->n_row && !e->table.stated[GND_ROLE_WEIGHT])
        GND_TRY(gnd_notes_add(&g->notes, GND_WARNING, "weights_like_times", err,
                              "%s: all weights look like times; --columns weight= ignores them",
                              path));
    if (n_dup > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "duplicate_edges", err,
                              "%s: %lld duplicate edge%s merged (the largest weight stays)", path,
                              (long long)n_dup, n_dup == 1 ? " was" : "s were"));
    if (n_zero > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "zero_weights", err,
                              "%s: %lld edge%s of weight 0 %s left out", path, n_zero,
                              n_zero == 1 ? "" : "s", n_zero == 1 ? "was" : "were"));
out:
    return st;
}

/* Standard input and pipes are not inspected before they are read: is it another format? */
static gnd_status check_foreign(const gnd_text *t, gnd_error *err)
{
    char what[160];

    if (!t->data || !gnd_foreign_name(what, sizeof what, t->data, t->size < HEAD ? t->size : HEAD))
        return GND_OK;
    return gnd_fail(err, GND_ERR_FORMAT, "%s: %s (--format names the format)", t->path, what);
}

static gnd_status edgelist_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                                gnd_error *err)
{
    edges e = {0};
    gnd_graph *g = NULL;
    char name[256];
    int64_t n_node, n_dup = 0;
    gnd_status st = GND_OK;

    *out = NULL;
    GND_TRY(gnd_text_open_watched(&e.text, path, o, err));
    if (!(o && o->format))
        GND_TRY(check_foreign(&e.text, err));
    GND_TRY(read_comments(&e, err));
    GND_TRY(read_rows(&e, o, err));
    GND_TRY(count_vertices(&n_node, &e, err));
    gnd_path_stem(name, sizeof name, e.text.path);
    GND_TRY(gnd_graph_new(&g, name, n_node, err));
    GND_TRY(gnd_load_check(o, err));
    GND_TRY(gnd_coo_to_csr(&g->adj, &e.arc, n_node, n_node, &n_dup, err));
    GND_TRY(gnd_load_check(o, err));
    GND_TRY(add_notes(g, &e, n_dup, err));
    g->ids = e.ids;
    e.ids = NULL;
    GND_TRY(gnd_graph_check(g, e.text.path, err));
    *out = g;
    g = NULL;
out:
    gnd_graph_free(g);
    gnd_names_free(e.ids);
    gnd_coo_fini(&e.arc);
    gnd_csv_table_fini(&e.table);
    gnd_text_close(&e.text);
    return st;
}

static bool is_text(const char *head, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)head[i] < ' ' && (!head[i] || !strchr("\t\r\n\f", head[i])))
            return false;
    return true;
}

static bool edgelist_sniff(const char *path, const char *head, size_t n_head)
{
    static const char *const tails[] = {".csv", ".tsv", ".txt", ".edges", ".edgelist", ".gz"};
    struct stat sb;

    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++)
        if (gnd_path_ends(path, tails[i]))
            return true;
    /* An empty file is accepted too: the reader reports what is wrong with it. A pipe cannot be
     * read in advance, and only edge lists can be read from one. */
    return is_text(head, n_head) &&
           (n_head > 0 || (stat(path, &sb) == 0 && (S_ISREG(sb.st_mode) || S_ISFIFO(sb.st_mode))));
}

const gnd_format gnd_format_edgelist = {
    .name = "edgelist",
    .about = "edges as text: one edge per line, source, target and optional weight (.csv, .tsv, "
             ".txt, .gz)",
    .sniff = edgelist_sniff,
    .read = edgelist_read,
};
