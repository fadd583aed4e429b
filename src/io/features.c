/* SPDX-License-Identifier: MIT
 * features.c - read features for the vertices of a graph. CSV files give the id of each vertex;
 * rows of npz, Matrix Market and svmlight files are in the order of the vertices. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "io.h"
#include "add_vertices.h"
#include "mtx.h"
#include "npz.h"
#include "text.h"
#include "coo.h"

typedef struct {
    gnd_text text;
    gnd_id_map map;
    gnd_coo entry;
    int64_t *line; /* [cap], by number in the id map: line that has its features; 0: none */
    int64_t cap, n_feat, n_row, first;
    char sep;
} table;

static gnd_status reserve(table *x, gnd_error *err)
{
    const int64_t n = gnd_id_map_count(&x->map), cap = n + n / 2;
    int64_t *line;

    if (n <= x->cap)
        return GND_OK;
    line = gnd_realloc(x->line, cap, sizeof *line);
    if (!line)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for features", x->text.path);
    memset(line + x->cap, 0, (size_t)(cap - x->cap) * sizeof *line);
    x->line = line;
    x->cap = cap;
    return GND_OK;
}

static gnd_status bad_value(const table *x, gnd_csv_field f, int64_t column, bool first,
                            gnd_error *err)
{
    char show[GND_SHOWN];

    return gnd_fail(err, GND_ERR_FORMAT, "%s:%lld:%lld: expected a finite number; got '%s'%s",
                    x->text.path, (long long)x->text.line, (long long)column,
                    gnd_field_show(show, f),
                    first ? " (if the first line is a header, set the option header to yes)" : "");
}

/* Does the first line name the columns? A known name in the first column is not enough, since a
 * vertex may be called "to": one of the values must be a word. *n: number of fields after the
 * first. */
static bool is_header(int64_t *n, const gnd_fields *c, gnd_csv_field id, gnd_header header)
{
    gnd_fields look = *c;
    bool words = false;
    gnd_csv_field f;
    double value;

    if (header == GND_HEADER_NO || (header == GND_HEADER_AUTO && !gnd_field_is_known_name(id)))
        return false;
    for (*n = 0; gnd_fields_next(&look, &f); ++*n)
        words |= f.len > 0 && !gnd_field_real(&value, f);
    return !look.bad &&
           (words || header == GND_HEADER_YES); /* the reader reports an invalid quote later */
}

/* Read the values of a line into row v. */
static gnd_status csv_values(int64_t *n, table *x, gnd_fields *c, int32_t v, bool first,
                             gnd_error *err)
{
    gnd_csv_field f;
    double value;
    gnd_status st = GND_OK;

    for (*n = 0; gnd_fields_next(c, &f); ++*n) {
        if (f.len == 0)
            continue;
        if (!gnd_field_real(&value, f))
            GND_TRY(bad_value(x, f, *n + 2, first, err));
        if (value != 0) {
            if (*n > GND_MAX_FEAT)
                GND_TRY(gnd_text_fail(&x->text, err, "has too many columns"));
            GND_TRY(gnd_coo_add(&x->entry, v, (int32_t)*n, value, err));
        }
    }
    if (c->bad)
        GND_TRY(gnd_text_fail(&x->text, err, "%s", c->bad));
out:
    return st;
}

static gnd_status csv_id(int32_t *v, table *x, gnd_csv_field id, gnd_error *err)
{
    char show[GND_SHOWN];
    gnd_status st = GND_OK;

    if (id.len == 0)
        return gnd_text_fail(&x->text, err, "the id of the vertex is empty");
    GND_TRY(gnd_id_map_find(v, &x->map, id, err));
    GND_TRY(reserve(x, err));
    if (x->line[*v] != 0)
        return gnd_text_fail(&x->text, err, "vertex '%s' already has features (line %lld)",
                             gnd_field_show(show, id), (long long)x->line[*v]);
    x->line[*v] = x->text.line;
    x->n_row++;
out:
    return st;
}

