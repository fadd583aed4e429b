/* SPDX-License-Identifier: MIT
 * graph_file.c - graphs from safetensors files (docs/formats.md). The file is mapped; the adjacency
 * matrix and the features are used where they are, without a copy.
 *
 * The file may be hostile: its header is checked against its size, and one linear pass over the
 * matrices (gnd_graph_check) makes sure that every index is in range before anything uses it. The
 * checksum cannot replace this pass, since the author of a file also makes its checksum. */
#include "graph_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "graph/roles.h"
#include "safetensors.h"
#include "sparse.h"
#include "tensor_writer.h"
#include "text.h"

/* A header has about 2 kB. This bounds the memory that a hostile one takes. */
enum { HEADER_MAX = 1 << 20 };

static const char what[] = "gnd graph";

/* A list of n items that must be aligned to be used in place. n < 0: any number. */
static gnd_status list_find(gnd_tensor *t, const gnd_safetensors *s, const char *name,
                            const char *dtype, int64_t size, int64_t n, gnd_error *err)
{
    gnd_status st;

    GND_TRY(gnd_safetensors_find(t, s, name, dtype, size, err));
    if (t->n_dim != 1)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "%s: tensor '%s' has two dimensions; expected one",
                         s->path, name));
    if (n >= 0 && t->shape[0] != n)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE, "%s: tensor '%s' has %lld items; expected %lld",
                         s->path, name, (long long)t->shape[0], (long long)n));
    if ((uintptr_t)t->data % (uintptr_t)size != 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                         "%s: tensor '%s' starts at a place that is no multiple of %lld bytes",
                         s->path, name, (long long)size));
out:
    return st;
}

/* Values as gnd_real: in place if the file has this type, otherwise a copy. */
static gnd_status values_take(gnd_csr *a, const gnd_safetensors *s, const char *name, int64_t nnz,
                              gnd_error *err)
{
    const char *have = json_string_value(json_object_get(json_object_get(s->head, name), "dtype"));
    const bool wide = have && strcmp(have, "F64") == 0;
    gnd_tensor t;
    gnd_status st;

    GND_TRY(list_find(&t, s, name, wide ? "F64" : "F32", wide ? 8 : 4, nnz, err));
    if (wide == (sizeof(gnd_real) == sizeof(double))) {
        a->val = (gnd_real *)(uintptr_t)t.data;
        a->borrowed |= GND_CSR_VAL;
        return GND_OK;
    }
    a->val = gnd_alloc_raw(nnz, sizeof *a->val);
    if (!a->val)
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for %lld values", s->path, (long long)nnz));
    for (int64_t p = 0; p < nnz; p++)
        a->val[p] = (gnd_real)(wide ? ((const double *)t.data)[p] : ((const float *)t.data)[p]);
out:
    return st;
}

/* The rows start at ptr[0] = 0, never go back, and end at the last of nnz entries. */
static gnd_status pointers_check(const gnd_safetensors *s, const char *name, const gnd_csr *a,
                                 int64_t nnz, gnd_error *err)
{
    const gnd_status st = gnd_sparse_check_ptr(a->ptr, a->n_row, nnz, name, err);

    if (st != GND_OK)
        gnd_error_prefix(err, "%s", s->path);
    return st;
}

typedef struct {
    const char *pointers, *indices, *values;
} matrix_names;

/* A matrix of n_row rows (below 0: as many as the file has) and n_col columns (below 0: as many as
 * rows). trust: rows are not checked. */
static gnd_status matrix_take(gnd_csr *a, const gnd_safetensors *s, matrix_names name,
                              int64_t n_row, int64_t n_col, bool trust, gnd_error *err)
{
    gnd_tensor ptr, col;
    gnd_status st;

    GND_TRY(list_find(&ptr, s, name.pointers, "I64", 8, n_row < 0 ? -1 : n_row + 1, err));
    GND_TRY(list_find(&col, s, name.indices, "I32", 4, -1, err));
    n_row = ptr.shape[0] - 1;
    if (n_row < 1 || n_row > GND_MAX_NODE)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: tensor '%s' has %lld items; expected 2 to %lld",
                         s->path, name.pointers, (long long)ptr.shape[0],
                         (long long)GND_MAX_NODE + 1));
    *a = (gnd_csr){.n_row = n_row,
                   .n_col = n_col < 0 ? n_row : n_col,
                   .ptr = (int64_t *)(uintptr_t)ptr.data,
                   .col = (int32_t *)(uintptr_t)col.data,
                   .borrowed = GND_CSR_PTR | GND_CSR_COL};
    if (!trust)
        GND_TRY(pointers_check(s, name.pointers, a, col.shape[0], err));
    if (gnd_safetensors_has(s, name.values))
        GND_TRY(values_take(a, s, name.values, col.shape[0], err));
