/* SPDX-License-Identifier: MIT
 * gnd_mlp.c - GND-Nets with a two-layer perceptron over the hops.
 *
 *     P_ij = relu(h_ij U1) U2,   h_ij = ((W^f Z)_ij, ..., (W^{f+K-1} Z)_ij)
 *     U1: [K, m]   U2: [m, 1]    Z and the rest: gnd_family.h
 *
 * Ye et al., arXiv:2201.09698: the network is shared by all n r entries and has no biases. */
#include "model/gnd_family.h"

enum { FIRST_HOP = GND_FAMILY, INNER };

static const gnd_hparam hparams[] = {
    GND_FAMILY_HPARAMS(64, 20),
    [FIRST_HOP] =
        GND_HP_INT("first_hop", 1, 0, 1,
                   "lowest power of the operator. 1: as in the authors' code; 0: as in their text"),
    [INNER] = GND_HP_INT("inner", 32, 1, 1024, "hidden units m of the network over the hops"),
    GND_HP_END,
};

static const gnd_preset presets[] = {
    {"text", "first_hop=0 stop=shchur patience=50 dropout_at=X,R",
     "as in the paper's text: powers 0 to K-1, patience 50 on the validation loss, dropout on "
     "features and hidden layer"},
    {NULL, NULL, NULL},
};

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t K = gnd_hp_int(m, GND_HOPS), inner = gnd_hp_int(m, INNER);
    gnd_status st = GND_OK;

    GND_TRY(gnd_family_init_head(m, err));
    GND_TRY(gnd_param_add(&m->params, "U1", K, inner, GND_INIT_GLOROT | GND_DECAY, err));
    GND_TRY(gnd_param_add(&m->params, "U2", inner, 1, GND_INIT_GLOROT | GND_DECAY, err));
    GND_TRY(gnd_family_init_tail(m, err));
out:
    return st;
}

static gnd_status prepare_rows(gnd_inputs *in, const gnd_model *m, gnd_row_set_id set,
                               gnd_pool *pool, gnd_error *err)
{
    return gnd_diffusion_prepare(in, m, set,
                                 &(gnd_diffusion){.hops = gnd_hp_int(m, GND_HOPS),
                                                  .first = gnd_hp_int(m, FIRST_HOP),
                                                  .width = gnd_hp_int(m, GND_FILTERS)},
                                 pool, err);
}

/* P on the requested rows, or on all rows. */
static gnd_var mix(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, gnd_var Z)
{
    const gnd_var U1 = gnd_weight(m, t, "U1"), U2 = gnd_weight(m, t, "U2");
    const int64_t first = gnd_hp_int(m, FIRST_HOP);
    const gnd_var h = gnd_hops_requested(in, t, Z, gnd_hp_int(m, GND_HOPS), first, true);

    if (h.i < 0)
        return gnd_hop_mlp(t, &(gnd_hops){&in->op.a, &in->op.at, first}, U1, U2, Z);
    return gnd_hop_as_rows(t, gnd_matmul_t(t, U2, gnd_relu(t, gnd_matmul_t(t, U1, h))));
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    return gnd_family_classify(m, t, mix(m, in, t, gnd_family_project(m, in, t)));
}

const gnd_method gnd_method_gnd_mlp = {
    .name = "gnd-mlp",
    .title = "GND-Nets, a small network over the hops",
    .formula = "softmax(act(relu(hops(X Theta) U1) U2 + b) Phi + c), hops = (W^1 .. W^K)",
    .paper = "arXiv:2201.09698",
    .hparams = hparams,
    .presets = presets,
    .recipe = &gnd_family_recipe,
    .features = GND_FEAT_ROW_L1,
    .init = init,
    .prepare = gnd_family_prepare,
    .prepare_rows = prepare_rows,
    .release_rows = gnd_diffusion_release,
    .forward = forward,
};
