/* SPDX-License-Identifier: MIT
 * key.h - what determines a training, as text that any machine computes alike. */
#ifndef GND_EVAL_KEY_H
#define GND_EVAL_KEY_H

#include "graph/split.h"

enum { GND_HASH_TEXT = 33 }; /* 32 hex digits and a NUL */

/* Of the adjacency, the features, the labels and the number of classes. Returns buf. */
const char *gnd_key_graph(char buf[GND_HASH_TEXT], const gnd_graph *g);
/* Of the three lists, in order, and of whether unlabelled vertices in them are scored. Returns
 * buf. */
const char *gnd_key_split(char buf[GND_HASH_TEXT], const gnd_split *s, const gnd_graph *g);
/* All settings in the order of the method's table, "name=value name=value ..."; the caller
 * gnd_free()s it. */
gnd_status gnd_key_settings(char **out, const gnd_config *c, gnd_error *err);

#endif
