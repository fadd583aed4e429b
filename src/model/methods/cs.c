/* SPDX-License-Identifier: MIT
 * cs.c - Correct and Smooth: the predictions of a model of the features are corrected by diffusion
 * of the errors on the training vertices, then smoothed by diffusion.
 *
 *     base      L = X W + 1 b^T          or  L = M(relu(M(X) W1 + 1 b1^T)) W2 + 1 b2^T
 *     correct   Z = softmax(L);  E = onehot - Z on T, 0 elsewhere;  R <- E, then repeat
 *               R <- clamp(a1 O1 R + (1 - a1) E, -1, 1)
 *               Z <- Z + diag(f) R,  f_i = mean_{j in T} |E_j| / |R_i|  (1-norms of rows)
 *     smooth    G = Z with one-hot rows on T;  F <- G, then repeat
 *               F <- clamp(a2 O2 F + (1 - a2) G, 0, 1)
 *     X: [n, d]   W: [d, C]  or  W1: [d, h], W2: [h, C]   Z, E, R, G, F: [n, C];  M is dropout
 *
 * T: training vertices. Huang, He, Singh, Lim and Benson, ICLR 2021, arXiv:2010.13993, section 2.
 * As in their code: f = 1 where it would exceed 1000 (autoscale); operators, a1 and a2 of the plain
 * linear base on the arXiv graph. Only training labels are used. The base model is trained before
 * and without the two steps, with the settings of Shchur et al., arXiv:1811.05868. */
#include "cs.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "tape/op.h"

enum { BASE, HIDDEN, DROPOUT, A1, A2, OP1, OP2, ITERATIONS };
enum { LR, MLP };

#define OPERATORS "AD|DAD|DA"
static const gnd_operator_kind kinds[] = {GND_OP_ADINV, GND_OP_S0, GND_OP_DINVA};

static const gnd_hparam hparams[] = {
    [BASE] =
        GND_HP_CHOICE("base", LR, "lr|mlp",
                      "base model on the features. lr: logistic regression; mlp: one hidden layer"),
    [HIDDEN] = GND_HP_INT("hidden", 64, 1, 4096, "base=mlp: width h of the hidden layer"),
    [DROPOUT] = GND_HP_REAL("dropout", 0.8, 0, 0.99,
                            "base=mlp: fraction of each layer's input that dropout sets to 0"),
    [A1] = GND_HP_REAL(
        "a1", 0.87, 0.001, 0.999,
        "correct step: weight of the neighbours; 1 - a1 is the weight of the vertex's own error"),
    [A2] = GND_HP_REAL(
        "a2", 0.81, 0.001, 0.999,
        "smooth step: weight of the neighbours; 1 - a2 is the weight of the vertex's own value"),
    [OP1] = GND_HP_CHOICE("op1", 0, OPERATORS,
                          "operator of the correct step: A D^-1, D^-1/2 A D^-1/2 or D^-1 A; the "
                          "graph is made undirected"),
    [OP2] = GND_HP_CHOICE("op2", 1, OPERATORS, "operator of the smooth step, likewise"),
    [ITERATIONS] = GND_HP_INT("iterations", 50, 1, 10000, "iterations of each of the two steps"),
    GND_HP_END,
};

static const gnd_preset presets[] = {
    {"mlp", "base=mlp lr=0.005 l2=0.01",
     "base model with one hidden layer, trained as by Shchur et al."},
    {NULL, NULL, NULL},
};

static const gnd_recipe recipe = {
    .optimiser = GND_OPT_ADAM_TF,
    .lr = 0.1,
    .l2 = 5e-4,
    .l2_form = GND_L2_HALF,
    .stop = "shchur",
    .patience = 50,
    .epochs = 1000,
    .epochs_alone = 200,
};

