/* SPDX-License-Identifier: MIT
 * tensor_writer.c - write a safetensors file in pieces. Tensors are written side by side at their
 * places; the header, which has the checksum of the data, comes last. */
#define _POSIX_C_SOURCE 200809L
#include "tensor_writer.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/buffer.h"
#include "base/tempfile.h"

gnd_status gnd_tensor_writer_open(gnd_tensor_writer *w, const char *path, gnd_error *err)
{
    gnd_status st;

    *w = (gnd_tensor_writer){0};
    GND_TRY(gnd_outfile_open(&w->file, path, err));
    if (!w->file.temp)
        GND_TRY(gnd_fail(err, GND_ERR_IO,
                         "%s: is a pipe or a device; safetensors needs the name of a file", path));
out:
    if (st != GND_OK)
        gnd_tensor_writer_discard(w);
    return st;
}

void gnd_tensor_writer_discard(gnd_tensor_writer *w)
{
    gnd_outfile_discard(&w->file);
}

static int64_t size_of(const char *dtype)
{
    return dtype[0] == 'U' ? 1 : dtype[1] == '6' ? 8 : 4;
}

static int64_t bytes_of(const gnd_written_tensor *t)
{
    return t->shape[0] * t->shape[1] * t->size;
}

int gnd_tensor_add(gnd_tensor_writer *w, const char *name, const char *dtype, int64_t rows,
                   int64_t cols)
{
    const gnd_written_tensor *before = w->n > 0 ? &w->tensor[w->n - 1] : NULL;
    gnd_written_tensor *t = &w->tensor[w->n];

    assert(w->n < GND_MAX_TENSOR && strlen(name) < sizeof t->name &&
           strlen(dtype) < sizeof t->dtype);
    *t = (gnd_written_tensor){.n_dim = cols > 0 ? 2 : 1,
                              .size = size_of(dtype),
                              .shape = {rows, cols > 0 ? cols : 1},
                              .at = before ? before->at + bytes_of(before) : 0,
                              .crc = crc32(0, NULL, 0)};
    snprintf(t->name, sizeof t->name, "%s", name);
    snprintf(t->dtype, sizeof t->dtype, "%s", dtype);
    assert(!before || before->size >= t->size);
    return w->n++;
}

void gnd_tensor_cut(gnd_tensor_writer *w, int64_t rows)
{
    w->tensor[w->n - 1].shape[0] = rows;
}

static gnd_status write_at(const gnd_tensor_writer *w, const char *bytes, int64_t n, int64_t at,
                           gnd_error *err)
{
    const int why = gnd_write_at(fileno(w->file.f), bytes, n, at);

    return why == 0
               ? GND_OK
               : gnd_fail(err, GND_ERR_IO, "%s: cannot write: %s", w->file.path, strerror(why));
}

enum { PIECE = 1 << 23 }; /* bytes: written in much less than a tenth of a second */

gnd_status gnd_tensor_put(gnd_tensor_writer *w, int k, const void *items, int64_t n, gnd_error *err)
{
    gnd_written_tensor *t = &w->tensor[k];
    const int64_t n_byte = n * t->size;
    gnd_status st = GND_OK;

    assert(t->written + n_byte <= bytes_of(t));
    for (int64_t i = 0; i < n_byte; i += PIECE) {
        const char *piece = (const char *)items + i;
        const int64_t m = n_byte - i < PIECE ? n_byte - i : PIECE;

        GND_TRY(write_at(w, piece, m, GND_TENSOR_DATA_AT + t->at + t->written, err));
        t->crc = crc32_z(t->crc, (const unsigned char *)piece, (size_t)m);
        t->written += m;
        if (w->all > 0)
            gnd_pool_done(w->pool, (double)(t->at + t->written) / (double)w->all);
        GND_TRY(gnd_pool_check(w->pool, err));
    }
out:
    return st;
}

static bool put_entry(json_t *head, const gnd_written_tensor *t)
{
    json_t *shape = t->n_dim == 2
                        ? json_pack("[I,I]", (json_int_t)t->shape[0], (json_int_t)t->shape[1])
                        : json_pack("[I]", (json_int_t)t->shape[0]);
    json_t *entry = json_pack("{s:s, s:o, s:[I,I]}", "dtype", t->dtype, "shape", shape,
                              "data_offsets", (json_int_t)t->at, (json_int_t)(t->at + t->written));

    return json_object_set_new(head, t->name, entry) == 0;
}

static int dump_add(const char *bytes, size_t n, void *buffer)
{
    return gnd_buffer_add(buffer, bytes, n) ? 0 : -1;
}

gnd_status gnd_tensor_writer_finish(gnd_tensor_writer *w, json_t *meta, gnd_error *err)
{
    char start[GND_TENSOR_DATA_AT], sum[24];
    unsigned long crc = crc32(0, NULL, 0);
    gnd_buffer text = {0};
    json_t *head = json_object();
    bool ok = head != NULL;
    gnd_status st = GND_OK;

    for (int k = 0; k < w->n; k++) {
        assert(w->tensor[k].written == bytes_of(&w->tensor[k]));
        crc = crc32_combine(crc, w->tensor[k].crc, w->tensor[k].written);
    }
    snprintf(sum, sizeof sum, "crc32:%08lx", crc);
    ok = ok && json_object_set_new(meta, GND_TENSOR_CHECKSUM, json_string(sum)) == 0 &&
         json_object_set(head, "__metadata__", meta) == 0;
    for (int k = 0; ok && k < w->n; k++)
        ok = put_entry(head, &w->tensor[k]);
    if (!ok || json_dump_callback(head, dump_add, &text, JSON_COMPACT) != 0 || text.failed)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for its header", w->file.path));
    assert(text.size <= sizeof start - 8);
    memset(start, ' ', sizeof start);
    memset(start, 0, 8);
    for (int i = 0; i < 2; i++)
        start[i] = (char)((sizeof start - 8) >> (8 * i));
    memcpy(start + 8, text.text, text.size);
    GND_TRY(write_at(w, start, sizeof start, 0, err));
out:
    gnd_buffer_fini(&text);
    json_decref(head);
    return st;
}

gnd_status gnd_tensor_writer_commit(gnd_tensor_writer *w, gnd_error *err)
{
    return gnd_outfile_commit(&w->file, err);
}
