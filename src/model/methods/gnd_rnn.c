/* SPDX-License-Identifier: MIT
 * gnd_rnn.c - GND-Nets with a recurrent network over the hops of each vertex.
 *
 *     B_t = W^{f+t-1} Z, t = 1..K;   P = h_K           Z and the rest: gnd_family.h
 *
 *     gru   u_t = sigmoid(B_t Uu + h_{t-1} Vu + 1 cu^T)          update gate
 *           s_t = sigmoid(B_t Us + h_{t-1} Vs + 1 cs^T)          reset gate
 *           g_t = tanh(B_t Ug + (s_t (.) h_{t-1}) Vg + 1 cg^T)
 *           h_t = (1 - u_t) (.) h_{t-1} + u_t (.) g_t
 *     lstm  i_t, f_t, o_t = sigmoid(B_t Ux + h_{t-1} Vx + 1 cx^T), x of i, f, o
 *           g_t = tanh(B_t Ug + h_{t-1} Vg + 1 cg^T)
 *           c_t = f_t (.) c_{t-1} + i_t (.) g_t,  h_t = o_t (.) tanh(c_t)
 *
 *     Z, B, h, c: [n, r]   U, V: [r, r]   cu ..: [1, r];   h_0 = c_0 = 0
 *
 * Ye et al., arXiv:2201.09698, name recurrent networks as future work; the definition is ours.
 * GRU: Cho et al., arXiv:1406.1078; unlike in torch.nn.GRU, the reset gate acts before the product
 * with Vg. LSTM: Hochreiter and Schmidhuber, 1997, with forget gate; its bias cf is initially 1. */
#include "model/gnd_family.h"

enum { FIRST_HOP = GND_FAMILY, CELL, ORDER };
enum { GRU, LSTM };
enum { NEAR_FIRST, FAR_FIRST };
enum { MAX_GATES = 4 };

static const gnd_hparam hparams[] = {
    GND_FAMILY_HPARAMS(16, 20),
    [FIRST_HOP] =
        GND_HP_INT("first_hop", 1, 0, 1,
                   "lowest power of the operator. 1: as in the authors' code; 0: as in their text"),
    [CELL] = GND_HP_CHOICE("cell", GRU, "gru|lstm", "the recurrent cell"),
    [ORDER] = GND_HP_CHOICE("order", NEAR_FIRST, "near_first|far_first",
                            "order in which the cell reads the hops"),
    GND_HP_END,
};

/* Names of the gates of a cell: u, s, g or i, f, o, g. */
static const char *gates(const gnd_model *m)
{
    return gnd_hp_choice(m, CELL) == GRU ? "usg" : "ifog";
}

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t r = gnd_hp_int(m, GND_FILTERS);
    gnd_status st = GND_OK;

    GND_TRY(gnd_family_init_head(m, err));
    for (const char *x = gates(m); *x; x++) {
        const char U[] = {'U', *x, '\0'}, V[] = {'V', *x, '\0'}, c[] = {'c', *x, '\0'};

        GND_TRY(gnd_param_add(&m->params, U, r, r, GND_INIT_GLOROT | GND_DECAY, err));
        GND_TRY(gnd_param_add(&m->params, V, r, r, GND_INIT_GLOROT | GND_DECAY, err));
        GND_TRY(gnd_param_add(&m->params, c, 1, r, GND_INIT_ZERO | GND_DECAY, err));
    }
    GND_TRY(gnd_family_init_tail(m, err));
out:
    return st;
}

/* The forget gate is initially open. */
static void start(gnd_model *m)
{
    const int i = gnd_params_find(&m->params, "cf");

    for (int64_t k = 0; i >= 0 && k < m->params.p[i].cols; k++)
        m->params.v[m->params.p[i].at + k] = 1;
}

/* A step of a cell reads the columns of its gates, B_t Ux + 1 cx^T, from G. */
typedef struct {
    const gnd_model *m;
    gnd_tape *t;
    gnd_var G; /* [m, K gates r] */
    int64_t r, at;
} step;

/* B_t Ux + h Vx + 1 cx^T for the k-th gate x. */
static gnd_var gate(const step *s, int k, gnd_var h)
{
    const gnd_var B = gnd_columns(s->t, s->G, s->at + k * s->r, s->r);

    return gnd_add(s->t, B, gnd_matmul(s->t, h, gnd_weight(s->m, s->t, "V%c", gates(s->m)[k])));
}

