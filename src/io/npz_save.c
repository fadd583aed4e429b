/* SPDX-License-Identifier: MIT
 * npz_save.c - write a graph as an npz file: adj_*, attr_*, labels, class_names, node_names. */
#include <string.h>

#include "io.h"
#include "npz_write.h"

static gnd_status matrix_add(gnd_npz_writer *w, const gnd_csr *a, const char *prefix,
                             gnd_error *err)
{
    const int64_t nnz = gnd_csr_nnz(a), n_ptr = a->n_row + 1;
    char name[32];
    gnd_real *val;
    int32_t *col;
    int64_t *wide;
    void *p;
    gnd_status st;

    snprintf(name, sizeof name, "%sdata", prefix);
    GND_TRY(gnd_npz_writer_add(&p, w,
                               &(gnd_npz_array_spec){name, sizeof *val == 4 ? "f4" : "f8", nnz, 0,
                                                     0, nnz * (int64_t)sizeof *val},
                               err));
    val = p;
    for (int64_t i = 0; i < nnz; i++)
        val[i] = gnd_csr_val(a, i);
    snprintf(name, sizeof name, "%sindices", prefix);
    GND_TRY(gnd_npz_writer_add(&p, w, &(gnd_npz_array_spec){name, "i4", nnz, 0, 0, nnz * 4}, err));
    if (nnz > 0)
        memcpy(p, a->col, (size_t)nnz * sizeof *a->col);
    snprintf(name, sizeof name, "%sindptr", prefix);
    if (nnz <= INT32_MAX) { /* scipy expects both index arrays to have the same type if possible */
        GND_TRY(gnd_npz_writer_add(&p, w, &(gnd_npz_array_spec){name, "i4", n_ptr, 0, 0, n_ptr * 4},
                                   err));
        col = p;
        for (int64_t i = 0; i < n_ptr; i++)
            col[i] = a->ptr ? (int32_t)a->ptr[i] : 0;
    } else {
        GND_TRY(gnd_npz_writer_add(&p, w, &(gnd_npz_array_spec){name, "i8", n_ptr, 0, 0, n_ptr * 8},
                                   err));
        memcpy(p, a->ptr, (size_t)n_ptr * sizeof *a->ptr);
    }
    snprintf(name, sizeof name, "%sshape", prefix);
    GND_TRY(gnd_npz_writer_add(&p, w, &(gnd_npz_array_spec){name, "i8", 2, 0, 0, 16}, err));
    wide = p;
    wide[0] = a->n_row;
    wide[1] = a->n_col;
out:
    return st;
}

gnd_status gnd_npz_save(const gnd_graph *g, const char *path, gnd_pool *pool, gnd_error *err)
{
    gnd_npz_writer w = {.pool = pool};
    gnd_status st;

    GND_TRY(gnd_npz_writer_open(&w, path, err));
    GND_TRY(matrix_add(&w, &g->adj, "adj_", err));
    if (g->n_feat > 0)
        GND_TRY(matrix_add(&w, &g->feat, "attr_", err));
    GND_TRY(gnd_npz_writer_add_labels(&w, g, err));
    GND_TRY(gnd_npz_writer_commit(&w, err));
out:
    gnd_npz_writer_fini(&w);
    return st;
}
