/* SPDX-License-Identifier: MIT
 * graph_file_save.c - write a graph as a safetensors file that can be mapped. */
#include <stdio.h>

#include "graph/roles.h"
#include "graph_file.h"
#include "names_write.h"
#include "tensor_writer.h"

json_t *gnd_graph_file_meta(int64_t n_feat)
{
    char columns[32];

    snprintf(columns, sizeof columns, "%lld", (long long)n_feat);
    return json_pack("{s:s, s:s, s:s}", "format", GND_GRAPH_FORMAT, "version", GND_VERSION,
                     "feature_columns", columns);
}

/* The names of a graph that are written. */
typedef struct {
    const gnd_graph *g;
    gnd_name_list class, id;
    int64_t class_size, id_size; /* bytes */
    bool has_ids;
    char buf[32]; /* room for a number */
} named;

static const char *class_at(void *user, int64_t i)
{
    return gnd_graph_class_name(((const named *)user)->g, (int32_t)i);
}

static const char *id_at(void *user, int64_t i)
{
    named *m = user;

    return gnd_graph_id(m->g, i, m->buf);
}

static gnd_status put_all(gnd_tensor_writer *w, const char *name, const char *dtype,
                          const void *items, int64_t n, gnd_error *err)
{
    return gnd_tensor_put(w, gnd_tensor_add(w, name, dtype, n, 0), items, n, err);
}

/* The arrays of items of 8 bytes. */
static gnd_status put_wide(gnd_tensor_writer *w, named *names, gnd_error *err)
{
    const gnd_graph *g = names->g;
    const int64_t n = g->n_node;
    gnd_status st;

    GND_TRY(put_all(w, GND_ADJ_POINTERS, "I64", g->adj.ptr, n + 1, err));
    if (g->n_feat > 0)
        GND_TRY(put_all(w, GND_FEAT_POINTERS, "I64", g->feat.ptr, n + 1, err));
    if (g->n_class > 0)
        GND_TRY(gnd_name_offsets_put(w, GND_CLASS_OFFSETS, &names->class, &names->class_size, err));
    if (names->has_ids)
        GND_TRY(gnd_name_offsets_put(w, GND_ID_OFFSETS, &names->id, &names->id_size, err));
    if (g->part_start)
        GND_TRY(put_all(w, GND_PART_START, "I64", g->part_start, g->n_part + 1, err));
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
    if (g->roles)
        GND_TRY(gnd_tensor_put(
            w, gnd_tensor_add(w, GND_ROLE_VALUES, GND_REAL_DTYPE, g->n_node, GND_ROLES), g->roles,
            g->n_node * GND_ROLES, err));
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
    if (g->original)
        GND_TRY(put_all(w, GND_ORIGINAL, "I32", g->original, g->n_node, err));
    if (g->n_fixed_train > 0)
        GND_TRY(put_all(w, GND_FIXED_TEST, "I32", g->fixed_test, g->n_fixed_test, err));
out:
    return st;
}

static gnd_status put_bytes(gnd_tensor_writer *w, const named *names, gnd_error *err)
{
    const gnd_graph *g = names->g;
    gnd_status st = GND_OK;

    if (g->n_class > 0)
        GND_TRY(gnd_name_bytes_put(w, GND_CLASSES, &names->class, names->class_size, err));
    if (names->has_ids)
        GND_TRY(gnd_name_bytes_put(w, GND_IDS, &names->id, names->id_size, err));
    if (g->in_train_file)
        GND_TRY(put_all(w, GND_TRAIN_LABELS, "U8", g->in_train_file, g->n_node, err));
out:
    return st;
}

/* Bytes of the largest tensors. */
static int64_t bytes_of(const gnd_graph *g)
{
    const int64_t pointer = sizeof *g->adj.ptr, column = sizeof *g->adj.col,
                  value = sizeof *g->adj.val;

    return (g->n_node + 1) * pointer + gnd_csr_nnz(&g->adj) * (column + (g->adj.val ? value : 0)) +
           (g->n_feat > 0 ? (g->n_node + 1) * pointer +
                                gnd_csr_nnz(&g->feat) * (column + (g->feat.val ? value : 0))
                          : 0);
}

gnd_status gnd_graph_file_save(const gnd_graph *g, const char *path, gnd_pool *pool, gnd_error *err)
{
    named names = {.g = g,
                   .class = {.at = class_at, .user = &names, .n = g->n_class},
                   .id = {.at = id_at, .user = &names, .n = g->n_node},
                   .has_ids = g->ids || g->old};
    const bool wide_values = sizeof(gnd_real) > sizeof(float); /* then they come before indices */
    gnd_tensor_writer w;
    char text[32];
    json_t *meta = gnd_graph_file_meta(g->n_feat);
    gnd_status st;

    GND_TRY(gnd_tensor_writer_open(&w, path, err));
    w.pool = pool;
    w.all = bytes_of(g);
    snprintf(text, sizeof text, "%lld", (long long)g->n_fixed_train);
    if (!meta ||
        (g->keep_all &&
         json_object_set_new(meta, "keep_all_components", json_string("true")) != 0) ||
        (g->n_fixed_train > 0 &&
         json_object_set_new(meta, "planetoid.train", json_string(text)) != 0))
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for its header", path));
    GND_TRY(put_wide(&w, &names, err));
    if (wide_values)
        GND_TRY(put_values(&w, g, err));
    GND_TRY(put_indices(&w, g, err));
    if (!wide_values)
        GND_TRY(put_values(&w, g, err));
    GND_TRY(put_bytes(&w, &names, err));
    GND_TRY(gnd_tensor_writer_finish(&w, meta, err));
    GND_TRY(gnd_tensor_writer_commit(&w, err));
out:
    gnd_tensor_writer_discard(&w);
    json_decref(meta);
    return st;
}
