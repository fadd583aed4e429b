/* SPDX-License-Identifier: MIT
 * attributes_priv.h - a graph while it is made from vertices with attributes: shared by
 * attributes_use.c (ids, labels, edges) and attributes_features.c. */
#ifndef GND_IO_ATTRIBUTES_PRIV_H
#define GND_IO_ATTRIBUTES_PRIV_H

#include "attributes.h"

/* What an attribute is used for. */
typedef enum {
    GND_ATTR_UNDECIDED,
    GND_ATTR_ID,
    GND_ATTR_LABEL,
    GND_ATTR_FEATURE,
    GND_ATTR_UNUSED
} gnd_attr_use;

typedef struct {
    gnd_attr_graph *a;
    const gnd_load_opts *o;
    int64_t n;        /* vertices */
    gnd_attr_use *of; /* [n_attr] */
    const char **why; /* [n_attr] of GND_ATTR_UNUSED */
    int32_t *label;   /* [n] class of each vertex; -1: none */
    gnd_coo feat;
    int64_t n_feat, n_used; /* features, and attributes that they are made from */
    gnd_graph *g;
} gnd_attr_build;

/* Is the p-th value of c missing? */
bool gnd_attr_is_missing(const gnd_attr *c, int64_t p);
/* Number of values that are not missing, and of different ones. Of numbers only whole ones are
 * counted as different: -1 if there are others. */
gnd_status gnd_attr_count(int64_t *n_value, int64_t *n_distinct, const gnd_attr_build *b,
                          const gnd_attr *c, gnd_error *err);
/* The attribute of this name; an error that lists the attributes if there is none. option: for the
 * message. */
gnd_status gnd_attr_find(int64_t *k, const gnd_attr_build *b, const char *option, const char *name,
                         size_t len, gnd_error *err);
/* Decide which of the attributes that are still undecided are features, make them, and add notes on
 * what is used and what is not. */
gnd_status gnd_attr_features(gnd_attr_build *b, gnd_error *err);

#endif
