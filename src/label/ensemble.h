/* SPDX-License-Identifier: MIT
 * ensemble.h - predictors of the classes, their weights and their mixture. */
#ifndef GND_LABEL_ENSEMBLE_H
#define GND_LABEL_ENSEMBLE_H

#include "diagnose.h"
#include "label.h"
#include "self_train.h"
#include "stability.h"

typedef enum {
    GND_PREDICT_DIFFUSED,    /* self-training over diffused features: the mean of several fits */
    GND_PREDICT_PROTOTYPE,   /* the class of the closest labels, over the same */
    GND_PREDICT_RAW,         /* self-training over features that are not diffused */
    GND_PREDICT_ALTERNATING, /* over features diffused with alternating signs of the hops */
    GND_PREDICT_LINKS,       /* over links alone */
    GND_PREDICTORS
} gnd_predictor;

/* Zero is valid and empty. */
typedef struct {
    const gnd_coordinates *z;
    const gnd_label_settings *set;
    gnd_pool *pool;
    gnd_labelled labelled; /* and how they count in a fit */
    int64_t n, C;          /* vertices, classes */
    int64_t rank;          /* coordinates of a fit */
    double labels_per_class;
    double sharpness;        /* exponent of the fits' probabilities */
    gnd_real *mix;           /* [n, C] the mixture; the caller's */
    gnd_real *prob;          /* [n, C] of one predictor; after gnd_ensemble_mix, of prototypes */
    gnd_real *vote;          /* [n, C] weight of the predictors whose argmax is the class */
    unsigned char *excluded; /* [n] 1: labelled, or without coordinates */
    double *room;            /* [C] scratch */
    double weight[GND_PREDICTORS];
    double hits[GND_PREDICTORS]; /* held-out labels that each predicts right */
    gnd_paths paths;             /* by which links alone are seen */
    gnd_resampling resampling;   /* stability of self-training over diffused features, */
    double stability;            /* and of the predictor that decides */
    gnd_findings found;          /* for the user */
} gnd_ensemble;

/* mix: [n, C], zeros, which the mixture is written to. */
gnd_status gnd_ensemble_init(gnd_ensemble *e, gnd_real *mix, const gnd_label_input *in,
                             gnd_error *err);
void gnd_ensemble_fini(gnd_ensemble *e);

/* Mean of the self-training fits into mix, and how stable they are when labels are resampled. */
gnd_status gnd_ensemble_fit(gnd_ensemble *e, gnd_error *err);
/* Weights of the predictors: by homophily, agreement and stability; then by held-out labels. */
gnd_status gnd_ensemble_weigh(gnd_ensemble *e, gnd_error *err);
/* mix = sum of the predictors' probabilities by their weights, [n, C]. */
gnd_status gnd_ensemble_mix(gnd_ensemble *e, gnd_error *err);

/* The accuracy to expect of the mixture: a rule of thumb from confidence, agreement and stability,
 * shrunk towards the accuracy on held-out labels where there are enough. */
double gnd_expected_accuracy(const gnd_ensemble *e);

#endif