out:
    return st;
}

/* Dense features, [n, f]: other programs may write them. They are copied, since features are kept
 * in compressed rows. */
static gnd_status dense_take(gnd_csr *a, const gnd_safetensors *s, int64_t n_node, int64_t n_feat,
                             gnd_error *err)
{
    gnd_real *x = NULL;
    gnd_tensor t;
    gnd_status st;

    GND_TRY(gnd_safetensors_find(&t, s, GND_FEAT_VALUES, "F32", 4, err));
    if (t.n_dim != 2 || t.shape[0] != n_node || t.shape[1] != n_feat)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE,
                         "%s: tensor '%s' without '%s' is %lld x %lld; expected %lld x %lld",
                         s->path, GND_FEAT_VALUES, GND_FEAT_POINTERS, (long long)t.shape[0],
                         (long long)t.shape[1], (long long)n_node, (long long)n_feat));
    x = gnd_alloc_raw(n_node * n_feat, sizeof *x);
    if (!x)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for dense features", s->path));
    for (int64_t p = 0; p < n_node * n_feat; p++) {
        float value; /* the data need not be aligned */

        memcpy(&value, (const char *)t.data + 4 * p, 4);
        x[p] = value;
    }
    GND_TRY(gnd_sparse_from_dense(a, x, n_node, n_feat, false, err));
    gnd_csr_drop_ones(a);
out:
    gnd_free(x);
    return st;
}

/* A number in the metadata, 0 .. most; 0 if there is none. */
static gnd_status number_get(int64_t *out, const gnd_safetensors *s, const char *key, int64_t most,
                             gnd_error *err)
{
    const char *text = json_string_value(json_object_get(s->meta, key));

    *out = 0;
    if (!text)
        return GND_OK;
    if (gnd_parse_int(out, text, strlen(text)) && *out >= 0 && *out <= most)
        return GND_OK;
    return gnd_safetensors_bad(s, err, "'%s' in its header is '%.20s'; expected 0 to %lld", key,
                               text, (long long)most);
}

static gnd_status features_take(gnd_graph *g, const gnd_safetensors *s, bool trust, gnd_error *err)
{
    static const matrix_names names = {GND_FEAT_POINTERS, GND_FEAT_INDICES, GND_FEAT_VALUES};
    gnd_status st;

    GND_TRY(number_get(&g->n_feat, s, "feature_columns", GND_MAX_FEAT, err));
    if (g->n_feat == 0)
        return GND_OK;
    if (gnd_safetensors_has(s, GND_FEAT_POINTERS))
        GND_TRY(matrix_take(&g->feat, s, names, g->n_node, g->n_feat, trust, err));
    else
        GND_TRY(dense_take(&g->feat, s, g->n_node, g->n_feat, err));
out:
    return st;
}

