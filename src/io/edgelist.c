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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "io.h"
#include "coo.h"
#include "edge_rows.h"
#include "kern/vertex_bits.h"
#include "sparse.h"

enum {
    SOME = 1 << 10,         /* rows that are read at once */
    BITS_OF_AN_END = 1 << 6 /* numbers are marked as bits if these are at most so many per end */
};

typedef struct {
    gnd_text text;
    gnd_coo arc; /* ends of arcs as numbers while ids is NULL, else as indices in ids */
    gnd_names *ids;
    int64_t n_stated; /* from "# gnd vertices"; 0: not stated */
    int32_t max;
    gnd_edge_rows rows;
} edges;

static gnd_status no_memory(const edges *e, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for vertex ids", e->text.path);
}

static gnd_status name_of(int32_t *out, edges *e, gnd_csv_field id, gnd_error *err)
{
    return gnd_edge_name(out, e->ids, id, &e->text, err);
}

/* Add the end of an arc: p even is its source, odd its target. */
static int32_t *end_at(edges *e, int64_t p)
{
    return p % 2 ? &e->arc.col[p / 2] : &e->arc.row[p / 2];
}

/* v as text, in buf. */
static gnd_csv_field number_text(char buf[16], int32_t v)
{
    size_t at = 16;

    do
        buf[--at] = (char)('0' + v % 10);
    while ((v /= 10) > 0);
    return (gnd_csv_field){.s = buf + at, .len = 16 - at};
}

/* At the first id that is not a number: replace the numbers by a table of strings. */
static gnd_status use_names(edges *e, gnd_error *err)
{
    gnd_status st = GND_OK;

    e->ids = gnd_names_new();
    if (!e->ids)
        return no_memory(e, err);
    for (int64_t p = 0; p < 2 * e->arc.n; p++) {
        char buf[16];

        GND_TRY(name_of(end_at(e, p), e, number_text(buf, *end_at(e, p)), err));
    }
out:
    return st;
}

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

/* The name of a number that is larger than those before. */
static gnd_status name_add(edges *e, int32_t v, gnd_error *err)
{
    char buf[16];
    const gnd_csv_field name = number_text(buf, v);

    return gnd_names_add_sorted(e->ids, name.s, name.len) < 0 ? no_memory(e, err) : GND_OK;
}

