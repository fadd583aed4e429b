/* SPDX-License-Identifier: MIT
 * npz_write.c - a zip archive of .npy members, made in memory and then written to the file. */
#include "npz_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ORDER ">"
#else
#define ORDER "<"
#endif

enum { DATE_1980 = 1 << 5 | 1, HEAD = 128, WIDTH_MAX = 1 << 24 };

static gnd_status zip_fail(const gnd_npz_writer *w, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_IO, "%s: cannot create the archive: %s", w->path,
                    w->zip ? zip_strerror(w->zip) : "no memory");
}

gnd_status gnd_npz_writer_open(gnd_npz_writer *w, const char *path, gnd_error *err)
{
    gnd_status st;

    w->path = path;
    GND_TRY(gnd_outfile_open(&w->file, path, err));
    w->source = zip_source_buffer_create(NULL, 0, 0, NULL);
    w->zip = w->source ? zip_open_from_source(w->source, ZIP_TRUNCATE, NULL) : NULL;
    if (!w->zip)
        GND_TRY(zip_fail(w, err));
    zip_source_keep(w->source); /* one reference for the archive, one to read it afterwards */
out:
    return st;
}

/* A zeroed buffer that belongs to w; NULL: no memory. */
static char *buffer_new(gnd_npz_writer *w, int64_t n_byte)
{
    char *buf;

    if (w->n_buf == w->room) {
        const int64_t room = w->room ? 2 * w->room : 16;
        void **more = gnd_realloc(w->buf, room, sizeof *more);

        if (!more)
            return NULL;
        w->buf = more;
        w->room = room;
    }
    buf = gnd_alloc(n_byte, 1);
    if (buf)
        w->buf[w->n_buf++] = buf;
    return buf;
}

/* Version 1.0, padded to HEAD bytes. */
static void head_write(char *buf, const gnd_npz_array_spec *a)
{
    char shape[64], head[HEAD];
    int len;

    if (a->cols > 0 && a->depth > 0)
        snprintf(shape, sizeof shape, "(%lld, %lld, %lld)", (long long)a->rows, (long long)a->cols,
                 (long long)a->depth);
    else if (a->cols > 0)
        snprintf(shape, sizeof shape, "(%lld, %lld)", (long long)a->rows, (long long)a->cols);
    else
        snprintf(shape, sizeof shape, "(%lld,)", (long long)a->rows);
    len = snprintf(head, sizeof head, "{'descr': '%s%s', 'fortran_order': False, 'shape': %s, }",
                   ORDER, a->type, shape);
    memcpy(buf, "\x93NUMPY\x01\x00\x76\x00", 10); /* the header has 118 bytes */
    memset(buf + 10, ' ', HEAD - 10);
    memcpy(buf + 10, head, (size_t)len);
    buf[HEAD - 1] = '\n';
}

gnd_status gnd_npz_writer_add(void **data, gnd_npz_writer *w, const gnd_npz_array_spec *a,
                              gnd_error *err)
{
    char *buf = a->n_byte <= INT64_MAX - HEAD ? buffer_new(w, HEAD + a->n_byte) : NULL;
    zip_source_t *src;
    char file[64];
    zip_int64_t i;

    if (!buf)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for %s", w->path, a->name);
    head_write(buf, a);
    *data = buf + HEAD;
    snprintf(file, sizeof file, "%s.npy", a->name);
    src = zip_source_buffer(w->zip, buf, (zip_uint64_t)(HEAD + a->n_byte), 0);
    if (!src)
        return zip_fail(w, err);
    i = zip_file_add(w->zip, file, src, 0);
    if (i < 0) {
        zip_source_free(src);
        return zip_fail(w, err);
    }
    if (zip_set_file_compression(w->zip, (zip_uint64_t)i, ZIP_CM_DEFLATE, 6) != 0 ||
        zip_file_set_dostime(w->zip, (zip_uint64_t)i, 0, DATE_1980, 0) != 0)
        return zip_fail(w, err);
    return GND_OK;
}

/* ---- labels and names ---- */

/* The next character of a text; a byte that is not UTF-8 becomes U+DC00 + byte, as in Python. */
static uint32_t char_next(const char **s)
{
    const unsigned char byte = (unsigned char)**s;
    const uint32_t c = gnd_utf8_next(s);

    return c == GND_NO_CHAR ? 0xdc00u + byte : c;
}

