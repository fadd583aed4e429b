/* SPDX-License-Identifier: MIT
 * foreign.h - recognise files of formats that gnd does not read, to refuse them by name. */
#ifndef GND_IO_FOREIGN_H
#define GND_IO_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

/* Do the first bytes of a file look like one of these formats? Then buf describes it for a message:
 * "looks like XML with the root <svg>; of XML, gnd reads GraphML and GEXF". */
bool gnd_foreign_name(char *buf, size_t size, const char *head, size_t n_head);
/* Does the file start like JSON: an object, or a list of something? */
bool gnd_looks_like_json(const char *head, size_t n_head);

#endif