/* Parameters: W, b or W1, b1, W2, b2. */
static gnd_status init(gnd_model *m, gnd_error *err)
{
    const bool deep = gnd_hp_choice(m, BASE) == MLP;
    const int64_t C = gnd_n_class(m), h = gnd_hp_int(m, HIDDEN), d = m->n_feat;
    gnd_params *ps = &m->params;
    gnd_status st = GND_OK;

    GND_TRY(
        gnd_param_add(ps, deep ? "W1" : "W", d, deep ? h : C, GND_INIT_GLOROT | GND_DECAY, err));
    GND_TRY(gnd_param_add(ps, deep ? "b1" : "b", 1, deep ? h : C, GND_INIT_ZERO, err));
    if (deep) {
        GND_TRY(gnd_param_add(ps, "W2", h, C, GND_INIT_GLOROT | GND_DECAY, err));
        GND_TRY(gnd_param_add(ps, "b2", 1, C, GND_INIT_ZERO, err));
    }
out:
    return st;
}

/* in->own is the operator of the smooth step. */
static void release(gnd_inputs *in)
{
    gnd_operator_fini(in->own);
    gnd_free(in->own);
    in->own = NULL;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    gnd_status st = GND_OK;

    in->own = gnd_alloc(1, sizeof(gnd_operator));
    if (!in->own)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for an operator"));
    GND_TRY(gnd_operator_init_in(&in->op, kinds[gnd_hp_choice(m, OP1)], &g->adj, pool, err));
    GND_TRY(gnd_operator_init_in(in->own, kinds[gnd_hp_choice(m, OP2)], &g->adj, pool, err));
out:
    return st;
}

/* x W + b with the parameters of these names. */
static gnd_var linear(const gnd_model *m, gnd_tape *t, gnd_var x, const char *W, const char *b)
{
    return gnd_add_bias(t, gnd_matmul(t, x, gnd_weight(m, t, "%s", W)), gnd_weight(m, t, "%s", b));
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const double p = gnd_hp_choice(m, BASE) == MLP ? gnd_hp_real(m, DROPOUT) : 0;
    const gnd_var X = gnd_dropout(t, gnd_requested(t, gnd_sparse(t, &in->x)), p, "X");

    if (gnd_hp_choice(m, BASE) != MLP)
        return linear(m, t, X, "W", "b");
    return linear(m, t, gnd_dropout(t, gnd_relu(t, linear(m, t, X, "W1", "b1")), p, "H"), "W2",
                  "b2");
}

/* ---- correct, smooth ---- */

typedef struct {
    const gnd_kern *kern;
    const gnd_csr *op;
    gnd_real *y;
    const gnd_real *x, *from;
    gnd_real a, low, high;
    int64_t C;
} spread_job;

static void spread_rows(int64_t begin, int64_t end, void *arg)
{
    const spread_job *j = arg;

    j->kern->spmm(j->y, j->op, j->x, j->C, (1 - j->a) / j->a, j->from, begin, end);
    for (int64_t e = begin * j->C; e < end * j->C; e++) { /* while the rows are in cache */
        const gnd_real v = j->a * j->y[e];

        j->y[e] = v < j->low ? j->low : v > j->high ? j->high : v;
    }
}

/* Repeat x <- clamp(a O x + (1 - a) from, low, 1), starting with x = from. NULL after an error. */
static gnd_real *spread(const gnd_cs *w, gnd_tape *t, const gnd_csr *op, double a, double low,
                        const gnd_real *from)
{
    const int64_t cost = (gnd_csr_nnz(op) + w->n) * w->C, grain = gnd_row_grain(w->n, cost);
    gnd_real *one = gnd_tape_alloc(t, w->n * w->C, sizeof *one);
    gnd_real *two = gnd_tape_alloc(t, w->n * w->C, sizeof *two);
    spread_job j = {.kern = t->kern, .op = op, .from = from, .x = from, .high = 1, .C = w->C};

    if (!one || !two)
        return NULL;
    j.a = (gnd_real)a;
    j.low = (gnd_real)low;
    for (int64_t k = 0; k < w->iterations; k++) {
        j.y = k % 2 ? two : one;
        gnd_parallel_for(t->pool, w->n, grain, cost, spread_rows, &j);
        j.x = j.y;
    }
    return j.y;
}

