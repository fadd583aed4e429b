/* SPDX-License-Identifier: MIT
 * lr.c - logistic regression on the features, without the graph.
 *
 *     logits = X W + 1 b^T
 *     X: [n, d]   W: [d, C]   b: [1, C]
 *
 * Settings of Shchur et al., arXiv:1811.05868 (gnn-benchmark): L2 on W only, patience 50 on the
 * validation loss, weights of lowest loss. They use binary features; here rows have sum 1. */
#include "model/model.h"

static const gnd_hparam hparams[] = {GND_HP_END};

static const gnd_recipe recipe = {
    .optimiser = GND_OPT_ADAM_TF,
    .lr = 0.1,
    .l2 = 5e-4,
    .l2_form = GND_L2_HALF,
    .stop = "shchur",
    .patience = 50,
    .stop_loss = GND_STOP_LOSS_CE,
    .epochs = 1000,
    .epochs_alone = 200,
};

enum { W, B };

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t C = gnd_n_class(m);
    gnd_status st = GND_OK;

    GND_TRY(gnd_param_add(&m->params, "W", m->n_feat, C, GND_INIT_GLOROT | GND_DECAY, err));
    GND_TRY(gnd_param_add(&m->params, "b", 1, C, GND_INIT_ZERO, err));
out:
    return st;
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_var X = gnd_requested(t, gnd_input(t, &in->x));

    return gnd_add_bias(t, gnd_matmul(t, X, gnd_param_var(t, &m->params, W)),
                        gnd_param_var(t, &m->params, B));
}

static const char *const aliases[] = {"logreg", "logistic-regression", NULL};

const gnd_method gnd_method_lr = {
    .name = "lr",
    .title = "Logistic regression on the features",
    .formula = "softmax(X W + b)",
    .paper = "arXiv:1811.05868",
    .aliases = aliases,
    .hparams = hparams,
    .recipe = &recipe,
    .features = GND_FEAT_ROW_L1,
    .init = init,
    .forward = forward,
};
