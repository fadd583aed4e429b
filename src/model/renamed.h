/* SPDX-License-Identifier: MIT
 * renamed.h - settings whose names changed: old names stay accepted on the command line, in result
 * stores and in model files. */
#ifndef GND_MODEL_RENAMED_H
#define GND_MODEL_RENAMED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum { GND_RENAMED_VALUE = 192 };

/* Is the setting `name` of a method an old name, or its value an old value? If so, *new_name is its
 * present name, a constant, and new_value its present value; a set of values is translated item by
 * item. Else both are left as they are. */
bool gnd_setting_renamed(const char **new_name, char new_value[GND_RENAMED_VALUE],
                         const char *method, const char *name, const char *value);

/* "name=value name=value ..." of a method with present names and values, in the same order. Caller
 * frees *out. */
gnd_status gnd_settings_renamed(char **out, const char *method, const char *settings,
                                gnd_error *err);

#endif
