/* SPDX-License-Identifier: MIT
 * gnd_family.c - recipe, parameters, projection and output layer of GND-Nets; formula in the
 * header. */
#include "gnd_family.h"

#include "plan/keep.h"

const gnd_recipe gnd_family_recipe = {
    .optimiser = GND_OPT_ADAM_TF,
    .lr = 0.005,
    .l2 = 5e-4,
    .l2_form = GND_L2_HALF,
    .stop = "gat",
    .patience = 50,
    .stop_loss = GND_STOP_LOSS_CE,
    .epochs = 1000,
    /* Validation accuracy rises until about epoch 150 and is then constant to epoch 1000 and
     * beyond, because dropout at four places prevents overfitting; curves in docs/no-validation.md.
     */
    .epochs_alone = 200,
};

gnd_status gnd_family_init_head(gnd_model *m, gnd_error *err)
{
    return gnd_param_add(&m->params, "Theta", m->n_feat, gnd_hp_int(m, GND_FILTERS),
                         GND_INIT_GLOROT | GND_DECAY, err);
}

gnd_status gnd_family_init_tail(gnd_model *m, gnd_error *err)
{
    const int64_t r = gnd_hp_int(m, GND_FILTERS);
    gnd_status st = GND_OK;

    GND_TRY(gnd_param_add(&m->params, "b", 1, r, GND_INIT_ZERO | GND_DECAY, err));
    GND_TRY(gnd_param_add(&m->params, "Phi", r, gnd_n_class(m), GND_INIT_GLOROT | GND_DECAY, err));
    GND_TRY(gnd_param_add(&m->params, "c", 1, gnd_n_class(m), GND_INIT_ZERO | GND_DECAY, err));
out:
    return st;
}

gnd_status gnd_family_prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                              gnd_pool *pool, gnd_error *err)
{
    static const gnd_operator_kind kind[] = {GND_OP_W, GND_OP_S, GND_OP_S_TRANSPOSED,
                                             GND_OP_S_SYMMETRISED};

    gnd_status st;

    GND_TRY(
        gnd_operator_init_in(&in->op, kind[gnd_hp_choice(m, GND_OPERATOR)], &g->adj, pool, err));
    GND_TRY(gnd_operator_order(&in->op, gnd_hp_int(m, GND_FILTERS), &in->budget, pool, err));
out:
    return st;
}

bool gnd_family_drops(const gnd_model *m, int at)
{
    return gnd_hp_has(m, GND_DROPOUT_AT, at) && gnd_hp_real(m, GND_DROPOUT) > 0;
}

/* Dropout at one of the four places, if dropout_at contains it. */
static gnd_var drop(const gnd_model *m, gnd_tape *t, gnd_var x, int at)
{
    static const char *const place[] = {"X", "Z", "R", "L"};

    if (!gnd_hp_has(m, GND_DROPOUT_AT, at))
        return x;
    if (at == GND_AT_Z) /* the largest matrix, [n, r]: in place */
        return gnd_dropout_over(t, x, gnd_hp_real(m, GND_DROPOUT), place[at]);
    return gnd_dropout(t, x, gnd_hp_real(m, GND_DROPOUT), place[at]);
}

static gnd_var activate(const gnd_model *m, gnd_tape *t, gnd_var x)
{
    switch (gnd_hp_choice(m, GND_ACTIVATION)) {
    case 0:
        return gnd_elu(t, x);
    case 1:
        return gnd_relu(t, x);
    case 2:
        return gnd_tanh(t, x);
    default:
        return x;
    }
}

gnd_var gnd_family_project(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const double p = gnd_hp_has(m, GND_DROPOUT_AT, GND_AT_X) ? gnd_hp_real(m, GND_DROPOUT) : 0;
    const gnd_var x = gnd_diffusion_x(in, t), Theta = gnd_weight(m, t, "Theta");
    /* A copy of X after dropout is faster than drawing the mask again, if it fits in memory. */
    const bool copy = gnd_keep_entries_bytes(in->nnz_x_total) <= gnd_budget_left(&in->budget);
    const gnd_var Z = copy ? gnd_dropped_matmul(t, &(gnd_dropped){x, p, "X"}, Theta)
                           : gnd_drop_matmul(t, x, p, "X", Theta);

    return drop(m, t, Z, GND_AT_Z);
}

gnd_var gnd_family_classify(const gnd_model *m, gnd_tape *t, gnd_var P)
{
    const gnd_var b = gnd_weight(m, t, "b"), Phi = gnd_weight(m, t, "Phi"),
                  c = gnd_weight(m, t, "c");
    const gnd_var R = activate(m, t, gnd_add_bias(t, gnd_requested(t, P), b));

    return gnd_add_bias(t, drop(m, t, gnd_matmul(t, drop(m, t, R, GND_AT_R), Phi), GND_AT_L), c);
}
