/* SPDX-License-Identifier: MIT
 * limit.h - the limit on the unpacked size of an input file. */
#ifndef GND_IO_LIMIT_H
#define GND_IO_LIMIT_H

#include "base/status.h"

/* The limit in bytes for gnd_load_opts.max_input; 0 is half of the physical memory. */
int64_t gnd_limit_get(int64_t max_input);
/* Fail with the limit and the option that raises it. what: the file, or the file and its member;
 * does: "unpacks to" or "has". */
gnd_status gnd_limit_fail(const char *what, const char *does, int64_t limit, gnd_error *err);

#endif
