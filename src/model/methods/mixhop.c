/* SPDX-License-Identifier: MIT
 * mixhop.c - MixHop: each layer combines several powers of the operator.
 *
 *     Xn = M(X), rows divided by their Euclidean norm
 *     H  = M(relu(BN([ Xn V1_0 | S Xn V1_1 | S^2 Xn V1_2 ])))
 *     O  = [ H V2_0 | S H V2_1 | S^2 H V2_2 ] = [ O_1 | .. | O_G ], O_g: [n, C]
 *     L  = sum_g softmax(qv)_g O_g
 *     X: [n, d], binary   V1_k: [d, w_k]   V2_k: [sum w, v_k]   qv: [1, G]   L: [n, C] (logits)
 *     BN: batch norm over all vertices with a learned shift beta, M: dropout, S: mixhop_family.h
 *
 * Loss: cross-entropy + l2 sum |V|^2 + lasso sum_columns |V_col| + 1e-3 mean(qv^2).
 *
 * Abu-El-Haija et al., ICML 2019, arXiv:1905.00067. As in the authors' code: batch statistics also
 * in evaluation, dropout 0.9 on H, the L2 factor also for group lasso, gradient descent.
 * Difference: among epochs of equal validation accuracy their code keeps the one of highest test
 * accuracy, here the one of lowest validation loss. A power of width 0 is omitted; the blocks O_g
 * need not coincide with the powers. */
#include <stdio.h>

#include "model/mixhop_family.h"

enum { N_POWER = 3 };
enum {
    WIDTH1 = GND_MIXHOP,
    WIDTH2 = WIDTH1 + N_POWER,
    LASSO = WIDTH2 + N_POWER,
    DROPOUT_IN,
    DROPOUT
};

static const gnd_hparam hparams[] = {
    GND_MIXHOP_HPARAMS,
    [WIDTH1] =
        GND_HP_INT("width1_0", 20, 0, 4096, "layer 1: columns for power 0 of S (the features)"),
    [WIDTH1 + 1] = GND_HP_INT("width1_1", 20, 0, 4096, "layer 1: columns for power 1"),
    [WIDTH1 + 2] = GND_HP_INT("width1_2", 20, 0, 4096, "layer 1: columns for power 2"),
    [WIDTH2] = GND_HP_INT("width2_0", -1, -1, 4096,
                          "layer 2: columns for power 0; -1: the number of classes"),
    [WIDTH2 + 1] = GND_HP_INT("width2_1", -1, -1, 4096,
                              "layer 2: columns for power 1; -1: the number of classes"),
    [WIDTH2 + 2] = GND_HP_INT("width2_2", -1, -1, 4096,
                              "layer 2: columns for power 2; -1: the number of classes"),
    [LASSO] = GND_HP_REAL(
        "lasso", 5e-3, 0, 1e3,
        "factor of the group-lasso penalty: the sum of the Euclidean norms of the weight columns"),
    [DROPOUT_IN] =
        GND_HP_REAL("dropout_in", 0.5, 0, 0.99, "fraction of the features that dropout sets to 0"),
    [DROPOUT] =
        GND_HP_REAL("dropout", 0.9, 0, 0.99, "fraction of the hidden layer that dropout sets to 0"),
    GND_HP_END,
};

static const gnd_recipe recipe = {
    .optimiser = GND_OPT_SGD,
    .lr = 0.5,
    .l2 = 5e-3,
    .l2_form = GND_L2_FULL,
    .stop = "mixhop",
    .patience = 200,
    .stop_loss = GND_STOP_LOSS_CE,
    .epochs = 400,
    .epochs_alone = 400, /* the authors' maximum */
    .lr_every = 40,
};

static const gnd_preset presets[] = {
    {"published",
     "operator=transposed width1_0=5 width1_1=5 width1_2=5 stop=kipf patience=10 epochs=200",
     GND_PUBLISHED_MEANING},
    {NULL, NULL, NULL},
};

static const gnd_preset datasets[] = {
    {"cora", "width1_0=24 width1_1=18 width1_2=18 width2_0=0 lr=1", "train_cora.sh"},
    {"citeseer", "lr=0.25 l2=5e-2 lasso=5e-2", "train_citeseer.sh"},
    {"pubmed", "width1_0=17 width1_1=23 width1_2=20 width2_0=3 width2_1=6 width2_2=3 lr_every=20",
     "train_pubmed.sh, two layers"},
    {NULL, NULL, NULL},
};

