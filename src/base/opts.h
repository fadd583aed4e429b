/* SPDX-License-Identifier: MIT
 * opts.h - structs of the public header that the caller allocates. Later versions may append
 * fields, so the first field is the size of the struct in the caller's header. */
#ifndef GND_BASE_OPTS_H
#define GND_BASE_OPTS_H

#include "status.h"

/* Copy the caller's options o (NULL: all defaults) to out, of the present size. Fields that an
 * older header lacks are zero; a size that no version had is an error. name: for the message. */
gnd_status gnd_opts_get(void *out, uint32_t size, const void *o, const char *name, gnd_error *err);

/* For results: check that the size field of the caller's struct is one that gnd_opts_put can fill.
 * Call it before the computation. */
gnd_status gnd_opts_check(const void *o, uint32_t size, const char *name, gnd_error *err);
/* Copy a result of `size` bytes to the caller's struct `to`, as far as that has room; its size
 * field is unchanged. */
void gnd_opts_put(void *to, const void *from, uint32_t size);

#endif
