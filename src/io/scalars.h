/* SPDX-License-Identifier: MIT
 * scalars.h - items of the arrays that callers give, of any gnd_scalar type, as the types of gnd.
 */
#ifndef GND_IO_SCALARS_H
#define GND_IO_SCALARS_H

#include <stddef.h>
#include <stdint.h>

#include "gnd.h"
#include "kern/real.h"

/* Bytes of an item; 0: there is no such type. */
size_t gnd_scalar_size(gnd_scalar type);
/* The type of the library's own values. */
gnd_scalar gnd_scalar_real(void);

/* The i-th item, for messages. */
double gnd_scalar_get(const void *data, gnd_scalar type, int64_t i);

/* Integers of type GND_I32 or GND_I64. Need not be aligned, here and below. */
void gnd_scalars_int64(int64_t *out, const void *data, gnd_scalar type, int64_t n);
/* The same, which must be in 0 .. limit - 1, limit <= INT32_MAX + 1. Returns the position of the
 * first that is not; n: there is none. */
int64_t gnd_scalars_int32(int32_t *out, const void *data, gnd_scalar type, int64_t n,
                          int64_t limit);
/* n items, `stride` bytes from one to the next. Returns the position of the first that is not a
 * finite number in gnd_real; n: there is none. */
int64_t gnd_scalars_real(gnd_real *out, const void *data, gnd_scalar type, int64_t n,
                         int64_t stride);

#endif
