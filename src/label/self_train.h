/* SPDX-License-Identifier: MIT
 * self_train.h - self-training in closed form: classes of points from a few labelled ones. */
#ifndef GND_LABEL_SELF_TRAIN_H
#define GND_LABEL_SELF_TRAIN_H

#include "base/parallel.h"
#include "linalg/diffused_pca.h"

/* Labelled points. Lists are borrowed. */
typedef struct {
    const int32_t *point, *cls; /* [n] */
    int64_t n, n_class;
    double sharpness; /* exponent of the probabilities that a fit gives */
    const int32_t
        *walked;          /* [points] the class that gnd_predict_pagerank gives by these labels, -1:
                             none, from which gnd_predict_blocks starts; NULL: not computed yet */
    const gnd_real *walk; /* [points] rows of n_class walks from these labels (gnd_walk), each
                             walk_columns after the one before; NULL: not computed yet */
    int64_t walk_columns;
    /* Points whose scores are wanted; others may stay unset. NULL: all. Only where labels are held
     * out: `ask` lists these. */
    const int32_t *ask;
    int64_t n_ask;
    /* Of the rows of gnd_design_links of all labels, and which of them is each point. NULL: none.
     * gnd_ridge_opts. */
    const gnd_real *kernel;      /* [n_kernel, n_kernel] */
    const int32_t *at;           /* [n] */
    const int32_t *kernel_point; /* [n_kernel] */
    int64_t n_kernel;
} gnd_labelled;

/* Soft self-training: prototypes, the normalised means of the labelled points of each class, move
 * to the mean of the points assigned to them, PROTOTYPE_MOVES times; then discriminants are fitted
 * to all points of at least mean confidence, SOFT_STEPS times. prob: [n, n_class], rows of sum 1;
 * labelled points have probability 1 of their class, a class without a label has probability 0.
 * Same bits for any number of threads. */
gnd_status gnd_fit_soft(gnd_real *prob, const gnd_points *z, const gnd_labelled *s, gnd_pool *pool,
                        gnd_error *err);

/* What a fit sees: the first `rank` coordinates with variances to a power (gnd_points_shape). */
typedef struct {
    const gnd_points *points;
    int64_t rank;
    double power;
} gnd_fit_shape;

/* gnd_fit_soft on the shaped points. */
gnd_status gnd_fit_shaped(gnd_real *prob, const gnd_fit_shape *shape, const gnd_labelled *s,
                          gnd_pool *pool, gnd_error *err);

/* Rows of labelled points: `value` for their class, 0 for the others. rows: [n, n_class]. */
void gnd_labelled_set_rows(gnd_real *rows, const gnd_labelled *s, double value);
/* Weight that a labelled point among n has beyond that of another point. */
double gnd_labelled_weight(const gnd_labelled *s, int64_t n);

/* excluded[i] = 1 for points that do not show how well classes are separated: labelled ones, and
 * those without coordinates (at 0). */
void gnd_exclude(unsigned char *excluded, const gnd_points *z, const gnd_labelled *s);

#endif
