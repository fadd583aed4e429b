/* SPDX-License-Identifier: MIT
 * npz.h - numpy's archives of arrays. Pickled members are never read. */
#ifndef GND_IO_NPZ_H
#define GND_IO_NPZ_H

#include "kern/csr.h"
#include "npy.h"

/* The one matrix of an npz file: scipy's save_npz, a CSR under attr_* or attr_matrix.*, or else its
 * first two-dimensional numeric array (zeros are not stored). */
gnd_status gnd_npz_load_matrix(gnd_csr *out, int64_t *n_merged, const char *path, int64_t max_input,
                               gnd_error *err);

/* An open archive. */
typedef struct gnd_npz gnd_npz;

/* A member of more than max_input bytes (0: the default, see limit.h) is not read. */
gnd_status gnd_npz_open(gnd_npz **out, const char *path, int64_t max_input, gnd_error *err);
/* Call the callback of o, which may be NULL, while members are read. After a request to stop they
 * cannot be read. */
void gnd_npz_watch(gnd_npz *z, const gnd_load_opts *o);
void gnd_npz_close(gnd_npz *z);
/* Is there a member NAME.npy? */
bool gnd_npz_has(const gnd_npz *z, const char *name);
/* Name of the i-th member without .npy (NULL beyond the last), valid until the archive is closed or
 * the next call. Members that are not arrays have their full name. */
const char *gnd_npz_member(gnd_npz *z, int64_t i);
/* Open a member and read its header. gnd_npy_* read its items. One member is open at a time. */
gnd_status gnd_npz_array(gnd_npy *a, gnd_npz *z, const char *name, gnd_error *err);
/* The CSR matrix (or, without prefix, the layout that the file names) of PREFIXdata, PREFIXindices,
 * PREFIXindptr and PREFIXshape, sorted; *n_merged: number of duplicate entries, which are added
 * up. */
gnd_status gnd_npz_matrix(gnd_csr *out, int64_t *n_merged, gnd_npz *z, const char *prefix,
                          gnd_error *err);
/* A two-dimensional array of numbers; its zeros are not stored. */
gnd_status gnd_npz_dense(gnd_csr *out, gnd_npz *z, const char *name, gnd_error *err);

#endif
