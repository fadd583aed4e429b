/* SPDX-License-Identifier: MIT
 * ppnp.c - personalised propagation of neural predictions, with the exact PageRank matrix.
 *
 *     L = Pi Hl,   Pi = a (I - (1 - a) S)^-1          Hl and the rest: ppnp_family.h
 *
 * Klicpera et al., arXiv:1810.05997, eq. 3. As in their code there is dropout on Pi. Their code
 * computes Pi as a dense [n, n] matrix; here it is not formed. */
#include "base/alloc.h"
#include "linalg/series.h"
#include "model/ppnp_family.h"

enum { TELEPORT = GND_EXACT };

static const gnd_hparam hparams[] = {
    GND_EXACT_HPARAMS,
    [TELEPORT] = GND_HP_REAL("teleport", 0.1, 0.001, 1,
                             "a: restart probability of personalised PageRank; smaller values "
                             "reach more distant vertices"),
    GND_HP_END,
};

static const gnd_preset presets[] = {
    {"published", "operator=transposed stop=kipf patience=50 stop_loss=ce", GND_PUBLISHED_MEANING},
    {NULL, NULL, NULL},
};

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    gnd_status st;

    (void)pool;
    GND_TRY(gnd_predict_operator(in, m, g, err));
    in->own = gnd_alloc(1, sizeof(gnd_series));
    if (!in->own)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a series"));
    GND_TRY(gnd_series_pagerank(in->own, gnd_hp_real(m, TELEPORT), in->op.shared, 0, err));
out:
    return st;
}

const gnd_method gnd_method_ppnp = {
    .name = "ppnp",
    .title = "Personalised propagation of neural predictions",
    .formula = "softmax(a (I - (1-a) S)^-1 relu(X W1) W2)",
    .paper = "arXiv:1810.05997",
    .hparams = hparams,
    .presets = presets,
    .recipe = &gnd_predict_recipe,
    .features = GND_FEAT_ROW_L1,
    .init = gnd_predict_init,
    .prepare = prepare,
    .release = gnd_exact_release,
    .prepare_rows = gnd_exact_prepare_rows,
    .release_rows = gnd_exact_release_rows,
    .forward = gnd_exact_forward,
};
