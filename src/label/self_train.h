/* SPDX-License-Identifier: MIT
 * self_train.h - classes of points from a few that are known, by fits in closed form. */
#ifndef GND_LABEL_SELF_TRAIN_H
#define GND_LABEL_SELF_TRAIN_H

#include "base/parallel.h"
#include "diffused_pca.h"

/* Known points and how much they count. Lists are borrowed. */
typedef struct {
    const int32_t *point, *cls; /* [n] */
    int64_t n, n_class;
    double temperature;  /* of the prototypes' softmax over cosines */
    double soften;       /* <= 1: when classes are refitted, a probability p counts as p^soften */
    double sharpness;    /* the result: p^sharpness */
    double shrink;       /* of the clouds' common shape towards a ball */
    double label_weight; /* a known point weighs as this share of the mean class */
} gnd_labelled;

/* Each fit: prob [n, n_class], shares of a row; known points have their class for certain. A class
 * without a known point gets nothing. Same bits for any number of threads. */

/* softmax(z_i . m_c / temperature), m_c the direction of the mean of the known points of c. */
gnd_status gnd_fit_prototype(gnd_real *prob, const gnd_points *z, const gnd_labelled *s,
                             gnd_pool *pool, gnd_error *err);
/* Prototypes that move to what they attract, a few times; then discriminants fitted to all points
 * that are surer than the mean, a few times. */
gnd_status gnd_fit_soft(gnd_real *prob, const gnd_points *z, const gnd_labelled *s, gnd_pool *pool,
                        gnd_error *err);
/* Discriminants fitted to the surest points of each class, as many of each, more and more of them;
 * then as above. */
gnd_status gnd_fit_quota(gnd_real *prob, const gnd_points *z, const gnd_labelled *s, gnd_pool *pool,
                         gnd_error *err);

typedef gnd_status gnd_fit_fn(gnd_real *prob, const gnd_points *z, const gnd_labelled *s,
                              gnd_pool *pool, gnd_error *err);

/* The same with a temperature for these points, if theirs is 0: points that fill fewer directions
 * have larger cosines, and a temperature that grows with them keeps classes as soft; soften is
 * then chosen too. */
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

/* rows: [n, n_class]; those of known points: their class with this value, nothing else. */
void gnd_labelled_set_rows(gnd_real *rows, const gnd_labelled *s, double value);
/* What a known point weighs among n more than another. */
double gnd_labelled_weight(const gnd_labelled *s, int64_t n);

/* apart[i] = 1 for points that say nothing of how well others are told apart: known ones, and those
 * in the middle. */
void gnd_exclude(unsigned char *excluded, const gnd_points *z, const gnd_labelled *s);

/* How much more likely it is that these points tell the classes apart than that they have nothing
 * to do with them, from the labels alone: pairs of known points of different classes should seldom
 * be as close as the closest 1 / n_class of all pairs. Pairs are taken as independent, so it is
 * kept within e^-6 and e^6. The first 512 known points are asked. */
double gnd_separation_odds(const gnd_points *z, const gnd_labelled *s);

#endif