/* n strings, get(g, i), as numpy's fixed-width unicode. */
static gnd_status names_add(gnd_npz_writer *w, const char *name, int64_t n,
                            const char *(*get)(const gnd_graph *g, int64_t i, char buf[32]),
                            const gnd_graph *g, gnd_error *err)
{
    int64_t width = 1;
    char type[16], buf[32];
    uint32_t *out;
    void *p;
    gnd_status st;

    for (int64_t i = 0; i < n; i++) {
        int64_t len = 0;

        for (const char *s = get(g, i, buf); *s; len++)
            char_next(&s);
        width = len > width ? len : width;
    }
    if (width > WIDTH_MAX || n * width > INT64_C(1) << 36)
        return gnd_fail(err, GND_ERR_ARG,
                        "%s: a name of %lld characters is too long for an npz file", w->path,
                        (long long)width);
    snprintf(type, sizeof type, "U%lld", (long long)width);
    GND_TRY(
        gnd_npz_writer_add(&p, w, &(gnd_npz_array_spec){name, type, n, 0, 0, n * width * 4}, err));
    out = p;
    for (int64_t i = 0; i < n; i++) {
        int64_t k = 0;

        for (const char *s = get(g, i, buf); *s; k++)
            out[i * width + k] = char_next(&s);
    }
out:
    return st;
}

static const char *class_get(const gnd_graph *g, int64_t i, char buf[32])
{
    (void)buf;
    return gnd_graph_class_name(g, (int32_t)i);
}

gnd_status gnd_npz_writer_add_labels(gnd_npz_writer *w, const gnd_graph *g, gnd_error *err)
{
    const int64_t n = g->n_node;
    void *label;
    gnd_status st;

    GND_TRY(
        gnd_npz_writer_add(&label, w, &(gnd_npz_array_spec){"labels", "i4", n, 0, 0, n * 4}, err));
    memcpy(label, g->label, (size_t)n * sizeof *g->label);
    if (g->n_class > 0)
        GND_TRY(names_add(w, "class_names", g->n_class, class_get, g, err));
    if (g->ids || g->old)
        GND_TRY(names_add(w, "node_names", n, gnd_graph_id, g, err));
out:
    return st;
}

/* ---- the file ---- */

/* Copy the archive to the file. */
static gnd_status source_write(gnd_npz_writer *w, gnd_error *err)
{
    char buf[1 << 14];
    zip_int64_t n;

    if (zip_source_open(w->source) != 0)
        return gnd_fail(err, GND_ERR_IO, "%s: cannot read back the archive", w->path);
    while ((n = zip_source_read(w->source, buf, sizeof buf)) > 0)
        if (fwrite(buf, 1, (size_t)n, w->file.f) != (size_t)n)
            break; /* gnd_outfile_commit reports the reason */
    zip_source_close(w->source);
    return n < 0 ? gnd_fail(err, GND_ERR_IO, "%s: cannot read back the archive", w->path) : GND_OK;
}

static void compressed(zip_t *zip, double part, void *user)
{
    const gnd_npz_writer *w = user;

    (void)zip;
    gnd_pool_done(w->pool, part);
}

static int stop(zip_t *zip, void *user)
{
    const gnd_npz_writer *w = user;

    (void)zip;
    return gnd_pool_check(w->pool, NULL) != GND_OK;
}

gnd_status gnd_npz_writer_commit(gnd_npz_writer *w, gnd_error *err)
{
    bool failed;
    gnd_status st = GND_OK;

    if (w->pool && (zip_register_progress_callback_with_state(w->zip, 0.001, compressed, NULL, w) ||
                    zip_register_cancel_callback_with_state(w->zip, stop, NULL, w)))
        GND_TRY(zip_fail(w, err));
    failed = zip_close(w->zip) != 0;
    if (failed && !gnd_pool_stopped(w->pool))
        GND_TRY(zip_fail(w, err));
    if (!failed)
        w->zip = NULL;
    GND_TRY(gnd_pool_check(w->pool, err));
    GND_TRY(source_write(w, err));
    GND_TRY(gnd_outfile_commit(&w->file, err));
out:
    return st;
}

void gnd_npz_writer_fini(gnd_npz_writer *w)
{
    if (w->zip)
        zip_discard(w->zip);
    if (w->source)
        zip_source_free(w->source);
    for (int64_t i = 0; i < w->n_buf; i++)
        gnd_free(w->buf[i]);
    gnd_free(w->buf);
    gnd_outfile_discard(&w->file);
    *w = (gnd_npz_writer){0};
}
