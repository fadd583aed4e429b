/* SPDX-License-Identifier: MIT
 * textfiles.h - small files for the tests of text readers, in a folder that goes away. */
#ifndef GND_TESTS_DATA_TEXTFILES_H
#define GND_TESTS_DATA_TEXTFILES_H

#include "temp.h"

#include <zlib.h>

#include "io/io.h"

static inline const char *put(const char *name, const char *s)
{
    return temp_file(name, s, strlen(s));
}

static inline const char *put_gz(const char *name, const char *s)
{
    const char *path = temp_path(name);
    gzFile f = gzopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(gzwrite(f, s, (unsigned)strlen(s)), (int)strlen(s));
    assert_int_equal(gzclose(f), Z_OK);
    return path;
}

/* Bytes of a file, NUL-terminated, in a static buffer. */
static inline const char *slurp(const char *path)
{
    static char buf[65536];
    FILE *f = fopen(path, "rb");

    assert_non_null(f);
    buf[fread(buf, 1, sizeof buf - 1, f)] = '\0';
    fclose(f);
    return buf;
}

static inline bool has_note(const gnd_graph *g, const char *text)
{
    for (int64_t i = 0; i < g->notes.n; i++)
        if (strstr(g->notes.list[i].text, text))
            return true;
    return false;
}

/* Weight of the arc (i, j), 0 if there is none. */
static inline double arc(const gnd_graph *g, int64_t i, int32_t j)
{
    const int64_t p = gnd_csr_find(&g->adj, i, j);

    return p < 0 ? 0 : (double)gnd_csr_val(&g->adj, p);
}

static inline double feature(const gnd_graph *g, int64_t i, int32_t j)
{
    const int64_t p = gnd_csr_find(&g->feat, i, j);

    return p < 0 ? 0 : (double)gnd_csr_val(&g->feat, p);
}

static inline void check_id(const gnd_graph *g, int64_t i, const char *id)
{
    char buf[32];

    assert_string_equal(gnd_graph_id(g, i, buf), id);
}

static inline gnd_graph *path_graph(int64_t n)
{
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(gnd_graph_new(&g, "path", n, &err));
    CHECK_OK(gnd_csr_init(&g->adj, n, n, n - 1, false, &err));
    for (int64_t i = 0; i < n; i++) {
        if (i + 1 < n)
            g->adj.col[i] = (int32_t)i + 1;
        g->adj.ptr[i + 1] = i + 1 < n ? i + 1 : n - 1;
    }
    CHECK_OK(gnd_graph_check(g, NULL, &err));
    return g;
}

/* A file that is answered by one sentence. */
typedef struct {
    const char *text;
    gnd_status code;
    const char *say;
} bad_file;

/* Cut the text at every length and damage every byte: each is read or refused, and nothing else. */
static inline void mangle(const char *text, void (*try)(const char *s, size_t n))
{
    static const char to[] = {'\0', '\n', ',', '"', '9', '-', '\t', (char)0xff};
    const size_t n = strlen(text);
    char *copy = malloc(n + 1);

    assert_non_null(copy);
    for (size_t i = 0; i <= n; i++)
        try(text, i);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sizeof to; k++) {
            memcpy(copy, text, n);
            copy[i] = to[k];
            try(copy, n);
        }
    }
    free(copy);
}

/* The outcome of a reader on a damaged file. */
static inline void check_outcome(gnd_status st, const gnd_graph *g, const gnd_error *err)
{
    gnd_error e = {0};

    if (st == GND_OK) {
        assert_non_null(g);
        assert_int_equal(gnd_graph_check(g, NULL, &e), GND_OK);
        assert_int_equal(err->code, GND_OK);
    } else {
        assert_int_equal(err->code, st);
        assert_true(err->msg[0] && !strchr(err->msg, '\n'));
    }
}

/* A graph file that is not valid, and a part of the sentence that it is answered by. */
typedef struct {
    const char *text, *say;
} refused_file;

static inline void check_bad_files(const char *name, const refused_file *bad, int64_t n)
{
    gnd_graph *g;
    gnd_error err;

    for (int64_t i = 0; i < n; i++) {
        CHECK_FAILS(gnd_load(&g, put(name, bad[i].text), NULL, &err), GND_ERR_FORMAT, bad[i].say);
        assert_null(g);
    }
}

/* The format and file name of the text that check_mangled tries. */
static const gnd_format *mangled_format;
static const char *mangled_name;

static inline void try_mangled(const char *s, size_t n)
{
    gnd_graph *g = NULL;
    gnd_error err = {0};
    const gnd_status st = mangled_format->read(&g, temp_file(mangled_name, s, n), NULL, &err);

    check_outcome(st, g, &err);
    gnd_graph_free(g);
}

static inline void check_mangled(const gnd_format *f, const char *name, const char *text)
{
    mangled_format = f;
    mangled_name = name;
    mangle(text, try_mangled);
}

static inline int stop_at_once(const char *stage, double share, void *user)
{
    (void)stage;
    (void)share;
    (void)user;
    return 1;
}

/* A reader stops when its callback asks it to. */
static inline void check_stopped(const gnd_format *f, const char *path)
{
    const gnd_load_opts o = {.size = sizeof o, .on_tick = stop_at_once};
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_FAILS(f->read(&g, path, &o, &err), GND_ERR_STOPPED, "stopped");
    assert_null(g);
}

#endif
