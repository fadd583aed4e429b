/* SPDX-License-Identifier: MIT
 * tensor_writer.h - write a safetensors file tensor by tensor, in pieces, with a checksum. */
#ifndef GND_IO_TENSOR_WRITER_H
#define GND_IO_TENSOR_WRITER_H

#include <jansson.h>

#include "base/outfile.h"
#include "base/parallel.h"

/* The data start here: the header is padded with blanks to one page, so that mapped arrays are
 * aligned. */
enum { GND_TENSOR_DATA_AT = 4096, GND_MAX_TENSOR = 16 };

/* The key of the checksum in the metadata. Its value is "crc32:" and eight hexadecimal digits, the
 * CRC-32 of all bytes after the header. */
#define GND_TENSOR_CHECKSUM "checksum"

typedef struct {
    char name[32];
    char dtype[4];
    int n_dim;
    int64_t size; /* bytes of an item */
    int64_t shape[2];
    int64_t at;      /* place in the data */
    int64_t written; /* bytes */
    unsigned long crc;
} gnd_written_tensor;

/* Zero is valid and empty. */
typedef struct {
    gnd_outfile file;
    gnd_written_tensor tensor[GND_MAX_TENSOR];
    int n;
    gnd_pool *pool; /* for its callback, between pieces of a tensor; NULL: none */
    int64_t all;    /* bytes of all tensors, about: for the callback */
} gnd_tensor_writer;

/* Create the file, which must be a regular one: tensors are written out of order. */
gnd_status gnd_tensor_writer_open(gnd_tensor_writer *w, const char *path, gnd_error *err);
/* Add a tensor after those that are there. dtype: "I64", "I32", "F32", "F64" or "U8". cols: 0 for
 * one dimension. Returns its number. Those with larger items come first, so that all are aligned.
 */
int gnd_tensor_add(gnd_tensor_writer *w, const char *name, const char *dtype, int64_t rows,
                   int64_t cols);
/* The last tensor has only so many rows. */
void gnd_tensor_cut(gnd_tensor_writer *w, int64_t rows);
/* Append n items to tensor k. GND_ERR_STOPPED if the callback asked to stop. */
gnd_status gnd_tensor_put(gnd_tensor_writer *w, int k, const void *items, int64_t n,
                          gnd_error *err);
/* Write the header with meta, to which the checksum is added; all tensors must be complete. The
 * file is not in its place yet. */
gnd_status gnd_tensor_writer_finish(gnd_tensor_writer *w, json_t *meta, gnd_error *err);
/* Put the file into its place. */
gnd_status gnd_tensor_writer_commit(gnd_tensor_writer *w, gnd_error *err);
/* Remove what was written; nothing after commit. */
void gnd_tensor_writer_discard(gnd_tensor_writer *w);

#endif
