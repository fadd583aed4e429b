/* SPDX-License-Identifier: MIT
 * dataset_convert.c - write a data set as a graph file that can be mapped: a text file of edges in
 * bounded memory, everything else by way of a graph in memory. */
#include "base/alloc.h"
#include "base/opts.h"
#include "edges_convert.h"
#include "graph_file.h"
#include "limit.h"

/* Features and labels that are given besides the edges, which are mapped already. */
static gnd_status files_add(gnd_graph *g, const gnd_load_opts *o, gnd_error *err)
{
    gnd_status st = GND_OK;

    if (o->features)
        GND_TRY(gnd_features_load(g, o->features, o, err));
    if (o->labels)
        GND_TRY(gnd_labels_load(g, o->labels, o, err));
    if (o->train_labels)
        GND_TRY(gnd_train_labels_load(g, o->train_labels, o, err));
out:
    return st;
}

static gnd_status edges_write(gnd_graph **out, const char *edges, const char *name,
                              const char *path, const gnd_load_opts *load, int64_t memory,
                              gnd_pool *pool, gnd_error *err)
{
    const bool more = load->features || load->labels || load->train_labels;
    const gnd_edges_convert_how how = {.load = load, .pool = pool, .memory = memory, .keep = !more};
    gnd_graph *g = NULL;
    gnd_status st;

    GND_TRY(gnd_edges_convert(&g, edges, path, &how, err));
    if (more) {
        GND_TRY(files_add(g, load, err));
        GND_TRY(gnd_graph_check(g, edges, err));
        GND_TRY(gnd_graph_file_save(g, path, pool, err));
    }
    GND_TRY(gnd_graph_set_name(g, name, err));
    *out = g;
    g = NULL;
out:
    gnd_graph_free(g);
    return st;
}

gnd_status gnd_dataset_convert(gnd_graph **out, const char *name_or_path, const char *path,
                               const gnd_dataset_convert_opts *o, gnd_error *err)
{
    char edges[GND_PATH_SIZE], name[256];
    gnd_dataset_convert_opts opts;
    gnd_load_opts load;
    gnd_pool *pool = NULL;
    bool is_edges;
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(gnd_require(name_or_path, "the name of the data set", err));
    GND_TRY(gnd_require(path, "the path of the graph", err));
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_dataset_convert_opts", err));
    if (opts.memory == 0)
        opts.memory = gnd_limit_get(0) / 2;
    if (opts.memory < GND_CONVERT_MIN)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "a conversion needs 32 MB of memory or more; got %lld",
                         (long long)opts.memory));
    GND_TRY(gnd_load_find(edges, name, &load, &is_edges, name_or_path, opts.load, err));
    pool = gnd_pool_new(is_edges ? opts.threads : 1);
    if (!pool)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for threads"));
    gnd_pool_set_tick(pool, opts.on_tick, opts.tick_user, "converting");
    if (is_edges) {
        GND_TRY(edges_write(out, edges, name, path, &load, opts.memory, pool, err));
    } else {
        GND_TRY(gnd_load(out, name_or_path, opts.load, err));
        GND_TRY(gnd_graph_file_save(*out, path, pool, err));
    }
out:
    gnd_pool_free(pool);
    if (st != GND_OK && out) {
        gnd_graph_free(*out);
        *out = NULL;
    }
    return st;
}
