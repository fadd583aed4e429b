/* SPDX-License-Identifier: MIT
 * gnd_slp.c - GND-Nets with one weight per hop (single-layer perceptron over the hops).
 *
 *     P = sum_{k=f}^{f+K-1} alpha_k W^k Z          Z and the rest: gnd_family.h
 *     alpha: [1, K]
 *
 * Ye et al., arXiv:2201.09698. The authors' code sums W^1 .. W^20 (f = 1), their text W^0 ..
 * W^{K-1} (f = 0); the initial alpha are random. With fixed alpha this is personalised PageRank or
 * heat diffusion. */
#include <math.h>

#include "model/gnd_family.h"

enum { FIRST_HOP = GND_FAMILY, ALPHA, TELEPORT, TIME, ALPHA_START, ALPHA_LR };
enum { LEARNED, PPR, HEAT, UNIFORM, SIMPLEX };

static const gnd_hparam hparams[] = {
    GND_FAMILY_HPARAMS(16, 20),
    [FIRST_HOP] =
        GND_HP_INT("first_hop", 1, 0, 1,
                   "lowest power of the operator. 1: as in the authors' code; 0: as in their text"),
    [ALPHA] = GND_HP_CHOICE("alpha", LEARNED, "learned|ppr|heat|uniform|simplex",
                            "hop weights. learned: free; simplex: learned, positive, with sum 1; "
                            "ppr, heat, uniform: fixed"),
    [TELEPORT] = GND_HP_REAL("teleport", 0.1, 0.001, 1,
                             "alpha=ppr: restart probability a; the weights are a (1-a)^k"),
    [TIME] = GND_HP_REAL("time", 5, 0.01, 100,
                         "alpha=heat: diffusion time t; the weights are e^-t t^k / k!"),
    [ALPHA_START] = GND_HP_CHOICE("alpha_start", 0, "random|ppr|heat|uniform",
                                  "alpha=learned: initial hop weights. random: as in the authors' "
                                  "code; others: as the fixed weights of this name"),
    [ALPHA_LR] = GND_HP_REAL("alpha_lr", 1, 0, 100,
                             "step size of learned hop weights, as a multiple of lr; 0: they stay "
                             "at their initial values"),
    GND_HP_END,
};

static const gnd_preset presets[] = {
    {"text", "first_hop=0 stop=shchur patience=50 dropout_at=X,R",
     "as in the paper's text: powers 0 to K-1, patience 50 on the validation loss, dropout on "
     "features and hidden layer"},
    {NULL, NULL, NULL},
};

/* Parameters: Theta, alpha (if learned), b, Phi, c. */
static bool has_alpha(const gnd_model *m)
{
    const int how = gnd_hp_choice(m, ALPHA);

    return how == LEARNED || how == SIMPLEX;
}

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t K = gnd_hp_int(m, GND_HOPS);
    gnd_status st = GND_OK;

    GND_TRY(gnd_family_init_head(m, err));
    if (has_alpha(m)) { /* a 1x1 convolution over K channels: fan-in K, fan-out 1 */
        GND_TRY(gnd_param_add(&m->params, "alpha", 1, K, GND_INIT_GLOROT | GND_DECAY, err));
        m->params.p[m->params.n - 1].rate = gnd_hp_real(m, ALPHA_LR);
    }
    GND_TRY(gnd_family_init_tail(m, err));
out:
    return st;
}

/* The weight of W^k in a fixed diffusion. */
static double fixed_weight(const gnd_model *m, int how, int64_t k)
{
    const double a = gnd_hp_real(m, TELEPORT), time = gnd_hp_real(m, TIME);
    double w = exp(-time);

    switch (how) {
    case PPR:
        return a * pow(1 - a, (double)k);
    case HEAT:
        for (int64_t i = 1; i <= k; i++)
            w *= time / (double)i;
        return w;
    default:
        return 1 / (double)gnd_hp_int(m, GND_HOPS);
    }
}

static void start(gnd_model *m)
{
    const int64_t K = gnd_hp_int(m, GND_HOPS), first = gnd_hp_int(m, FIRST_HOP);
    const int from = gnd_hp_choice(m, ALPHA_START); /* numbered as ALPHA; 0: drawn */
    const int i = gnd_params_find(&m->params, "alpha");

    for (int64_t k = 0; gnd_hp_choice(m, ALPHA) == LEARNED && from > 0 && k < K; k++)
        m->params.v[m->params.p[i].at + k] = (gnd_real)fixed_weight(m, from, first + k);
}

static gnd_var hop_weights(const gnd_model *m, gnd_tape *t)
{
    const int64_t K = gnd_hp_int(m, GND_HOPS), first = gnd_hp_int(m, FIRST_HOP);
    gnd_real *alpha;

    if (gnd_hp_choice(m, ALPHA) == LEARNED)
        return gnd_weight(m, t, "alpha");
    if (gnd_hp_choice(m, ALPHA) == SIMPLEX)
        return gnd_softmax(t, gnd_weight(m, t, "alpha"));
    alpha = gnd_tape_alloc(t, K, sizeof *alpha);
    for (int64_t k = 0; alpha && k < K; k++)
        alpha[k] = (gnd_real)fixed_weight(m, gnd_hp_choice(m, ALPHA), first + k);
    return gnd_constant(t, alpha, 1, K);
}

static gnd_status prepare_rows(gnd_inputs *in, const gnd_model *m, gnd_row_set_id set,
                               gnd_pool *pool, gnd_error *err)
{
    const gnd_diffusion d = {
        .hops = gnd_hp_int(m, GND_HOPS),
        .first = gnd_hp_int(m, FIRST_HOP),
        .width = gnd_hp_int(m, GND_FILTERS),
        .weighted = true,
        .linear = true,
        .no_dropout = !gnd_family_drops(m, GND_AT_X) && !gnd_family_drops(m, GND_AT_Z),
    };

    return gnd_diffusion_prepare(in, m, set, &d, pool, err);
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_var alpha = hop_weights(m, t);
    gnd_var P;

    if (gnd_diffusion_has_features(in, t)) /* P = (sum_k alpha_k W^k X) Theta */
        P = gnd_matmul(t, gnd_diffused_features(in, t, alpha), gnd_weight(m, t, "Theta"));
    else
        P = gnd_diffuse_requested(in, t, alpha, gnd_family_project(m, in, t),
                                  gnd_hp_int(m, FIRST_HOP), true);
    return gnd_family_classify(m, t, P);
}

static gnd_var hop_weights_of(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, int64_t *first)
{
    (void)in;
    *first = gnd_hp_int(m, FIRST_HOP);
    return hop_weights(m, t);
}

static const char *const aliases[] = {"gnd", "gnd-nets", "gnd-net", NULL};

const gnd_method gnd_method_gnd_slp = {
    .name = "gnd-slp",
    .title = "GND-Nets, one weight per hop",
    .formula = "softmax(act((sum_k alpha_k W^k) X Theta + b) Phi + c)",
    .paper = "arXiv:2201.09698",
    .aliases = aliases,
    .hparams = hparams,
    .presets = presets,
    .recipe = &gnd_family_recipe,
    .features = GND_FEAT_ROW_L1,
    .on_parts = true,
    .added = "alpha_start|alpha_lr",
    .init = init,
    .start = start,
    .prepare = gnd_family_prepare,
    .prepare_rows = prepare_rows,
    .release_rows = gnd_diffusion_release,
    .forward = forward,
    .hop_weights = hop_weights_of,
};
