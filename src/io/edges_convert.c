/* SPDX-License-Identifier: MIT
 * edges_convert.c - convert a text file of edges to a graph file that can be mapped, in bounded
 * memory: read and sort (edges_read.c), merge and write (edges_write.c). */
#include "edges_convert.h"

#include "base/alloc.h"
#include "base/tempfile.h"
#include "graph_file.h"

gnd_status gnd_edges_convert(gnd_graph **out, const char *edges, const char *path,
                             const gnd_edges_convert_how *how, gnd_error *err)
{
    char *folder = gnd_temp_folder(path);
    gnd_edges_read r = {.o = how->load,
                        .pool = how->pool,
                        .folder = folder,
                        .memory = how->memory,
                        .sort_memory = how->sort_memory ? how->sort_memory : how->memory / 2};
    gnd_tensor_writer w = {0};
    gnd_mapping *map = NULL;
    gnd_graph *g = NULL;
    gnd_span whole;
    int64_t n_dup = 0, n_zero = 0;
    gnd_status st = GND_OK;

    *out = NULL;
    if (!folder)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path));
    whole = gnd_pool_enter(how->pool, 0, 0.6); /* reading takes about 60 % of the time */
    GND_TRY(gnd_edges_read_all(&r, edges, err));
    gnd_pool_leave(how->pool, whole);
    GND_TRY(gnd_tensor_writer_open(&w, path, err)); /* until now there is no file with a name */
    whole = gnd_pool_enter(how->pool, 0.6, 1);
    GND_TRY(gnd_edges_write(&r, &w, &n_dup, &n_zero, err));
    gnd_pool_leave(how->pool, whole);
    gnd_edges_read_sorted(&r); /* its memory is for the ids now */
    GND_TRY(gnd_mapping_open(&map, w.file.temp, err));
    GND_TRY(gnd_graph_file_trust(&g, map, path, &r.ids, err));
    GND_TRY(gnd_edge_rows_notes(&r.rows, g, n_dup, n_zero, err));
    if (how->keep)
        GND_TRY(gnd_tensor_writer_commit(&w, err));
    *out = g;
    g = NULL;
out:
    gnd_graph_free(g);
    gnd_mapping_release(map);
    gnd_tensor_writer_discard(&w);
    gnd_edges_read_fini(&r);
    gnd_free(folder);
    return st;
}
