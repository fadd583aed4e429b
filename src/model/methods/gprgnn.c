/* SPDX-License-Identifier: MIT
 * gprgnn.c - generalised PageRank with learned weights.
 *
 *     Hl = M(relu(M(X) W1 + 1 b1^T)) W2 + 1 b2^T,   L = sum_{k=0}^K gam_k S^k M(Hl)
 *     X: [n, d]   W1: [d, h]   W2: [h, C]   gam: [1, K+1];   M is dropout at X, H, Z
 *
 * Chien et al., arXiv:2006.07988, eq. 1. As in their code: Linear layers of PyTorch with weight
 * decay, no weight decay of gam, whose initial values are a (1-a)^k, and (1-a)^K for k = K; the
 * weights of lowest validation loss are used. */
#include <math.h>

#include "model/diffusion.h"

enum { HIDDEN, HOPS, TELEPORT, DROPOUT, DROPOUT_Z, OPERATOR };

static const gnd_hparam hparams[] = {
    [HIDDEN] = GND_HP_INT("hidden", 64, 1, 4096, "width h of the hidden layer"),
    [HOPS] = GND_HP_INT("hops", 10, 1, 1000, "highest power K of S"),
    [TELEPORT] = GND_HP_REAL("teleport", 0.1, 0, 1, "a of the initial hop weights a (1-a)^k"),
    [DROPOUT] = GND_HP_REAL("dropout", 0.5, 0, 0.99,
                            "fraction of each layer's input that dropout sets to 0"),
    [DROPOUT_Z] = GND_HP_REAL("dropout_z", 0.5, 0, 0.99,
                              "fraction of the local predictions Hl that dropout sets to 0"),
    [OPERATOR] = GND_HP_CHOICE("operator", 0, "plain|transposed|symmetrised",
                               "directed graphs: S of A (plain), of A^T or of max(A, A^T)"),
    GND_HP_END,
};

static const gnd_recipe recipe = {
    .optimiser = GND_OPT_ADAM_TORCH,
    .lr = 0.01,
    .l2 = 5e-4,
    .l2_form = GND_L2_HALF,
    .stop = "kipf_best",
    .patience = 200,
    .epochs = 1000,
    .epochs_alone = 200,
};

/* Settings of the authors' code for sparse splits. */
static const gnd_preset datasets[] = {
    {"cora", "lr=0.01 teleport=0.1", "as released"},
    {"citeseer", "lr=0.01 teleport=0.1", "as released"},
    {"pubmed", "lr=0.05 teleport=0.2", "as released"},
    {"amazon_computers", "lr=0.05 teleport=0.5 l2=0", "as released"},
    {"amazon_photo", "lr=0.01 teleport=0.5 l2=0", "as released"},
    {NULL, NULL, NULL},
};

enum { W1, B1, W2, B2, GAM };

/* As PyTorch's Linear: the range of weight and bias depends on the weight's fan-in. */
static gnd_status linear(gnd_params *ps, const char *weight, const char *bias, int64_t rows,
                         int64_t cols, gnd_error *err)
{
    gnd_status st = GND_OK;

    GND_TRY(gnd_param_add(ps, weight, rows, cols, GND_INIT_LINEAR | GND_DECAY, err));
    GND_TRY(gnd_param_add(ps, bias, 1, cols, GND_INIT_LINEAR | GND_DECAY, err));
    ps->p[ps->n - 1].fan = rows;
out:
    return st;
}

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t h = gnd_hp_int(m, HIDDEN);
    gnd_status st = GND_OK;

    GND_TRY(linear(&m->params, "W1", "b1", m->n_feat, h, err));
    GND_TRY(linear(&m->params, "W2", "b2", h, gnd_n_class(m), err));
    GND_TRY(gnd_param_add(&m->params, "gam", 1, gnd_hp_int(m, HOPS) + 1, GND_INIT_ZERO, err));
out:
    return st;
}

/* Initial gam: the weights of personalised PageRank. */
static void start(gnd_model *m)
{
    const int64_t K = gnd_hp_int(m, HOPS);
    const double a = gnd_hp_real(m, TELEPORT);
    gnd_real *gam = m->params.v + m->params.p[GAM].at;

    for (int64_t k = 0; k <= K; k++)
        gam[k] = (gnd_real)((k < K ? a : 1) * pow(1 - a, (double)k));
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    static const gnd_operator_kind kind[] = {GND_OP_S, GND_OP_S_TRANSPOSED, GND_OP_S_SYMMETRISED};

    gnd_status st;

    GND_TRY(gnd_operator_init_in(&in->op, kind[gnd_hp_choice(m, OPERATOR)], &g->adj, pool, err));
    GND_TRY(gnd_operator_order(&in->op, gnd_n_class(m), &in->budget, pool, err));
out:
    return st;
}

static gnd_status prepare_rows(gnd_inputs *in, const gnd_model *m, gnd_row_set_id set,
                               gnd_pool *pool, gnd_error *err)
{
    return gnd_diffusion_prepare(in, m, set,
                                 &(gnd_diffusion){.hops = gnd_hp_int(m, HOPS) + 1,
                                                  .width = gnd_n_class(m),
                                                  .weighted = true},
                                 pool, err);
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const double p = gnd_hp_real(m, DROPOUT);
    const gnd_params *ps = &m->params;
    gnd_var H = gnd_dropped_matmul(t, &(gnd_dropped){gnd_diffusion_x(in, t), p, "X"},
                                   gnd_param_var(t, ps, W1));
    gnd_var Z;

    H = gnd_dropout(t, gnd_relu(t, gnd_add_bias(t, H, gnd_param_var(t, ps, B1))), p, "H");
    Z = gnd_add_bias(t, gnd_matmul(t, H, gnd_param_var(t, ps, W2)), gnd_param_var(t, ps, B2));
    Z = gnd_dropout(t, Z, gnd_hp_real(m, DROPOUT_Z), "Z");
    return gnd_diffuse_requested(in, t, gnd_param_var(t, ps, GAM), Z, 0, true);
}

static gnd_var hop_weights(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, int64_t *first)
{
    (void)in;
    *first = 0;
    return gnd_param_var(t, &m->params, GAM);
}

static const char *const aliases[] = {"gpr-gnn", NULL};

const gnd_method gnd_method_gprgnn = {
    .name = "gprgnn",
    .title = "Generalised PageRank graph neural network",
    .formula = "softmax(sum_k gam_k S^k (relu(X W1 + b1) W2 + b2))",
    .paper = "arXiv:2006.07988",
    .aliases = aliases,
    .hparams = hparams,
    .datasets = datasets,
    .recipe = &recipe,
    .features = GND_FEAT_ROW_L1,
    .init = init,
    .start = start,
    .prepare = prepare,
    .prepare_rows = prepare_rows,
    .release_rows = gnd_diffusion_release,
    .forward = forward,
    .hop_weights = hop_weights,
};
