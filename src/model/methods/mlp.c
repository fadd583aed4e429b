/* SPDX-License-Identifier: MIT
 * mlp.c - a network with one hidden layer on the features, without the graph.
 *
 *     logits = M(relu(M(X) W1 + 1 b1^T)) W2 + 1 b2^T
 *     X: [n, d]   W1: [d, h]   b1: [1, h]   W2: [h, C]   b2: [1, C];   M is dropout at X, H
 *
 * style=kipf: "dense" of tkipf/gcn (arXiv:1609.02907): no biases, L2 on W1 only, trained as gcn.
 * style=shchur: gnn-benchmark (arXiv:1811.05868): biases, L2 on W1 and W2; preset shchur has its
 * other settings. They use binary features; here rows have sum 1. */
#include "model/model.h"

enum { HIDDEN, DROPOUT, STYLE };
enum { KIPF, SHCHUR };

static const gnd_hparam hparams[] = {
    [HIDDEN] = GND_HP_INT("hidden", 16, 1, 4096, "width h of the hidden layer"),
    [DROPOUT] = GND_HP_REAL("dropout", 0.5, 0, 0.99,
                            "fraction of each layer's input that dropout sets to 0"),
    [STYLE] = GND_HP_CHOICE("style", KIPF, "kipf|shchur",
                            "kipf: no biases, L2 on W1; shchur: biases, L2 on W1 and W2"),
    GND_HP_END,
};

static const gnd_preset presets[] = {
    {"shchur",
     "style=shchur hidden=64 dropout=.8 lr=.005 l2=.01 stop=shchur patience=50 stop_loss=ce "
     "epochs=1000",
     "settings tuned by Shchur et al.: width 64, dropout 0.8, patience 50 on the validation loss"},
    {NULL, NULL, NULL},
};

static const gnd_recipe recipe = {
    .optimiser = GND_OPT_ADAM_TF,
    .lr = 0.01,
    .l2 = 5e-4,
    .l2_form = GND_L2_HALF,
    .stop = "kipf",
    .patience = 10,
    .stop_loss = GND_STOP_LOSS_CE_L2,
    .epochs = 200,
    .epochs_alone = 200,
};

static bool has_biases(const gnd_model *m)
{
    return gnd_hp_choice(m, STYLE) == SHCHUR;
}

/* Parameters: W1, W2, or W1, b1, W2, b2. */
static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t h = gnd_hp_int(m, HIDDEN), C = gnd_n_class(m);
    const int second = has_biases(m) ? GND_DECAY : 0;
    gnd_status st = GND_OK;

    GND_TRY(gnd_param_add(&m->params, "W1", m->n_feat, h, GND_INIT_GLOROT | GND_DECAY, err));
    if (has_biases(m))
        GND_TRY(gnd_param_add(&m->params, "b1", 1, h, GND_INIT_ZERO, err));
    GND_TRY(gnd_param_add(&m->params, "W2", h, C, GND_INIT_GLOROT | second, err));
    if (has_biases(m))
        GND_TRY(gnd_param_add(&m->params, "b2", 1, C, GND_INIT_ZERO, err));
out:
    return st;
}

/* x Wl + bl, or x Wl. */
static gnd_var linear(const gnd_model *m, gnd_tape *t, gnd_var x, int l)
{
    x = gnd_matmul(t, x, gnd_weight(m, t, "W%d", l));
    return has_biases(m) ? gnd_add_bias(t, x, gnd_weight(m, t, "b%d", l)) : x;
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const double p = gnd_hp_real(m, DROPOUT);
    const gnd_var X = gnd_dropout(t, gnd_requested(t, gnd_input(t, &in->x)), p, "X");
    const gnd_var H = gnd_dropout(t, gnd_relu(t, linear(m, t, X, 1)), p, "H");

    return linear(m, t, H, 2);
}

const gnd_method gnd_method_mlp = {
    .name = "mlp",
    .title = "Neural network on the features",
    .formula = "softmax(relu(X W1) W2)",
    .paper = "arXiv:1609.02907",
    .hparams = hparams,
    .presets = presets,
    .recipe = &recipe,
    .features = GND_FEAT_ROW_L1,
    .init = init,
    .forward = forward,
};
