/* SPDX-License-Identifier: MIT
 * store_folder.h - the runs of a store as a folder: DATASET.csv, the runs on a data set, and
 * configs.csv, the settings to which their column `config` refers. */
#ifndef GND_EVAL_STORE_FOLDER_H
#define GND_EVAL_STORE_FOLDER_H

#include "configs.h"
#include "store.h"

#define GND_FOLDER_CONFIGS  "configs.csv"
#define GND_FOLDER_DATASETS "datasets.csv" /* recorded.h */

/* Is path a folder, or does it end with a slash? */
bool gnd_is_folder(const char *path);
/* Write all files of the folder; on failure none has changed. */
gnd_status gnd_folder_export(gnd_store *s, const char *path, gnd_error *err);
/* Add the runs of all files of the folder, inside a transaction. */
gnd_status gnd_folder_import(gnd_store *s, const char *path, int64_t *n_new, gnd_error *err);
/* The configurations beside the file of runs at path. */
gnd_status gnd_folder_configs(gnd_configs *c, const char *path, gnd_error *err);
/* Add the runs of one file, inside a transaction; store_csv.c. */
gnd_status gnd_store_import_file(gnd_store *s, const char *path, int64_t *n_new, gnd_error *err);

#endif
