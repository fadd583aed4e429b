/* SPDX-License-Identifier: MIT
 * sign.c - SIGN: a network with one hidden layer on X, S X, ..., S^K X.
 *
 *     logits = M(relu([X W_0 + 1 b_0^T .. S^K X W_K + 1 b_K^T])) Wo + 1 bo^T
 *     X: [n, d]   W_k: [d, h]   b_k: [1, h]   Wo: [(K+1) h, C]   bo: [1, C];   M is dropout at H
 *
 * Frasca et al., arXiv:2004.11198, eq. 3, with powers of S only and ReLU. Their code is for
 * graphs of a million vertices and more; width, number of powers and recipe are chosen here for
 * small graphs. S^k X are computed once (smoothed.h). */
#include <stdio.h>

#include "model/smoothed.h"

enum { HOPS, HIDDEN, DROPOUT, OPERATOR, SMOOTH };
enum { ONCE, EACH_PASS };
enum { MAX_HOPS = 32 };

static const gnd_hparam hparams[] = {
    [HOPS] = GND_HP_INT("hops", 3, 0, MAX_HOPS, "highest power K of S"),
    [HIDDEN] = GND_HP_INT("hidden", 64, 1, 4096, "width h per power of S"),
    [DROPOUT] =
        GND_HP_REAL("dropout", 0.5, 0, 0.99, "fraction of the hidden layer that dropout sets to 0"),
    [OPERATOR] = GND_HP_CHOICE("operator", 0, "plain|symmetrised|transposed",
                               "directed graphs: S of A (plain), of max(A, A^T) or of A^T"),
    [SMOOTH] = GND_HP_CHOICE("smooth", ONCE, "once|each_pass",
                             "once: store S^k X before training if memory allows, faster; "
                             "each_pass: multiply by S in each pass, needs less memory"),
    GND_HP_END,
};

static const gnd_recipe recipe = {
    .optimiser = GND_OPT_ADAM_TORCH,
    .lr = 0.01,
    .l2 = 5e-4,
    .l2_form = GND_L2_HALF,
    .stop = "gat",
    .patience = 50,
    .stop_loss = GND_STOP_LOSS_CE,
    .epochs = 1000,
    .epochs_alone = 200,
};

/* A linear layer with the initial values of PyTorch. */
static gnd_status linear(gnd_model *m, const char *W, const char *b, int64_t rows, int64_t cols,
                         gnd_error *err)
{
    gnd_status st = GND_OK;

    GND_TRY(gnd_param_add(&m->params, W, rows, cols, GND_INIT_LINEAR | GND_DECAY, err));
    GND_TRY(gnd_param_add(&m->params, b, 1, cols, GND_INIT_LINEAR | GND_DECAY, err));
    m->params.p[m->params.n - 1].fan = rows;
out:
    return st;
}

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t K = gnd_hp_int(m, HOPS), h = gnd_hp_int(m, HIDDEN);
    char W[16], b[16];
    gnd_status st = GND_OK;

    for (int64_t k = 0; k <= K; k++) {
        snprintf(W, sizeof W, "W%d", (int)k);
        snprintf(b, sizeof b, "b%d", (int)k);
        GND_TRY(linear(m, W, b, m->n_feat, h, err));
    }
    GND_TRY(linear(m, "Wo", "bo", (K + 1) * h, gnd_n_class(m), err));
out:
    return st;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    static const gnd_operator_kind kind[] = {GND_OP_S, GND_OP_S_SYMMETRISED, GND_OP_S_TRANSPOSED};
    gnd_status st = GND_OK;

    GND_TRY(gnd_operator_init_in(&in->op, kind[gnd_hp_choice(m, OPERATOR)], &g->adj, pool, err));
    GND_TRY(gnd_smoothed_prepare(in, 1, gnd_hp_int(m, HOPS), gnd_hp_choice(m, SMOOTH) == ONCE, pool,
                                 err));
out:
    return st;
}

static gnd_status prepare_rows(gnd_inputs *in, const gnd_model *m, gnd_row_set_id set,
                               gnd_pool *pool, gnd_error *err)
{
    return gnd_smoothed_prepare_rows(in, set, gnd_hp_int(m, HIDDEN),
                                     gnd_hp_choice(m, SMOOTH) == ONCE, pool, err);
}

