/* SPDX-License-Identifier: MIT
 * dcnn.c - diffusion-convolutional network.
 *
 *     y_i = [ X | P X | .. | P^h X ]_i      z_i = tanh(w (.) y_i)      L_i = z_i Wd + bd
 *     X: [n, d], raw   w: [h + 1, d]   Wd: [(h + 1) d, C], d rows per hop   L: [n, C]
 *     P = As (D + I)^-1, As = max(A, A^T): columns divided by their sums plus one; or, as the
 *     operator setting says, with A or A^T in place of As
 *
 * Loss: multiclass hinge loss of the probabilities, max(0, 1 + max_{j != y} p_j - p_y) with
 * p = softmax(L).
 *
 * Atwood and Towsley, NIPS 2016, arXiv:1511.02136. Follows the authors' code: three hops, AdaGrad
 * on batches of ten, at most 100 epochs; training stops if the validation loss is not below the
 * mean of the last five, and the last weights are used. With few labels this can be after six
 * epochs.
 *
 * y does not depend on weights. Its powers are kept, or its rows are computed when a pass requests
 * them (powers.h); all rows are computed in panels of columns. The rows of the training and
 * validation vertices are computed once and stored sparse. A step reads only the rows of its batch.
 */
#include "base/alloc.h"
#include "graph/powers.h"
#include "model/model.h"
#include "plan/keep.h"

enum { HOPS, OPERATOR };

static const gnd_hparam hparams[] = {
    [HOPS] = GND_HP_INT("hops", 3, 0, 32, "highest power h of the operator P"),
    [OPERATOR] = GND_HP_CHOICE(
        "operator", 0, "symmetrised|plain|transposed",
        "directed graphs: P of max(A, A^T) (symmetrised, as in the authors' code), of A or of A^T"),
    GND_HP_END,
};

static const gnd_preset presets[] = {
    {"published", "operator=symmetrised stop=dcnn patience=5 epochs=100", GND_PUBLISHED_MEANING},
    {NULL, NULL, NULL},
};

static const gnd_recipe recipe = {
    .optimiser = GND_OPT_ADAGRAD,
    .lr = 0.05,
    .l2 = 0,
    .l2_form = GND_L2_HALF,
    .stop = "dcnn",
    .patience = 5,
    .stop_loss = GND_STOP_LOSS_OBJECTIVE,
    .epochs = 100,
    .epochs_alone = 100, /* the authors' maximum */
    .batch = 10,
};

enum { W, WD, BD };

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t C = gnd_n_class(m), slices = gnd_hp_int(m, HOPS) + 1;
    gnd_status st = GND_OK;

    GND_TRY(gnd_param_add(&m->params, "w", slices, m->n_feat, GND_INIT_NORMAL | GND_DECAY, err));
    m->params.p[W].std = 0.01;
    GND_TRY(
        gnd_param_add(&m->params, "Wd", slices * m->n_feat, C, GND_INIT_GLOROT | GND_DECAY, err));
    GND_TRY(gnd_param_add(&m->params, "bd", 1, C, GND_INIT_ZERO, err));
out:
    return st;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    static const gnd_operator_kind kind[] = {GND_OP_P_DCNN, GND_OP_P_DCNN_PLAIN,
                                             GND_OP_P_DCNN_TRANSPOSED};
    const gnd_powers_of of = {
        .a = &in->op.a, .x = &in->x, .first = 1, .last = gnd_hp_int(m, HOPS), .all_or_none = true};
    gnd_powers *y = gnd_alloc(1, sizeof *y);
    gnd_status st = GND_OK;

    if (!y)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the hops of dcnn"));
    GND_TRY(gnd_operator_init_in(&in->op, kind[gnd_hp_choice(m, OPERATOR)], &g->adj, pool, err));
    GND_TRY(gnd_powers_init(y, &of, &in->budget, pool, err));
    in->own = y;
    y = NULL;
out:
    gnd_free(y);
    return st;
}

static void release(gnd_inputs *in)
{
    gnd_powers_fini(in->own);
    gnd_free(in->own);
}

static gnd_status prepare_rows(gnd_inputs *in, const gnd_model *m, gnd_row_set_id set,
                               gnd_pool *pool, gnd_error *err)
{
    gnd_row_set *h = &in->rows[set];
    const int64_t hops = gnd_hp_int(m, HOPS) + 1;
    gnd_status st;

    (void)pool;
    if (m->n_feat > INT32_MAX / hops ||
        gnd_keep_full_rows_bytes(h->n, hops * m->n_feat) > gnd_budget_left(&in->budget))
        return GND_OK;
    st = gnd_powers_pack(&h->part, in->own, h->row, h->n, err);
    gnd_budget_spend(&in->budget, gnd_keep_entries_bytes(gnd_csr_nnz(&h->part)));
    return st;
}

static void make_row(gnd_real *out, int64_t i, gnd_real *scratch, const void *arg)
{
    gnd_powers_row(out, arg, i, scratch);
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_powers *powers = in->own;
    const bool kept = gnd_powers_scratch(powers) == 0;
    const gnd_row_maker y = {.rows = in->n_node,
                             .cols = (powers->top + 1) * in->x.n_col,
                             .make = make_row,
                             .n_scratch = gnd_powers_scratch(powers),
                             .arg = powers,
                             .a = kept ? NULL : &in->op.a,
                             .x = &in->x};
    const gnd_var w = gnd_param_var(t, &m->params, W), Wd = gnd_param_var(t, &m->params, WD);
    const gnd_var rows = gnd_row_set_part(in, t);
    const gnd_var z = rows.i >= 0 ? gnd_as_requested(t, gnd_tanh_sparse(t, rows, w, Wd))
                                  : gnd_tanh_rows(t, &y, w, Wd);

    return gnd_add_bias(t, z, gnd_param_var(t, &m->params, BD));
}

static gnd_var loss(gnd_tape *t, gnd_var logits, const gnd_target *y)
{
    return gnd_hinge(t, gnd_softmax(t, logits), y->label, y->rows, y->n_rows);
}

const gnd_method gnd_method_dcnn = {
    .name = "dcnn",
    .title = "Diffusion-convolutional network",
    .formula = "softmax(tanh(w (.) [X | P X | P^2 X | P^3 X]) Wd + bd)",
    .paper = "arXiv:1511.02136",
    .hparams = hparams,
    .presets = presets,
    .added = "operator",
    .recipe = &recipe,
    .features = GND_FEAT_RAW,
    .init = init,
    .prepare = prepare,
    .release = release,
    .prepare_rows = prepare_rows,
    .forward = forward,
    .loss = loss,
};
