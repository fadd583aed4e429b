/* SPDX-License-Identifier: MIT
 * split.h - which vertices train, validate and test. */
#ifndef GND_GRAPH_SPLIT_H
#define GND_GRAPH_SPLIT_H

#include "graph.h"

struct gnd_split {
    int32_t *train, *val, *test;
    int64_t n_train, n_val, n_test;
    bool score_unlabelled;
};

/* The authors' protocol on bare labels, as the golden vectors test it: no complaint when a class
 * runs out. *next: how many shuffled positions were consumed. */
gnd_status gnd_split_shuffled(gnd_split **out, int64_t *next, const int32_t *label, int64_t n_node,
                              int32_t n_class, int32_t per_class, int64_t n_val, uint32_t seed,
                              bool score_unlabelled, gnd_error *err);

#endif
