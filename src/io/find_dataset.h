/* SPDX-License-Identifier: MIT
 * find_dataset.h - find the files of a data set by its name. */
#ifndef GND_IO_FIND_DATASET_H
#define GND_IO_FIND_DATASET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum { GND_PATH_SIZE = 4096 };

/* Is it one of the names of gnd_dataset_name()? */
bool gnd_dataset_known(const char *name);
/* Search data_dir (NULL: none) and the usual folders for a data set, listed or not. True: its path
 * is in buf. */
bool gnd_dataset_seek(char *buf, size_t size, const char *name, const char *data_dir);
/* The message for a name that was not found: the closest name, and the searched folders. */
gnd_status gnd_dataset_missing(const char *name, const char *data_dir, gnd_error *err);

#endif
