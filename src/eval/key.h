/* SPDX-License-Identifier: MIT
 * key.h - the key of a run: hashes of the graph and the split, and the settings as text. It is the
 * same on every machine. */
#ifndef GND_EVAL_KEY_H
#define GND_EVAL_KEY_H

#include "graph/split.h"

enum {
    GND_HASH_TEXT = 17, /* 16 hexadecimal digits and a NUL */
    GND_CONFIG_TEXT = 9
};

/* Hash of the adjacency matrix, the features, the labels and the number of classes. Returns buf. */
const char *gnd_key_graph(char buf[GND_HASH_TEXT], const gnd_graph *g);
/* Hash of the three lists, in order, and of whether unlabelled vertices in them are scored. Returns
 * buf. */
const char *gnd_key_split(char buf[GND_HASH_TEXT], const gnd_split *s, const gnd_graph *g);
/* The settings in the order of the method's table, "name=value name=value ...", without those that
 * gnd_config_in_key leaves out; the caller frees it with gnd_free. */
gnd_status gnd_key_settings(char **out, const gnd_config *c, gnd_error *err);
/* Short name of a method with its settings, from a hash of both texts. Returns buf. */
const char *gnd_key_config(char buf[GND_CONFIG_TEXT], const char *method, const char *settings);

#endif
