/* SPDX-License-Identifier: MIT
 * mixhop.c - MixHop: each layer mixes neighbourhoods of different distance.
 *
 *     Xn = M(X), rows divided by their length
 *     H  = M(relu(BN([ Xn V1_0 | S Xn V1_1 | S^2 Xn V1_2 ])))
 *     O  = [ H V2_0 | S H V2_1 | S^2 H V2_2 ] = [ O_1 | .. | O_G ], O_g: [n, C]
 *     L  = sum_g softmax(qv)_g O_g
 *     X: [n, d], binary   V1_k: [d, w_k]   V2_k: [sum w, v_k]   qv: [1, G]   L: [n, C] (logits)
 *     BN: batch norm over all vertices with a learned shift beta, M: dropout, S: mixhop_family.h
 *
 * Loss: cross-entropy + l2 sum |V|^2 + lasso sum_columns |V_col| + 1e-3 mean(qv^2).
 *
 * Abu-El-Haija et al., ICML 2019, arXiv:1905.00067. Follows the authors' code: batch statistics in
 * evaluation too, nine tenths of H dropped, the L2 flag passed on as group lasso as well, plain
 * gradient descent. Differs from it: among steps of equal validation accuracy theirs keeps the one
 * of highest test accuracy, ours the one of lowest validation loss. A power of width 0 is left out;
 * the blocks O_g need not be those of the powers. */
#include <stdio.h>

#include "model/mixhop_family.h"

enum { N_POWER = 3 };
enum { WIDTH1, WIDTH2 = WIDTH1 + N_POWER, LASSO = WIDTH2 + N_POWER, DROPOUT_IN, DROPOUT };

static const gnd_hparam hparams[] = {
    [WIDTH1] = GND_HP_INT("width1_0", 20, 0, 4096, "layer 1: columns of X itself"),
    [WIDTH1 + 1] = GND_HP_INT("width1_1", 20, 0, 4096, "layer 1: columns that go one hop"),
    [WIDTH1 + 2] = GND_HP_INT("width1_2", 20, 0, 4096, "layer 1: columns that go two hops"),
    [WIDTH2] = GND_HP_INT("width2_0", -1, -1, 4096, "layer 2: no hop; -1: as many as classes"),
    [WIDTH2 + 1] = GND_HP_INT("width2_1", -1, -1, 4096, "layer 2: one hop; -1: as many as classes"),
    [WIDTH2 + 2] =
        GND_HP_INT("width2_2", -1, -1, 4096, "layer 2: two hops; -1: as many as classes"),
    [LASSO] = GND_HP_REAL("lasso", 5e-3, 0, 1e3, "weight of the lengths of columns in the loss"),
    [DROPOUT_IN] = GND_HP_REAL("dropout_in", 0.5, 0, 0.99, "share of the features zeroed"),
    [DROPOUT] = GND_HP_REAL("dropout", 0.9, 0, 0.99, "share of H zeroed"),
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
    .epochs_alone = 400, /* all the steps the authors make */
    .lr_every = 40,
};

static const gnd_preset datasets[] = {
    {"cora", "width1_0=24 width1_1=18 width1_2=18 width2_0=0 lr=1", "train_cora.sh"},
    {"citeseer", "lr=0.25 l2=5e-2 lasso=5e-2", "train_citeseer.sh"},
    {"pubmed", "width1_0=17 width1_1=23 width1_2=20 width2_0=3 width2_1=6 width2_2=3 lr_every=20",
     "train_pubmed.sh, two layers"},
    {NULL, NULL, NULL},
};

static const double fade = 1e-3; /* weight of mean(qv^2) */

/* Columns of a layer that go k hops. */
static int64_t width(const gnd_model *m, int layer, int k)
{
    const int64_t w = gnd_hp_int(m, (layer == 0 ? WIDTH1 : WIDTH2) + k);

    return w < 0 ? gnd_n_class(m) : w;
}

static int64_t widths(int64_t *w, const gnd_model *m, int layer)
{
    int64_t sum = 0;

    for (int k = 0; k < N_POWER; k++)
        sum += w[k] = width(m, layer, k);
    return sum;
}

