/* SPDX-License-Identifier: MIT
 * npz_graph.c - read graphs from npz files.
 *
 * The adjacency matrix is adj_data, adj_indices, adj_indptr, adj_shape, or adj_matrix.data ..., or
 * what scipy's save_npz writes, or a dense adj_matrix; the features are attr_* or attr_matrix.* or
 * a dense attr_matrix or features; then labels, class_names and node_names. Other members are
 * ignored. */
#include <string.h>

#include "base/alloc.h"
#include "build_graph.h"
#include "io.h"
#include "npz.h"

/* More classes than this and than vertices means that the array is not one of labels. */
enum { CLASS_MAX = 65536 };

/* Names under which a matrix may be stored: compressed under a prefix, or dense under a name. */
typedef struct {
    const char *prefix, *dense;
} place;

static const place adj_place[] = {
    {"adj_", NULL}, {"adj_matrix.", NULL}, {"", NULL}, {NULL, "adj_matrix"}, {NULL, "adj"}};
static const place feat_place[] = {
    {"attr_", NULL}, {"attr_matrix.", NULL}, {NULL, "attr_matrix"}, {NULL, "features"}};

/* Read the first of these that exists; *found: there is one. */
static gnd_status matrix_read(gnd_csr *out, bool *found, int64_t *n_merged, gnd_npz *z,
                              const place *at, size_t n_place, gnd_error *err)
{
    *found = false;
    for (size_t k = 0; k < n_place; k++) {
        char name[64];

        *found = true;
        if (at[k].prefix) {
            static const char *const part[] = {"indptr", "indices", "shape", "data"};

            for (size_t m = 0; m < sizeof part / sizeof part[0]; m++) {
                snprintf(name, sizeof name, "%s%s", at[k].prefix, part[m]);
                /* One part is enough to recognise the layout, so that a missing part is reported.
                 * Names without a prefix must be those of scipy, whose coo layout has no indptr. */
                if (gnd_npz_has(z, name) && (*at[k].prefix || gnd_npz_has(z, "shape")))
                    return gnd_npz_matrix(out, n_merged, z, at[k].prefix, err);
            }
        } else if (gnd_npz_has(z, at[k].dense)) {
            return gnd_npz_dense(out, z, at[k].dense, err);
        }
    }
    *found = false;
    return GND_OK;
}

static gnd_status adj_read(gnd_graph **out, gnd_npz *z, const char *path, gnd_error *err)
{
    gnd_csr adj = {0};
    gnd_graph *g = NULL;
    int64_t n_merged = 0;
    bool found;
    gnd_status st;

    GND_TRY(matrix_read(&adj, &found, &n_merged, z, adj_place,
                        sizeof adj_place / sizeof adj_place[0], err));
    if (!found)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                         "%s: has no graph; expected adj_data ..., adj_matrix.data ..., or "
                         "scipy's save_npz",
                         path));
    st = gnd_graph_of_matrix(&g, "npz", &adj, n_merged, err);
    if (st != GND_OK)
        gnd_error_prefix(err, "%s", path);
    GND_TRY(st);
    *out = g;
    g = NULL;
out:
    gnd_csr_fini(&adj);
    gnd_graph_free(g);
    return st;
}

static gnd_status feat_read(gnd_graph *g, gnd_npz *z, const char *path, gnd_error *err)
{
    gnd_csr feat = {0};
    int64_t n_merged = 0;
    bool found;
    gnd_status st;

    GND_TRY(matrix_read(&feat, &found, &n_merged, z, feat_place,
                        sizeof feat_place / sizeof feat_place[0], err));
    if (found)
        st = gnd_graph_take_features(g, &feat, n_merged, err);
    if (st != GND_OK)
        gnd_error_prefix(err, "%s", path);
out:
    gnd_csr_fini(&feat);
    return st;
}

/* Integer labels; negative means none. Sets label and n_class. */
static gnd_status labels_read(gnd_graph *g, gnd_npz *z, gnd_error *err)
{
    const int32_t most = g->n_node > CLASS_MAX ? (int32_t)g->n_node : CLASS_MAX;
    gnd_npy a;
    gnd_status st = GND_OK;

    if (!gnd_npz_has(z, "labels"))
        return GND_OK;
    GND_TRY(gnd_npz_array(&a, z, "labels", err));
    if (a.n_dim == 2 && a.dim[1] == 1)
        a.n_dim = 1; /* an array of one column is accepted */
    GND_TRY(gnd_npy_want(&a, 1, err));
    if (a.n_item != g->n_node)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "%s: %lld labels for %lld vertices", a.src.what,
                         (long long)a.n_item, (long long)g->n_node));
    GND_TRY(gnd_npy_int32(&a, g->label, INT32_MIN, most - 1, err));
    for (int64_t i = 0; i < g->n_node; i++) {
        if (g->label[i] < 0)
            g->label[i] = -1;
        if (g->label[i] >= g->n_class)
            g->n_class = g->label[i] + 1;
    }
