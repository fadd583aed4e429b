/* SPDX-License-Identifier: MIT
 * geomgcn.c - the text files of Geom-GCN (Pei et al., ICLR 2020): out1_node_feature_label.txt with
 * `id <tab> features <tab> label` and out1_graph_edges.txt with `id <tab> id`, each with a header.
 *
 * Features are values separated by commas, one per column, or, in the film (actor) set, the
 * numbers of the columns that are 1. The latter is recognised by lines of different length with
 * integers over 1. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "build_graph.h"
#include "base/alloc.h"
#include "add_vertices.h"
#include "csv_table.h"

static const char NODE_FILE[] = "out1_node_feature_label.txt", EDGE_FILE[] = "out1_graph_edges.txt";

typedef struct {
    int64_t n;          /* number of values */
    int64_t line;       /* line number */
    gnd_csv_field text; /* points into the file, which stays open */
    int32_t label;
} node;

typedef struct {
    gnd_text nodes, edges;
    gnd_header header;
    gnd_graph *g;
    gnd_names *ids; /* in the order of the file */
    node *of;       /* [cap] */
    int64_t cap, n_feat;
    bool lists; /* the film variant */
    gnd_coo feat, arc;
} geom;

static gnd_status new_node(node **out, geom *x, gnd_csv_field id, gnd_error *err)
{
    const int64_t n = gnd_names_count(x->ids);
    char show[GND_SHOWN];
    int64_t i;

    if (id.len == 0)
        return gnd_text_fail(&x->nodes, err, "the id of the vertex is empty");
    if (n == x->cap) {
        const int64_t cap = 2 * x->cap + 256;
        node *of = gnd_realloc(x->of, cap, sizeof *of);

        if (!of)
            return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for vertices", x->nodes.path);
        x->of = of;
        x->cap = cap;
    }
    i = gnd_names_add(x->ids, id.s, id.len);
    if (i < 0 || i > GND_MAX_NODE)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for vertex ids", x->nodes.path);
    if (i < n)
        return gnd_text_fail(&x->nodes, err, "vertex '%s' is already in line %lld",
                             gnd_field_show(show, id), (long long)x->of[i].line);
    x->of[i] = (node){.line = x->nodes.line, .label = -1};
    *out = &x->of[i];
    return GND_OK;
}

/* The header's own first word, or one that marks a header in every text file. */
static bool is_header(const geom *x, bool first, gnd_csv_field f)
{
    return first && (x->header == GND_HEADER_YES ||
                     (x->header == GND_HEADER_AUTO && (gnd_column_rank(GND_ROLE_ID, f) == 1 ||
                                                       gnd_column_rank(GND_ROLE_SOURCE, f) > 0)));
}

static gnd_status node_line(geom *x, const gnd_csv_field f[3], gnd_error *err)
{
    node *v = NULL;
    gnd_status st = GND_OK;

    GND_TRY(new_node(&v, x, f[0], err));
    v->text = f[1].len > 0 ? f[1] : (gnd_csv_field){0};
    v->n = f[1].len > 0;
    for (size_t i = 0; i < f[1].len; i++)
        v->n += f[1].s[i] == ',';
    if (f[2].len > 0 && !gnd_field_equals(f[2], "-1"))
        GND_TRY(gnd_graph_class_of(&v->label, x->g, f[2].s, f[2].len, err));
out:
    return st;
}

