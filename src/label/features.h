/* SPDX-License-Identifier: MIT
 * features.h - the features of a graph as the labeller uses them. */
#ifndef GND_LABEL_FEATURES_H
#define GND_LABEL_FEATURES_H

#include "base/parallel.h"
#include "base/status.h"
#include "kern/csr.h"
#include "kern/numbers.h"

/* Zero is valid and empty. */
typedef struct {
    const gnd_csr *x; /* [n, d] the caller's, or `made` */
    gnd_csr made;     /* [n, d] */
    gnd_csr xt;       /* [d, n] its transpose, without copies of a part */
    double *weight;   /* [d] what the values lack of idf weights; NULL: the identity, all 1 */
    bool is_identity; /* each vertex is its own feature: there are none, or all are equal */
} gnd_features;

/* x: [n, d], kept; NULL: there are no features. numeric_raw: keep the values of numeric features
 * instead of scores of their ranks. at: numbers of the vertices. */
gnd_status gnd_features_init(gnd_features *f, const gnd_csr *x, int64_t n, bool numeric_raw,
                             const gnd_numbers *at, gnd_pool *pool, gnd_error *err);
void gnd_features_fini(gnd_features *f);

/* The [n, n] identity; seen not NULL: without the rows where it is 0. */
gnd_status gnd_identity_features(gnd_csr *out, int64_t n, const unsigned char *seen,
                                 gnd_error *err);

#endif
