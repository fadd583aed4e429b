/* SPDX-License-Identifier: MIT
 * jknet.c - jumping knowledge network: the maximum over the outputs of all layers.
 *
 *     h_0 = X,   h_l = M(relu(S h_{l-1} W_l + 1 b_l^T)),   J = max_l h_l,   L = [S] J Wo + 1 bo^T
 *     X: [n, d]   W_1: [d, h]   W_l: [h, h]   Wo: [h, C];   M is dropout at H1, H2, ...
 *
 * Xu et al., arXiv:1806.03536, with max-pooling. The authors published no code: widths, dropout
 * rate and step size are the paper's; dropout before the maximum is as in public
 * re-implementations. One of them multiplies J by S before Wo (gather=yes). The paper chooses the
 * number of layers on the validation set; the search over 1 to 20 layers is that of
 * arXiv:2201.09698. */
#include <stdio.h>

#include "model/model.h"
#include "tape/receptive_field.h"

enum { LAYERS, HIDDEN, DROPOUT, OPERATOR, GATHER };

static const gnd_hparam hparams[] = {
    [LAYERS] =
        GND_HP_INT("layers", 2, 1, 32, "number of layers; the output is the maximum over them"),
    [HIDDEN] = GND_HP_INT("hidden", 16, 1, 4096, "width h of the layers"),
    [DROPOUT] = GND_HP_REAL("dropout", 0.5, 0, 0.99,
                            "fraction of each layer's output that dropout sets to 0"),
    [OPERATOR] = GND_HP_CHOICE("operator", 0, "plain|transposed|symmetrised",
                               "directed graphs: S of A (plain), of A^T or of max(A, A^T)"),
    [GATHER] =
        GND_HP_CHOICE("gather", 0, "no|yes", "multiply the maximum by S before the output layer"),
    GND_HP_END,
};

static const gnd_preset presets[] = {
    {"published", "operator=transposed hidden=32 layers=2", GND_PUBLISHED_MEANING},
    {NULL, NULL, NULL},
};

static const gnd_recipe recipe = {
    .optimiser = GND_OPT_ADAM_TORCH,
    .lr = 0.005,
    .l2 = 5e-4,
    .l2_form = GND_L2_HALF,
    .stop = "gat",
    .patience = 50,
    .epochs = 1000,
    .epochs_alone = 200,
};

/* Parameters: W1, b1, W2, b2, ..., Wo, bo. */
static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t layers = gnd_hp_int(m, LAYERS), h = gnd_hp_int(m, HIDDEN);
    gnd_params *ps = &m->params;
    char name[16];
    gnd_status st = GND_OK;

    for (int64_t l = 1; l <= layers; l++) {
        snprintf(name, sizeof name, "W%d", (int)l);
        GND_TRY(
            gnd_param_add(ps, name, l == 1 ? m->n_feat : h, h, GND_INIT_GLOROT | GND_DECAY, err));
        snprintf(name, sizeof name, "b%d", (int)l);
        GND_TRY(gnd_param_add(ps, name, 1, h, GND_INIT_ZERO | GND_DECAY, err));
    }
    GND_TRY(gnd_param_add(ps, "Wo", h, gnd_n_class(m), GND_INIT_GLOROT | GND_DECAY, err));
    GND_TRY(gnd_param_add(ps, "bo", 1, gnd_n_class(m), GND_INIT_ZERO | GND_DECAY, err));
out:
    return st;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    static const gnd_operator_kind kind[] = {GND_OP_S, GND_OP_S_TRANSPOSED, GND_OP_S_SYMMETRISED};

    return gnd_operator_init_in(&in->op, kind[gnd_hp_choice(m, OPERATOR)], &g->adj, pool, err);
}

/* h_l from z = S h_{l-1} W_l. */
static gnd_var layer(const gnd_model *m, gnd_tape *t, gnd_var z, int l)
{
    char place[16];

    snprintf(place, sizeof place, "H%d", l);
    return gnd_activate(t, z, gnd_weight(m, t, "b%d", l), gnd_hp_real(m, DROPOUT), place);
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const int layers = (int)gnd_hp_int(m, LAYERS);
    const bool gather = gnd_hp_choice(m, GATHER) == 1;
    gnd_receptive_field S; /* only what the requested rows depend on */
    gnd_var h, J = {-1};

    gnd_receptive_init(&S, t, &in->op.a, &in->op.at, layers + gather);
    h = gnd_receptive_rows(t, &S, gnd_input(t, &in->x));
    for (int l = 1; l <= layers; l++) {
        const gnd_var W = gnd_weight(m, t, "W%d", l);
        const gnd_var z = l == 1 ? gnd_receptive_first(t, &S, &(gnd_dropped){.x = h}, W)
                                 : gnd_receptive_spmm(t, &S, l - 1, gnd_matmul(t, h, W));
        gnd_var mine;

        h = layer(m, t, z, l);
        mine = gnd_receptive_part(t, &S, l, h, layers); /* the rows of J */
        J = l == 1 ? mine : gnd_max(t, J, mine);
    }
    if (gather)
        J = gnd_receptive_spmm(t, &S, layers, J);
    return gnd_add_bias(t, gnd_matmul(t, J, gnd_weight(m, t, "Wo")), gnd_weight(m, t, "bo"));
}

static const char *const aliases[] = {"jk-net", "jk", NULL};

const gnd_method gnd_method_jknet = {
    .name = "jknet",
    .title = "Jumping knowledge network, max-pooling",
    .formula = "softmax(max_l(h_l) Wo + bo), h_l = relu(S h_{l-1} W_l + b_l)",
    .paper = "arXiv:1806.03536",
    .aliases = aliases,
    .hparams = hparams,
    .presets = presets,
    .search_setting = "layers",
    .search_values = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20",
    .recipe = &recipe,
    .features = GND_FEAT_ROW_L1,
    .init = init,
    .prepare = prepare,
    .forward = forward,
};
