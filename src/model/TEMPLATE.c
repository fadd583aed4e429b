/* SPDX-License-Identifier: MIT
 * TEMPLATE.c - example of a new method: logistic regression on diffused features.
 *
 *     L = W X Theta + 1 b^T
 *     X: [n, d]   Theta: [d, C]   b: [1, C]   L: [n, C] (logits)   W = D^-1 (A + I)
 *
 * Here: the paper and equation, the code that the file follows, and differences from both. This
 * file is compiled, so that it stays correct, but not listed in models.def. The steps to add a
 * method are in docs/adding-a-model.md. */
#include "model.h"

enum { DROPOUT };

static const gnd_hparam hparams[] = {
    [DROPOUT] =
        GND_HP_REAL("dropout", 0.5, 0, 0.99, "fraction of the features that dropout sets to 0"),
    GND_HP_END,
};

static const gnd_recipe recipe = {
    .optimiser = GND_OPT_ADAM_TF,
    .lr = 0.01,
    .l2 = 5e-4,
    .l2_form = GND_L2_HALF,
    .stop = "gat",
    .patience = 50,
    .epochs = 1000,
    .epochs_alone = 200,
};

enum { THETA, B };

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t C = gnd_n_class(m);
    gnd_status st = GND_OK;

    GND_TRY(gnd_param_add(&m->params, "Theta", m->n_feat, C, GND_INIT_GLOROT | GND_DECAY, err));
    GND_TRY(gnd_param_add(&m->params, "b", 1, C, GND_INIT_ZERO, err));
out:
    return st;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    (void)m, (void)pool;
    return gnd_operator_init(&in->op, GND_OP_W, &g->adj, err);
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_var Theta = gnd_param_var(t, &m->params, THETA), b = gnd_param_var(t, &m->params, B);
    const gnd_var X = gnd_dropout(t, gnd_sparse(t, &in->x), gnd_hp_real(m, DROPOUT), "X");

    const gnd_var L = gnd_spmm(t, &in->op.a, &in->op.at, gnd_matmul(t, X, Theta));

    return gnd_add_bias(t, gnd_requested(t, L),
                        b); /* from here on rows are independent: keep only the requested ones */
}

extern const gnd_method gnd_method_template; /* methods in models.def are declared in model.h */

const gnd_method gnd_method_template = {
    .name = "template",
    .title = "Logistic regression on features of the neighbourhood",
    .formula = "softmax(W X Theta + b)",
    .paper = "none",
    .hparams = hparams,
    .recipe = &recipe,
    .features = GND_FEAT_ROW_L1,
    .init = init,
    .prepare = prepare,
    .forward = forward,
};