/* Distinct names, [n] (below 0: as many as the file has), none empty. */
static gnd_status names_take(gnd_names **out, const gnd_safetensors *s, const char *text,
                             const char *offsets, int64_t n, gnd_error *err)
{
    gnd_names *names = gnd_names_new();
    gnd_tensor at, bytes;
    const int64_t *place;
    gnd_status st = GND_OK;

    *out = NULL;
    if (!names)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for names", s->path));
    GND_TRY(list_find(&at, s, offsets, "I64", 8, n < 0 ? -1 : n + 1, err));
    GND_TRY(list_find(&bytes, s, text, "U8", 1, -1, err));
    place = at.data;
    if (at.shape[0] < 1 || place[0] != 0 || place[at.shape[0] - 1] != bytes.shape[0])
        GND_TRY(gnd_safetensors_bad(s, err, "tensor '%s' does not cover '%s'", offsets, text));
    if (!gnd_names_reserve(names, at.shape[0] - 1, bytes.shape[0]))
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for names", s->path));
    for (int64_t i = 0; i + 1 < at.shape[0]; i++) {
        const char *from = (const char *)bytes.data + place[i];
        const bool ascending = place[i + 1] > place[i] && place[i + 1] <= bytes.shape[0];
        const int64_t len = ascending ? place[i + 1] - place[i] : 0;
        int64_t k;

        if (!ascending || memchr(from, '\0', (size_t)len))
            GND_TRY(
                gnd_safetensors_bad(s, err, "item %lld of '%s' is not a name", (long long)i, text));
        k = gnd_names_add_sorted(names, from, (size_t)len);
        if (k < 0)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for names", s->path));
        if (k != i)
            GND_TRY(gnd_safetensors_bad(s, err, "items %lld and %lld of '%s' are the same",
                                        (long long)k, (long long)i, text));
    }
    *out = names;
    names = NULL;
out:
    gnd_names_free(names);
    return st;
}

static gnd_status labels_take(gnd_graph *g, const gnd_safetensors *s, gnd_names **ids,
                              gnd_error *err)
{
    gnd_names *cls = NULL;
    gnd_tensor t;
    gnd_status st = GND_OK;

    if (ids && *ids) {
        g->ids = *ids;
        *ids = NULL;
    } else if (gnd_safetensors_has(s, GND_IDS)) {
        GND_TRY(names_take(&g->ids, s, GND_IDS, GND_ID_OFFSETS, g->n_node, err));
    }
    if (!gnd_safetensors_has(s, GND_CLASSES))
        return GND_OK;
    GND_TRY(names_take(&cls, s, GND_CLASSES, GND_CLASS_OFFSETS, -1, err));
    gnd_names_free(g->cls);
    g->cls = cls;
    g->n_class = (int32_t)gnd_names_count(cls);
    GND_TRY(list_find(&t, s, GND_LABELS, "I32", 4, g->n_node, err));
    memcpy(g->label, t.data, (size_t)g->n_node * sizeof *g->label);
    if (!gnd_safetensors_has(s, GND_TRAIN_LABELS))
        return GND_OK;
    GND_TRY(list_find(&t, s, GND_TRAIN_LABELS, "U8", 1, g->n_node, err));
    g->in_train_file = gnd_alloc(g->n_node, 1);
    if (!g->in_train_file)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for labels", s->path));
    for (int64_t i = 0; i < g->n_node; i++)
        g->in_train_file[i] = ((const unsigned char *)t.data)[i] != 0;
out:
    return st;
}

/* Planetoid's fixed split. */
static gnd_status split_take(gnd_graph *g, const gnd_safetensors *s, gnd_error *err)
{
    const char *all = json_string_value(json_object_get(s->meta, "keep_all_components"));
    gnd_tensor t;
    gnd_status st;

    g->keep_all = all && strcmp(all, "true") == 0;
    GND_TRY(number_get(&g->n_fixed_train, s, "planetoid.train", g->n_node, err));
    if (g->n_fixed_train == 0)
        return GND_OK;
    GND_TRY(list_find(&t, s, GND_FIXED_TEST, "I32", 4, -1, err));
    g->n_fixed_test = t.shape[0];
    g->fixed_test = gnd_alloc(g->n_fixed_test, sizeof *g->fixed_test);
    if (!g->fixed_test)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for the split", s->path));
    if (g->n_fixed_test > 0)
        memcpy(g->fixed_test, t.data, (size_t)g->n_fixed_test * sizeof *g->fixed_test);
    for (int64_t i = 0; i < g->n_fixed_test; i++)
        if (g->fixed_test[i] < 0 || g->fixed_test[i] >= g->n_node)
            GND_TRY(gnd_safetensors_bad(s, err, "item %lld of '%s' is %d; expected 0 to %lld",
                                        (long long)i, GND_FIXED_TEST, g->fixed_test[i],
                                        (long long)g->n_node - 1));
out:
    return st;
}

