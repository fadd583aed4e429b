/* SPDX-License-Identifier: MIT
 * lanczosnet.c - LanczosNet: short diffusions by powers of S, long ones by its Ritz pairs.
 *
 *     layer:  Y' = [S Y, S^2 Y, S^5 Y, S^7 Y, L_10 Y, L_20 Y, L_30 Y, S Y] Wl + 1 bl^T
 *     L_s = V diag(f_s) V^T,   (f_10, f_20, f_30)(lam) = relu((lam^10, lam^20, lam^30) Fla + fla)
 *                                                        Flb + flb
 *     H = M(relu(layer 1 of X));   L = layer 2 of H
 *     X: [n, d]   Wl: [8 w, w']   bl: [1, w']   V: [n, k]   lam: [k]   Fla: [3, inner]
 *     Flb: [inner, 3]   L: [n, C];   S = D^-1/2 (A + I) D^-1/2,  M is dropout
 *
 * Liao, Zhao, Urtasun and Zemel, ICLR 2019, arXiv:1901.01484; scales, widths and recipe are those
 * of its appendix for citation graphs. The eighth message, S Y, is that of the single edge type in
 * the authors' code. The second layer gives the logits.
 *
 * Y' is computed as sum_m P_m (Y W_m) with row blocks W_m of Wl, so that products with P_m have w'
 * columns, not w. The two messages S Y share one product. The short scales need 7 products, by
 * Horner's rule: S (Y W_1 + S (Y W_2 + S^3 (Y W_5 + S^2 Y W_7))). The long scales are summed in the
 * Ritz space: V sum_s diag(f_s) (V^T Y) W_s; V^T X is computed before training.
 *
 * Ritz pairs need a symmetric operator: for a directed graph they are always those of S of
 * max(A, A^T), and the operator setting changes only the powers of S. */
#include "lanczosnet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "linalg/eigen_top.h"
#include "linalg/lanczos.h"

enum { HIDDEN, INNER, STEPS, PAIRS, DROPOUT, OPERATOR };
enum { LANCZOS, TOP };

static const gnd_hparam hparams[] = {
    [HIDDEN] = GND_HP_INT("hidden", 64, 1, 4096, "width of the hidden layer"),
    [INNER] = GND_HP_INT("inner", 128, 1, 4096,
                         "hidden units of the networks that compute the spectral filters"),
    [STEPS] = GND_HP_INT("steps", 20, 1, 1000, "number k of Ritz pairs"),
    [PAIRS] = GND_HP_CHOICE("pairs", LANCZOS, "lanczos|top",
                            "lanczos: Ritz pairs of k Lanczos steps; top: the k eigenpairs of "
                            "largest absolute value, as in the authors' code"),
    [DROPOUT] =
        GND_HP_REAL("dropout", 0.5, 0, 0.99, "fraction of the hidden layer that dropout sets to 0"),
    [OPERATOR] = GND_HP_CHOICE("operator", 0, "plain|transposed|symmetrised",
                               "directed graphs: powers of S of A (plain), of A^T or of max(A, "
                               "A^T); the Ritz pairs are always those of max(A, A^T)"),
    GND_HP_END,
};

static const gnd_preset presets[] = {
    {"published", "operator=transposed", GND_PUBLISHED_MEANING},
    {NULL, NULL, NULL},
};

static const gnd_recipe recipe = {
    .optimiser = GND_OPT_ADAM_TORCH,
    .lr = 0.01,
    .l2 = 5e-4,
    .l2_form = GND_L2_HALF,
    .stop = "kipf",
    .patience = 10,
    .epochs = 200,
    .epochs_alone = 200,
};

enum { W, B, FA, FA_BIAS, FB, FB_BIAS, PER_LAYER };
enum { MESSAGES = 8, LAYERS = 2 };
/* Row blocks of Wl. */
enum { S_1, S_2, S_5, S_7, L_10, EDGE = L_10 + GND_LANCZOS_LONG };

static gnd_status init_layer(gnd_model *m, int layer, int64_t w, int64_t out, gnd_error *err)
{
    const int64_t inner = gnd_hp_int(m, INNER), s = GND_LANCZOS_LONG;
    const struct {
        const char *name;
        int64_t rows, cols;
        int init; /* gnd_init */
    } list[PER_LAYER] = {
        [W] = {"W%d", MESSAGES * w, out, GND_INIT_GLOROT},
        [B] = {"b%d", 1, out, GND_INIT_ZERO},
        [FA] = {"F%da", s, inner, GND_INIT_GLOROT},
        [FA_BIAS] = {"f%da", 1, inner, GND_INIT_ZERO},
        [FB] = {"F%db", inner, s, GND_INIT_GLOROT},
        [FB_BIAS] = {"f%db", 1, s, GND_INIT_ZERO},
    };
    gnd_status st = GND_OK;

    for (int i = 0; i < PER_LAYER; i++) {
        char name[8];
        const char *at = strchr(list[i].name, '%');

        snprintf(name, sizeof name, "%.*s%d%s", (int)(at - list[i].name), list[i].name, layer + 1,
                 at + 2);
        GND_TRY(gnd_param_add(&m->params, name, list[i].rows, list[i].cols,
                              list[i].init | GND_DECAY, err));
    }
out:
    return st;
}

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t h = gnd_hp_int(m, HIDDEN);
    gnd_status st = GND_OK;

    GND_TRY(init_layer(m, 0, m->n_feat, h, err));
    GND_TRY(init_layer(m, 1, h, gnd_n_class(m), err));
