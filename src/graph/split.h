/* SPDX-License-Identifier: MIT
 * split.h - the division of vertices into training, validation and test vertices. */
#ifndef GND_GRAPH_SPLIT_H
#define GND_GRAPH_SPLIT_H

#include "graph.h"

struct gnd_split {
    int32_t *train, *val, *test;
    int64_t n_train, n_val, n_test;
    bool score_unlabelled;
    /* Of a part of a graph: all training and validation vertices, which every process has, and its
     * own test vertices. The counts of the whole graph; n_test_all below 0: the lists are whole. */
    int64_t n_test_all, n_unused_all, n_unlabelled_all;
};

/* The labels that a split is drawn from. */
typedef struct {
    const int32_t *label; /* [n_node]; -1: none */
    int64_t n_node;
    int32_t n_class;
} gnd_split_labels;

/* The paper's split (GND_SPLIT_PAPER) without checks: a class may have fewer labels than requested
 * and the validation set may be smaller. Of o, per_class, n_val, seed and score_unlabelled are
 * used. *next: number of shuffled positions read to find the training vertices. For the golden
 * vectors. */
gnd_status gnd_split_shuffled(gnd_split **out, int64_t *next, const gnd_split_labels *y,
                              const gnd_split_opts *o, gnd_error *err);
/* Can a model be trained on this split of g? Its vertices are in g, and there is a training vertex
 * and, if there are validation vertices, one with a label. */
gnd_status gnd_split_check(const gnd_split *s, const gnd_graph *g, gnd_error *err);

#endif
