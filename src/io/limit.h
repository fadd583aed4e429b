/* SPDX-License-Identifier: MIT
 * limit.h - how many bytes an input file may take in memory when it is unpacked. */
#ifndef GND_IO_LIMIT_H
#define GND_IO_LIMIT_H

#include "base/status.h"

/* The limit in bytes that gnd_load_opts.max_input means: 0 is half of the physical memory. */
int64_t gnd_limit_get(int64_t max_input);
/* what: the file, or the file and its member; does: "unpacks to" or "has". The error names the
 * limit and the option that raises it. */
gnd_status gnd_limit_fail(const char *what, const char *does, int64_t limit, gnd_error *err);

#endif