out:
    return st;
}

/* ---- Ritz pairs ---- */

static void release(gnd_inputs *in)
{
    gnd_ritz *r = in->own;

    gnd_free(r->power);
    gnd_free(r->V);
    gnd_free(r->VtX);
    gnd_free(r);
    in->own = NULL;
}

/* V^T X */
static gnd_status project_features(gnd_real *out, const gnd_csr *x, const double *vector, int64_t k,
                                   gnd_error *err)
{
    double *sum = gnd_alloc(x->n_col * k, sizeof *sum); /* [d, k] */

    if (!sum)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)x->n_col);
    for (int64_t i = 0; i < x->n_row; i++)
        for (int64_t p = x->ptr[i]; p < x->ptr[i + 1]; p++)
            for (int64_t j = 0; j < k; j++)
                sum[x->col[p] * k + j] += (double)gnd_csr_val(x, p) * vector[i * k + j];
    for (int64_t c = 0; c < x->n_col; c++)
        for (int64_t j = 0; j < k; j++)
            out[j * x->n_col + c] = (gnd_real)sum[c * k + j];
    gnd_free(sum);
    return GND_OK;
}

gnd_status gnd_lanczosnet_pairs(gnd_inputs *in, const double *value, const double *vector,
                                int64_t k, gnd_error *err)
{
    static const double scale[GND_LANCZOS_LONG] = {10, 20, 30};
    gnd_ritz *r = gnd_alloc(1, sizeof *r);
    gnd_status st = GND_OK;

    if (in->own)
        release(in);
    in->own = r; /* freed by release, also after a failure */
    if (r) {
        r->k = k;
        r->power = gnd_alloc(k * GND_LANCZOS_LONG, sizeof *r->power);
        r->V = gnd_alloc(in->n_node * k, sizeof *r->V);
        r->VtX = gnd_alloc(k * in->x.n_col, sizeof *r->VtX);
    }
    if (!r || !r->power || !r->V || !r->VtX)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld Ritz pairs", (long long)k));
    for (int64_t j = 0; j < k; j++)
        for (int s = 0; s < GND_LANCZOS_LONG; s++)
            r->power[j * GND_LANCZOS_LONG + s] = (gnd_real)pow(value[j], scale[s]);
    for (int64_t e = 0; e < in->n_node * k; e++)
        r->V[e] = (gnd_real)vector[e];
    GND_TRY(project_features(r->VtX, &in->x, vector, k, err));
out:
    return st;
}

/* Lanczos steps; the start vector depends only on the number of vertices. */
static gnd_status by_lanczos(gnd_inputs *in, const gnd_csr *S, int64_t k, gnd_error *err)
{
    double *start = gnd_alloc(S->n_row, sizeof *start);
    gnd_lanczos l = {0};
    gnd_status st = GND_OK;

    if (!start)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a start vector"));
    for (int64_t i = 0; i < S->n_row; i++)
        start[i] = 2 * gnd_rng_uniform(gnd_hash_name("lanczosnet"), 0, (uint64_t)i) - 1;
    GND_TRY(gnd_lanczos_init(&l, S, start, k, err));
    GND_TRY(gnd_lanczosnet_pairs(in, l.value, l.vector, k, err));
out:
    gnd_lanczos_fini(&l);
    gnd_free(start);
    return st;
}

static gnd_status by_size(gnd_inputs *in, const gnd_csr *S, int64_t k, gnd_error *err)
{
    double *value = gnd_alloc(k, sizeof *value), *vector = gnd_alloc(S->n_row * k, sizeof *vector);
    gnd_status st = GND_OK;

    if (!value || !vector)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld eigenpairs", (long long)k));
    GND_TRY(gnd_eigen_top(value, vector, S,
                          &(gnd_eigen_want){.k = k, .tol = 0, .seed = gnd_hash_name("lanczosnet")},
                          err));
    GND_TRY(gnd_lanczosnet_pairs(in, value, vector, k, err));
out:
    gnd_free(vector);
    gnd_free(value);
    return st;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    static const gnd_operator_kind kind[] = {GND_OP_S, GND_OP_S_TRANSPOSED, GND_OP_S_SYMMETRISED};
    const int64_t steps = gnd_hp_int(m, STEPS), k = steps < g->n_node ? steps : g->n_node;
    gnd_operator both = {0};
    const gnd_csr *S;
    gnd_status st;

    GND_TRY(gnd_operator_init_in(&in->op, kind[gnd_hp_choice(m, OPERATOR)], &g->adj, pool, err));
    S = &in->op.a;
    if (!in->op.shared) {
        GND_TRY(gnd_operator_init_in(&both, GND_OP_S_SYMMETRISED, &g->adj, pool, err));
        S = &both.a;
    }
    GND_TRY(gnd_hp_choice(m, PAIRS) == TOP ? by_size(in, S, k, err) : by_lanczos(in, S, k, err));
out:
    gnd_operator_fini(&both);
    return st;
}

