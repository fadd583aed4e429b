/* SPDX-License-Identifier: MIT
 * opts.h - option structs of the public header, which may grow. */
#ifndef GND_BASE_OPTS_H
#define GND_BASE_OPTS_H

#include "status.h"

/* The user's options o (NULL: all defaults) in our size. Their first field is the size their header
 * gave them: fields that an older header lacks are zero, a size no header ever had is refused.
 * name: for the message. */
gnd_status gnd_opts_get(void *out, uint32_t size, const void *o, const char *name, gnd_error *err);

#endif
