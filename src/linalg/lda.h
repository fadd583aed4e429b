/* SPDX-License-Identifier: MIT
 * lda.h - linear discriminant analysis: Gaussian classes with one covariance, fitted to weighted
 * points. */
#ifndef GND_LINALG_LDA_H
#define GND_LINALG_LDA_H

#include "base/parallel.h"
#include "diffused_pca.h"

typedef struct {
    int64_t n_class;
    double shrink;  /* 0..1: of the covariance towards a multiple of the identity */
    double scale;   /* of the logits */
    gnd_real *keep; /* [r + 1, C] receives b and, in its last row, the biases; or NULL */
} gnd_lda_opts;

/* prob[i,:] = softmax_c(scale (z_i . b_c - m_c . b_c / 2)),  b_c = Sigma^-1 m_c
 *
 *     m_c = sum_i w_ic z_i / sum_i w_ic     Sigma = (1 - shrink) S + shrink (tr S / r) I
 *     S = (sum_i w_i z_i z_i^T - sum_c w_c m_c m_c^T) / sum w,   w_i = sum_c w_ic, w_c = sum_i w_ic
 *
 * weight: [n, C], not negative; prob: [n, C], may be weight. All classes have
 * the same prior. A class without weight gets probability 0. Cost: n r (r + 2 C) at most; points
 * without weight cost C r only. Same bits for any number of threads. */
gnd_status gnd_lda(gnd_real *prob, const gnd_points *z, const gnd_real *weight,
                   const gnd_lda_opts *o, gnd_pool *pool, gnd_error *err);

typedef struct {
    const gnd_real *b;    /* [r, C] */
    const gnd_real *bias; /* [C] or NULL; -INFINITY: never */
    int64_t n_class;
    double scale;
} gnd_discriminant;

/* prob[i,:] = softmax_c(scale (z_i . b_c + bias_c)) */
void gnd_discriminate(gnd_real *prob, const gnd_points *z, const gnd_discriminant *d,
                      gnd_pool *pool);

#endif
