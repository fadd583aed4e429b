/* SPDX-License-Identifier: MIT
 * appnp.c - approximate personalised propagation of neural predictions.
 *
 *     z_0 = Hl,   z_k = (1 - a) M_k(S) z_{k-1} + a Hl,   L = z_K          Hl: ppnp_family.h
 *
 *     S: [n, n]   Hl, z_k, L: [n, C]
 *
 * M_k is dropout of the links, with a new mask in each step. Klicpera et al., arXiv:1810.05997,
 * eq. 4, and their code. */
#include "model/ppnp_family.h"

enum { DROPOUT_LINKS = GND_PREDICT, HOPS, TELEPORT };

static const gnd_hparam hparams[] = {
    GND_PREDICT_HPARAMS,
    [DROPOUT_LINKS] =
        GND_HP_REAL("dropout_links", 0.5, 0, 0.99,
                    "fraction of the links that dropout removes, drawn again in each step"),
    [HOPS] = GND_HP_INT("hops", 10, 1, 1000, "propagation steps K"),
    [TELEPORT] = GND_HP_REAL("teleport", 0.1, 0, 1,
                             "a: restart probability of personalised PageRank; smaller values "
                             "reach more distant vertices"),
    GND_HP_END,
};

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    (void)pool;
    return gnd_predict_operator(in, m, g, err);
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_var Hl = gnd_predict_local(m, in, t);

    return gnd_restart(t, &in->op.a, &in->op.at, Hl,
                       &(gnd_restart_walk){gnd_hp_int(m, HOPS), gnd_hp_real(m, TELEPORT),
                                           gnd_hp_real(m, DROPOUT_LINKS), "S"});
}

const gnd_method gnd_method_appnp = {
    .name = "appnp",
    .title = "Approximate personalised propagation of neural predictions",
    .formula = "softmax(z_K), z_k = (1-a) S z_{k-1} + a z_0, z_0 = relu(X W1) W2",
    .paper = "arXiv:1810.05997",
    .hparams = hparams,
    .recipe = &gnd_predict_recipe,
    .features = GND_FEAT_ROW_L1,
    .on_parts = true,
    .init = gnd_predict_init,
    .prepare = prepare,
    .forward = forward,
};
