/* SPDX-License-Identifier: MIT
 * ppnp_hk.c - PPNP with the heat kernel in place of personalised PageRank.
 *
 *     L = Pi Hl,   Pi = exp(-t (I - S)) = sum_k e^-t t^k / k! S^k          Hl: ppnp_family.h
 *
 * A variant of PPNP in the comparison of arXiv:2201.09698, which does not give t. The default is
 * that of graph diffusion convolution (Klicpera et al., arXiv:1911.05485) on Cora. */
#include "base/alloc.h"
#include "linalg/series.h"
#include "model/ppnp_family.h"

enum { TIME = GND_EXACT };

static const gnd_hparam hparams[] = {
    GND_EXACT_HPARAMS,
    [TIME] = GND_HP_REAL(
        "time", 5, 0.01, 100,
        "t: diffusion time in exp(-t (I - S)); larger values reach more distant vertices"),
    GND_HP_END,
};

static const gnd_preset presets[] = {
    {"published", "operator=transposed stop=kipf patience=10 stop_loss=ce", GND_PUBLISHED_MEANING},
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
    GND_TRY(gnd_series_heat(in->own, gnd_hp_real(m, TIME), 0, err));
out:
    return st;
}

static const char *const aliases[] = {"ppnp-heat", NULL};

const gnd_method gnd_method_ppnp_hk = {
    .name = "ppnp-hk",
    .title = "Predictions propagated by the heat kernel",
    .formula = "softmax(exp(-t (I - S)) relu(X W1) W2)",
    .paper = "arXiv:2201.09698",
    .aliases = aliases,
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