static gnd_status csv_line(table *x, const char *s, size_t len, bool first, gnd_header header,
                           gnd_error *err)
{
    gnd_fields c = gnd_text_fields(&x->text, s, len, x->sep);
    gnd_csv_field id;
    int32_t v;
    int64_t n;
    gnd_status st = GND_OK;

    if (!gnd_fields_next(&c, &id))
        return gnd_text_fail(&x->text, err, "%s", c.bad ? c.bad : "has no fields");
    if (!first || !is_header(&n, &c, id, header)) {
        GND_TRY(csv_id(&v, x, id, err));
        GND_TRY(csv_values(&n, x, &c, v, first, err));
    }
    if (first) {
        x->n_feat = n;
        x->first = x->text.line;
    }
    if (n == 0)
        return gnd_text_fail(&x->text, err,
                             "expected an id and features separated by %s; got 1 field",
                             gnd_separator_name(x->sep));
    if (n != x->n_feat)
        return gnd_text_fail(&x->text, err,
                             "expected %lld fields separated by %s as in line %lld; got %lld",
                             (long long)x->n_feat + 1, gnd_separator_name(x->sep),
                             (long long)x->first, (long long)n + 1);
out:
    return st;
}

static gnd_status csv_notes(gnd_graph *g, const table *x, gnd_error *err)
{
    const long long n_new = (long long)gnd_names_count(x->map.fresh);
    const long long n_bare = (long long)(gnd_id_map_count(&x->map) - x->n_row);
    gnd_status st = GND_OK;

    GND_TRY(gnd_text_note_tags(&x->text, g, err));
    if (n_new > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "vertices_added", err,
                              "%s: %lld vert%s no edges; added as isolated vert%s", x->text.path,
                              n_new, n_new == 1 ? "ex has" : "ices have",
                              n_new == 1 ? "ex" : "ices"));
    if (n_bare > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "vertices_without_features", err,
                              "%s: %lld vert%s no row here; their features are 0", x->text.path,
                              n_bare, n_bare == 1 ? "ex has" : "ices have"));
out:
    return st;
}

static gnd_status csv_read(gnd_graph *g, table *x, gnd_header header, gnd_error *err)
{
    gnd_text *t = &x->text;
    gnd_addition grown = {0};
    gnd_csr feat = {0};
    const char *s;
    size_t len;
    gnd_status st = GND_OK;

    GND_TRY(gnd_id_map_init(&x->map, g, err));
    for (bool first = true; gnd_text_data_line(t, &s, &len); first = false) {
        if (first)
            x->sep = gnd_text_separator(t, s, len);
        GND_TRY(csv_line(x, s, len, first, header, err));
    }
    if (x->n_row == 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has no features", t->path));
    GND_TRY(gnd_addition_init(&grown, &x->map, err));
    for (int64_t p = 0; p < x->entry.n; p++)
        x->entry.row[p] = grown.place[x->entry.row[p]];
    GND_TRY(gnd_coo_to_csr(&feat, &x->entry, grown.n_node, x->n_feat, NULL, err));
    GND_TRY(csv_notes(g, x, err));
    gnd_graph_add_vertices(g, &grown);
    GND_TRY(gnd_graph_replace_features(g, &feat, err));
out:
    gnd_csr_fini(&feat);
    gnd_addition_fini(&grown);
    return st;
}

/* Rows without ids are in vertex order, so their number must be that of the vertices. */
static gnd_status take_rows(gnd_graph *g, gnd_csr *feat, const char *path, gnd_error *err)
{
    gnd_status st = GND_OK;

    if (feat->n_row != g->n_node)
        return gnd_fail(
            err, GND_ERR_SHAPE,
            "%s: has %lld rows of features; expected %lld, one per vertex of the graph%s", path,
            (long long)feat->n_row, (long long)g->n_node,
            feat->n_row > g->n_node ? " (if some have no edge, write '# gnd vertices N' at the top "
                                      "of the edge list, or give "
                                      "features as CSV with ids)"
                                    : "");
    if (feat->n_col < 1)
        return gnd_fail(err, GND_ERR_SHAPE, "%s: has no columns of features", path);
    GND_TRY(gnd_csr_check(feat, "feature", err));
    if (g->ids)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "rows_in_vertex_order", err,
                              "%s: rows are in vertex order: ascending if ids are whole numbers, "
                              "else as ids first appear in the graph",
                              path));
    gnd_csr_drop_ones(feat);
    GND_TRY(gnd_graph_replace_features(g, feat, err));
