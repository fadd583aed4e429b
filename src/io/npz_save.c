/* SPDX-License-Identifier: MIT
 * npz_save.c - write a graph as an npz file: adj_*, attr_*, labels, class_names, node_names. The
 * same graph gives the same bytes, since the date of members is fixed. */
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "base/alloc.h"
#include "base/outfile.h"
#include "base/utf8.h"
#include "io.h"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ORDER ">"
#else
#define ORDER "<"
#endif

enum { DATE_1980 = 1 << 5 | 1, MEMBER_MAX = 16, WIDTH_MAX = 1 << 24 };

/* Buffers are kept here, since they must exist until the archive is closed. */
typedef struct {
    zip_t *zip;
    void *buf[MEMBER_MAX];
    int n_buf;
    const char *path;
} writer;

static gnd_status zip_fail(const writer *w, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_IO, "%s: cannot create the archive: %s", w->path,
                    w->zip ? zip_strerror(w->zip) : "no memory");
}

/* Add a member NAME.npy of the given shape ("(3,)") and type ("<i4"). *data: n_byte bytes, which
 * the caller fills before the archive is closed. */
static gnd_status member_add(void **data, writer *w, const char *name, const char *type,
                             int64_t n_item, int64_t n_byte, gnd_error *err)
{
    char head[128], file[64];
    const int len =
        snprintf(head, sizeof head, "{'descr': '%s', 'fortran_order': False, 'shape': (%lld,), }",
                 type, (long long)n_item);
    char *buf = n_byte <= INT64_MAX - 128 ? gnd_alloc(128 + n_byte, 1) : NULL;
    zip_source_t *src;
    zip_int64_t i;

    if (!buf || w->n_buf == MEMBER_MAX) {
        gnd_free(buf);
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for %s", w->path, name);
    }
    w->buf[w->n_buf++] = buf;
    memcpy(buf, "\x93NUMPY\x01\x00\x76\x00", 10); /* version 1.0, header of 118 bytes */
    memset(buf + 10, ' ', 118);
    memcpy(buf + 10, head, (size_t)len);
    buf[127] = '\n';
    *data = buf + 128;
    snprintf(file, sizeof file, "%s.npy", name);
    src = zip_source_buffer(w->zip, buf, (zip_uint64_t)(128 + n_byte), 0);
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

static gnd_status matrix_add(writer *w, const gnd_csr *a, const char *prefix, gnd_error *err)
{
    const int64_t nnz = gnd_csr_nnz(a);
    char name[32];
    gnd_real *val;
    int32_t *col;
    int64_t *wide;
    void *p;
    gnd_status st;

    snprintf(name, sizeof name, "%sdata", prefix);
    GND_TRY(member_add(&p, w, name, sizeof *val == 4 ? ORDER "f4" : ORDER "f8", nnz,
                       nnz * (int64_t)sizeof *val, err));
    val = p;
    for (int64_t i = 0; i < nnz; i++)
        val[i] = gnd_csr_val(a, i);
    snprintf(name, sizeof name, "%sindices", prefix);
    GND_TRY(member_add(&p, w, name, ORDER "i4", nnz, nnz * 4, err));
    col = p;
    if (nnz > 0)
        memcpy(col, a->col, (size_t)nnz * sizeof *col);
    snprintf(name, sizeof name, "%sindptr", prefix);
    if (nnz <= INT32_MAX) { /* scipy expects both index arrays to have the same type if possible */
        GND_TRY(member_add(&p, w, name, ORDER "i4", a->n_row + 1, (a->n_row + 1) * 4, err));
        col = p;
        for (int64_t i = 0; i <= a->n_row; i++)
            col[i] = a->ptr ? (int32_t)a->ptr[i] : 0;
    } else {
        GND_TRY(member_add(&p, w, name, ORDER "i8", a->n_row + 1, (a->n_row + 1) * 8, err));
        memcpy(p, a->ptr, (size_t)(a->n_row + 1) * sizeof *a->ptr);
    }
    snprintf(name, sizeof name, "%sshape", prefix);
    GND_TRY(member_add(&p, w, name, ORDER "i8", 2, 16, err));
    wide = p;
    wide[0] = a->n_row;
    wide[1] = a->n_col;
out:
    return st;
}

/* The next character of a text; a byte that is not UTF-8 becomes U+DC00 + byte, as in Python. */
static uint32_t char_next(const char **s)
{
    const unsigned char byte = (unsigned char)**s;
    const uint32_t c = gnd_utf8_next(s);

    return c == GND_NO_CHAR ? 0xdc00u + byte : c;
}

/* n strings, get(arg, i), as numpy's fixed-width unicode. */
static gnd_status names_add(writer *w, const char *name, int64_t n,
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
    snprintf(type, sizeof type, ORDER "U%lld", (long long)width);
    GND_TRY(member_add(&p, w, name, type, n, n * width * 4, err));
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

static gnd_status members_add(writer *w, const gnd_graph *g, gnd_error *err)
{
    void *label;
    gnd_status st;

    GND_TRY(matrix_add(w, &g->adj, "adj_", err));
    if (g->n_feat > 0)
        GND_TRY(matrix_add(w, &g->feat, "attr_", err));
    GND_TRY(member_add(&label, w, "labels", ORDER "i4", g->n_node, g->n_node * 4, err));
    memcpy(label, g->label, (size_t)g->n_node * sizeof *g->label);
    if (g->n_class > 0)
        GND_TRY(names_add(w, "class_names", g->n_class, class_get, g, err));
    if (g->ids || g->old)
        GND_TRY(names_add(w, "node_names", g->n_node, gnd_graph_id, g, err));
out:
    return st;
}

/* Copy the source to the file. */
static gnd_status source_write(zip_source_t *src, FILE *f, const writer *w, gnd_error *err)
{
    char buf[1 << 14];
    zip_int64_t n;

    if (zip_source_open(src) != 0)
        return gnd_fail(err, GND_ERR_IO, "%s: cannot read back the archive", w->path);
    while ((n = zip_source_read(src, buf, sizeof buf)) > 0)
        if (fwrite(buf, 1, (size_t)n, f) != (size_t)n)
            break; /* gnd_outfile_commit reports the reason */
    zip_source_close(src);
    return n < 0 ? gnd_fail(err, GND_ERR_IO, "%s: cannot read back the archive", w->path) : GND_OK;
}

gnd_status gnd_npz_save(const gnd_graph *g, const char *path, gnd_error *err)
{
    writer w = {.path = path};
    gnd_outfile o = {0};
    zip_source_t *src = NULL;
    gnd_status st;

    GND_TRY(gnd_outfile_open(&o, path, err));
    src = zip_source_buffer_create(NULL, 0, 0, NULL);
    w.zip = src ? zip_open_from_source(src, ZIP_TRUNCATE, NULL) : NULL;
    if (!w.zip)
        GND_TRY(zip_fail(&w, err));
    zip_source_keep(src); /* one reference for the archive, one to read it afterwards */
    GND_TRY(members_add(&w, g, err));
    if (zip_close(w.zip) != 0)
        GND_TRY(zip_fail(&w, err));
    w.zip = NULL;
    GND_TRY(source_write(src, o.f, &w, err));
    GND_TRY(gnd_outfile_commit(&o, err));
out:
    if (w.zip)
        zip_discard(w.zip);
    if (src)
        zip_source_free(src);
    for (int i = 0; i < w.n_buf; i++)
        gnd_free(w.buf[i]);
    gnd_outfile_discard(&o);
    return st;
}
