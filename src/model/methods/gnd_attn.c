/* SPDX-License-Identifier: MIT
 * gnd_attn.c - GND-Nets with a Transformer over the hops of each vertex.
 *
 *     T_t = W^{f+t-1} Z + 1 e_t, t = 1..K        tokens of a vertex: K rows of r numbers
 *
 *     per block:  A = softmax(T Wq (T Wk)^T / sqrt(w)) per head of w = r / heads columns
 *                 T = LN1(T + concat_heads(A T Wv) Wo)
 *                 T = LN2(T + relu(T F1 + 1 f1^T) F2 + 1 f2^T)
 *     pooling:    a = softmax(T q),  P = sum_t a_t T_t           Z and the rest: gnd_family.h
 *
 *     e: [K, r]   Wq, Wk, Wv, Wo: [r, r]   F1: [r, 2r]   F2: [2r, r]   q: [r, 1]
 *     f1: [1, 2r]   f2: [1, r]   gain and shift of LN: n1g, n1b, n2g, n2b: [1, r]
 *
 * Ye et al., arXiv:2201.09698, name Transformers as future work; the definition is ours. Blocks as
 * in Vaswani et al., arXiv:1706.03762 (normalisation after the sum), without biases of the
 * projections and without dropout in the blocks. */
#include "model/gnd_family.h"

enum { FIRST_HOP = GND_FAMILY, LAYERS, HEADS };
enum { MAX_LAYERS = 4 };

static const gnd_hparam hparams[] = {
    GND_FAMILY_HPARAMS(16, 20),
    [FIRST_HOP] =
        GND_HP_INT("first_hop", 1, 0, 1,
                   "lowest power of the operator. 1: as in the authors' code; 0: as in their text"),
    [LAYERS] = GND_HP_INT("layers", 1, 1, MAX_LAYERS, "number of blocks"),
    [HEADS] = GND_HP_CHOICE("heads", 1, "1|2|4", "attention heads; a divisor of filters"),
    GND_HP_END,
};

static int64_t n_head(const gnd_model *m)
{
    return INT64_C(1) << gnd_hp_choice(m, HEADS);
}

static gnd_status init_block(gnd_model *m, int l, gnd_error *err)
{
    const int64_t r = gnd_hp_int(m, GND_FILTERS);
    const struct {
        const char *name;
        int64_t rows, cols;
        gnd_init how;
    } p[] = {
        {"Wq", r, r, GND_INIT_GLOROT},     {"Wk", r, r, GND_INIT_GLOROT},
        {"Wv", r, r, GND_INIT_GLOROT},     {"Wo", r, r, GND_INIT_GLOROT},
        {"n1g", 1, r, GND_INIT_ZERO},      {"n1b", 1, r, GND_INIT_ZERO},
        {"F1", r, 2 * r, GND_INIT_GLOROT}, {"f1", 1, 2 * r, GND_INIT_ZERO},
        {"F2", 2 * r, r, GND_INIT_GLOROT}, {"f2", 1, r, GND_INIT_ZERO},
        {"n2g", 1, r, GND_INIT_ZERO},      {"n2b", 1, r, GND_INIT_ZERO},
    };
    gnd_status st = GND_OK;
    char name[16];

    for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
        snprintf(name, sizeof name, "%s_%d", p[i].name, l);
        GND_TRY(
            gnd_param_add(&m->params, name, p[i].rows, p[i].cols, (int)p[i].how | GND_DECAY, err));
    }
out:
    return st;
}

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t r = gnd_hp_int(m, GND_FILTERS), heads = n_head(m);
    gnd_status st = GND_OK;

    if (r % heads != 0)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "gnd-attn: filters=%lld is not a multiple of heads=%lld",
                         (long long)r, (long long)heads));
    GND_TRY(gnd_family_init_head(m, err));
    GND_TRY(gnd_param_add(&m->params, "e", gnd_hp_int(m, GND_HOPS), r, GND_INIT_GLOROT | GND_DECAY,
                          err));
    for (int l = 1; l <= gnd_hp_int(m, LAYERS); l++)
        GND_TRY(init_block(m, l, err));
    GND_TRY(gnd_param_add(&m->params, "q", r, 1, GND_INIT_GLOROT | GND_DECAY, err));
    GND_TRY(gnd_family_init_tail(m, err));
out:
    return st;
}

/* Gains are initially 1. */
static void start(gnd_model *m)
{
    for (int i = 0; i < m->params.n; i++) {
        const gnd_param *p = &m->params.p[i];

        if (p->name[0] != 'n' || p->name[2] != 'g')
            continue;
        for (int64_t k = 0; k < p->cols; k++)
            m->params.v[p->at + k] = 1;
    }
}