static gnd_status read_nodes(geom *x, gnd_error *err)
{
    gnd_csv_field f[3] = {{0}};
    const char *s;
    size_t len;
    int64_t n;
    gnd_status st = GND_OK;

    for (bool first = true; gnd_text_data_line(&x->nodes, &s, &len); first = false) {
        GND_TRY(gnd_fields_split(gnd_text_fields(&x->nodes, s, len, '\t'), f, 3, &n, err));
        if (n != 3)
            GND_TRY(gnd_text_fail(&x->nodes, err,
                                  "expected id, features and label separated by tabs; got %lld "
                                  "field%s",
                                  (long long)n, n == 1 ? "" : "s"));
        if (!is_header(x, first, f[0]))
            GND_TRY(node_line(x, f, err));
    }
    if (gnd_names_count(x->ids) == 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has no vertices", x->nodes.path));
out:
    return st;
}

/* The next value of a list separated by commas; false at its end. */
static bool next_value(gnd_csv_field *f, gnd_csv_field *rest)
{
    const char *comma;

    if (!rest->s)
        return false;
    comma = memchr(rest->s, ',', rest->len);
    f->s = rest->s;
    f->len = comma ? (size_t)(comma - rest->s) : rest->len;
    rest->s = comma ? comma + 1 : NULL;
    rest->len -= f->len + (comma != NULL);
    return true;
}

/* Lines of different length with integers over 1 are lists of columns; if all values are 0 or 1,
 * lines are cut off. */
static bool are_lists(const geom *x)
{
    const int64_t n = gnd_names_count(x->ids);
    bool ragged = false, over = false;

    for (int64_t i = 0; i < n; i++) {
        gnd_csv_field rest = x->of[i].text, f;
        int32_t number;

        ragged |= x->of[i].n != x->of[0].n;
        while (next_value(&f, &rest)) {
            if (!gnd_field_vertex(&number, f))
                return false;
            over |= number > 1;
        }
    }
    return ragged && over;
}

static gnd_status add_value(geom *x, int64_t i, int64_t k, gnd_csv_field f, gnd_error *err)
{
    char why[GND_NOT_REAL];
    int32_t column;
    double value;

    if (x->lists) {
        gnd_field_vertex(&column, f);
        if (!gnd_text_plausible(&x->nodes, column))
            return gnd_text_fail(&x->nodes, err, "column %d is out of range", column);
        x->n_feat = column >= x->n_feat ? (int64_t)column + 1 : x->n_feat;
        return gnd_coo_add(&x->feat, (int32_t)i, column, 1, err);
    }
    if (!gnd_field_real(&value, f))
        return gnd_text_fail(&x->nodes, err, "feature %lld: %s", (long long)k,
                             gnd_field_not_real(why, f));
    if (value == 0)
        return GND_OK;
    return gnd_coo_add(&x->feat, (int32_t)i, (int32_t)k, value, err);
}

static gnd_status read_features(geom *x, gnd_error *err)
{
    const int64_t n = gnd_names_count(x->ids);
    gnd_status st = GND_OK;

    x->lists = are_lists(x);
    if (!x->lists)
        x->n_feat = x->of[0].n;
    if (x->n_feat > GND_MAX_FEAT)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has too many features", x->nodes.path));
    for (int64_t i = 0; i < n; i++) {
        gnd_csv_field rest = x->of[i].text, f;

        x->nodes.line = x->of[i].line; /* for messages */
        if (!x->lists && x->of[i].n != x->n_feat)
            GND_TRY(gnd_text_fail(
                &x->nodes, err, "expected %lld features as in line %lld; got %lld",
                (long long)x->n_feat, (long long)x->of[0].line, (long long)x->of[i].n));
        for (int64_t k = 0; next_value(&f, &rest); k++)
            GND_TRY(add_value(x, i, k, f, err));
    }
out:
    return st;
}

static gnd_status find_end(int32_t *out, const geom *x, gnd_csv_field id, gnd_error *err)
{
    const int64_t i = gnd_names_find(x->ids, id.s, id.len);
    char show[GND_SHOWN];

    if (i < 0)
        return gnd_text_fail(&x->edges, err, "vertex '%s' is not in %s", gnd_field_show(show, id),
                             NODE_FILE);
    *out = (int32_t)i;
    return GND_OK;
}

static gnd_status read_edges(geom *x, gnd_error *err)
{
    gnd_csv_field f[2] = {{0}};
    const char *s;
    size_t len;
    int64_t n;
    int32_t u = 0, v = 0;
    char sep = 0;
    gnd_status st = GND_OK;

    for (bool first = true; gnd_text_data_line(&x->edges, &s, &len); first = false) {
        if (first)
            sep = gnd_text_separator(&x->edges, s, len);
        GND_TRY(gnd_fields_split(gnd_text_fields(&x->edges, s, len, sep), f, 2, &n, err));
        if (n != 2)
            GND_TRY(gnd_text_fail(&x->edges, err,
                                  "expected two ids separated by %s; got %lld field%s",
                                  gnd_separator_name(sep), (long long)n, n == 1 ? "" : "s"));
        if (is_header(x, first, f[0]))
            continue;
        GND_TRY(find_end(&u, x, f[0], err));
        GND_TRY(find_end(&v, x, f[1], err));
        GND_TRY(gnd_coo_add(&x->arc, u, v, 1, err));
    }
    if (x->arc.n == 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has no edges", x->edges.path));
out:
    return st;
}

/* Make the graph from what was read. */
static gnd_status assemble(geom *x, gnd_error *err)
{
    const int64_t n = gnd_names_count(x->ids);
    int32_t *label = gnd_alloc(n, sizeof *label);
    int64_t n_dup = 0;
    gnd_status st = GND_OK;

    if (!label)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)n));
    for (int64_t i = 0; i < n; i++)
        label[i] = x->of[i].label;
    GND_TRY(gnd_graph_build(x->g, &(gnd_graph_parts){&x->ids, label, &x->arc, &x->feat, x->n_feat},
                            &n_dup, err));
    if (x->lists)
        GND_TRY(gnd_notes_add(&x->g->notes, GND_NOTE, "feature_lists", err,
                              "%s: features are lists of columns", x->nodes.path));
    if (n_dup > 0)
        GND_TRY(gnd_notes_add(&x->g->notes, GND_NOTE, "duplicate_edges", err,
                              "%s: %lld duplicate edge%s merged", x->edges.path, (long long)n_dup,
                              n_dup == 1 ? " was" : "s were"));
