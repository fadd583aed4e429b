/* SPDX-License-Identifier: MIT
 * ogb.c - read a node property set of the Open Graph Benchmark as it is downloaded, such as
 * ogbn-arxiv: a folder with raw/edge.csv.gz, raw/num-node-list.csv.gz and, if there are features
 * and labels, raw/node-feat.csv.gz and raw/node-label.csv.gz. Lines have no header and no ids: line
 * i is vertex i. The files may also be unpacked. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "coo.h"
#include "find_dataset.h"
#include "io.h"
#include "text.h"

/* Files of raw/, in the order of gnd_dataset_files. */
static const char *const file_name[] = {"edge.csv", "num-node-list.csv", "num-edge-list.csv",
                                        "node-feat.csv", "node-label.csv"};
enum { EDGE, N_NODE, N_EDGE, FEAT, LABEL, N_FILE };

/* Put folder/sub/name or the same with .gz into buf; is there such a file? */
static bool find(char *buf, size_t size, const char *folder, const char *sub, const char *name)
{
    static const char *const tails[] = {".gz", ""};
    size_t n = strlen(folder);

    while (n > 1 && folder[n - 1] == '/')
        n--;
    for (int k = 0; k < 2; k++) {
        const int len = snprintf(buf, size, "%.*s/%s%s%s", (int)n, folder, sub, name, tails[k]);

        if (len > 0 && (size_t)len < size && access(buf, F_OK) == 0)
            return true;
    }
    return false;
}

/* A file of raw/; the folder may also be raw/ itself. */
static bool find_raw(char *buf, size_t size, const char *path, const char *name)
{
    return find(buf, size, path, "raw/", name) || find(buf, size, path, "", name);
}

typedef struct {
    const char *path; /* the folder */
    gnd_text text;
    char file[GND_PATH_SIZE]; /* path of the file, which text borrows */
    const gnd_load_opts *o;   /* may be NULL */
    gnd_graph *g;
} reader;

/* Open a file of raw/. *found: it exists. */
static gnd_status open_raw(reader *x, int which, bool *found, gnd_error *err)
{
    gnd_text_close(&x->text);
    *found = find_raw(x->file, sizeof x->file, x->path, file_name[which]);
    return *found ? gnd_text_open_watched(&x->text, x->file, x->o, err) : GND_OK;
}

/* The next value of a line; false at its end. */
static bool next_value(gnd_csv_field *f, const char **s, size_t *len)
{
    const char *comma;

    if (!*s)
        return false;
    comma = memchr(*s, ',', *len);
    f->s = *s;
    f->len = comma ? (size_t)(comma - *s) : *len;
    *s = comma ? comma + 1 : NULL;
    *len -= f->len + (comma != NULL);
    return true;
}

/* The one number of num-node-list or num-edge-list; -1 if there is no such file. */
static gnd_status read_count(int64_t *out, reader *x, int which, gnd_error *err)
{
    const char *s, *more;
    size_t len, n_more;
    bool found;
    gnd_status st = GND_OK;

    *out = -1;
    GND_TRY(open_raw(x, which, &found, err));
    if (!found)
        return GND_OK;
    GND_TRY(gnd_load_check(x->o, err));
    if (!gnd_text_data_line(&x->text, &s, &len) || !gnd_parse_int(out, s, len) || *out < 0)
        GND_TRY(gnd_text_fail(&x->text, err, "expected a count"));
    if (gnd_text_data_line(&x->text, &more, &n_more))
        GND_TRY(gnd_text_fail(&x->text, err,
                              "the folder has several graphs; gnd reads sets of one graph"));
out:
    return st;
}

/* Open the edges and make a graph of n vertices. */
static gnd_status start(reader *x, int64_t n, gnd_error *err)
{
    char name[256];
    bool found;
    gnd_status st = GND_OK;

    if (n < 1 || n > GND_MAX_NODE)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: %s must state 1 to %d vertices", x->path,
                         file_name[N_NODE], GND_MAX_NODE));
    GND_TRY(open_raw(x, EDGE, &found, err));
    if (!found)
        GND_TRY(
            gnd_fail(err, GND_ERR_IO, "%s: the folder has no raw/%s.gz", x->path, file_name[EDGE]));
    if (!gnd_text_plausible(&x->text, n))
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                         "%s: %lld vertices in %s are more than %zu bytes of edges can have",
                         x->file, (long long)n, file_name[N_NODE], x->text.size));
    gnd_path_stem(name, sizeof name, x->path);
    GND_TRY(gnd_graph_new(&x->g, name, n, err));
out:
    return st;
}