/* mean: if not NULL, A of the block averaged over its heads, [n K, K]. */
static gnd_var block(const gnd_model *m, gnd_tape *t, gnd_var T, int l, gnd_var *mean)
{
    const gnd_var Q = gnd_matmul(t, T, gnd_weight(m, t, "Wq_%d", l));
    const gnd_var Y = gnd_matmul(t, T, gnd_weight(m, t, "Wk_%d", l));
    const gnd_var V = gnd_matmul(t, T, gnd_weight(m, t, "Wv_%d", l));
    const gnd_var A = gnd_attention(t, Q, Y, V, gnd_hp_int(m, GND_HOPS), n_head(m));
    gnd_var H = gnd_matmul(t, A, gnd_weight(m, t, "Wo_%d", l));

    if (mean)
        *mean = gnd_attention_mean(t, Q, Y, gnd_hp_int(m, GND_HOPS), n_head(m));
    T = gnd_layer_norm(t, gnd_add(t, T, H), gnd_weight(m, t, "n1g_%d", l),
                       gnd_weight(m, t, "n1b_%d", l));
    H = gnd_matmul(t, T, gnd_weight(m, t, "F1_%d", l));
    H = gnd_activate(t, H, gnd_weight(m, t, "f1_%d", l), 0, "F");
    H = gnd_matmul(t, H, gnd_weight(m, t, "F2_%d", l));
    H = gnd_add_bias(t, H, gnd_weight(m, t, "f2_%d", l));
    return gnd_layer_norm(t, gnd_add(t, T, H), gnd_weight(m, t, "n2g_%d", l),
                          gnd_weight(m, t, "n2b_%d", l));
}

static int64_t n_sequence(gnd_tape *t, gnd_var seq)
{
    return gnd_tape_ok(t) ? gnd_tape_node(t, seq)->rows : 0;
}

/* Tokens before the first block, [n K, r]. */
static gnd_var tokens(const gnd_model *m, gnd_tape *t, gnd_var seq)
{
    const int64_t K = gnd_hp_int(m, GND_HOPS), r = gnd_hp_int(m, GND_FILTERS);
    const gnd_var e = gnd_reshape(t, gnd_weight(m, t, "e"), 1, K * r);

    return gnd_reshape(t, gnd_add_bias(t, seq, e), n_sequence(t, seq) * K, r);
}

/* Tokens after the last block, [n K, r], and the weights a of the pooling, [n, K]. */
static gnd_var attend(const gnd_model *m, gnd_tape *t, gnd_var seq, gnd_var *a)
{
    const int64_t K = gnd_hp_int(m, GND_HOPS), n = n_sequence(t, seq);
    gnd_var T = tokens(m, t, seq);

    for (int l = 1; l <= gnd_hp_int(m, LAYERS); l++)
        T = block(m, t, T, l, NULL);
    *a = gnd_softmax(t, gnd_reshape(t, gnd_matmul(t, T, gnd_weight(m, t, "q")), n, K));
    return T;
}

static gnd_var pooled(const gnd_model *m, gnd_tape *t, gnd_var seq)
{
    gnd_var a;
    const gnd_var T = attend(m, t, seq, &a);

    return gnd_sequence_sum(t, a, T);
}

static gnd_var pooling_weights(const gnd_model *m, gnd_tape *t, gnd_var seq)
{
    gnd_var a;

    attend(m, t, seq, &a);
    return a;
}

/* A of each block averaged over its heads, [n, L K K]. */
static gnd_var attention_means(const gnd_model *m, gnd_tape *t, gnd_var seq)
{
    const int64_t K = gnd_hp_int(m, GND_HOPS), n = n_sequence(t, seq);
    const int L = (int)gnd_hp_int(m, LAYERS);
    gnd_var T = tokens(m, t, seq), A[MAX_LAYERS];

    for (int l = 1; l <= L; l++) {
        T = block(m, t, T, l, &A[l - 1]);
        A[l - 1] = gnd_reshape(t, A[l - 1], n, K * K);
    }
    return gnd_concat(t, A, L);
}

static gnd_var aggregate(const gnd_model *m, const gnd_inputs *in, gnd_tape *t,
                         gnd_hop_function *of, int64_t cols)
{
    const gnd_aggregation a = {
        .hops = gnd_hp_int(m, GND_HOPS), .first = gnd_hp_int(m, FIRST_HOP), .cols = cols, .of = of};

    return gnd_aggregate_requested(m, in, t, gnd_family_project(m, in, t), &a);
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    return gnd_family_classify(m, t, aggregate(m, in, t, pooled, gnd_hp_int(m, GND_FILTERS)));
}

static gnd_var hop_weights(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, int64_t *first)
{
    *first = gnd_hp_int(m, FIRST_HOP);
    return aggregate(m, in, t, pooling_weights, gnd_hp_int(m, GND_HOPS));
}

static gnd_var hop_attention(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const int64_t K = gnd_hp_int(m, GND_HOPS), L = gnd_hp_int(m, LAYERS);

    return gnd_reshape(t, aggregate(m, in, t, attention_means, L * K * K), in->n_node * L * K, K);
}

const gnd_method gnd_method_gnd_attn = {
    .name = "gnd-attn",
    .title = "GND-Nets, a Transformer over the hops",
    .formula =
        "softmax(act(sum_t a_t T_t + b) Phi + c), T = Transformer(W X Theta, .., W^K X Theta)",
    .paper = "arXiv:2201.09698",
    .hparams = hparams,
    .recipe = &gnd_family_recipe,
    .features = GND_FEAT_ROW_L1,
    .init = init,
    .start = start,
    .prepare = gnd_family_prepare,
    .forward = forward,
    .hop_weights = hop_weights,
    .hop_attention = hop_attention,
};
