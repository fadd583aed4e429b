/* SPDX-License-Identifier: MIT
 * fuzz_file.h - give a reader the fuzzer's bytes as a file, and hold it to what readers promise. */
#ifndef GND_FUZZ_FILE_H
#define GND_FUZZ_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Path of a file of this process in /dev/shm, tail included. */
static inline void fuzz_path(char buf[128], const char *tail)
{
    snprintf(buf, 128, "/dev/shm/gnd-fuzz-%ld%s", (long)getpid(), tail);
}

static inline void fuzz_put(const char *path, const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "wb");

    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        abort();
}

/* A reader gives a valid graph, or one sentence and nothing else. */
static inline void fuzz_judge(gnd_status st, const gnd_graph *g, const gnd_error *err)
{
    if (st == GND_OK) {
        if (!g || gnd_graph_check(g, NULL, NULL) != GND_OK || err->code != GND_OK)
            abort();
    } else if (err->code != st || !err->msg[0] || strchr(err->msg, '\n')) {
        abort();
    }
}

/* Read a whole graph from one file with options, which may be NULL. */
static inline int fuzz_format_with(const gnd_format *f, const char *tail, const gnd_load_opts *o,
                                   const uint8_t *data, size_t size)
{
    gnd_error err = {0};
    gnd_graph *g = NULL;
    char path[128];
    gnd_status st;

    fuzz_path(path, tail);
    fuzz_put(path, data, size);
    st = f->read(&g, path, o, &err);
    if (st != GND_OK && g)
        abort();
    fuzz_judge(st, g, &err);
    gnd_graph_free(g);
    unlink(path);
    return 0;
}

static inline int fuzz_format(const gnd_format *f, const char *tail, const uint8_t *data,
                              size_t size)
{
    return fuzz_format_with(f, tail, NULL, data, size);
}

/* Options of text files that a byte chooses. */
static inline gnd_load_opts fuzz_table_opts(uint8_t b)
{
    static const char separator[] = {'\0', ',', ';', ' '};
    static const char *const columns[] = {NULL, "source=2,target=1,id=2,label=1",
                                          "weight=,label=", "source=a,id=a"};

    return (gnd_load_opts){.size = sizeof(gnd_load_opts),
                           .max_input = 1 << 20,
                           .header = (gnd_header)(b % 3),
                           .separator = separator[(b / 3) % 4],
                           .columns = columns[(b / 12) % 4],
                           .missing = (gnd_missing)((b / 48) % 3)};
}

/* A path of three vertices, with ids or without, that a file is loaded into. */
static inline gnd_graph *fuzz_graph(int with_ids)
{
    static const char *const id[] = {"a", "b", "c"};
    gnd_graph *g = NULL;

    if (gnd_graph_new(&g, "fuzz", 3, NULL) != GND_OK ||
        gnd_csr_init(&g->adj, 3, 3, 2, false, NULL) != GND_OK)
        abort();
    g->adj.ptr[1] = 1;
    g->adj.ptr[2] = g->adj.ptr[3] = 2;
    g->adj.col[0] = 1;
    g->adj.col[1] = 2;
    if (with_ids) {
        g->ids = gnd_names_new();
        for (int i = 0; i < 3; i++)
            if (gnd_names_add(g->ids, id[i], 1) != i)
                abort();
    }
    return g;
}

/* Load a file of features or labels into it; the first two bytes choose ids and options. A file
 * that is refused leaves the graph as it was. */
static inline int fuzz_load(gnd_status (*load)(gnd_graph *, const char *, const gnd_load_opts *,
                                               gnd_error *),
                            const uint8_t *data, size_t size)
{
    gnd_load_opts o;
    gnd_error err = {0};
    char path[128];
    gnd_graph *g;
    gnd_status st;

    if (size < 2)
        return 0;
    o = fuzz_table_opts(data[1]);
    g = fuzz_graph(data[0] & 1);
    fuzz_path(path, ".txt");
    fuzz_put(path, data + 2, size - 2);
    st = load(g, path, &o, &err);
    fuzz_judge(st, g, &err);
    if (st != GND_OK && (g->n_node != 3 || g->n_feat != 0 || g->n_class != 0 || g->notes.n != 0))
        abort();
    gnd_graph_free(g);
    unlink(path);
    return 0;
}

/* Two files that belong together: the bytes before and after the first 0xff. */
static inline int fuzz_pair(const gnd_format *f, const char *path, const char *first,
                            const char *second, const uint8_t *data, size_t size)
{
    const uint8_t *cut = size ? memchr(data, 0xff, size) : NULL;
    const size_t n = cut ? (size_t)(cut - data) : size;
    gnd_error err = {0};
    gnd_graph *g = NULL;
    gnd_status st;

    fuzz_put(first, data, n);
    fuzz_put(second, cut ? cut + 1 : data, cut ? size - n - 1 : 0);
    st = f->read(&g, path, NULL, &err);
    if (st != GND_OK && g)
        abort();
    fuzz_judge(st, g, &err);
    gnd_graph_free(g);
    unlink(first);
    unlink(second);
    return 0;
}

#endif