out:
    gnd_free(label);
    return st;
}

/* Length of the folder's name in path, which is the folder or one of the files in it. */
static size_t folder_length(const char *path)
{
    size_t n = strlen(path);

    if (gnd_path_ends(path, NODE_FILE))
        n -= sizeof NODE_FILE - 1;
    else if (gnd_path_ends(path, EDGE_FILE))
        n -= sizeof EDGE_FILE - 1;
    while (n > 1 && path[n - 1] == '/')
        n--;
    return n;
}

static char *file_in(const char *path, const char *name)
{
    const size_t n = folder_length(path);
    char *s = gnd_alloc((int64_t)(n + strlen(name) + 3), 1);

    if (s)
        sprintf(s, "%.*s%s%s", n ? (int)n : 1, n ? path : ".", n && path[n - 1] == '/' ? "" : "/",
                name);
    return s;
}

static gnd_status geomgcn_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                               gnd_error *err)
{
    char *nodes = file_in(path, NODE_FILE), *edges = file_in(path, EDGE_FILE);
    geom x = {.ids = gnd_names_new(), .header = gnd_csv_header_option(o, GND_CSV_EDGES)};
    char name[256], folder[1024];
    gnd_status st = GND_OK;

    *out = NULL;
    if (!nodes || !edges || !x.ids)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path));
    GND_TRY(gnd_text_open_watched(&x.nodes, nodes, o, err));
    GND_TRY(gnd_text_open_watched(&x.edges, edges, o, err));
    snprintf(folder, sizeof folder, "%.*s", (int)folder_length(path), path);
    gnd_path_stem(name, sizeof name, folder);
    GND_TRY(gnd_graph_new(&x.g, name, 0, err));
    GND_TRY(read_nodes(&x, err));
    GND_TRY(read_features(&x, err));
    GND_TRY(read_edges(&x, err));
    GND_TRY(assemble(&x, err));
    GND_TRY(gnd_graph_check(x.g, nodes, err));
    *out = x.g;
    x.g = NULL;
out:
    gnd_graph_free(x.g);
    gnd_names_free(x.ids);
    gnd_free(x.of);
    gnd_coo_fini(&x.feat);
    gnd_coo_fini(&x.arc);
    gnd_text_close(&x.nodes);
    gnd_text_close(&x.edges);
    gnd_free(nodes);
    gnd_free(edges);
    return st;
}

static bool geomgcn_sniff(const char *path, const char *head, size_t n_head)
{
    char *nodes;
    bool yes;

    (void)head;
    if (gnd_path_ends(path, NODE_FILE) || gnd_path_ends(path, EDGE_FILE))
        return true;
    if (n_head > 0)
        return false;
    nodes = file_in(path, NODE_FILE);
    yes = nodes && access(nodes, F_OK) == 0;
    gnd_free(nodes);
    return yes;
}

static bool geomgcn_part(char *buf, size_t size, const char *path, int i)
{
    char *file = i < 2 ? file_in(path, i == 0 ? NODE_FILE : EDGE_FILE) : NULL;
    const bool fits = file && strlen(file) < size;

    if (fits)
        strcpy(buf, file);
    gnd_free(file);
    return fits;
}

const gnd_format gnd_format_geomgcn = {
    .name = "geomgcn",
    .about = "Geom-GCN text: a folder with out1_node_feature_label.txt and out1_graph_edges.txt",
    .sniff = geomgcn_sniff,
    .read = geomgcn_read,
    .part = geomgcn_part,
};