/* The 1-norm of a row. */
static double size_of(const gnd_real *row, int64_t C)
{
    double sum = 0;

    for (int64_t c = 0; c < C; c++)
        sum += fabs((double)row[c]);
    return sum;
}

void gnd_cs_correct(gnd_cs *w, gnd_tape *t, const gnd_real *prob)
{
    static const double most = 1000;
    const int64_t n = w->n, C = w->C;
    gnd_real *E = gnd_tape_alloc(t, n * C, sizeof *E);

    w->factor = gnd_tape_alloc(t, n, sizeof *w->factor);
    w->Z = gnd_tape_alloc(t, n * C, sizeof *w->Z);
    if (!gnd_tape_ok(t))
        return;
    memset(E, 0, (size_t)(n * C) * sizeof *E);
    w->sigma = 0;
    for (int64_t k = 0; k < w->n_labelled; k++) {
        gnd_real *row = E + w->labelled[k] * C;

        for (int64_t c = 0; c < C; c++)
            row[c] = (c == w->labelled_cls[k] ? 1 : 0) - prob[w->labelled[k] * C + c];
        w->sigma += size_of(row, C) / (double)w->n_labelled;
    }
    w->R = spread(w, t, w->op1, w->a1, -1, E);
    for (int64_t i = 0; w->R && i < n; i++) {
        const double size = size_of(w->R + i * C, C);
        const bool fits = size > 0 && w->sigma <= most * size;

        w->factor[i] = fits ? (gnd_real)(w->sigma / size) : 1;
        for (int64_t e = i * C; e < (i + 1) * C; e++)
            w->Z[e] = prob[e] + w->factor[i] * w->R[e];
    }
}

void gnd_cs_smooth(gnd_cs *w, gnd_tape *t)
{
    const int64_t n = w->n, C = w->C;
    gnd_real *G = gnd_tape_alloc(t, n * C, sizeof *G);

    if (!gnd_tape_ok(t))
        return;
    memcpy(G, w->Z, (size_t)(n * C) * sizeof *G);
    for (int64_t k = 0; k < w->n_labelled; k++)
        for (int64_t c = 0; c < C; c++)
            G[w->labelled[k] * C + c] = c == w->labelled_cls[k] ? 1 : 0;
    w->F = spread(w, t, w->op2, w->a2, 0, G);
}

static gnd_var refine(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, gnd_var logits)
{
    const gnd_var prob = gnd_softmax(t, logits);
    const gnd_operator *second = in->own;
    gnd_cs w = {
        .n = in->n_node,
        .C = gnd_n_class(m),
        .iterations = gnd_hp_int(m, ITERATIONS),
        .op1 = &in->op.a,
        .op2 = &second->a,
        .a1 = gnd_hp_real(m, A1),
        .a2 = gnd_hp_real(m, A2),
        .labelled = in->labelled,
        .labelled_cls = in->labelled_cls,
        .n_labelled = in->n_labelled,
    };

    if (!gnd_tape_ok(t))
        return prob;
    gnd_cs_correct(&w, t, gnd_tape_node(t, prob)->v);
    gnd_cs_smooth(&w, t);
    return gnd_constant(t, w.F, w.n, w.C);
}

static const char *const aliases[] = {"correct-and-smooth", NULL};

const gnd_method gnd_method_cs = {
    .name = "cs",
    .title = "Correct and Smooth",
    .formula = "smooth(softmax(X W + b) + correct(onehot - softmax(X W + b)))",
    .paper = "arXiv:2010.13993",
    .aliases = aliases,
    .hparams = hparams,
    .presets = presets,
    .recipe = &recipe,
    .features = GND_FEAT_ROW_L1,
    .keeps_labels = true,
    .output = GND_OUT_MASS,
    .init = init,
    .prepare = prepare,
    .release = release,
    .forward = forward,
    .refine = refine,
};
