/* SPDX-License-Identifier: MIT
 * mtx.h - Matrix Market: coordinate and array, real, integer and pattern, general and symmetric. */
#ifndef GND_IO_MTX_H
#define GND_IO_MTX_H

#include "kern/csr.h"

/* n_merged, if not NULL: number of duplicate entries. */
gnd_status gnd_mtx_load_matrix(gnd_csr *out, int64_t *n_merged, const char *path, int64_t max_input,
                               gnd_error *err);

#endif