/* Numbers that are far apart become names, in ascending order. */
static gnd_status use_ascending(edges *e, gnd_error *err)
{
    const int64_t n = 2 * e->arc.n;
    int32_t *all = gnd_alloc(n, sizeof *all);
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
            GND_TRY(name_add(e, all[p], err));
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

/* The same of numbers that are marked in `seen`. */
static gnd_status use_marked(edges *e, const gnd_vertex_bits *seen, gnd_error *err)
{
    gnd_status st = GND_OK;

    e->ids = gnd_names_new();
    if (!e->ids)
        return no_memory(e, err);
    for (int64_t v = gnd_vertex_bits_next(seen, 0); v >= 0; v = gnd_vertex_bits_next(seen, v + 1))
        GND_TRY(name_add(e, (int32_t)v, err));
    for (int64_t p = 0; p < e->arc.n; p++) {
        e->arc.row[p] = gnd_vertex_bits_rank(seen, e->arc.row[p]);
        e->arc.col[p] = gnd_vertex_bits_rank(seen, e->arc.col[p]);
    }
out:
    return st;
}

/* Numbers 0 .. max, all of them, are the vertices; numbers with gaps become names, in ascending
 * order: features without ids follow that order, and files may number vertices from 1. *n: the
 * number of vertices if there are no names. */
static gnd_status settle_numbers(int64_t *n, edges *e, gnd_error *err)
{
    gnd_vertex_bits seen = {0};
    int64_t count;
    gnd_status st = GND_OK;

    if (e->max / BITS_OF_AN_END > 2 * e->arc.n)
        return use_ascending(e, err);
    if (!gnd_vertex_bits_reserve(&seen, e->max))
        GND_TRY(no_memory(e, err));
    for (int64_t p = 0; p < e->arc.n; p++) {
        gnd_vertex_bits_add(&seen, e->arc.row[p]);
        gnd_vertex_bits_add(&seen, e->arc.col[p]);
    }
    count = gnd_vertex_bits_count(&seen);
    if (count < 0)
        GND_TRY(no_memory(e, err));
    *n = count;
    if (count != (int64_t)e->max + 1)
        GND_TRY(use_marked(e, &seen, err));
out:
    gnd_vertex_bits_fini(&seen);
    return st;
}

/* The vertices of a row, an id each. */
static gnd_status ends_get(int32_t *u, int32_t *v, edges *e, const gnd_edge_row *row,
                           gnd_error *err)
{
    gnd_status st = GND_OK;

    if (!e->ids && !row->numbers)
        GND_TRY(use_names(e, err));
    if (e->ids) {
        GND_TRY(name_of(u, e, row->source, err));
        GND_TRY(name_of(v, e, row->target, err));
        return GND_OK;
    }
    *u = row->u;
    *v = row->v;
    e->max = *u > e->max ? *u : e->max;
    e->max = *v > e->max ? *v : e->max;
    GND_TRY(gnd_edge_row_stated(&e->rows, row, e->n_stated, err));
out:
    return st;
}

static gnd_status add_edge(edges *e, const gnd_edge_row *row, gnd_error *err)
{
    int32_t u = 0, v = 0;
    gnd_status st = GND_OK;

    GND_TRY(ends_get(&u, &v, e, row, err));
    GND_TRY(gnd_coo_add(&e->arc, u, v, row->weight, err));
    if (row->both && u != v)
        GND_TRY(gnd_coo_add(&e->arc, v, u, row->weight, err));
out:
    return st;
}

/* If the first row may be a header, do its ids occur in other rows? */
static gnd_status check_first(const edges *e, int64_t n_stated, gnd_error *err)
{
    const int32_t u = e->rows.table.doubtful ? e->arc.row[0] : 0;
    const int32_t v = e->rows.table.doubtful ? e->arc.col[0] : 0;
    bool again = !e->rows.table.doubtful || u == v || u < n_stated || v < n_stated;

    gnd_status st = GND_OK;

    GND_TRY(gnd_edge_header_check(&e->rows, e->ids, err));
    for (int64_t p = 1; p < e->arc.n && !again; p++)
        again =
            e->arc.row[p] == u || e->arc.row[p] == v || e->arc.col[p] == u || e->arc.col[p] == v;
    if (!again)
        GND_TRY(gnd_edge_first_doubt(&e->rows, err));
out:
    return st;
}

/* Read rows of two numbers and nothing else, as many as there are. */
static gnd_status add_numbers(edges *e, gnd_error *err)
{
    uint64_t key[SOME];
    int64_t n = SOME;
    gnd_status st = GND_OK;

    while (n == SOME && !e->ids) {
        n = gnd_edge_rows_numbers(&e->rows, key, SOME, &e->max, e->n_stated);
        GND_TRY(gnd_coo_add_arcs(&e->arc, key, n, err));
    }
out:
    return st;
}

static gnd_status read_rows(edges *e, const gnd_load_opts *o, gnd_error *err)
{
    const int64_t n_stated = e->ids ? gnd_names_count(e->ids) : 0;
    gnd_edge_row row;
    bool more = true;
    gnd_status st = GND_OK;

    GND_TRY(gnd_edge_rows_start(&e->rows, &e->text, o, err));
    for (;;) {
        GND_TRY(add_numbers(e, err));
        GND_TRY(gnd_edge_rows_next(&e->rows, &row, &more, err));
        if (!more)
            break;
        GND_TRY(add_edge(e, &row, err));
    }
    if (e->arc.n == 0 && e->n_stated == 0 && !e->ids)
        GND_TRY(gnd_edges_none(&e->text, err));
    GND_TRY(check_first(e, n_stated, err));
out:
    return st;
}

static gnd_status count_vertices(int64_t *n, edges *e, gnd_error *err)
{
    gnd_status st = GND_OK;

    *n = e->n_stated;
    if (!e->ids && !e->n_stated)
        GND_TRY(settle_numbers(n, e, err));
    GND_TRY(gnd_edges_check_stated(&e->text, e->ids, e->n_stated, err));
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
    int64_t n_node, n_dup = 0;
    gnd_status st = GND_OK;

    *out = NULL;
    GND_TRY(gnd_text_open_watched(&e.text, path, o, err));
    if (!(o && o->format))
        GND_TRY(gnd_edges_check_foreign(&e.text, err));
    GND_TRY(gnd_edge_comments(&e.ids, &e.n_stated, &e.text, err));
    GND_TRY(read_rows(&e, o, err));
    GND_TRY(count_vertices(&n_node, &e, err));
    gnd_path_stem(name, sizeof name, e.text.path);
    GND_TRY(gnd_graph_new(&g, name, n_node, err));
    GND_TRY(gnd_load_check(o, err));
    GND_TRY(gnd_coo_to_csr(&g->adj, &e.arc, n_node, n_node, &n_dup, err));
    GND_TRY(gnd_load_check(o, err));
    GND_TRY(gnd_edge_rows_notes(&e.rows, g, n_dup, gnd_sparse_drop_zeros(&g->adj), err));
    g->ids = e.ids;
    e.ids = NULL;
    GND_TRY(gnd_graph_check(g, e.text.path, err));
    *out = g;
    g = NULL;
out:
    gnd_graph_free(g);
    gnd_names_free(e.ids);
    gnd_coo_fini(&e.arc);
    gnd_edge_rows_fini(&e.rows);
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
