/* SPDX-License-Identifier: MIT
 * features.c - read features for the vertices of a graph. Tables (features_csv.c) give the id of
 * each vertex; rows of npz, Matrix Market and svmlight files are in the order of the vertices. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "io.h"
#include "coo.h"
#include "features_csv.h"
#include "mtx.h"
#include "npz.h"
#include "text.h"

/* The rows of a svmlight file. */
typedef struct {
    gnd_text text;
    gnd_coo entry;
    int64_t n_feat, n_row;
} svm;

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

static gnd_status svm_line(svm *x, const char *s, size_t len, bool *zero, gnd_error *err)
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
        GND_TRY(gnd_fields_fail(&c, err));
    x->n_row++;
out:
    return st;
}

static gnd_status svm_read(gnd_graph *g, svm *x, gnd_error *err)
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
    svm x = {0};
    bool is_mtx;
    gnd_status st = GND_OK;

    GND_TRY(gnd_text_open_watched(&x.text, path, o, err));
    is_mtx = x.text.size >= sizeof banner - 1 &&
             gnd_field_equals((gnd_csv_field){.s = x.text.data, .len = sizeof banner - 1}, banner);
    if (is_mtx) {
        gnd_text_close(&x.text);
        GND_TRY(load_mtx(g, path, o->max_input, err));
    } else if (is_svmlight(&x.text)) {
        GND_TRY(svm_read(g, &x, err));
    } else {
        GND_TRY(gnd_features_read_table(g, &x.text, o, err));
    }
out:
    gnd_coo_fini(&x.entry);
    gnd_text_close(&x.text);
    return st;
}

/* Is the file a zip archive? A pipe is not inspected, since bytes read from it are lost. */
static gnd_status is_zip(bool *yes, const char *path, gnd_error *err)
{
    char magic[4] = {0};
    struct stat sb;
    FILE *f;

    *yes = false;
    if (strcmp(path, "-") == 0)
        return GND_OK;
    f = fopen(path, "rb");
    if (!f)
        return gnd_fail(err, GND_ERR_IO, "%s: %s", path, strerror(errno));
    *yes = gnd_path_ends(path, ".npz") ||
           (fstat(fileno(f), &sb) == 0 && S_ISREG(sb.st_mode) &&
            fread(magic, 1, sizeof magic, f) == sizeof magic && memcmp(magic, "PK\3\4", 4) == 0);
    fclose(f);
    return GND_OK;
}

gnd_status gnd_features_load(gnd_graph *g, const char *path, const gnd_load_opts *o, gnd_error *err)
{
    const gnd_load_opts none = {0};
    const int64_t n_note = g->notes.n;
    bool zip;
    gnd_status st = GND_OK;

    o = o ? o : &none;
    GND_TRY(is_zip(&zip, path, err));
    GND_TRY(zip ? load_npz(g, path, o->max_input, err) : load_text(g, path, o, err));
out:
    if (st != GND_OK)
        gnd_notes_cut(&g->notes, n_note);
    return st;
}
