/* SPDX-License-Identifier: MIT
 * npz.h - numpy's archives of arrays. Pickled members are never opened. */
#ifndef GND_DATA_NPZ_H
#define GND_DATA_NPZ_H

#include "kern/csr.h"

/* The one matrix of an npz file: scipy's save_npz, a CSR under attr_* or attr_matrix.*, or else its first
 * two-dimensional numeric array (zeros are not stored). */
gnd_status gnd_npz_load_matrix(gnd_csr *out, const char *path, gnd_error *err);

#endif
