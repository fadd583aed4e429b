/* SPDX-License-Identifier: MIT
 * opts.h - structs of the public header that the caller allocates. They may grow, so their first
 * field is the size that the caller's header gives them. */
#ifndef GND_BASE_OPTS_H
#define GND_BASE_OPTS_H

#include "status.h"

/* Options: the user's o (NULL: all defaults) in our size. Fields that an older header lacks are
 * zero; a size that no header had is refused. name: for the message. */
gnd_status gnd_opts_get(void *out, uint32_t size, const void *o, const char *name, gnd_error *err);

/* Results: is the size field of the user's struct one that gnd_opts_put can fill? To be asked
 * before the work. */
gnd_status gnd_opts_check(const void *o, uint32_t size, const char *name, gnd_error *err);
/* Copy as many bytes of `from`, `size` of them, as the user's struct `to` has; its size field
 * stays. */
void gnd_opts_put(void *to, const void *from, uint32_t size);

#endif
