/* SPDX-License-Identifier: MIT
 * gcn.c - graph convolutional network.
 *
 *     H_0 = X,   H_l = relu(S M(H_{l-1}) W_l)  for l < L,   logits = S M(H_{L-1}) W_L
 *     X: [n, d]   W_1: [d, h]   W_l: [h, h]   W_L: [h, C];   M is dropout at X, H, H2, H3, ...
 *
 * Kipf and Welling, arXiv:1609.02907, eq. 9 (L = 2). Follows their code, tkipf/gcn: no biases, L2
 * on the first layer only and in the validation loss of the stopping rule, last weights. For a
 * directed graph that code uses g^-1/2 (A+I)^T g^-1/2 with the row sums g of A+I; for an undirected
 * graph the three operators are the same. */
#include <stdio.h>

#include "model/model.h"
#include "tape/receptive_field.h"

enum { LAYERS, HIDDEN, DROPOUT, OPERATOR };

static const gnd_hparam hparams[] = {
    [LAYERS] = GND_HP_INT("layers", 2, 1, 32, "number of layers L"),
    [HIDDEN] = GND_HP_INT("hidden", 16, 1, 4096, "width h of the hidden layers"),
    [DROPOUT] = GND_HP_REAL("dropout", 0.5, 0, 0.99,
                            "fraction of each layer's input that dropout sets to 0"),
    [OPERATOR] = GND_HP_CHOICE(
        "operator", 0, "transposed|plain|symmetrised",
        "directed graphs: S of A^T (transposed, as in the authors' code), of A or of max(A, A^T)"),
    GND_HP_END,
};

static const gnd_preset presets[] = {
    {"published", "operator=transposed stop=kipf patience=10 stop_loss=ce_l2 epochs=200",
     GND_PUBLISHED_MEANING},
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

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t L = gnd_hp_int(m, LAYERS), h = gnd_hp_int(m, HIDDEN);
    char name[16];
    gnd_status st = GND_OK;

    for (int64_t l = 1; l <= L; l++) {
        snprintf(name, sizeof name, "W%d", (int)l);
        GND_TRY(gnd_param_add(&m->params, name, l == 1 ? m->n_feat : h, l == L ? gnd_n_class(m) : h,
                              GND_INIT_GLOROT | (l == 1 ? GND_DECAY : 0), err));
    }
out:
    return st;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    static const gnd_operator_kind kind[] = {GND_OP_S_TRANSPOSED, GND_OP_S, GND_OP_S_SYMMETRISED};

    return gnd_operator_init_in(&in->op, kind[gnd_hp_choice(m, OPERATOR)], &g->adj, pool, err);
}

/* M(relu(x)), the input of layer l >= 1, counted from 0. */
static gnd_var activate(const gnd_model *m, gnd_tape *t, gnd_var x, int64_t l)
{
    char place[16];

    snprintf(place, sizeof place, "H%d", (int)l);
    return gnd_activate(t, x, (gnd_var){-1}, gnd_hp_real(m, DROPOUT), l == 1 ? "H" : place);
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const int64_t last = gnd_hp_int(m, LAYERS) - 1;
    gnd_receptive_field S; /* only what the requested rows depend on */
    gnd_var H;

    gnd_receptive_init(&S, t, &in->op.a, &in->op.at, last + 1);
    H = gnd_receptive_rows(t, &S, gnd_input(t, &in->x));
    H = gnd_receptive_first(t, &S, &(gnd_dropped){H, gnd_hp_real(m, DROPOUT), "X"},
                            gnd_weight(m, t, "W1"));
    for (int64_t l = 1; l <= last; l++) {
        const gnd_var W = gnd_weight(m, t, "W%d", (int)l + 1);

        H = activate(m, t, H, l);
        /* In the last layer S is applied first, so that W_L multiplies only the requested rows. */
        H = l == last ? gnd_matmul(t, gnd_receptive_spmm(t, &S, l, H), W)
                      : gnd_receptive_spmm(t, &S, l, gnd_matmul(t, H, W));
    }
    return H;
}

static const char *const aliases[] = {"kipf", NULL};

const gnd_method gnd_method_gcn = {
    .name = "gcn",
    .title = "Graph convolutional network",
    .formula = "softmax(S relu(S X W1) W2)",
    .paper = "arXiv:1609.02907",
    .aliases = aliases,
    .hparams = hparams,
    .presets = presets,
    .recipe = &recipe,
    .features = GND_FEAT_ROW_L1,
    .on_parts = true,
    .init = init,
    .prepare = prepare,
    .forward = forward,
};