/* ---- the formula ---- */

/* The two inputs of a layer. */
typedef struct {
    gnd_var Y;   /* [n, w] */
    gnd_var VtY; /* [k, w] */
} features;

/* Row block of Wl. */
static gnd_var block(const gnd_model *m, gnd_tape *t, int layer, int i)
{
    const gnd_params *ps = &m->params;
    const gnd_param *p = &ps->p[layer * PER_LAYER + W];
    const int64_t w = p->rows / MESSAGES, at = p->at + i * w * p->cols;

    return gnd_parameter(t, ps->v + at, t->training ? ps->g + at : NULL, w, p->cols);
}

/* (f_10, f_20, f_30) of every Ritz value: [k, 3] */
static gnd_var filters(const gnd_model *m, const gnd_ritz *r, gnd_tape *t, int layer)
{
    const gnd_params *ps = &m->params;
    const int at = layer * PER_LAYER;
    gnd_var f = gnd_constant(t, r->power, r->k, GND_LANCZOS_LONG);

    f = gnd_add_bias(t, gnd_matmul(t, f, gnd_param_var(t, ps, at + FA)),
                     gnd_param_var(t, ps, at + FA_BIAS));
    return gnd_add_bias(t, gnd_matmul(t, gnd_relu(t, f), gnd_param_var(t, ps, at + FB)),
                        gnd_param_var(t, ps, at + FB_BIAS));
}

/* The long scales, before V: sum_s diag(f_s) V^T Y W_s, [k, w'] */
static gnd_var in_ritz_space(const gnd_model *m, const gnd_ritz *r, gnd_tape *t, int layer,
                             gnd_var VtY)
{
    const gnd_var f = filters(m, r, t, layer);
    gnd_var sum = {-1};

    for (int s = 0; s < GND_LANCZOS_LONG; s++) {
        const gnd_var part =
            gnd_scale_rows(t, f, s, gnd_matmul(t, VtY, block(m, t, layer, L_10 + s)));

        sum = s ? gnd_add(t, sum, part) : part;
    }
    return sum;
}

/* last: compute only the requested rows. */
static gnd_var run_layer(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, int layer,
                         features x, bool last)
{
    const gnd_csr *S = &in->op.a, *St = &in->op.at;
    const gnd_ritz *r = in->own;
    const gnd_var W1 = gnd_add(t, block(m, t, layer, S_1), block(m, t, layer, EDGE));
    const gnd_var b = gnd_param_var(t, &m->params, layer * PER_LAYER + B);
    const gnd_var V = gnd_constant(t, r->V, in->n_node, r->k);

    gnd_var z = gnd_matmul(t, x.Y, block(m, t, layer, S_7));

    z = gnd_add(t, gnd_power(t, S, St, z, 2), gnd_matmul(t, x.Y, block(m, t, layer, S_5)));
    z = gnd_add(t, gnd_power(t, S, St, z, 3), gnd_matmul(t, x.Y, block(m, t, layer, S_2)));
    z = gnd_add(t, gnd_spmm(t, S, St, z), gnd_matmul(t, x.Y, W1));
    z = last ? gnd_spmm_requested(t, S, St, z) : gnd_spmm(t, S, St, z);
    z = gnd_add(
        t, z, gnd_matmul(t, last ? gnd_requested(t, V) : V, in_ritz_space(m, r, t, layer, x.VtY)));
    return gnd_add_bias(t, z, b);
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_ritz *r = in->own;
    const features X = {gnd_input(t, &in->x), gnd_constant(t, r->VtX, r->k, in->x.n_col)};
    features H;

    H.Y = gnd_activate(t, run_layer(m, in, t, 0, X, false), (gnd_var){-1}, gnd_hp_real(m, DROPOUT),
                       "H");
    H.VtY = gnd_matmul_t(t, gnd_constant(t, r->V, in->n_node, r->k), H.Y);
    return run_layer(m, in, t, 1, H, true);
}

const gnd_method gnd_method_lanczosnet = {
    .name = "lanczosnet",
    .title = "LanczosNet: short diffusions by powers, long ones by Ritz pairs",
    .formula = "[S Y, S^2 Y, S^5 Y, S^7 Y, V f_s V^T Y (s = 10, 20, 30), S Y] W + b, two layers",
    .paper = "arXiv:1901.01484",
    .hparams = hparams,
    .presets = presets,
    .added = "operator",
    .recipe = &recipe,
    .features = GND_FEAT_ROW_L1,
    .init = init,
    .prepare = prepare,
    .release = release,
    .forward = forward,
};