static gnd_status read_edges(reader *x, int64_t n_edge, gnd_error *err)
{
    gnd_coo arc = {0};
    const char *s;
    size_t len;
    int64_t n_dup = 0;
    gnd_status st = GND_OK;

    while (gnd_text_data_line(&x->text, &s, &len)) {
        gnd_csv_field f = {0};
        int32_t end[2] = {0, 0};
        int n = 0;

        for (; next_value(&f, &s, &len); n++)
            if (n > 1 || !gnd_field_vertex(&end[n], f) || end[n] >= x->g->n_node)
                GND_TRY(gnd_text_fail(&x->text, err, "expected two vertices from 0 to %lld",
                                      (long long)x->g->n_node - 1));
        if (n != 2)
            GND_TRY(gnd_text_fail(&x->text, err, "expected two vertices; got one"));
        GND_TRY(gnd_coo_add(&arc, end[0], end[1], 1, err));
    }
    GND_TRY(gnd_load_check(x->o, err)); /* after a request to stop there are no more lines */
    if (n_edge >= 0 && arc.n != n_edge)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has %lld edges; %s says %lld", x->file,
                         (long long)arc.n, file_name[N_EDGE], (long long)n_edge));
    GND_TRY(gnd_coo_to_csr(&x->g->adj, &arc, x->g->n_node, x->g->n_node, &n_dup, err));
    if (n_dup > 0)
        GND_TRY(gnd_notes_add(&x->g->notes, GND_NOTE, "duplicate_edges", err,
                              "%s: %lld duplicate edge%s merged", x->file, (long long)n_dup,
                              n_dup == 1 ? " was" : "s were"));
out:
    gnd_coo_fini(&arc);
    return st;
}

/* ---- features ---- */

/* Number of values of the first line. */
static int64_t width_of(const gnd_text *t)
{
    const char *end = memchr(t->data, '\n', t->size);
    const size_t len = end ? (size_t)(end - t->data) : t->size;
    int64_t n = 1;

    for (size_t i = 0; i < len; i++)
        n += t->data[i] == ',';
    return n;
}

/* Append the values of a line to row i of feat, whose entries so far are *nnz. */
static gnd_status read_row(reader *x, gnd_csr *feat, int64_t *nnz, const char *s, size_t len,
                           gnd_error *err)
{
    gnd_csv_field f;
    char show[GND_SHOWN];
    double value;
    int64_t k = 0;

    for (; k < feat->n_col && next_value(&f, &s, &len); k++) {
        if (!gnd_field_real(&value, f))
            return gnd_text_fail(&x->text, err,
                                 "expected a finite number as feature %lld; got '%s'", (long long)k,
                                 gnd_field_show(show, f));
        feat->col[*nnz] = (int32_t)k;
        feat->val[*nnz] = (gnd_real)value;
        *nnz += value != 0;
    }
    if (s || k != feat->n_col)
        return gnd_text_fail(&x->text, err, "expected %lld features as in line 1; got %s",
                             (long long)feat->n_col, s ? "more" : "fewer");
    return GND_OK;
}

static gnd_status wrong_rows(const reader *x, bool fewer, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_FORMAT, "%s: has %s lines than the %lld vertices of %s", x->file,
                    fewer ? "fewer" : "more", (long long)x->g->n_node, file_name[N_NODE]);
}

static gnd_status read_features(reader *x, gnd_error *err)
{
    const int64_t n = x->g->n_node;
    gnd_csr feat = {0};
    int64_t d, nnz = 0, i = 0;
    const char *s;
    size_t len;
    bool found;
    gnd_status st = GND_OK;

    GND_TRY(open_raw(x, FEAT, &found, err));
    if (!found)
        goto out;
    if (x->text.size == 0)
        GND_TRY(wrong_rows(x, true, err));
    d = width_of(&x->text);
    /* Each value takes two bytes at least, with its separator. */
    if (d > ((int64_t)x->text.size + 1) / 2 / n || d > GND_MAX_FEAT)
        GND_TRY(wrong_rows(x, true, err));
    GND_TRY(gnd_csr_init(&feat, n, d, n * d, true, err));
    for (; gnd_text_data_line(&x->text, &s, &len); i++) {
        if (i == n)
            GND_TRY(wrong_rows(x, false, err));
        GND_TRY(read_row(x, &feat, &nnz, s, len, err));
        feat.ptr[i + 1] = nnz;
    }
    GND_TRY(gnd_load_check(x->o, err));
    if (i < n)
        GND_TRY(wrong_rows(x, true, err));
    gnd_csr_drop_ones(&feat);
    x->g->feat = feat;
    x->g->n_feat = d;
    feat = (gnd_csr){0};
out:
    gnd_csr_fini(&feat);
    return st;
}

/* ---- labels ---- */

static bool is_unlabelled(gnd_csv_field f)
{
    return f.len == 0 || gnd_field_equals(f, "-1") || gnd_field_equals(f, "nan");
}

/* A class number; files that pandas wrote with missing values have "3.0". */
static bool class_get(int64_t *out, gnd_csv_field f)
{
    if (f.len > 2 && f.s[f.len - 2] == '.' && f.s[f.len - 1] == '0')
        f.len -= 2;
    return gnd_parse_int(out, f.s, f.len) && *out >= 0;
}

