/* SPDX-License-Identifier: MIT
 * ngcn.c - N-GCN: a combination of small networks (towers) on powers of the operator.
 *
 *     tower t of power k:  Xt = M(X), rows divided by their norm
 *                          Lt = S^k M(relu(BN(S^k Xt V1_t))) V2_t
 *     combine=fc:    L = [ relu(L0) | relu(L1) | .. ] U + 1 u^T
 *     combine=wsum:  L = sum_t softmax(qv)_t softmax(Lt)
 *     X: [n, d], binary   V1_t: [d, h]   V2_t: [h, C]   U: [T C, C]   qv: [1, T]   L: [n, C]
 *     BN: batch norm over all vertices with a learned shift beta_t, M: dropout, different in each
 * tower
 *
 * There is one tower per replica and power. Loss: sum of the towers' cross-entropies +
 * cross-entropy of L, whose gradient does not reach the towers, + l2 sum |V|^2 (+ 1e-3 mean(qv^2)).
 * With wsum, probabilities are used as logits, as in the authors' code, so that the gradient is
 * small.
 *
 * Abu-El-Haija et al., UAI 2019, arXiv:1802.08888. Follows the code published with MixHop, without
 * its error that only the last power of each replica is used (preset as_released has it).
 *
 * The towers of one power are computed together: each hop is one product, and in evaluation,
 * without dropout, also the first layer. The first layer is computed for all vertices, because BN
 * needs their statistics, the second only for vertices on which the requested rows depend. */
#include <stdio.h>

#include "model/mixhop_family.h"
#include "tape/narrow.h"

enum { POWERS = GND_MIXHOP, REPLICAS, HIDDEN, COMBINE, DROPOUT_IN, DROPOUT };
enum { FC, WSUM };
enum { REPLICAS_MAX = 4, TOWERS_MAX = GND_POWERS * REPLICAS_MAX };

static const gnd_hparam hparams[] = {
    GND_MIXHOP_HPARAMS,
    [POWERS] =
        GND_HP_SET("powers", 15, "0|1|2|3|4|5|6", "powers of S; there are towers for each of them"),
    [REPLICAS] = GND_HP_INT("replicas", 3, 1, REPLICAS_MAX, "towers per power"),
    [HIDDEN] = GND_HP_INT("hidden", 10, 1, 4096, "hidden units h per tower"),
    [COMBINE] = GND_HP_CHOICE("combine", FC, "fc|wsum",
                              "how the towers' outputs are combined. fc: dense layer; wsum: "
                              "weighted sum of their class probabilities"),
    [DROPOUT_IN] =
        GND_HP_REAL("dropout_in", 0.7, 0, 0.99, "fraction of the features that dropout sets to 0"),
    [DROPOUT] =
        GND_HP_REAL("dropout", 0.9, 0, 0.99, "fraction of the hidden units that dropout sets to 0"),
    GND_HP_END,
};

static const gnd_recipe recipe = {
    .optimiser = GND_OPT_SGD,
    .lr = 1,
    .l2 = 1e-3,
    .l2_form = GND_L2_FULL,
    .stop = "mixhop",
    .patience = 200,
    .stop_loss = GND_STOP_LOSS_CE,
    .epochs = 400,
    .epochs_alone = 400, /* the authors' maximum */
    .lr_every = 40,
};

static const gnd_preset presets[] = {
    {"as_released", "powers=3 replicas=3", "as the authors' code computes it: three towers of S^3"},
    {"published", "operator=transposed replicas=1 stop=kipf patience=10 epochs=200",
     GND_PUBLISHED_MEANING},
    {NULL, NULL, NULL},
};

static const gnd_preset datasets[] = {
    {"cora", "combine=fc", "train_cora_ngcn.sh"},
    {"citeseer", "combine=wsum", "train_citeseer_ngcn.sh"},
    {"pubmed", "combine=wsum", "train_pubmed_ngcn.sh"},
    {NULL, NULL, NULL},
};

