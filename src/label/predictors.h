/* SPDX-License-Identifier: MIT
 * predictors.h - the predictors that the labeller pools: different, simple ways to score the
 * classes of every vertex from a few labels. Each is one file. */
#ifndef GND_LABEL_PREDICTORS_H
#define GND_LABEL_PREDICTORS_H

#include "prepare.h"
#include "self_train.h"

/* score: [n, n_class], a larger score means a more likely class; softmax of a multiple of a row
 * gives probabilities. A row of equal scores: the predictor knows nothing about this vertex.
 * Classes without a label get -INFINITY. Same bits for any number of threads. */
typedef gnd_status gnd_predictor_fn(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                                    gnd_pool *pool, gnd_error *err);

gnd_predictor_fn gnd_predict_self_training;  /* self-training on diffused features */
gnd_predictor_fn gnd_predict_feature_groups; /* self-training on features alone */
gnd_predictor_fn gnd_predict_link_groups;    /* self-training on links alone */
gnd_predictor_fn gnd_predict_features;       /* ridge regression on own features */
gnd_predictor_fn gnd_predict_links;          /* ridge regression on rows of S^2 */
gnd_predictor_fn gnd_predict_roles;          /* ridge regression on structural roles */
gnd_predictor_fn gnd_predict_pagerank;       /* PageRank from the labels */
gnd_predictor_fn gnd_predict_blocks;         /* block model that starts from the labels */

typedef enum {
    GND_PREDICT_SELF_TRAINING,
    GND_PREDICT_FEATURES,
    GND_PREDICT_LINKS,
    GND_PREDICT_ROLES,
    GND_PREDICT_PAGERANK,
    GND_PREDICT_BLOCKS,
    GND_PREDICT_FEATURE_GROUPS,
    GND_PREDICT_LINK_GROUPS,
    GND_PREDICTORS
} gnd_predictor;

/* The predictors that have something to go by on this graph, as a set of bits. */
uint32_t gnd_predictors_for(const gnd_prepared *g);

/* How one fit of self-training is made, for a test of its stability: on diffused features, on
 * features alone, or on links alone. */
gnd_fit_shape gnd_self_training_shape(const gnd_prepared *g, const gnd_labelled *s,
                                      gnd_predictor k);

/* Scores of classes without a label become -INFINITY. score: [n, n_class]. */
void gnd_scores_mask(gnd_real *score, int64_t n, const gnd_labelled *s);

#endif
