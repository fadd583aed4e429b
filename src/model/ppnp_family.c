/* SPDX-License-Identifier: MIT
 * ppnp_family.c - the local predictor, and Pi Hl in two exact ways.
 *
 * A loss looks at few rows of Pi: a training pass multiplies just these, made once a split, and
 * their dropout is that of the whole matrix, since rows without labels have no say. Every other
 * pass sums the series of Pi on [n, C]. No [n, n] matrix exists in either. */
#include "ppnp_family.h"

#include "base/alloc.h"
#include "graph/series.h"

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

    GND_TRY(gnd_param_add(&m->params, "W1", m->n_feat, h, GND_INIT_GLOROT, GND_DECAY, err));
    GND_TRY(gnd_param_add(&m->params, "W2", h, gnd_n_class(m), GND_INIT_GLOROT, GND_NO_DECAY, err));
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
    const gnd_var X = gnd_dropout(t, gnd_sparse(t, &in->x), p, "X");
    const gnd_var H = gnd_relu(t, gnd_matmul(t, X, gnd_param_var(t, &m->params, W1)));

    return gnd_matmul(t, gnd_dropout(t, H, p, "H"), gnd_param_var(t, &m->params, W2));
}

void gnd_exact_release(gnd_inputs *in)
{
    gnd_series_fini(in->own);
    gnd_free(in->own);
}

gnd_status gnd_exact_prepare_rows(gnd_inputs *in, const gnd_model *m, gnd_held_set set,
                                  gnd_pool *pool, gnd_error *err)
{
    enum { EXACT };
    gnd_held *h = &in->held[set];

    if (set != GND_TRAIN_ROWS || gnd_hp_choice(m, GND_EXACT_MODE) != EXACT)
        return GND_OK;
    return gnd_series_rows(&h->part, &in->op.at, in->own, h->row, h->n, pool, err);
}

/* Where each row asked for stands among those held; NULL if one does not, or memory is short. */
static const int32_t *rows_find(gnd_tape *t, const gnd_held *h)
{
    int32_t *at = gnd_tape_alloc(t, t->n_want, sizeof *at);

    for (int64_t i = 0; at && i < t->n_want; i++) {
        int64_t k = 0;

        while (k < h->n && h->row[k] != t->want[i])
            k++;
        if (k == h->n)
            return NULL;
        at[i] = (int32_t)k;
    }
    return at;
}

/* The rows of Pi that the pass is asked for, if they are at hand; else no variable. */
static gnd_var rows_asked(const gnd_inputs *in, gnd_tape *t)
{
    const gnd_held *h = &in->held[GND_TRAIN_ROWS];
    const int32_t *want = t->want, *at;
    gnd_var pi = {-1};

    if (!t->training || !want || h->part.n_row == 0)
        return pi;
    if (gnd_held_asked(in, t) == h)
        return gnd_sparse(t, &h->part);
    at = rows_find(t, h); /* a batch */
    if (!at)
        return pi;
    t->want = at;
    pi = gnd_wanted(t, gnd_sparse(t, &h->part));
    t->want = want;
    return pi;
}

gnd_var gnd_exact_forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_series *s = in->own;
    const gnd_var Hl = gnd_predict_local(m, in, t), Pi = rows_asked(in, t);

    if (Pi.i < 0)
        return gnd_propagate(t, &in->op.a, &in->op.at, s->c, s->n, s->basis, Hl);
    return gnd_as_wanted(
        t, gnd_matmul(t, gnd_dropout(t, Pi, gnd_hp_real(m, GND_EXACT_DROPOUT), "Pi"), Hl));
}
