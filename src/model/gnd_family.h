/* SPDX-License-Identifier: MIT
 * gnd_family.h - the common part of the GND-Nets: projection of the features and output
 * layer.
 *
 *     Z = M(M(X) Theta)              projection
 *     P = diffusion of Z, different in each variant
 *     R = act(P + 1 b^T)
 *     L = M(M(R) Phi) + 1 c^T        logits
 *
 *     X: [n, d]  Theta: [d, r]  b: [1, r]  Phi: [r, C]  c: [1, C];  M is dropout at X, Z, R, L
 *
 * Ye et al., arXiv:2201.09698. Follows the authors' code, which differs from their text: there is
 * dropout at four places, there are biases, and the L2 penalty covers every parameter, because the
 * names that the code excludes do not occur. */
#ifndef GND_MODEL_GND_FAMILY_H
#define GND_MODEL_GND_FAMILY_H

#include "diffusion.h"

/* The first settings of each variant, in this order. */
enum {
    GND_FILTERS,
    GND_HOPS,
    GND_DROPOUT,
    GND_DROPOUT_AT,
    GND_ACTIVATION,
    GND_OPERATOR,
    GND_FAMILY
};

enum { GND_AT_X, GND_AT_Z, GND_AT_R, GND_AT_L };

#define GND_FAMILY_HPARAMS(filters, hops)                                                          \
    [GND_FILTERS] = GND_HP_INT("filters", filters, 1, 4096, "width r of the hidden layer"),        \
    [GND_HOPS] = GND_HP_INT("hops", hops, 1, 10000,                                                \
                            "number of powers of the operator, K (gnd-ds: the power K)"),          \
    [GND_DROPOUT] =                                                                                \
        GND_HP_REAL("dropout", 0.6, 0, 0.99, "fraction of the entries that dropout sets to 0"),    \
    [GND_DROPOUT_AT] = GND_HP_SET("dropout_at", 15, "X|Z|R|L",                                     \
                                  "where dropout is applied. X: features; Z: X Theta; R: hidden "  \
                                  "layer; L: logits before the bias"),                             \
    [GND_ACTIVATION] = GND_HP_CHOICE("activation", 0, "elu|relu|tanh|none",                        \
                                     "activation function of the hidden layer"),                   \
    [GND_OPERATOR] = GND_HP_CHOICE("operator", 0, "W|S|S_transposed|S_symmetrised",                \
                                   "W = D^-1 (A+I); S = D^-1/2 (A+I) D^-1/2; for directed "        \
                                   "graphs: S_transposed of A^T, S_symmetrised of max(A, A^T)")

extern const gnd_recipe gnd_family_recipe;

/* Add parameter Theta; after the variant's own parameters, add b, Phi, c. */
gnd_status gnd_family_init_head(gnd_model *m, gnd_error *err);
gnd_status gnd_family_init_tail(gnd_model *m, gnd_error *err);
gnd_status gnd_family_prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                              gnd_pool *pool, gnd_error *err);
/* Is there dropout at this place? */
bool gnd_family_drops(const gnd_model *m, int at);
/* Z, for the vertices of gnd_diffusion_x. */
gnd_var gnd_family_project(const gnd_model *m, const gnd_inputs *in, gnd_tape *t);
/* L from P. */
gnd_var gnd_family_classify(const gnd_model *m, gnd_tape *t, gnd_var P);

#endif