out:
    return st;
}

/* The next token of a svmlight line; a comment ends the line. */
static bool svm_next(gnd_fields *c, gnd_csv_field *f)
{
    return gnd_fields_next(c, f) && f->len > 0 && f->s[0] != '#';
}

/* idx:value; false if f is not of that form. */
static bool svm_pair(int64_t *index, double *value, gnd_csv_field f)
{
    const char *colon = memchr(f.s, ':', f.len);
    const size_t k = colon ? (size_t)(colon - f.s) : 0;

    return colon && gnd_parse_int(index, f.s, k) &&
           gnd_field_real(value, (gnd_csv_field){.s = colon + 1, .len = f.len - k - 1});
}

static gnd_status svm_line(table *x, const char *s, size_t len, bool *zero, gnd_error *err)
{
    gnd_fields c = gnd_text_fields(&x->text, s, len, ' ');
    char show[GND_SHOWN];
    gnd_csv_field f;
    int64_t index, last = -1;
    double value;
    gnd_status st = GND_OK;

    for (int64_t k = 0; svm_next(&c, &f); k++) {
        if (k == 0 && !memchr(f.s, ':', f.len))
            continue; /* the label */
        if (f.len > 4 && memcmp(f.s, "qid:", 4) == 0)
            continue;
        if (!svm_pair(&index, &value, f) || index < 0)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                             "%s:%lld:%lld: expected index:value, a finite number; got '%s'",
                             x->text.path, (long long)x->text.line, (long long)k + 1,
                             gnd_field_show(show, f)));
        if (index > GND_MAX_FEAT || !gnd_text_plausible(&x->text, index))
            GND_TRY(gnd_text_fail(&x->text, err, "index %lld is out of range", (long long)index));
        if (index <= last)
            GND_TRY(gnd_text_fail(&x->text, err, "index %lld after index %lld; expected ascending",
                                  (long long)index, (long long)last));
        last = index;
        *zero |= index == 0;
        x->n_feat = index >= x->n_feat ? index + 1 : x->n_feat;
        if (value != 0)
            GND_TRY(gnd_coo_add(&x->entry, (int32_t)x->n_row, (int32_t)index, value, err));
    }
    if (c.bad)
        GND_TRY(gnd_text_fail(&x->text, err, "%s", c.bad));
    x->n_row++;
out:
    return st;
}

static gnd_status svm_read(gnd_graph *g, table *x, gnd_error *err)
{
    gnd_csr feat = {0};
    bool zero = false;
    const char *s;
    size_t len;
    gnd_status st = GND_OK;

    while (gnd_text_data_line(&x->text, &s, &len))
        GND_TRY(svm_line(x, s, len, &zero, err));
    if (!zero && x->n_feat > 0) {
        x->n_feat--;
        for (int64_t p = 0; p < x->entry.n; p++)
            x->entry.col[p]--;
    }
    if (x->n_row > GND_MAX_NODE)
        GND_TRY(gnd_text_fail(&x->text, err, "has too many rows"));
    GND_TRY(gnd_coo_to_csr(&feat, &x->entry, x->n_row, x->n_feat, NULL, err));
    GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "svmlight_base", err,
                          "%s: svmlight with indices from %d%s", x->text.path, zero ? 0 : 1,
                          zero ? "" : ", since none is 0"));
    GND_TRY(take_rows(g, &feat, x->text.path, err));
out:
    gnd_csr_fini(&feat);
    return st;
}

/* Is the file svmlight? Decided by the first line with two tokens: one of them must be
 * idx:value. */
