/* SPDX-License-Identifier: MIT
 * ppnp_family.h - the common part of PPNP, its heat-kernel variant and APPNP: local predictor,
 * recipe and propagation without forming the matrix Pi.
 *
 *     Hl = M(relu(M(X) W1)) W2          X: [n, d]   W1: [d, h]   W2: [h, C];   M is dropout
 *     L  = Pi Hl                        Pi: [n, n], a function of S
 *
 * Klicpera et al., arXiv:1810.05997, and their release: no biases, L2 on W1 only and in the
 * validation loss of the stopping rule. Their maximum is 10000 epochs; the default here is 1000, as
 * in the comparison of arXiv:2201.09698; patience ends most training runs earlier. */
#ifndef GND_MODEL_PPNP_FAMILY_H
#define GND_MODEL_PPNP_FAMILY_H

#include "model.h"

/* Settings of the whole family, in this order; further ones start at GND_PREDICT. */
enum { GND_PREDICT_HIDDEN, GND_PREDICT_DROPOUT, GND_PREDICT_OPERATOR, GND_PREDICT };

#define GND_PREDICT_HPARAMS                                                                        \
    [GND_PREDICT_HIDDEN] = GND_HP_INT("hidden", 64, 1, 4096, "width h of the hidden layer"),       \
    [GND_PREDICT_DROPOUT] = GND_HP_REAL("dropout", 0.5, 0, 0.99,                                   \
                                        "fraction of each layer's input that dropout sets to 0"),  \
    [GND_PREDICT_OPERATOR] =                                                                       \
        GND_HP_CHOICE("operator", 0, "plain|transposed|symmetrised|walk",                          \
                      "directed graphs: S of A (plain, as in the authors' code), of A^T or of "    \
                      "max(A, A^T); walk: W = D^-1 (A+I)")

/* Settings of the methods with an exact Pi (PPNP); further ones start at GND_EXACT. */
enum { GND_EXACT_DROPOUT = GND_PREDICT, GND_EXACT_MODE, GND_EXACT };

#define GND_EXACT_HPARAMS                                                                          \
    GND_PREDICT_HPARAMS,                                                                           \
        [GND_EXACT_DROPOUT] =                                                                      \
            GND_HP_REAL("dropout_pi", 0.5, 0, 0.99,                                                \
                        "mode=exact: fraction of the entries of Pi that dropout sets to 0"),       \
        [GND_EXACT_MODE] = GND_HP_CHOICE(                                                          \
            "mode", 0, "exact|matrix-free",                                                        \
            "exact: training uses the rows of Pi of the labelled vertices; matrix-free: it sums "  \
            "the series of Pi, with less memory and without dropout_pi")

extern const gnd_recipe gnd_predict_recipe;

/* Parameters W1, W2. */
gnd_status gnd_predict_init(gnd_model *m, gnd_error *err);
/* Make in->op of the kind that the settings say. */
gnd_status gnd_predict_operator(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                                gnd_error *err);
/* Hl, [n, C] */
gnd_var gnd_predict_local(const gnd_model *m, const gnd_inputs *in, gnd_tape *t);

/* Hooks of the methods with an exact Pi. Their prepare makes the operator and sets in->own to the
 * series of Pi, a gnd_series on the heap. */
void gnd_exact_release(gnd_inputs *in);
gnd_status gnd_exact_prepare_rows(gnd_inputs *in, const gnd_model *m, gnd_row_set_id set,
                                  gnd_pool *pool, gnd_error *err);
void gnd_exact_release_rows(gnd_row_set *h);
gnd_var gnd_exact_forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t);

#endif