out:
    return st;
}

/* The n strings of a member. *out NULL: it is missing, not plain strings, or not usable; a note
 * gives the reason. */
static gnd_status names_read(gnd_names **out, gnd_graph *g, gnd_npz *z, const char *name, int64_t n,
                             gnd_error *err)
{
    gnd_names *names = NULL;
    gnd_npy a;
    bool distinct, no_name;
    gnd_status st = GND_OK;

    *out = NULL;
    if (n == 0 || !gnd_npz_has(z, name))
        return GND_OK;
    GND_TRY(gnd_npz_array(&a, z, name, err));
    if (a.type.kind != 'U' && a.type.kind != 'S')
        goto out;
    if (a.n_item != n) {
        GND_TRY(gnd_notes_add(&g->notes, GND_WARNING, "names_not_used", err,
                              "%s was not used: %lld names for %lld", name, (long long)a.n_item,
                              (long long)n));
        goto out;
    }
    names = gnd_names_new();
    if (!names)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", a.src.what));
    GND_TRY(gnd_npy_names(&a, names, &distinct, err));
    /* Text files cannot contain such names: there these texts mean a missing value. */
    no_name = gnd_names_find(names, "", 0) >= 0 || gnd_names_find(names, "-1", 2) >= 0;
    if (distinct && !no_name) {
        *out = names;
        names = NULL;
    } else {
        GND_TRY(gnd_notes_add(&g->notes, GND_WARNING, "names_not_used", err,
                              "%s was not used: a name %s", name,
                              distinct ? "is empty or -1" : "occurs twice"));
    }
out:
    gnd_names_free(names);
    return st;
}

static gnd_status classes_name(gnd_graph *g, gnd_npz *z, gnd_error *err)
{
    const int32_t n = g->n_class;
    gnd_names *names = NULL;
    gnd_status st;

    GND_TRY(names_read(&names, g, z, "class_names", n, err));
    if (names) {
        gnd_names_free(g->cls);
        g->cls = names;
        goto out;
    }
    for (int32_t c = 0; c < n; c++) {
        char buf[16];
        int32_t k;
        const int len = snprintf(buf, sizeof buf, "%d", c);

        GND_TRY(gnd_graph_class_of(&k, g, buf, (size_t)len, err));
    }
out:
    g->n_class = n;
    return st;
}

/* Add a note that names the pickled members. Only their headers are read. */
static gnd_status pickles_note(gnd_graph *g, gnd_npz *z, gnd_error *err)
{
    char list[160] = "";
    const char *name;
    int64_t n = 0;

    for (int64_t i = 0; (name = gnd_npz_member(z, i)); i++) {
        const size_t len = strlen(list);
        gnd_npy a;

        if (!gnd_npz_has(z, name) || gnd_npz_array(&a, z, name, NULL) != GND_OK ||
            a.type.kind != 'O')
            continue;
        if (n++ < 4)
            snprintf(list + len, sizeof list - len, "%s%.30s", n > 1 ? ", " : "", name);
    }
    gnd_text_mask(list);
    if (n == 0)
        return GND_OK;
    return gnd_notes_add(&g->notes, GND_NOTE, "pickles_skipped", err,
                         "%lld pickled %s not read: %s%s", (long long)n,
                         n == 1 ? "array was" : "arrays were", list, n > 4 ? ", ..." : "");
}

static gnd_status npz_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                           gnd_error *err)
{
    gnd_graph *g = NULL;
    gnd_npz *z = NULL;
    gnd_status st;

    *out = NULL;
    GND_TRY(gnd_npz_open(&z, path, o ? o->max_input : 0, err));
    gnd_npz_watch(z, o);
    GND_TRY(adj_read(&g, z, path, err));
    GND_TRY(gnd_load_check(o, err));
    GND_TRY(feat_read(g, z, path, err));
    GND_TRY(gnd_load_check(o, err));
    GND_TRY(labels_read(g, z, err));
    GND_TRY(classes_name(g, z, err));
    GND_TRY(names_read(&g->ids, g, z, "node_names", g->n_node, err));
    GND_TRY(pickles_note(g, z, err));
    GND_TRY(gnd_graph_check(g, path, err));
    *out = g;
    g = NULL;
out:
    gnd_npz_close(z);
    gnd_graph_free(g);
    return st;
}

static bool npz_sniff(const char *path, const char *head, size_t n_head)
{
    const size_t n = strlen(path);

    return (n_head >= 4 && (memcmp(head, "PK\3\4", 4) == 0 || memcmp(head, "PK\5\6", 4) == 0)) ||
           (n > 4 && strcmp(path + n - 4, ".npz") == 0);
}

const gnd_format gnd_format_npz = {
    .name = "npz",
    .about = "numpy archive: adj_*, attr_*, labels, or scipy's save_npz",
    .sniff = npz_sniff,
    .read = npz_read,
};