static const double fade = 1e-3; /* weight of mean(qv^2) */

/* The towers. Tower number t = replica * n_power + index of its power. */
typedef struct {
    int power[GND_POWERS], n_power, n_replica, n; /* n: towers */
    int64_t h;
} towers;

static towers towers_of(const gnd_model *m)
{
    towers p = {.n_replica = (int)gnd_hp_int(m, REPLICAS), .h = gnd_hp_int(m, HIDDEN)};

    for (int k = 0; k < GND_POWERS; k++)
        if (gnd_hp_has(m, POWERS, k))
            p.power[p.n_power++] = k;
    p.n = p.n_power * p.n_replica;
    return p;
}

/* The tower of replica r and the i-th power. */
static int tower_at(const towers *p, int i, int r)
{
    return r * p->n_power + i;
}

/* ---- parameters ---- */

static gnd_status init_tower(gnd_model *m, int t, int64_t h, gnd_error *err)
{
    char v1[16], beta[16], v2[16];
    gnd_status st = GND_OK;

    snprintf(v1, sizeof v1, "V1_%d", t);
    snprintf(beta, sizeof beta, "beta_%d", t);
    snprintf(v2, sizeof v2, "V2_%d", t);
    GND_TRY(gnd_param_add(&m->params, v1, m->n_feat, h, GND_INIT_GLOROT | GND_DECAY, err));
    GND_TRY(gnd_param_add(&m->params, beta, 1, h, GND_INIT_ZERO, err));
    GND_TRY(gnd_param_add(&m->params, v2, h, gnd_n_class(m), GND_INIT_GLOROT | GND_DECAY, err));
out:
    return st;
}

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t C = gnd_n_class(m);
    const towers p = towers_of(m);
    gnd_status st = GND_OK;

    if (p.n == 0)
        return gnd_fail(err, GND_ERR_ARG, "ngcn: powers is empty; expected at least one");
    for (int t = 0; t < p.n; t++)
        GND_TRY(init_tower(m, t, p.h, err));
    if (gnd_hp_choice(m, COMBINE) == FC) {
        GND_TRY(gnd_param_add(&m->params, "U", p.n * C, C, GND_INIT_GLOROT, err));
        GND_TRY(gnd_param_add(&m->params, "u", 1, C, GND_INIT_ZERO, err));
    } else
        GND_TRY(gnd_param_add(&m->params, "qv", 1, p.n, GND_INIT_ZERO, err));
out:
    return st;
}

/* ---- formula ---- */

enum { PLACE_MAX = 16 };

static const char *place_of(char *name, const char *what, int tower)
{
    snprintf(name, PLACE_MAX, "%s_%d", what, tower);
    return name;
}

/* The listed rows of relu(BN(S^k Xt V1_t)), [n, R h], of the R towers of the i-th power. */
static gnd_var hidden_units(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, const towers *p,
                            int i, gnd_row_list rows)
{
    const gnd_var input = gnd_input(t, &in->x);
    const gnd_var X = in->x.val ? input : gnd_narrow(t, input, p->n_replica * p->h);
    gnd_var x[REPLICAS_MAX], w[REPLICAS_MAX], beta[REPLICAS_MAX];
    char name[PLACE_MAX];

    for (int r = 0; r < p->n_replica; r++) {
        const int tower = tower_at(p, i, r);

        x[r] = gnd_drop_units(t, X, gnd_hp_real(m, DROPOUT_IN), place_of(name, "X", tower));
        w[r] = gnd_weight(m, t, "V1_%d", tower);
        beta[r] = gnd_weight(m, t, "beta_%d", tower);
    }
    return gnd_mixhop_hidden(in, t, gnd_unit_products(t, x, w, p->n_replica), p->power[i],
                             gnd_concat(t, beta, p->n_replica), rows);
}

