/* SPDX-License-Identifier: MIT
 * self_train.h - self-training in closed form: classes of points from a few labelled ones. */
#ifndef GND_LABEL_SELF_TRAIN_H
#define GND_LABEL_SELF_TRAIN_H

#include "base/parallel.h"
#include "diffused_pca.h"

/* Labelled points and how a fit uses them. Lists are borrowed. */
typedef struct {
    const int32_t *point, *cls; /* [n] */
    int64_t n, n_class;
    double temperature;  /* temperature of the softmax over cosines to prototypes; 0: by
                            gnd_labelled_for */
    double soften;       /* <= 1: exponent of probabilities between the steps of a fit */
    double sharpness;    /* exponent of the resulting probabilities */
    double shrink;       /* shrinkage of the common covariance */
    double label_weight; /* weight of a labelled point, as a fraction of the mean class size */
    double nearest;      /* weight of prototypes beside self-training, 0..1 */
} gnd_labelled;

/* Each fit gives prob: [n, n_class], rows of sum 1; labelled points have probability 1 of their
 * class. A class without a label gets probability 0. Same bits for any number of threads. */

/* softmax_c(z_i . m_c / temperature), m_c the normalised mean of the labelled points of class c. */
gnd_status gnd_fit_prototype(gnd_real *prob, const gnd_points *z, const gnd_labelled *s,
                             gnd_pool *pool, gnd_error *err);
/* Soft self-training: prototypes move to the mean of the points assigned to them, PROTOTYPE_MOVES
 * times; then discriminants are fitted to all points of more than mean confidence, SOFT_STEPS
 * times. */
gnd_status gnd_fit_soft(gnd_real *prob, const gnd_points *z, const gnd_labelled *s, gnd_pool *pool,
                        gnd_error *err);
/* Self-training by quotas: discriminants are fitted to the most confident points of each class, the
 * same number of each, more in every step; then as above. */
gnd_status gnd_fit_quota(gnd_real *prob, const gnd_points *z, const gnd_labelled *s, gnd_pool *pool,
                         gnd_error *err);

typedef gnd_status gnd_fit_fn(gnd_real *prob, const gnd_points *z, const gnd_labelled *s,
                              gnd_pool *pool, gnd_error *err);

/* s with a temperature for these points, if it is 0: points that fill fewer directions have larger
 * cosines, so a higher temperature keeps probabilities as soft. soften follows from it. */
gnd_labelled gnd_labelled_for(const gnd_points *z, const gnd_labelled *s);

/* Which fit, and to what: the first `rank` coordinates with variances to a power
 * (gnd_points_shape). */
typedef struct {
    gnd_fit_fn *fit;
    const gnd_points *points;
    int64_t rank;
    double power;
} gnd_fit_shape;

/* prob: [n, n_class] by the fit, with gnd_labelled_for the shaped points. */
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