static bool is_svmlight(gnd_text *t)
{
    const char *s;
    size_t len;
    bool yes = false, know = false;

    while (!know && gnd_text_data_line(t, &s, &len)) {
        size_t n = 0, begin = 0;

        know = memchr(s, ',', len) || memchr(s, '\t', len) || memchr(s, '"', len);
        for (size_t i = 0; !know && i <= len; i++) {
            int64_t index;
            double value;

            if (i < len && s[i] != ' ')
                continue;
            if (i > begin && n++ < 3) {
                yes = svm_pair(&index, &value, (gnd_csv_field){.s = s + begin, .len = i - begin}) ||
                      (n == 2 && i - begin > 4 && memcmp(s + begin, "qid:", 4) == 0);
                know = yes || n == 2;
            }
            begin = i + 1;
        }
    }
    gnd_text_rewind(t);
    return yes;
}

static gnd_status load_npz(gnd_graph *g, const char *path, int64_t max_input, gnd_error *err)
{
    gnd_csr feat = {0};
    int64_t n_merged;
    gnd_status st = GND_OK;

    GND_TRY(gnd_npz_load_matrix(&feat, &n_merged, path, max_input, err));
    if (n_merged > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "duplicate_entries", err,
                              "%s: %lld duplicate entr%s added to the first one", path,
                              (long long)n_merged, n_merged == 1 ? "y was" : "ies were"));
    GND_TRY(take_rows(g, &feat, path, err));
out:
    gnd_csr_fini(&feat);
    return st;
}

static gnd_status load_mtx(gnd_graph *g, const char *path, int64_t max_input, gnd_error *err)
{
    gnd_csr feat = {0};
    int64_t n_merged = 0;
    gnd_status st = GND_OK;

    GND_TRY(gnd_mtx_load_matrix(&feat, &n_merged, path, max_input, err));
    if (n_merged > 0)
        GND_TRY(gnd_notes_add(&g->notes, GND_NOTE, "duplicate_entries", err,
                              "%s: %lld duplicate entr%s merged (the largest stays)", path,
                              (long long)n_merged, n_merged == 1 ? "y was" : "ies were"));
    GND_TRY(take_rows(g, &feat, path, err));
out:
    gnd_csr_fini(&feat);
    return st;
}

static gnd_status load_text(gnd_graph *g, const char *path, const gnd_load_opts *o, gnd_error *err)
{
    static const char banner[] = "%%MatrixMarket";
    table x = {0};
    bool is_mtx;
    gnd_status st = GND_OK;

    GND_TRY(gnd_text_open_lines(&x.text, path, o->max_input, err));
    is_mtx = x.text.size >= sizeof banner - 1 &&
             gnd_field_equals((gnd_csv_field){.s = x.text.data, .len = sizeof banner - 1}, banner);
    if (is_mtx) {
        gnd_text_close(&x.text);
        GND_TRY(load_mtx(g, path, o->max_input, err));
    } else if (is_svmlight(&x.text)) {
        GND_TRY(svm_read(g, &x, err));
    } else {
        GND_TRY(csv_read(g, &x, o->header, err));
    }
out:
    gnd_free(x.line);
    gnd_coo_fini(&x.entry);
    gnd_id_map_fini(&x.map);
    gnd_text_close(&x.text);
    return st;
}

gnd_status gnd_features_load(gnd_graph *g, const char *path, const gnd_load_opts *o, gnd_error *err)
{
    const gnd_load_opts none = {0};
    const int64_t n_note = g->notes.n;
    char magic[4] = {0};
    struct stat sb;
    gnd_status st = GND_OK;
    FILE *f = fopen(path, "rb");

    if (!f)
        return gnd_fail(err, GND_ERR_IO, "%s: %s", path, strerror(errno));
    o = o ? o : &none;
    /* A pipe is not inspected, since bytes read from it are lost. */
    if (gnd_path_ends(path, ".npz") ||
        (fstat(fileno(f), &sb) == 0 && S_ISREG(sb.st_mode) &&
         fread(magic, 1, sizeof magic, f) == sizeof magic && memcmp(magic, "PK\3\4", 4) == 0))
        GND_TRY(load_npz(g, path, o->max_input, err));
    else
        GND_TRY(load_text(g, path, o, err));
out:
    fclose(f);
    if (st != GND_OK)
        gnd_notes_cut(&g->notes, n_note);
    return st;
}
