/* SPDX-License-Identifier: MIT
 * mapping.h - a file mapped into memory for reading, or memory without a file. Several objects may
 * hold a mapping; the last one that releases it unmaps the file. */
#ifndef GND_BASE_MAPPING_H
#define GND_BASE_MAPPING_H

#include <stdint.h>

#include "status.h"

typedef struct gnd_mapping gnd_mapping;

/* Map a regular file. The file must not be changed while it is mapped; replacing it by another file
 * of that name is fine. */
gnd_status gnd_mapping_open(gnd_mapping **out, const char *path, gnd_error *err);
/* The same for an open descriptor, which may be closed afterwards. path: for messages. */
gnd_status gnd_mapping_of(gnd_mapping **out, int fd, const char *path, gnd_error *err);
/* Memory of zeros that takes room only where it is written, and gives it back by
 * gnd_mapping_forget. what: for messages. */
gnd_status gnd_mapping_blank(gnd_mapping **out, int64_t size, const char *what, gnd_error *err);
/* One more object holds the mapping. NULL is fine here and below. */
void gnd_mapping_hold(gnd_mapping *m);
void gnd_mapping_release(gnd_mapping *m);
/* The bytes of the file; valid for as long as the mapping is held. */
const char *gnd_mapping_data(const gnd_mapping *m);
/* The same of gnd_mapping_blank, to be written. */
char *gnd_mapping_room(gnd_mapping *m);
int64_t gnd_mapping_size(const gnd_mapping *m);
/* Bytes begin .. end - 1 are not needed for now: their pages leave this process's memory. They are
 * read again if they are used; those of gnd_mapping_blank are zero then. */
void gnd_mapping_forget(const gnd_mapping *m, int64_t begin, int64_t end);

#endif
