/* SPDX-License-Identifier: MIT
 * edgelist.c - read a graph from text: one edge per line, with source, target and an optional
 * weight, separated by commas, tabs or blanks.
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "io.h"
#include "sparse.h"
#include "text.h"
#include "coo.h"

typedef struct {
    gnd_text text;
    gnd_coo arc; /* ends of arcs as numbers while ids is NULL, else as indices in ids */
    gnd_names *ids;
    int64_t n_stated; /* from "# gnd vertices"; 0: not stated */
    int32_t max;
    char sep;
    int64_t width; /* number of fields per line: 2 or 3 */
    int64_t first; /* line that set it */
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

static gnd_status check_width(edges *e, int64_t n, gnd_error *err)
{
    if (e->width == 0 && n >= 2 && n <= 3) {
        e->width = n;
        e->first = e->text.line;
    }
    if (n == e->width)
        return GND_OK;
    if (n < 2 || n > 3)
        return gnd_text_fail(
            &e->text, err,
            "expected source, target and an optional weight, separated by %s; got %lld "
            "field%s",
            gnd_separator_name(e->sep), (long long)n, n == 1 ? "" : "s");
    return gnd_text_fail(
        &e->text, err, "expected %lld fields separated by %s as in line %lld; got %lld",
        (long long)e->width, gnd_separator_name(e->sep), (long long)e->first, (long long)n);
}

static gnd_status add_edge(edges *e, const gnd_csv_field f[3], gnd_error *err)
{
    char show[GND_SHOWN];
    int32_t u, v;
    double w = 1;
    gnd_status st = GND_OK;

    if (f[0].len == 0 || f[1].len == 0)
        return gnd_text_fail(&e->text, err, "the id of the %s vertex is empty",
                             f[0].len == 0 ? "source" : "target");
    if (e->width == 3 && (!gnd_field_real(&w, f[2]) || w < 0))
        return gnd_text_fail(&e->text, err,
                             "expected a finite weight that is not negative; got '%s'",
                             gnd_field_show(show, f[2]));
    if (!e->ids && !(gnd_field_vertex(&u, f[0]) && gnd_field_vertex(&v, f[1])))
        GND_TRY(use_names(e, err));
    if (e->ids) {
        GND_TRY(name_of(&u, e, f[0], err));
        GND_TRY(name_of(&v, e, f[1], err));
    } else {
        e->max = u > e->max ? u : e->max;
        e->max = v > e->max ? v : e->max;
        if (e->n_stated && e->max >= e->n_stated)
            return gnd_text_fail(&e->text, err,
                                 "vertex %d is beyond the %lld vertices stated at the top", e->max,
                                 (long long)e->n_stated);
    }
    GND_TRY(gnd_coo_add(&e->arc, u, v, w, err));
out:
    return st;
}

static gnd_status read_lines(edges *e, gnd_header header, gnd_error *err)
{
    gnd_text *t = &e->text;
    gnd_csv_field f[3] = {{0}};
    const char *s;
    size_t len;
    int64_t n;
    gnd_status st = GND_OK;

    for (bool first = true; gnd_text_data_line(t, &s, &len); first = false) {
        if (first)
            e->sep = gnd_text_separator(t, s, len);
        GND_TRY(gnd_fields_split(gnd_text_fields(t, s, len, e->sep), f, 3, &n, err));
        GND_TRY(check_width(e, n, err));
        if (first && header == GND_HEADER_AUTO && gnd_field_is_known_name(f[0]) &&
            gnd_field_is_known_name(f[1]) && (n == 2 || gnd_field_is_known_name(f[2])))
            continue;
        if (first && header == GND_HEADER_YES)
            continue;
        GND_TRY(add_edge(e, f, err));
    }
    if (e->arc.n == 0 && e->n_stated == 0 && !e->ids)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has no edges", t->path));
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

static gnd_status edgelist_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                                gnd_error *err)
{
    edges e = {0};
    gnd_graph *g = NULL;
    char name[256];
    int64_t n_node, n_dup = 0, n_zero;
    gnd_status st = GND_OK;

    *out = NULL;
    GND_TRY(gnd_text_open_lines(&e.text, path, o ? o->max_input : 0, err));
    GND_TRY(read_comments(&e, err));
    GND_TRY(read_lines(&e, o ? o->header : GND_HEADER_AUTO, err));
    GND_TRY(count_vertices(&n_node, &e, err));
    gnd_path_stem(name, sizeof name, path);
    GND_TRY(gnd_graph_new(&g, name, n_node, err));
    GND_TRY(gnd_coo_to_csr(&g->adj, &e.arc, n_node, n_node, &n_dup, err));
    if (n_dup > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "duplicate_edges", err,
                              "%s: %lld duplicate edge%s merged (the largest weight stays)", path,
                              (long long)n_dup, n_dup == 1 ? " was" : "s were"));
    GND_TRY(gnd_text_note_tags(&e.text, g, err));
    n_zero = gnd_sparse_drop_zeros(&g->adj);
    if (n_zero > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "zero_weights", err,
                              "%s: %lld edge%s of weight 0 %s left out", path, (long long)n_zero,
                              n_zero == 1 ? "" : "s", n_zero == 1 ? "was" : "were"));
    g->ids = e.ids;
    e.ids = NULL;
    GND_TRY(gnd_graph_check(g, path, err));
    *out = g;
    g = NULL;
out:
    gnd_graph_free(g);
    gnd_names_free(e.ids);
    gnd_coo_fini(&e.arc);
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
