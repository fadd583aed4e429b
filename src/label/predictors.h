/* SPDX-License-Identifier: MIT
 * predictors.h - the predictors that the labeller pools: different, simple ways to score the
 * classes of every vertex from a few labels. predictors.def lists them. */
#ifndef GND_LABEL_PREDICTORS_H
#define GND_LABEL_PREDICTORS_H

#include "prepare.h"
#include "self_train.h"

/* score: [n, n_class], a larger score means a more likely class; softmax of a multiple of a row
 * gives probabilities. A row of equal scores: the predictor knows nothing about this vertex.
 * Classes without a label get -INFINITY. Same bits for any number of threads. */
typedef gnd_status gnd_predictor_fn(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                                    gnd_pool *pool, gnd_error *err);

#define X(name, function, factor) gnd_predictor_fn gnd_predict_##function;
#include "predictors.def"
#undef X

typedef enum {
#define X(name, function, factor) GND_PREDICT_##name,
#include "predictors.def"
#undef X
    GND_PREDICTORS
} gnd_predictor;

/* The predictors that have something to go by on this graph, as a set of bits. */
uint32_t gnd_predictors_for(const gnd_prepared *g);

/* What a predictor by self-training sees, for a test of its stability. */
gnd_fit_shape gnd_self_training_shape(const gnd_prepared *g, const gnd_labelled *s,
                                      gnd_predictor k);

/* F: [n, n_set n_class] the walks of gnd_predict_pagerank from the labels of s[0 .. n_set - 1],
 * side by side: the columns of each are the same bits as alone. */
gnd_status gnd_walk(gnd_real *F, const gnd_prepared *g, const gnd_labelled *s, int64_t n_set,
                    gnd_pool *pool, gnd_error *err);
/* walked: [n] the class of highest score of gnd_predict_pagerank, -1: no label reaches the vertex.
 */
void gnd_walked_classes(int32_t *walked, const gnd_real *score, int64_t n, int64_t n_class);

/* Scores of classes without a label become -INFINITY. score: [n, n_class]. */
void gnd_scores_mask(gnd_real *score, int64_t n, const gnd_labelled *s);

#endif