/* The original order of the vertices and the starts of parts, if there are any. */
static gnd_status order_take(gnd_graph *g, const gnd_safetensors *s, gnd_error *err)
{
    const int64_t n = g->n_node;
    unsigned char *seen = NULL;
    gnd_tensor t, start;
    gnd_status st = GND_OK;

    if (!gnd_safetensors_has(s, GND_ORIGINAL))
        return GND_OK;
    GND_TRY(list_find(&t, s, GND_ORIGINAL, "I32", 4, n, err));
    GND_TRY(list_find(&start, s, GND_PART_START, "I64", 8, -1, err));
    g->n_part = start.shape[0] >= 2 && start.shape[0] <= n + 1 ? (int32_t)(start.shape[0] - 1) : 0;
    g->original = gnd_alloc(n, sizeof *g->original);
    g->part_start = gnd_alloc(g->n_part + 1, sizeof *g->part_start);
    seen = gnd_alloc(n, 1);
    if (!g->original || !g->part_start || !seen)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for the order of vertices", s->path));
    memcpy(g->original, t.data, (size_t)n * sizeof *g->original);
    for (int64_t i = 0; i < n; i++) {
        const int32_t v = g->original[i];

        if (v < 0 || v >= n || seen[v]++)
            GND_TRY(gnd_safetensors_bad(s, err,
                                        "item %lld of '%s' is %d; expected each number of "
                                        "a vertex once",
                                        (long long)i, GND_ORIGINAL, v));
    }
    if (g->n_part > 0)
        memcpy(g->part_start, start.data, (size_t)(g->n_part + 1) * sizeof *g->part_start);
    for (int32_t k = 0; k <= g->n_part; k++)
        if (g->n_part < 1 || g->part_start[0] != 0 || g->part_start[g->n_part] != n ||
            (k > 0 && g->part_start[k] < g->part_start[k - 1]))
            GND_TRY(gnd_safetensors_bad(s, err, "'%s' are not the first vertices of parts",
                                        GND_PART_START));
out:
    gnd_free(seen);
    return st;
}

/* *roles: [n, GND_ROLES] where they are mapped; NULL: the file has none of this type. */
static gnd_status roles_find(const gnd_real **roles, const gnd_safetensors *s, int64_t n,
                             gnd_error *err)
{
    gnd_tensor t;
    gnd_status st;

    *roles = NULL;
    if (!gnd_safetensors_has(s, GND_ROLE_VALUES) || !gnd_safetensors_has(s, GND_ORIGINAL) ||
        sizeof(gnd_real) != sizeof(float)) /* both are written by --parts */
        return GND_OK;
    GND_TRY(gnd_safetensors_find(&t, s, GND_ROLE_VALUES, GND_REAL_DTYPE, sizeof **roles, err));
    if (t.n_dim != 2 || t.shape[0] != n || t.shape[1] != GND_ROLES ||
        (uintptr_t)t.data % sizeof **roles != 0)
        GND_TRY(gnd_safetensors_bad(s, err, "'%s' are not %d numbers for each of %lld vertices",
                                    GND_ROLE_VALUES, GND_ROLES, (long long)n));
    *roles = t.data;
out:
    return st;
}

static gnd_status roles_take(gnd_graph *g, const gnd_safetensors *s, gnd_error *err)
{
    gnd_status st;

    GND_TRY(roles_find(&g->roles, s, g->n_node, err));
    if (!g->roles)
        return GND_OK;
    g->roles_source = s->map;
    gnd_mapping_hold(s->map);
    for (int64_t e = 0; e < g->n_node * GND_ROLES; e++)
        if (!isfinite(g->roles[e]))
            GND_TRY(gnd_safetensors_bad(s, err, "'%s' of vertex %lld are not all finite",
                                        GND_ROLE_VALUES, (long long)(e / GND_ROLES)));
out:
    return st;
}