static gnd_status read_labels(reader *x, gnd_error *err)
{
    gnd_graph *g = x->g;
    char show[GND_SHOWN], name[32];
    const char *s;
    size_t len;
    bool found;
    int64_t i = 0, cls;
    gnd_status st = GND_OK;

    GND_TRY(open_raw(x, LABEL, &found, err));
    if (!found)
        goto out;
    if (x->text.size > 0 && width_of(&x->text) > 1) {
        GND_TRY(gnd_notes_add(&g->notes, GND_WARNING, "labels_not_used", err,
                              "%s: has %lld labels per vertex; gnd needs one, so none was read",
                              x->file, (long long)width_of(&x->text)));
        goto out;
    }
    for (; i < g->n_node && gnd_text_line(&x->text, &s, &len); i++) {
        const gnd_csv_field f = {.s = s, .len = len};

        if (is_unlabelled(f))
            continue;
        if (!class_get(&cls, f))
            GND_TRY(gnd_text_fail(&x->text, err, "expected a class number; got '%s'",
                                  gnd_field_show(show, f)));
        snprintf(name, sizeof name, "%lld", (long long)cls);
        GND_TRY(gnd_graph_class_of(&g->label[i], g, name, strlen(name), err));
    }
    GND_TRY(gnd_load_check(x->o, err));
    if (i < g->n_node || gnd_text_line(&x->text, &s, &len))
        GND_TRY(wrong_rows(x, i < g->n_node, err));
    GND_TRY(gnd_graph_sort_classes(g, err));
out:
    return st;
}

/* ---- the folder ---- */

/* Sets of other shapes, by name. */
static gnd_status refuse(const char *path, gnd_error *err)
{
    char file[GND_PATH_SIZE];

    if (find_raw(file, sizeof file, path, "triplet-type-list.csv") ||
        find_raw(file, sizeof file, path, "num-node-dict.csv"))
        return gnd_fail(err, GND_ERR_FORMAT,
                        "%s: vertices and edges have several types (%s); gnd reads graphs of one "
                        "type",
                        path, file);
    return GND_OK;
}

static gnd_status add_notes(reader *x, gnd_error *err)
{
    static const char *const kinds[] = {"time", "sales_ranking", "species", "random"};
    char file[GND_PATH_SIZE], sub[64];
    gnd_status st = GND_OK;

    if (find_raw(file, sizeof file, x->path, "edge-feat.csv"))
        GND_TRY(gnd_notes_add(&x->g->notes, GND_NOTE, "edge_attributes_ignored", err,
                              "%s: features of edges are not used", file));
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        snprintf(sub, sizeof sub, "split/%s/", kinds[k]);
        if (find(file, sizeof file, x->path, sub, "train.csv"))
            GND_TRY(gnd_notes_add(&x->g->notes, GND_NOTE, "split_not_used", err,
                                  "%s: the split of the set is not used; gnd draws its own", file));
    }
out:
    return st;
}

static gnd_status ogb_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                           gnd_error *err)
{
    reader *x = gnd_alloc(1, sizeof *x);
    int64_t n_node, n_edge;
    gnd_status st = GND_OK;

    *out = NULL;
    if (!x)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path);
    x->path = path;
    x->o = o;
    GND_TRY(refuse(path, err));
    GND_TRY(read_count(&n_node, x, N_NODE, err));
    GND_TRY(read_count(&n_edge, x, N_EDGE, err));
    GND_TRY(start(x, n_node, err));
    GND_TRY(read_edges(x, n_edge, err));
    GND_TRY(read_features(x, err));
    GND_TRY(read_labels(x, err));
    GND_TRY(add_notes(x, err));
    GND_TRY(gnd_graph_check(x->g, path, err));
    *out = x->g;
    x->g = NULL;
out:
    gnd_graph_free(x->g);
    gnd_text_close(&x->text);
    gnd_free(x);
    return st;
}

static bool ogb_sniff(const char *path, const char *head, size_t n_head)
{
    char file[GND_PATH_SIZE];

    (void)head;
    return n_head == 0 && (find_raw(file, sizeof file, path, file_name[N_NODE]) ||
                           find_raw(file, sizeof file, path, "num-node-dict.csv"));
}

static bool ogb_part(char *buf, size_t size, const char *path, int i)
{
    return i < N_FILE && (find_raw(buf, size, path, file_name[i]) ||
                          snprintf(buf, size, "%s/raw/%s.gz", path, file_name[i]) < (int)size);
}

const gnd_format gnd_format_ogb = {
    .name = "ogb",
    .about = "Open Graph Benchmark: the folder of a node property set, with raw/edge.csv.gz ...",
    .sniff = ogb_sniff,
    .read = ogb_read,
    .part = ogb_part,
};