/* Columns of the hidden layer that a pass without gradients computes at a time: those of all hops
 * if they fit the budget, else at most those of a hop. */
static int64_t panel_width(const gnd_model *m, const gnd_inputs *in, int64_t n)
{
    enum { BLOCKS = 6, LEAST = 4 }; /* matrices of n rows that a panel, or a hop, has at a time */
    const int64_t h = gnd_hp_int(m, HIDDEN), K = gnd_hp_int(m, HOPS);
    const int64_t fits =
        n > 0 ? in->budget.total / (BLOCKS * (int64_t)sizeof(gnd_real)) / n : INT64_MAX;

    if (fits >= (K + 1) * h)
        return (K + 1) * h;
    return fits < LEAST ? LEAST : fits < h ? fits : h;
}

/* The same in panels of columns of the hidden layer: what each contributes to the logits is added,
 * and its memory is given back. */
static gnd_var forward_panels(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, int64_t panel)
{
    const int64_t h = gnd_hp_int(m, HIDDEN), C = gnd_n_class(m);
    const int64_t n = t->request ? t->n_request : in->n_node;
    const int32_t *request = t->request;
    const gnd_var Wo = gnd_weight(m, t, "Wo");
    gnd_real *sum = gnd_tape_alloc(t, n * C, sizeof *sum);
    gnd_var y;

    for (int64_t i = 0; sum && i < n * C; i++)
        sum[i] = 0;
    for (int k = 0; k <= (int)gnd_hp_int(m, HOPS); k++)
        for (int64_t c = 0; c < h && gnd_tape_ok(t); c += panel) {
            const int64_t w = h - c < panel ? h - c : panel;
            const gnd_tape_mark mark = gnd_tape_mark_get(t);
            const gnd_var W = gnd_columns(t, gnd_weight(m, t, "W%d", k), c, w);
            const gnd_var b = gnd_columns(t, gnd_weight(m, t, "b%d", k), c, w);
            const gnd_var H = gnd_relu(t, gnd_add_bias(t, gnd_smoothed_times(t, in, k, W), b));
            const gnd_real *part =
                gnd_tape_ok(t) ? gnd_tape_node(t, Wo)->v + (k * h + c) * C : NULL;

            y = gnd_matmul(t, H, gnd_constant(t, part, w, C));
            if (gnd_tape_ok(t))
                t->kern->axpy(sum, 1, gnd_tape_node(t, y)->v, n * C);
            gnd_tape_release(t, mark);
        }
    y = gnd_constant(t, sum, n, C);
    if (gnd_tape_ok(t))
        gnd_tape_node(t, y)->row = request;
    return gnd_add_bias(t, y, gnd_weight(m, t, "bo"));
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const int K = (int)gnd_hp_int(m, HOPS);
    const int64_t panel = panel_width(m, in, t->request ? t->n_request : in->n_node);
    gnd_var H[MAX_HOPS + 1], y;

    if (!t->training && panel < (K + 1) * gnd_hp_int(m, HIDDEN))
        return forward_panels(m, in, t, panel);
    for (int k = 0; k <= K; k++)
        H[k] = gnd_add_bias(t, gnd_smoothed_times(t, in, k, gnd_weight(m, t, "W%d", k)),
                            gnd_weight(m, t, "b%d", k));
    y = gnd_dropout(t, gnd_relu(t, gnd_concat(t, H, K + 1)), gnd_hp_real(m, DROPOUT), "H");
    return gnd_add_bias(t, gnd_matmul(t, y, gnd_weight(m, t, "Wo")), gnd_weight(m, t, "bo"));
}

const gnd_method gnd_method_sign = {
    .name = "sign",
    .title = "SIGN, a network on smoothed features",
    .formula = "softmax(relu([X W_0 .. S^K X W_K]) Wo + bo)",
    .paper = "arXiv:2004.11198",
    .hparams = hparams,
    .recipe = &recipe,
    .features = GND_FEAT_ROW_L1,
    .init = init,
    .prepare = prepare,
    .release = gnd_smoothed_release,
    .prepare_rows = prepare_rows,
    .release_rows = gnd_smoothed_release_rows,
    .forward = forward,
};