/* A model has the same form, and may be given in place of a graph. */
static gnd_status format_check(const gnd_safetensors *s, gnd_error *err)
{
    const char *format = json_string_value(json_object_get(s->meta, "format"));

    if (format && strcmp(format, GND_GRAPH_FORMAT) == 0)
        return GND_OK;
    if (format && strncmp(format, "gnd-model", 9) == 0)
        return gnd_fail(err, GND_ERR_FORMAT,
                        "%s: is a model, not a graph; gnd predict uses it with a graph", s->path);
    if (format && strncmp(format, "gnd-graph", 9) == 0)
        return gnd_fail(err, GND_ERR_FORMAT,
                        "%s: its format is '%.40s'; this gnd reads '%s': convert it again, or use "
                        "a newer gnd",
                        s->path, format, GND_GRAPH_FORMAT);
    return gnd_safetensors_bad(s, err, "'format' in its header is '%.40s'; expected '%s'",
                               format ? format : "", GND_GRAPH_FORMAT);
}

static gnd_status zeros_check(const gnd_graph *g, const char *path, gnd_error *err)
{
    const int64_t nnz = g->adj.val ? gnd_csr_nnz(&g->adj) : 0;
    int64_t n_zero = 0;

    for (int64_t p = 0; p < nnz; p++)
        n_zero += g->adj.val[p] == 0;
    return n_zero == 0 ? GND_OK
                       : gnd_fail(err, GND_ERR_FORMAT,
                                  "%s: %lld arc%s of weight 0; the writer must leave them out",
                                  path, (long long)n_zero, n_zero == 1 ? " is" : "s are");
}

static gnd_status graph_take(gnd_graph **out, const gnd_safetensors *s, bool trust, gnd_names **ids,
                             gnd_error *err)
{
    static const matrix_names names = {GND_ADJ_POINTERS, GND_ADJ_INDICES, GND_ADJ_VALUES};
    gnd_graph *g = NULL;
    gnd_csr adj = {0};
    char name[256];
    gnd_status st;

    *out = NULL;
    GND_TRY(format_check(s, err));
    GND_TRY(matrix_take(&adj, s, names, -1, -1, trust, err));
    gnd_path_stem(name, sizeof name, s->path);
    GND_TRY(gnd_graph_new(&g, name, adj.n_row, err));
    gnd_graph_hold(g, s->map);
    g->adj = adj;
    adj = (gnd_csr){0};
    GND_TRY(features_take(g, s, trust, err));
    GND_TRY(labels_take(g, s, ids, err));
    GND_TRY(split_take(g, s, err));
    GND_TRY(order_take(g, s, err));
    GND_TRY(roles_take(g, s, err));
    if (!trust) {
        GND_TRY(gnd_graph_check(g, s->path, err));
        GND_TRY(zeros_check(g, s->path, err));
    }
    *out = g;
    g = NULL;
out:
    gnd_csr_fini(&adj);
    gnd_graph_free(g);
    return st;
}

gnd_status gnd_graph_file_trust(gnd_graph **out, gnd_mapping *map, const char *path,
                                gnd_names **ids, gnd_error *err)
{
    gnd_safetensors s;
    gnd_status st;

    *out = NULL;
    GND_TRY(gnd_safetensors_of(&s, map, path, what, HEADER_MAX, err));
    st = graph_take(out, &s, true, ids, err);
    gnd_safetensors_fini(&s);
out:
    return st;
}

gnd_status gnd_graph_rows_open(gnd_graph_rows *r, const char *path, gnd_error *err)
{
    static const matrix_names adj = {GND_ADJ_POINTERS, GND_ADJ_INDICES, GND_ADJ_VALUES},
                              feat = {GND_FEAT_POINTERS, GND_FEAT_INDICES, GND_FEAT_VALUES};
    const gnd_safetensors *s = &r->file;
    gnd_tensor t;
    gnd_status st;

    *r = (gnd_graph_rows){0};
    GND_TRY(gnd_safetensors_open(&r->file, path, what, HEADER_MAX, err));
    GND_TRY(format_check(s, err));
    GND_TRY(matrix_take(&r->adj, s, adj, -1, -1, true, err));
    GND_TRY(number_get(&r->n_feat, s, "feature_columns", GND_MAX_FEAT, err));
    if (r->n_feat > 0 && !gnd_safetensors_has(s, GND_FEAT_POINTERS))
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                         "%s: its features are dense; gnd data convert writes them in rows that "
                         "several processes can share",
                         path));
    if (r->n_feat > 0)
        GND_TRY(matrix_take(&r->feat, s, feat, r->adj.n_row, r->n_feat, true, err));
    if (gnd_safetensors_has(s, GND_IDS)) {
        GND_TRY(list_find(&t, s, GND_ID_OFFSETS, "I64", 8, r->adj.n_row + 1, err));
        r->id_at = t.data;
        GND_TRY(list_find(&t, s, GND_IDS, "U8", 1, -1, err));
        r->id = t.data;
        r->id_bytes = t.shape[0];
    }
    if (gnd_safetensors_has(s, GND_ORIGINAL)) {
        GND_TRY(list_find(&t, s, GND_ORIGINAL, "I32", 4, r->adj.n_row, err));
        r->original = t.data;
        GND_TRY(list_find(&t, s, GND_PART_START, "I64", 8, -1, err));
        r->part_start = t.data;
        r->n_part = t.shape[0] - 1;
    }
    GND_TRY(roles_find(&r->roles, s, r->adj.n_row, err));
