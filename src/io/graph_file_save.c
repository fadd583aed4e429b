/* SPDX-License-Identifier: MIT
 * graph_file_save.c - write a graph as a safetensors file that can be mapped. */
#include <string.h>

#include "graph_file.h"
#include "tensor_writer.h"

enum { SOME = 1 << 13 }; /* offsets or bytes of names that are written at once */

json_t *gnd_graph_file_meta(int64_t n_feat)
{
    char columns[32];

    snprintf(columns, sizeof columns, "%lld", (long long)n_feat);
    return json_pack("{s:s, s:s, s:s}", "format", GND_GRAPH_FORMAT, "version", GND_VERSION,
                     "feature_columns", columns);
}

/* The i-th name; buf: room for a number. */
typedef const char *name_at(const gnd_graph *g, int64_t i, char buf[32]);

static const char *class_at(const gnd_graph *g, int64_t i, char buf[32])
{
    (void)buf;
    return gnd_graph_class_name(g, (int32_t)i);
}

static int64_t names_size(const gnd_graph *g, int64_t n, name_at *name)
{
    char buf[32];
    int64_t size = 0;

    for (int64_t i = 0; i < n; i++)
        size += (int64_t)strlen(name(g, i, buf));
    return size;
}

static gnd_status offsets_put(gnd_tensor_writer *w, int k, const gnd_graph *g, int64_t n,
                              name_at *name, gnd_error *err)
{
    int64_t some[SOME], at = 0;
    char buf[32];
    gnd_status st = GND_OK;

    for (int64_t i = 0; i <= n; i++) {
        some[i % SOME] = at;
        at += i < n ? (int64_t)strlen(name(g, i, buf)) : 0;
        if (i % SOME == SOME - 1 || i == n)
            GND_TRY(gnd_tensor_put(w, k, some, i % SOME + 1, err));
    }
out:
    return st;
}

static gnd_status names_put(gnd_tensor_writer *w, int k, const gnd_graph *g, int64_t n,
                            name_at *name, gnd_error *err)
{
    char some[SOME], buf[32];
    int64_t used = 0;
    gnd_status st = GND_OK;

    for (int64_t i = 0; i < n; i++) {
        const char *s = name(g, i, buf);
        const int64_t len = (int64_t)strlen(s);

        if (used + len > SOME) {
            GND_TRY(gnd_tensor_put(w, k, some, used, err));
            used = 0;
        }
        if (len > SOME) {
            GND_TRY(gnd_tensor_put(w, k, s, len, err));
        } else {
            memcpy(some + used, s, (size_t)len);
            used += len;
        }
    }
    GND_TRY(gnd_tensor_put(w, k, some, used, err));
out:
    return st;
}

static gnd_status put_all(gnd_tensor_writer *w, const char *name, const char *dtype,
                          const void *items, int64_t n, gnd_error *err)
{
    return gnd_tensor_put(w, gnd_tensor_add(w, name, dtype, n, 0), items, n, err);
}

/* The arrays of items of 8 bytes. */
static gnd_status put_wide(gnd_tensor_writer *w, const gnd_graph *g, bool has_ids, gnd_error *err)
{
    const int64_t n = g->n_node;
    gnd_status st;

    GND_TRY(put_all(w, GND_ADJ_POINTERS, "I64", g->adj.ptr, n + 1, err));
    if (g->n_feat > 0)
        GND_TRY(put_all(w, GND_FEAT_POINTERS, "I64", g->feat.ptr, n + 1, err));
    if (g->n_class > 0)
        GND_TRY(offsets_put(w, gnd_tensor_add(w, GND_CLASS_OFFSETS, "I64", g->n_class + 1, 0), g,
                            g->n_class, class_at, err));
    if (has_ids)
        GND_TRY(offsets_put(w, gnd_tensor_add(w, GND_ID_OFFSETS, "I64", n + 1, 0), g, n,
                            gnd_graph_id, err));
out:
    return st;
}

static gnd_status put_values(gnd_tensor_writer *w, const gnd_graph *g, gnd_error *err)
{
    gnd_status st = GND_OK;

    if (g->adj.val)
        GND_TRY(put_all(w, GND_ADJ_VALUES, GND_REAL_DTYPE, g->adj.val, gnd_csr_nnz(&g->adj), err));
    if (g->n_feat > 0 && g->feat.val)
        GND_TRY(
            put_all(w, GND_FEAT_VALUES, GND_REAL_DTYPE, g->feat.val, gnd_csr_nnz(&g->feat), err));
out:
    return st;
}

/* The arrays of items of 4 bytes, but the values. */
static gnd_status put_indices(gnd_tensor_writer *w, const gnd_graph *g, gnd_error *err)
{
    gnd_status st;

    GND_TRY(put_all(w, GND_ADJ_INDICES, "I32", g->adj.col, gnd_csr_nnz(&g->adj), err));
    if (g->n_feat > 0)
        GND_TRY(put_all(w, GND_FEAT_INDICES, "I32", g->feat.col, gnd_csr_nnz(&g->feat), err));
    if (g->n_class > 0)
        GND_TRY(put_all(w, GND_LABELS, "I32", g->label, g->n_node, err));
    if (g->n_fixed_train > 0)
        GND_TRY(put_all(w, GND_FIXED_TEST, "I32", g->fixed_test, g->n_fixed_test, err));
out:
    return st;
}

static gnd_status put_bytes(gnd_tensor_writer *w, const gnd_graph *g, bool has_ids, gnd_error *err)
{
    const int64_t n = g->n_node;
    gnd_status st = GND_OK;

    if (g->n_class > 0)
        GND_TRY(names_put(
            w, gnd_tensor_add(w, GND_CLASSES, "U8", names_size(g, g->n_class, class_at), 0), g,
            g->n_class, class_at, err));
    if (has_ids)
        GND_TRY(names_put(w, gnd_tensor_add(w, GND_IDS, "U8", names_size(g, n, gnd_graph_id), 0), g,
                          n, gnd_graph_id, err));
    if (g->in_train_file)
        GND_TRY(put_all(w, GND_TRAIN_LABELS, "U8", g->in_train_file, n, err));
out:
    return st;
}

gnd_status gnd_graph_file_save(const gnd_graph *g, const char *path, gnd_error *err)
{
    const bool has_ids = g->ids || g->old;
    const bool wide_values = sizeof(gnd_real) > sizeof(float); /* then they come before indices */
    gnd_tensor_writer w;
    char text[32];
    json_t *meta = gnd_graph_file_meta(g->n_feat);
    gnd_status st;

    GND_TRY(gnd_tensor_writer_open(&w, path, err));
    snprintf(text, sizeof text, "%lld", (long long)g->n_fixed_train);
    if (!meta ||
        (g->keep_all &&
         json_object_set_new(meta, "keep_all_components", json_string("true")) != 0) ||
        (g->n_fixed_train > 0 &&
         json_object_set_new(meta, "planetoid.train", json_string(text)) != 0))
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for its header", path));
    GND_TRY(put_wide(&w, g, has_ids, err));
    if (wide_values)
        GND_TRY(put_values(&w, g, err));
    GND_TRY(put_indices(&w, g, err));
    if (!wide_values)
        GND_TRY(put_values(&w, g, err));
    GND_TRY(put_bytes(&w, g, has_ids, err));
    GND_TRY(gnd_tensor_writer_finish(&w, meta, err));
    GND_TRY(gnd_tensor_writer_commit(&w, err));
out:
    gnd_tensor_writer_discard(&w);
    json_decref(meta);
    return st;
}
