/* SPDX-License-Identifier: MIT
 * prior.h - how much each predictor counts before any label is held out. */
#ifndef GND_LABEL_PRIOR_H
#define GND_LABEL_PRIOR_H

#include "predictors.h"

/* What the graph itself shows. Classes are those that a predictor finds from all labels. */
typedef struct {
    bool features;                      /* there are features, */
    bool links;                         /* and links, */
    bool uncorrelated;                  /* and nothing shows that these are correlated */
    double information[GND_PREDICTORS]; /* of a predictor's classes on links (link_information) */
    double stability[GND_PREDICTORS];   /* 0..1: of the classes under resampled labels; of the
                                           predictors by self-training */
} gnd_evidence;

/* Mutual information of the classes at the two ends of a link, classes: argmax of score: [n, C].
 * How much of the links' structure the classes explain. room: [C, C + 1], cls: [n] scratch. */
double gnd_link_information(const gnd_csr *links, const gnd_real *score, int64_t C, double *room,
                            int32_t *cls);

/* prior: [GND_PREDICTORS] weights of sum 1 of the predictors in `used`. */
void gnd_prior(double *prior, uint32_t used, const gnd_evidence *e, int64_t n_class);

#endif