out:
    if (st != GND_OK)
        gnd_graph_rows_fini(r);
    return st;
}

void gnd_graph_rows_fini(gnd_graph_rows *r)
{
    gnd_csr_fini(&r->adj);
    gnd_csr_fini(&r->feat);
    gnd_safetensors_fini(&r->file);
    *r = (gnd_graph_rows){0};
}

gnd_status gnd_graph_rows_vertices(gnd_graph **out, const gnd_graph_rows *r, gnd_error *err)
{
    const int64_t n = r->adj.n_row;
    gnd_graph *g = NULL;
    char name[256];
    gnd_status st;

    *out = NULL;
    gnd_path_stem(name, sizeof name, r->file.path);
    GND_TRY(gnd_graph_new(&g, name, n, err));
    GND_TRY(gnd_csr_init(&g->adj, n, n, 0, false, err));
    GND_TRY(labels_take(g, &r->file, NULL, err));
    GND_TRY(split_take(g, &r->file, err));
    GND_TRY(order_take(g, &r->file, err));
    GND_TRY(gnd_graph_check(g, r->file.path, err));
    *out = g;
    g = NULL;
out:
    gnd_graph_free(g);
    return st;
}

static gnd_status checksum_verify(const gnd_safetensors *s, const gnd_load_opts *o, gnd_error *err)
{
    const int64_t piece = 1 << 26, size = gnd_mapping_size(s->map);
    const char *stated;
    unsigned long crc = crc32(0, NULL, 0);
    char sum[24];
    gnd_status st;

    GND_TRY(gnd_safetensors_text(&stated, s, GND_TENSOR_CHECKSUM, err));
    for (int64_t at = s->data_at; at < size; at += piece) {
        const int64_t n = size - at < piece ? size - at : piece;

        GND_TRY(gnd_load_check(o, err));
        crc = crc32_z(crc, (const unsigned char *)gnd_mapping_data(s->map) + at, (size_t)n);
    }
    snprintf(sum, sizeof sum, "crc32:%08lx", crc);
    if (strcmp(sum, stated) != 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                         "%s: its content has the checksum %s, but its header states %.40s: the "
                         "file is damaged",
                         s->path, sum, stated));
out:
    return st;
}

static gnd_status graph_file_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                                  gnd_error *err)
{
    gnd_safetensors s;
    gnd_status st;

    *out = NULL;
    GND_TRY(gnd_safetensors_open(&s, path, what, HEADER_MAX, err));
    st = o && o->verify ? checksum_verify(&s, o, err) : GND_OK;
    if (st == GND_OK)
        st = graph_take(out, &s, false, NULL, err);
    gnd_safetensors_fini(&s);
out:
    return st;
}

/* By name, or a length below HEADER_MAX and then JSON. */
static bool graph_file_sniff(const char *path, const char *head, size_t n_head)
{
    return gnd_path_ends(path, ".safetensors") ||
           (n_head > 10 && memcmp(head + 3, "\0\0\0\0\0{", 6) == 0);
}

const gnd_format gnd_format_safetensors = {
    .name = "safetensors",
    .about = "a graph that gnd data convert wrote, mapped into memory instead of read "
             "(.safetensors)",
    .sniff = graph_file_sniff,
    .read = graph_file_read,
};
