/* SPDX-License-Identifier: MIT
 * renamed.h - settings whose names changed; the old names are still accepted on the command line,
 * in result stores and in model files. And settings that were removed. */
#ifndef GND_MODEL_RENAMED_H
#define GND_MODEL_RENAMED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum { GND_RENAMED_VALUE = 192 };

/* Is `name` an old name of a setting, or `value` an old value? If so, *new_name (a constant) and
 * new_value are the current ones; a set of values is translated item by item. Otherwise both are
 * not changed. */
bool gnd_setting_renamed(const char **new_name, char new_value[GND_RENAMED_VALUE],
                         const char *method, const char *name, const char *value);

/* Translate "name=value name=value ..." to current names and values, in the same order. The caller
 * frees *out. */
gnd_status gnd_settings_renamed(char **out, const char *method, const char *settings,
                                gnd_error *err);

/* Did this method once have a setting of this name? Model files that name it are still read. */
bool gnd_setting_removed(const char *method, const char *name);

#endif