static gnd_var gru(const step *s, gnd_var h)
{
    gnd_tape *t = s->t;
    const gnd_var u = gnd_sigmoid(t, gate(s, 0, h)), r = gnd_sigmoid(t, gate(s, 1, h));
    const gnd_var g = gnd_tanh(t, gate(s, 2, gnd_mul(t, r, h)));

    return gnd_add(t, h, gnd_mul(t, u, gnd_sub(t, g, h)));
}

static gnd_var lstm(const step *s, gnd_var h, gnd_var *c)
{
    gnd_tape *t = s->t;
    const gnd_var i = gnd_sigmoid(t, gate(s, 0, h)), f = gnd_sigmoid(t, gate(s, 1, h));
    const gnd_var o = gnd_sigmoid(t, gate(s, 2, h)), g = gnd_tanh(t, gate(s, 3, h));

    *c = gnd_add(t, gnd_mul(t, f, *c), gnd_mul(t, i, g));
    return gnd_mul(t, o, gnd_tanh(t, *c));
}

static gnd_var zeros(gnd_tape *t, int64_t rows, int64_t cols)
{
    gnd_real *v = gnd_tape_alloc(t, rows * cols, sizeof *v);

    for (int64_t i = 0; v && i < rows * cols; i++)
        v[i] = 0;
    return gnd_constant(t, v, rows, cols);
}

/* [B_t Ux + 1 cx^T] of all hops and gates side by side: seq [n, K r] -> [n, K gates r] */
static gnd_var inputs_of_gates(const gnd_model *m, gnd_tape *t, gnd_var seq, int64_t n)
{
    const int64_t K = gnd_hp_int(m, GND_HOPS), r = gnd_hp_int(m, GND_FILTERS);
    gnd_var U[MAX_GATES], c[MAX_GATES], G;
    int n_gate = 0;

    for (const char *x = gates(m); *x; x++, n_gate++) {
        U[n_gate] = gnd_weight(m, t, "U%c", *x);
        c[n_gate] = gnd_weight(m, t, "c%c", *x);
    }
    G = gnd_matmul(t, gnd_reshape(t, seq, n * K, r), gnd_concat(t, U, n_gate));
    return gnd_reshape(t, gnd_add_bias(t, G, gnd_concat(t, c, n_gate)), n, K * n_gate * r);
}

/* h_K of each row of hops, [n, K r] -> [n, r] */
static gnd_var recur(const gnd_model *m, gnd_tape *t, gnd_var seq)
{
    const int64_t K = gnd_hp_int(m, GND_HOPS), r = gnd_hp_int(m, GND_FILTERS);
    const bool is_gru = gnd_hp_choice(m, CELL) == GRU;
    const int64_t n = gnd_tape_ok(t) ? gnd_tape_node(t, seq)->rows : 0;
    step s = {.m = m, .t = t, .G = inputs_of_gates(m, t, seq, n), .r = r};
    gnd_var h = zeros(t, n, r), c = h;

    for (int64_t k = 0; k < K; k++) {
        const int64_t hop = gnd_hp_choice(m, ORDER) == NEAR_FIRST ? k : K - 1 - k;

        s.at = hop * (is_gru ? 3 : 4) * r;
        h = is_gru ? gru(&s, h) : lstm(&s, h, &c);
    }
    return h;
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_aggregation a = {.hops = gnd_hp_int(m, GND_HOPS),
                               .first = gnd_hp_int(m, FIRST_HOP),
                               .cols = gnd_hp_int(m, GND_FILTERS),
                               .of = recur};
    const gnd_var Z = gnd_family_project(m, in, t);

    return gnd_family_classify(m, t, gnd_aggregate_requested(m, in, t, Z, &a));
}

const gnd_method gnd_method_gnd_rnn = {
    .name = "gnd-rnn",
    .title = "GND-Nets, a recurrent network over the hops",
    .formula = "softmax(act(RNN(W X Theta, .., W^K X Theta) + b) Phi + c)",
    .paper = "arXiv:2201.09698",
    .hparams = hparams,
    .recipe = &gnd_family_recipe,
    .features = GND_FEAT_ROW_L1,
    .init = init,
    .start = start,
    .prepare = gnd_family_prepare,
    .forward = forward,
};
