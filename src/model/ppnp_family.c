/* SPDX-License-Identifier: MIT
 * ppnp_family.c - the local predictor, and Pi Hl by rows of Pi or by its series.
 *
 * The loss depends only on the rows of Pi of the labelled vertices. A training pass multiplies
 * these rows, computed once per split, with the same dropout as in the whole matrix. A validation
 * pass does the same if it is cheaper than the series. All other passes sum the series of Pi on [n,
 * C]. No [n, n] matrix is formed. */
#include "ppnp_family.h"

#include "base/alloc.h"
#include "linalg/series.h"
#include "plan/keep.h"
#include "tape/narrow.h"

const gnd_recipe gnd_predict_recipe = {
    .optimiser = GND_OPT_ADAM_TF,
    .lr = 0.01,
    .l2 = 5e-3,
    .l2_form = GND_L2_HALF,
    .stop = "ppnp",
    .patience = 100,
    .stop_loss = GND_STOP_LOSS_CE_L2,
    .epochs = 1000,
    .epochs_alone = 200,
};

enum { W1, W2 };

gnd_status gnd_predict_init(gnd_model *m, gnd_error *err)
{
    const int64_t h = gnd_hp_int(m, GND_PREDICT_HIDDEN);
    gnd_status st = GND_OK;

    GND_TRY(gnd_param_add(&m->params, "W1", m->n_feat, h, GND_INIT_GLOROT | GND_DECAY, err));
    GND_TRY(gnd_param_add(&m->params, "W2", h, gnd_n_class(m), GND_INIT_GLOROT, err));
out:
    return st;
}

gnd_status gnd_predict_operator(gnd_inputs *in, const gnd_model *m, const gnd_graph *g,
                                gnd_error *err)
{
    static const gnd_operator_kind kind[] = {GND_OP_S, GND_OP_S_TRANSPOSED, GND_OP_S_SYMMETRISED,
                                             GND_OP_W};

    return gnd_operator_init(&in->op, kind[gnd_hp_choice(m, GND_PREDICT_OPERATOR)], &g->adj, err);
}

gnd_var gnd_predict_local(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const double p = gnd_hp_real(m, GND_PREDICT_DROPOUT);
    const gnd_var X = gnd_narrow(t, gnd_input(t, &in->x), gnd_hp_int(m, GND_PREDICT_HIDDEN));

    return gnd_hidden_layer(t, gnd_dropout(t, X, p, "X"), gnd_param_var(t, &m->params, W1), p, "H",
                            gnd_param_var(t, &m->params, W2));
}

void gnd_exact_release(gnd_inputs *in)
{
    gnd_series_fini(in->own);
    gnd_free(in->own);
}

/* Are dense rows of Pi for the validation vertices faster than the series? */
static bool rows_are_faster(const gnd_inputs *in, const gnd_model *m, int64_t n_row)
{
    return gnd_keep_series_rows(
        &(gnd_series_sizes){.n_row = n_row,
                            .n_node = in->n_node,
                            .nnz = gnd_csr_nnz(&in->op.a),
                            .n_class = gnd_n_class(m),
                            .n_term = ((const gnd_series *)in->own)->n,
                            .patience = (int64_t)m->config.value[GND_HP_PATIENCE]},
        &in->budget);
}

gnd_status gnd_exact_prepare_rows(gnd_inputs *in, const gnd_model *m, gnd_row_set_id set,
                                  gnd_pool *pool, gnd_error *err)
{
    enum { EXACT };
    gnd_row_set *h = &in->rows[set];
    gnd_status st;

    if (set == GND_TRAIN_ROWS)
        return gnd_hp_choice(m, GND_EXACT_MODE) == EXACT
                   ? gnd_series_rows(&h->part, &in->op.at, in->own, (gnd_row_list){h->row, h->n},
                                     pool, err)
                   : GND_OK;
    if (!rows_are_faster(in, m, h->n))
        return GND_OK;
    h->own = gnd_alloc(h->n * in->n_node, sizeof(gnd_real));
    if (!h->own) /* no fallback to the series: its rounding differs, and results must not depend on
                    free memory */
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld rows of Pi", (long long)h->n);
    gnd_budget_spend(
        &in->budget,
        gnd_keep_bytes(GND_KEEP_DENSE, &(gnd_keep_sizes){.rows = h->n, .cols = in->n_node}));
    st = gnd_series_blocks(h->own, &in->op.at, in->own, (gnd_row_list){h->row, h->n}, pool, err);
    if (st != GND_OK) {
        gnd_free(h->own);
        h->own = NULL;
    }
    return st;
}

void gnd_exact_release_rows(gnd_row_set *h)
{
    gnd_free(h->own);
}

gnd_var gnd_exact_forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_series *s = in->own;
    const gnd_row_set *h = gnd_row_set_requested(in, t);
    const gnd_var Hl = gnd_predict_local(m, in, t), Pi = gnd_row_set_part(in, t);

    if (Pi.i >= 0)
        return gnd_as_requested(
            t, gnd_matmul(t, gnd_dropout(t, Pi, gnd_hp_real(m, GND_EXACT_DROPOUT), "Pi"), Hl));
    if (h && h->own && !t->training)
        return gnd_as_requested(
            t,
            gnd_block_rows(t, &(gnd_row_blocks){h->own, h->n, in->n_node, GND_SERIES_BLOCK}, Hl));
    return gnd_propagate(t, &in->op.a, &in->op.at, s, Hl);
}