/* L[t] of all towers, on the requested rows. */
static void tower_logits(gnd_var *L, const gnd_model *m, const gnd_inputs *in, gnd_tape *t,
                         const towers *p)
{
    const int64_t C = gnd_n_class(m);

    for (int i = 0; i < p->n_power; i++) {
        gnd_var part[REPLICAS_MAX], H, O;
        gnd_receptive_field S; /* only what the requested rows depend on */
        char name[PLACE_MAX];

        gnd_receptive_init(&S, t, &in->op.a, &in->op.at, p->power[i]);
        H = hidden_units(m, in, t, p, i, S.level[0]);
        for (int r = 0; r < p->n_replica; r++) {
            const int tower = tower_at(p, i, r);
            const gnd_var mine = gnd_columns(t, H, r * p->h, p->h);
            const double rate = gnd_hp_real(m, DROPOUT);

            part[r] = gnd_matmul(t, gnd_dropout(t, mine, rate, place_of(name, "H", tower)),
                                 gnd_weight(m, t, "V2_%d", tower));
        }
        O = gnd_concat(t, part, p->n_replica);
        for (int k = 0; k < p->power[i]; k++)
            O = gnd_receptive_spmm(t, &S, k, O);
        for (int r = 0; r < p->n_replica; r++)
            L[tower_at(p, i, r)] = gnd_columns(t, O, r * C, C);
    }
}

static gnd_var combine(const gnd_model *m, gnd_tape *t, const gnd_var *L, const towers *p)
{
    gnd_var vote[TOWERS_MAX];

    for (int i = 0; i < p->n; i++)
        vote[i] = gnd_hp_choice(m, COMBINE) == FC ? L[i] : gnd_softmax(t, L[i]);
    if (gnd_hp_choice(m, COMBINE) == WSUM)
        return gnd_block_sum(t, gnd_concat(t, vote, p->n), gnd_softmax(t, gnd_weight(m, t, "qv")));
    return gnd_add_bias(
        t, gnd_matmul(t, gnd_relu(t, gnd_concat(t, vote, p->n)), gnd_weight(m, t, "U")),
        gnd_weight(m, t, "u"));
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const towers p = towers_of(m);
    gnd_var L[TOWERS_MAX];

    tower_logits(L, m, in, t, &p);
    return combine(m, t, L, &p);
}

static gnd_var objective(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, const gnd_target *y,
                         gnd_var *logits)
{
    const towers p = towers_of(m);
    gnd_var L[TOWERS_MAX], sum;

    tower_logits(L, m, in, t, &p);
    sum = gnd_cross_entropy(t, L[0], y->label, y->rows, y->n_rows);
    for (int i = 1; i < p.n; i++)
        sum = gnd_add(t, sum, gnd_cross_entropy(t, L[i], y->label, y->rows, y->n_rows));
    for (int i = 0; i < p.n; i++)
        L[i] = gnd_detach(t, L[i]);
    *logits = combine(m, t, L, &p);
    return gnd_add(t, sum, gnd_cross_entropy(t, *logits, y->label, y->rows, y->n_rows));
}

static gnd_var penalty(const gnd_model *m, gnd_tape *t)
{
    static const gnd_real none = 0;

    if (gnd_hp_choice(m, COMBINE) == WSUM)
        return gnd_mean_square(t, gnd_weight(m, t, "qv"), fade);
    return gnd_constant(t, &none, 1, 1);
}

static const char *const aliases[] = {"n-gcn", NULL};

const gnd_method gnd_method_ngcn = {
    .name = "ngcn",
    .title = "N-GCN",
    .formula = "softmax([relu(L0) | relu(L1) | ..] U + u), "
               "Lt = S^k relu(BN(S^k X V1_t)) V2_t, k = 0..3",
    .paper = "arXiv:1802.08888",
    .aliases = aliases,
    .hparams = hparams,
    .presets = presets,
    .datasets = datasets,
    .added = "operator",
    .recipe = &recipe,
    .features = GND_FEAT_BINARY,
    .init = init,
    .prepare = gnd_mixhop_prepare,
    .forward = forward,
    .objective = objective,
    .penalty = penalty,
};
