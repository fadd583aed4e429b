/* SPDX-License-Identifier: MIT
 * chebynet.c - convolution by Chebyshev polynomials of the Laplacian.
 *
 *     F(Y, Theta) = sum_{k=0}^K T_k(Lt) Y Theta_k,     logits = F(M(relu(F(M(X), Theta1))), Theta2)
 *     Lt = (2 / lambda) L - I,   L = I - D^-1/2 A D^-1/2, no loops added
 *     X: [n, d]   Theta1: [(K+1) d, h]   Theta2: [(K+1) h, C], Theta_k stacked;   M is dropout
 *
 * Defferrard et al., arXiv:1606.09375, eq. 4, for the classification of graphs. The network for
 * vertices follows tkipf/gcn, model gcn_cheby: order 3, no biases, L2 on the first layer only and
 * in the validation loss of the stopping rule, last weights. For a directed graph that code uses
 * D^-1/2 A^T D^-1/2 and computes lambda by a routine for symmetric matrices; here lambda is then 2.
 * T_k(Lt) is never formed. */
#include "linalg/eigen_top.h"
#include "model/model.h"
#include "tape/receptive_field.h"

enum { ORDER, HIDDEN, DROPOUT, OPERATOR, LAMBDA };

static const gnd_hparam hparams[] = {
    [ORDER] = GND_HP_INT("order", 3, 0, 64, "highest degree K of the Chebyshev polynomials"),
    [HIDDEN] = GND_HP_INT("hidden", 16, 1, 4096, "width h of the hidden layer"),
    [DROPOUT] = GND_HP_REAL("dropout", 0.5, 0, 0.99,
                            "fraction of each layer's input that dropout sets to 0"),
    [OPERATOR] =
        GND_HP_CHOICE("operator", 0, "transposed|plain|symmetrised",
                      "directed graphs: L of A^T (transposed, as in the authors' code), of A or of "
                      "max(A, A^T)"),
    [LAMBDA] = GND_HP_REAL(
        "lambda", 0, 0, 4,
        "eigenvalue of L that is scaled to 1; 0: the largest one, or 2 if L is not symmetric"),
    GND_HP_END,
};

static const gnd_preset presets[] = {
    {"published", "order=1", GND_PUBLISHED_MEANING},
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

enum { THETA1, THETA2 };

/* Each Theta_k of a layer has Glorot's initial values for its own shape. */
static gnd_status theta(gnd_params *ps, const char *name, int64_t blocks, int64_t rows,
                        int64_t cols, int decay, gnd_error *err)
{
    const gnd_status st =
        gnd_param_add(ps, name, blocks * rows, cols, GND_INIT_GLOROT | decay, err);

    if (st == GND_OK)
        ps->p[ps->n - 1].fan = rows;
    return st;
}

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t h = gnd_hp_int(m, HIDDEN), blocks = gnd_hp_int(m, ORDER) + 1;
    gnd_status st = GND_OK;

    GND_TRY(theta(&m->params, "Theta1", blocks, m->n_feat, h, GND_DECAY, err));
    GND_TRY(theta(&m->params, "Theta2", blocks, h, gnd_n_class(m), 0, err));
out:
    return st;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    static const gnd_operator_kind kind[] = {GND_OP_LN_TRANSPOSED, GND_OP_LN,
                                             GND_OP_LN_SYMMETRISED};
    double lambda = gnd_hp_real(m, LAMBDA);
    gnd_status st;

    GND_TRY(gnd_operator_init_in(&in->op, kind[gnd_hp_choice(m, OPERATOR)], &g->adj, pool, err));
    if (lambda == 0)
        GND_TRY(gnd_lambda_max(&lambda, &in->op.a, in->op.shared, err));
    GND_TRY(gnd_operator_to_cheby(&in->op, lambda, err));
out:
    return st;
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const int64_t K = gnd_hp_int(m, ORDER);
    const double p = gnd_hp_real(m, DROPOUT);
    const gnd_var Theta1 = gnd_param_var(t, &m->params, THETA1),
                  Theta2 = gnd_unstack(t, gnd_param_var(t, &m->params, THETA2), K + 1);
    const gnd_dropped X = {gnd_input(t, &in->x), p, "X"};
    const gnd_var F = gnd_cheby_layer(t, &in->op.a, &in->op.at, &X, Theta1, K);
    gnd_receptive_field S; /* only what the requested rows depend on */
    gnd_var H;

    if (K > GND_RECEPTIVE_MAX) {
        H = gnd_activate(t, F, (gnd_var){-1}, p, "H");
        return gnd_cheby_sum(t, &in->op.a, &in->op.at, gnd_matmul(t, H, Theta2), K);
    }
    gnd_receptive_init(&S, t, &in->op.a, &in->op.at, K);
    H = gnd_activate(t, gnd_receptive_rows(t, &S, F), (gnd_var){-1}, p, "H");
    return gnd_receptive_cheby(t, &S, gnd_matmul(t, H, Theta2));
}

static const char *const aliases[] = {"cheby", "gcn-cheby", NULL};

const gnd_method gnd_method_chebynet = {
    .name = "chebynet",
    .title = "Chebyshev graph convolution",
    .formula = "softmax(sum_k T_k(Lt) relu(sum_k T_k(Lt) X Theta1_k) Theta2_k)",
    .paper = "arXiv:1606.09375",
    .aliases = aliases,
    .hparams = hparams,
    .presets = presets,
    .recipe = &recipe,
    .features = GND_FEAT_ROW_L1,
    .init = init,
    .prepare = prepare,
    .forward = forward,
};
