/* SPDX-License-Identifier: MIT
 * sgc.c - simple graph convolution: logistic regression on S^K X.
 *
 *     logits = S^K X W + 1 b^T
 *     X: [n, d]   W: [d, C]   b: [1, C];   S^K X is computed once (smoothed.h)
 *
 * Wu et al., arXiv:1902.07153, eq. 8. As in their code, Tiiiger/SGC: undirected graph, step size
 * 0.2, no dropout, no stopping rule, L2 on W and b. They tuned the L2 factor on the validation
 * vertices by 60 trials between 1e-10 and 1e-4; `datasets` below has their results. */
#include "model/smoothed.h"

enum { HOPS, OPERATOR, SMOOTH };
enum { ONCE, EACH_PASS };

static const gnd_hparam hparams[] = {
    [HOPS] = GND_HP_INT("hops", 2, 0, 10000, "power K of S"),
    [OPERATOR] = GND_HP_CHOICE(
        "operator", 0, "symmetrised|plain|transposed",
        "directed graphs: S of max(A, A^T) (symmetrised, as in the authors' code), of A or of A^T"),
    [SMOOTH] = GND_HP_CHOICE("smooth", ONCE, "once|each_pass",
                             "once: store S^k X before training if memory allows, faster; "
                             "each_pass: multiply by S in each pass, needs less memory"),
    GND_HP_END,
};

static const gnd_preset presets[] = {
    {"gcn-like", "lr=.01 l2=5e-4 stop=kipf patience=10 stop_loss=ce_l2 epochs=200 epochs_alone=200",
     "trained like GCN: smaller step size, larger L2, a stopping rule"},
    {"published", "operator=transposed lr=.01 l2=5e-4 stop=gat patience=50 epochs=1000",
     GND_PUBLISHED_MEANING},
    {NULL, NULL, NULL},
};

static const gnd_preset datasets[] = {
    {"cora", "l2=1.303e-5", "L2 tuned by the authors"},
    {"citeseer", "l2=2.355e-5 epochs=150 epochs_alone=150", "L2 tuned by the authors, 150 epochs"},
    {"pubmed", "l2=7.404e-5", "L2 tuned by the authors"},
    {NULL, NULL, NULL},
};

static const gnd_recipe recipe = {
    .optimiser = GND_OPT_ADAM_TORCH,
    .lr = 0.2,
    .l2 = 5e-6,
    .l2_form = GND_L2_HALF,
    .stop = "none",
    .stop_loss = GND_STOP_LOSS_CE,
    .epochs = 100,
    .epochs_alone = 100,
};

enum { W, B };

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t C = gnd_n_class(m);
    gnd_status st = GND_OK;

    GND_TRY(gnd_param_add(&m->params, "W", m->n_feat, C, GND_INIT_LINEAR | GND_DECAY, err));
    GND_TRY(gnd_param_add(&m->params, "b", 1, C, GND_INIT_LINEAR | GND_DECAY, err));
    m->params.p[B].fan = m->n_feat;
out:
    return st;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    static const gnd_operator_kind kind[] = {GND_OP_S_SYMMETRISED, GND_OP_S, GND_OP_S_TRANSPOSED};
    const int64_t K = gnd_hp_int(m, HOPS);
    gnd_status st = GND_OK;

    GND_TRY(gnd_operator_init_in(&in->op, kind[gnd_hp_choice(m, OPERATOR)], &g->adj, pool, err));
    GND_TRY(
        gnd_smoothed_prepare(in, K > 0 ? K : 1, K, gnd_hp_choice(m, SMOOTH) == ONCE, pool, err));
out:
    return st;
}

static gnd_status prepare_rows(gnd_inputs *in, const gnd_model *m, gnd_row_set_id set,
                               gnd_pool *pool, gnd_error *err)
{
    return gnd_smoothed_prepare_rows(in, set, gnd_n_class(m), gnd_hp_choice(m, SMOOTH) == ONCE,
                                     pool, err);
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_var XW =
        gnd_smoothed_times(t, in, gnd_hp_int(m, HOPS), gnd_param_var(t, &m->params, W));

    return gnd_add_bias(t, XW, gnd_param_var(t, &m->params, B));
}

const gnd_method gnd_method_sgc = {
    .name = "sgc",
    .title = "Simple graph convolution",
    .formula = "softmax(S^K X W + b)",
    .paper = "arXiv:1902.07153",
    .hparams = hparams,
    .presets = presets,
    .datasets = datasets,
    .search_setting = "l2",
    .search_values = "1e-10,1e-9,1e-8,1e-7,1e-6,5e-6,1e-5,2e-5,5e-5,1e-4",
    .recipe = &recipe,
    .features = GND_FEAT_ROW_L1,
    .on_parts = true,
    .init = init,
    .prepare = prepare,
    .release = gnd_smoothed_release,
    .prepare_rows = prepare_rows,
    .release_rows = gnd_smoothed_release_rows,
    .forward = forward,
};
