/* SPDX-License-Identifier: MIT
 * save.c - gnd_graph_save: write a graph in one of three formats. */
#include <string.h>

#include "base/opts.h"
#include "graph_file.h"
#include "io.h"

static const struct {
    const char *name;
    gnd_status (*save)(const gnd_graph *g, const char *path, gnd_pool *pool, gnd_error *err);
} formats[] = {{"safetensors", gnd_graph_file_save}, {"npz", gnd_npz_save}, {"csv", gnd_csv_save}};

gnd_status gnd_graph_save_with(const gnd_graph *g, const char *path, const char *format_name,
                               const gnd_save_opts *o, gnd_error *err)
{
    gnd_save_opts opts;
    gnd_pool *pool = NULL;
    size_t k = 0;
    gnd_status st;

    gnd_error_clear(err);
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_save_opts", err));
    GND_TRY(gnd_require(path, "the path of the graph", err));
    GND_TRY(gnd_require(format_name, "the name of the format", err));
    if (!g)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "gnd_graph_save: a graph is needed"));
    while (k < sizeof formats / sizeof *formats && strcmp(formats[k].name, format_name) != 0)
        k++;
    if (k == sizeof formats / sizeof *formats)
        GND_TRY(gnd_fail(err, GND_ERR_ARG,
                         "'%.40s' is not a format to write; expected safetensors, npz or csv",
                         format_name));
    if (opts.on_tick) {
        pool = gnd_pool_new(1);
        if (!pool)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path));
        gnd_pool_set_tick(pool, opts.on_tick, opts.tick_user, "writing");
    }
    GND_TRY(formats[k].save(g, path, pool, err));
out:
    gnd_pool_free(pool);
    return st;
}

gnd_status gnd_graph_save(const gnd_graph *g, const char *path, const char *format_name,
                          gnd_error *err)
{
    return gnd_graph_save_with(g, path, format_name, NULL, err);
}
