/* SPDX-License-Identifier: MIT
 * configs.h - configs.csv of a folder of exported runs: methods with their settings, each under a
 * short name by which the rows of the runs refer to it. */
#ifndef GND_EVAL_CONFIGS_H
#define GND_EVAL_CONFIGS_H

#include "base/str.h"
#include "io/text.h"
#include "key.h"

/* Zero-initialised it is valid and empty. */
typedef struct {
    gnd_names *name;           /* the names, see gnd_key_config */
    char **method, **settings; /* [number of names] */
} gnd_configs;

void gnd_configs_fini(gnd_configs *c);
/* Add a configuration unless it is there. Another one of the same name is an error. */
gnd_status gnd_configs_add(gnd_configs *c, const char *method, const char *settings,
                           gnd_error *err);
/* The settings of the configuration of a method; NULL: there is none of this name and method. */
const char *gnd_configs_settings(const gnd_configs *c, const char *name, const char *method);
/* Read the file at path. A name that does not belong to its settings is an error. */
gnd_status gnd_configs_read(gnd_configs *c, const char *path, gnd_error *err);
/* Write all configurations in the order in which they were added. */
void gnd_configs_write(const gnd_configs *c, FILE *f);

#endif
