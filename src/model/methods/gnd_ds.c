/* SPDX-License-Identifier: MIT
 * gnd_ds.c - GND-Nets as one step of a diffusion system.
 *
 *     P = Z - W^K relu(relu(Z U1) U2)
 *     U1, U2: [r, r]   Z: [n, r]   W: [n, n]          Z and the rest: gnd_family.h
 *
 * Ye et al., arXiv:2201.09698; one such step is "T = 2" in the authors' code. Their function
 * computes this but returns nothing. The variant is not in the paper's tables. */
#include "model/gnd_family.h"

static const gnd_hparam hparams[] = {
    GND_FAMILY_HPARAMS(64, 10),
    GND_HP_END,
};

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t r = gnd_hp_int(m, GND_FILTERS);
    gnd_status st = GND_OK;

    GND_TRY(gnd_family_init_head(m, err));
    GND_TRY(gnd_param_add(&m->params, "U1", r, r, GND_INIT_GLOROT | GND_DECAY, err));
    GND_TRY(gnd_param_add(&m->params, "U2", r, r, GND_INIT_GLOROT | GND_DECAY, err));
    GND_TRY(gnd_family_init_tail(m, err));
out:
    return st;
}

static gnd_status prepare_rows(gnd_inputs *in, const gnd_model *m, gnd_row_set_id set,
                               gnd_pool *pool, gnd_error *err)
{
    return gnd_diffusion_prepare(in, m, set,
                                 &(gnd_diffusion){.hops = 1,
                                                  .first = gnd_hp_int(m, GND_HOPS),
                                                  .width = gnd_hp_int(m, GND_FILTERS),
                                                  .keeps = true},
                                 pool, err);
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_var Z = gnd_family_project(m, in, t);
    const gnd_var U1 = gnd_weight(m, t, "U1"), U2 = gnd_weight(m, t, "U2");
    const gnd_var F = gnd_relu(t, gnd_matmul(t, gnd_relu(t, gnd_matmul(t, Z, U1)), U2));
    const int64_t K = gnd_hp_int(m, GND_HOPS);
    const gnd_var h = gnd_hops_requested(in, t, F, 1, K, false);
    const gnd_var G = h.i >= 0 ? gnd_hop_as_rows(t, h)
                               : gnd_requested(t, gnd_power(t, &in->op.a, &in->op.at, F, K));

    return gnd_family_classify(m, t, gnd_sub(t, gnd_requested(t, Z), G));
}

const gnd_method gnd_method_gnd_ds = {
    .name = "gnd-ds",
    .title = "GND-Nets, one step of a diffusion system",
    .formula = "softmax(act(Z - W^K relu(relu(Z U1) U2) + b) Phi + c), Z = X Theta",
    .paper = "arXiv:2201.09698",
    .hparams = hparams,
    .recipe = &gnd_family_recipe,
    .features = GND_FEAT_ROW_L1,
    .init = init,
    .prepare = gnd_family_prepare,
    .prepare_rows = prepare_rows,
    .release_rows = gnd_diffusion_release,
    .forward = forward,
};