/* Parameters: V1_*, beta, V2_*, qv. */
static gnd_status init_layer(gnd_model *m, int layer, int64_t rows, gnd_error *err)
{
    char name[8];
    gnd_status st = GND_OK;

    for (int k = 0; k < N_POWER; k++) {
        snprintf(name, sizeof name, "V%d_%d", layer + 1, k);
        if (width(m, layer, k) > 0)
            GND_TRY(gnd_param_add(&m->params, name, rows, width(m, layer, k), GND_INIT_GLOROT,
                                  GND_DECAY, err));
    }
out:
    return st;
}

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t C = gnd_n_class(m);
    int64_t w[N_POWER];
    const int64_t hidden = widths(w, m, 0), out = widths(w, m, 1);
    gnd_status st = GND_OK;

    if (hidden < 1)
        return gnd_fail(err, GND_ERR_ARG, "mixhop: all of width1_* are 0; expected some columns");
    if (out < 1 || out % C != 0)
        return gnd_fail(err, GND_ERR_ARG,
                        "mixhop: width2_* sum to %lld; expected a multiple of the %lld classes",
                        (long long)out, (long long)C);
    GND_TRY(init_layer(m, 0, m->n_feat, err));
    GND_TRY(gnd_param_add(&m->params, "beta", 1, hidden, GND_INIT_ZERO, GND_NO_DECAY, err));
    GND_TRY(init_layer(m, 1, hidden, err));
    GND_TRY(gnd_param_add(&m->params, "qv", 1, out / C, GND_INIT_ZERO, GND_NO_DECAY, err));
out:
    return st;
}

/* Those of the n parts that are there, side by side. */
static gnd_var join(gnd_tape *t, const gnd_var *part)
{
    gnd_var there[N_POWER];
    int n = 0;

    for (int k = 0; k < N_POWER; k++)
        if (part[k].i >= 0)
            there[n++] = part[k];
    return gnd_tape_ok(t) ? gnd_concat(t, there, n) : (gnd_var){-1};
}

/* V of a layer, from parameter *at on; no variable for a power of width 0. */
static void kernels(gnd_var *V, const gnd_model *m, gnd_tape *t, int layer, int *at)
{
    for (int k = 0; k < N_POWER; k++)
        V[k] = width(m, layer, k) > 0 ? gnd_param_var(t, &m->params, (*at)++) : (gnd_var){-1};
}

/* [ Xn V1_0 | Xn V1_1 | Xn V1_2 ] in one product. */
static gnd_var products(gnd_tape *t, gnd_var X, const gnd_var *V)
{
    const gnd_var all = join(t, V);

    return gnd_unit_products(t, &X, &all, 1);
}

/* relu(BN([ Xn V1_0 | S Xn V1_1 | S^2 Xn V1_2 ])), the rows listed. *at: parameters used. */
static gnd_var hidden_units(const gnd_model *m, const gnd_inputs *in, gnd_tape *t,
                            gnd_row_list rows, int *at)
{
    const gnd_var X = gnd_drop_units(t, gnd_sparse(t, &in->x), gnd_hp_real(m, DROPOUT_IN), "X");
    gnd_var V[N_POWER], part[N_POWER], beta, Z;
    int64_t first = 0;

    kernels(V, m, t, 0, at);
    beta = gnd_param_var(t, &m->params, (*at)++);
    Z = products(t, X, V);
    for (int k = 0; k < N_POWER; k++) {
        const int64_t w = width(m, 0, k);

        part[k] = (gnd_var){-1};
        if (w > 0)
            part[k] = gnd_mixhop_hidden(in, t, gnd_columns(t, Z, first, w), k,
                                        gnd_columns(t, beta, first, w), rows);
        first += w;
    }
    return join(t, part);
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    gnd_var V[N_POWER], part[N_POWER], H, O;
    int64_t first = 0;
    int at = 0, depth = N_POWER - 1;
    gnd_receptive_field S; /* only what the rows asked for depend on */

    while (width(m, 1, depth) == 0)
        depth--;
    gnd_receptive_init(&S, t, &in->op.a, &in->op.at, depth);
    H = hidden_units(m, in, t, S.level[0], &at);
    H = gnd_dropout(t, H, gnd_hp_real(m, DROPOUT), "H");
    kernels(V, m, t, 1, &at);
    O = gnd_matmul(t, H, join(t, V));
    for (int k = 0; k < N_POWER; k++) {
        const int64_t w = width(m, 1, k);

        part[k] = w > 0 ? gnd_columns(t, O, first, w) : (gnd_var){-1};
        if (w > 0) /* k hops are the last k of all */
            part[k] = gnd_receptive_part(t, &S, 0, part[k], depth - k);
        for (int l = depth - k; w > 0 && l < depth; l++)
            part[k] = gnd_receptive_spmm(t, &S, l, part[k]);
        first += w;
    }
    return gnd_block_sum(t, join(t, part), gnd_softmax(t, gnd_param_var(t, &m->params, at)));
}

static gnd_var penalty(const gnd_model *m, gnd_tape *t)
{
    const int32_t qv = m->params.n - 1;
    gnd_var sum = gnd_mean_square(t, gnd_param_var(t, &m->params, qv), fade);

    for (int32_t i = 0; i < qv; i++)
        if (m->params.p[i].decay)
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
    .datasets = datasets,
    .recipe = &recipe,
    .features = GND_FEAT_BINARY,
    .init = init,
    .prepare = gnd_mixhop_prepare,
    .forward = forward,
    .penalty = penalty,
};
