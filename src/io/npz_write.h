/* SPDX-License-Identifier: MIT
 * npz_write.h - write numpy's archives of arrays. The same arrays give the same bytes, since the
 * date of members is fixed. */
#ifndef GND_IO_NPZ_WRITE_H
#define GND_IO_NPZ_WRITE_H

#include <zip.h>

#include "base/outfile.h"
#include "base/parallel.h"
#include "graph/graph.h"

/* Zero the struct first, but for pool. Buffers are kept here, since they must exist until the
 * archive is closed. */
typedef struct {
    gnd_pool *pool; /* for its callback, while commit compresses; NULL: none */
    const char *path;
    gnd_outfile file;
    zip_source_t *source;
    zip_t *zip;
    void **buf; /* [n_buf] */
    int64_t n_buf, room;
} gnd_npz_writer;

/* An array of items of the given type ("f4", "i4", "U7"), in the byte order of the machine, of
 * shape (rows,), (rows, cols) if cols is over 0, or (rows, cols, depth) if depth is too. */
typedef struct {
    const char *name, *type;
    int64_t rows, cols, depth;
    int64_t n_byte; /* of all items */
} gnd_npz_array_spec;

/* Begin the file path, which must outlive w; it appears with commit. */
gnd_status gnd_npz_writer_open(gnd_npz_writer *w, const char *path, gnd_error *err);
/* Add a member NAME.npy. *data: n_byte zero bytes, which the caller fills before commit. */
gnd_status gnd_npz_writer_add(void **data, gnd_npz_writer *w, const gnd_npz_array_spec *a,
                              gnd_error *err);
/* Labels as "labels", class names as "class_names" and ids, if the graph has any, as
 * "node_names". */
gnd_status gnd_npz_writer_add_labels(gnd_npz_writer *w, const gnd_graph *g, gnd_error *err);
gnd_status gnd_npz_writer_commit(gnd_npz_writer *w, gnd_error *err);
/* Frees w; the file is not written unless commit came first. */
void gnd_npz_writer_fini(gnd_npz_writer *w);

#endif