static const double fade = 1e-3; /* weight of mean(qv^2) */

enum { FIRST, SECOND };

/* The widths of a layer per power. */
static gnd_mixhop_layer layer(const gnd_model *m, int which)
{
    gnd_mixhop_layer l = {.top = 0};

    for (int k = 0; k < N_POWER; k++) {
        const int64_t w = gnd_hp_int(m, (which == FIRST ? WIDTH1 : WIDTH2) + k);

        l.width[k] = w < 0 ? gnd_n_class(m) : w;
        l.sum += l.width[k];
        if (l.width[k] > 0)
            l.top = k;
    }
    return l;
}

static gnd_status init_layer(gnd_model *m, const char *V, const gnd_mixhop_layer *l, int64_t rows,
                             gnd_error *err)
{
    char name[8];
    gnd_status st = GND_OK;

    for (int k = 0; k < N_POWER; k++) {
        snprintf(name, sizeof name, "%s_%d", V, k);
        if (l->width[k] > 0)
            GND_TRY(gnd_param_add(&m->params, name, rows, l->width[k], GND_INIT_GLOROT | GND_DECAY,
                                  err));
    }
out:
    return st;
}

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const gnd_mixhop_layer one = layer(m, FIRST), two = layer(m, SECOND);
    const int64_t C = gnd_n_class(m);
    gnd_status st = GND_OK;

    if (one.sum < 1)
        return gnd_fail(err, GND_ERR_ARG, "mixhop: all of width1_* are 0; expected one above 0");
    if (two.sum < 1 || two.sum % C != 0)
        return gnd_fail(err, GND_ERR_ARG,
                        "mixhop: width2_* sum to %lld; expected a multiple of the %lld classes",
                        (long long)two.sum, (long long)C);
    GND_TRY(init_layer(m, "V1", &one, m->n_feat, err));
    GND_TRY(gnd_param_add(&m->params, "beta", 1, one.sum, GND_INIT_ZERO, err));
    GND_TRY(init_layer(m, "V2", &two, one.sum, err));
    GND_TRY(gnd_param_add(&m->params, "qv", 1, two.sum / C, GND_INIT_ZERO, err));
out:
    return st;
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_mixhop_layer one = layer(m, FIRST), two = layer(m, SECOND);
    const gnd_dropped X = {gnd_input(t, &in->x), gnd_hp_real(m, DROPOUT_IN), "X"};
    const gnd_var V2 = gnd_mixhop_joined(m, t, &two, "V2");
    gnd_receptive_field S; /* only what the requested rows depend on */
    gnd_var V1[GND_POWERS], H, O;

    gnd_mixhop_weights(V1, m, t, &one, "V1");
    gnd_receptive_init(&S, t, &in->op.a, &in->op.at, two.top);
    H = gnd_unit_hops(t, &in->op.a, &in->op.at, &X, V1, one.width, one.top + 1);
    H = gnd_norm_relu(t, H, gnd_weight(m, t, "beta"), S.level[0]);
    H = gnd_dropout_over(t, H, gnd_hp_real(m, DROPOUT), "H");
    O = gnd_mixhop_output_layer(t, &two, &S, gnd_matmul(t, H, V2));
    return gnd_block_sum(t, O, gnd_softmax(t, gnd_weight(m, t, "qv")));
}

/* lasso sum_columns |V_col| + 1e-3 mean(qv^2) */
static gnd_var penalty(const gnd_model *m, gnd_tape *t)
{
    gnd_var sum = gnd_mean_square(t, gnd_weight(m, t, "qv"), fade);

    for (int32_t i = 0; i < m->params.n; i++)
        if (m->params.p[i].decay) /* the matrices V */
            sum = gnd_add(
                t, sum, gnd_group_lasso(t, gnd_param_var(t, &m->params, i), gnd_hp_real(m, LASSO)));
    return sum;
}

const gnd_method gnd_method_mixhop = {
    .name = "mixhop",
    .title = "MixHop",
    .formula = "softmax(psum([H V2_0 | S H V2_1 | S^2 H V2_2])), "
               "H = relu(BN([X V1_0 | S X V1_1 | S^2 X V1_2]))",
    .paper = "arXiv:1905.00067",
    .hparams = hparams,
    .presets = presets,
    .datasets = datasets,
    .added = "operator",
    .recipe = &recipe,
    .features = GND_FEAT_BINARY,
    .init = init,
    .prepare = gnd_mixhop_prepare,
    .forward = forward,
    .penalty = penalty,
};
