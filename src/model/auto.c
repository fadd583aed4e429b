/* SPDX-License-Identifier: MIT
 * auto.c - labels from a handful of labels and nothing else.
 *
 *     Z_v = leading directions of  a (I - (1-a) S)^-1 X_v,   v in {rare, plain}     (embed/sketch)
 *     P   = sum_m w_m mean_{v, fit} softmax(kappa log P_{v, fit}),  fit in {soft, quota}  (few/)
 *     X_plain = X,  X_rare = X diag(sqrt(log(n / df)));   Z_v: [n, r]   P: [n, C]
 *
 * Nothing is learnt by gradients and nothing is held out. Beside the fits on diffused features
 * stand two that do not train themselves: prototypes, and the same fits on features that were not
 * diffused, which count where links join unlike vertices. From two labels a class on, labels left
 * out in turn say how much each of the three counts. The model is the labels it remembers: on a
 * graph that has grown, it is fitted again. */
#include "model.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "embed/sketch.h"
#include "few/seeded.h"

enum { VIEWS, FITS, RANK, TELEPORT, SAFETY, PULL, TEMPERATURE, SHRINK, SHARPNESS };
enum { RARE, PLAIN, N_VIEW };
enum { SOFT, QUOTA, N_FIT };
enum { RANK_FEW = 32, RANK_MANY = 64 };

static const gnd_hparam hparams[] = {
    [VIEWS] = GND_HP_SET("views", 3, "rare|plain",
                         "features as they count: rare ones more, or all alike"),
    [FITS] = GND_HP_SET("fits", 3, "soft|quota",
                        "how classes grow from the labels: by all sure vertices, or by the same "
                        "number of each"),
    [RANK] = GND_HP_INT("rank", 0, 0, 64,
                        "coordinates of a view; 0: 32, or 64 where few directions hold most"),
    [TELEPORT] = GND_HP_REAL("teleport", 0.1, 0.01, 1, "of the diffusion; 1: none"),
    [SAFETY] = GND_HP_CHOICE("safety", 1, "off|on",
                             "mix in what does not train itself, by links and left-out labels"),
    [PULL] = GND_HP_REAL("pull", 0.1, 0, 10, "a label weighs as this share of the mean class"),
    [TEMPERATURE] = GND_HP_REAL("temperature", 0, 0, 10,
                                "of the prototypes' softmax; 0: by how many directions vertices "
                                "fill"),
    [SHRINK] = GND_HP_REAL("shrink", 0.5, 0, 1, "of the classes' common shape towards a ball"),
    [SHARPNESS] =
        GND_HP_REAL("sharpness", 0.1, 0.001, 10, "kappa = sharpness sqrt(1 + labels a class)"),
    GND_HP_END,
};

/* What a graph gives before any label is known. */
typedef struct {
    gnd_points view[N_VIEW]; /* up to RANK_MANY coordinates; empty: not wanted, or like the other */
    gnd_points low[N_VIEW];  /* RANK_FEW of them */
    gnd_points still;        /* the first view without diffusion, RANK_FEW */
    double share;            /* of the first C directions in the first RANK_FEW */
    double spread;           /* how many directions the first view fills evenly */
    gnd_csr links;           /* [n, n] both ways, with weights */
} graph_views;

static gnd_status init(gnd_model *m, gnd_error *err)
{
    return gnd_param_add(&m->params, "prior", 1, gnd_n_class(m), GND_INIT_ZERO, GND_NO_DECAY, err);
}

/* ---- before any label is known ---- */

static void release(gnd_inputs *in)
{
    graph_views *g = in->own;

    for (int v = 0; v < N_VIEW; v++) {
        gnd_points_fini(&g->view[v]);
        gnd_points_fini(&g->low[v]);
    }
    gnd_points_fini(&g->still);
    gnd_csr_fini(&g->links);
    gnd_free(g);
    in->own = NULL;
}

/* sqrt(log(n / df_j)); returns whether features differ in it and some have any. */
static bool rarity(double *weight, const gnd_csr *xt)
{
    double low = INFINITY, high = 0;

    for (int64_t j = 0; j < xt->n_row; j++) {
        int64_t df = 0;

        for (int64_t q = xt->ptr[j]; q < xt->ptr[j + 1]; q++)
            df += gnd_csr_val(xt, q) != 0;
        weight[j] = df > 0 ? sqrt(fmax(0, log((double)xt->n_col / (double)df))) : 0;
        if (df > 0) {
            low = fmin(low, weight[j]);
            high = fmax(high, weight[j]);
        }
    }
    return high > low * (1 + 1e-9);
}

static gnd_status view_make(graph_views *g, int v, gnd_sketch_opts *o, gnd_pool *pool,
                            gnd_error *err)
{
    gnd_status st;

    GND_TRY(gnd_sketch(&g->view[v], o, pool, err));
    GND_TRY(gnd_points_cut(&g->low[v], &g->view[v], RANK_FEW, err));
out:
    return st;
}

/* A few vertices do not fill many directions: ten to each, but one a class. */
static int64_t rank_cap(int64_t rank, int64_t n, int64_t n_class)
{
    const int64_t cap = n / 10 > n_class ? n / 10 : n_class;

    return rank < cap ? rank : cap;
}

static gnd_status views_make(graph_views *g, const gnd_model *m, const gnd_csr *x, const gnd_csr *S,
                             const double *degree, gnd_pool *pool, gnd_error *err)
{
    gnd_csr xt = {0};
    double *weight = NULL;
    gnd_sketch_opts o = {.x = x,
                         .xt = &xt,
                         .S = S,
                         .degree = degree,
                         .tol = 0.01,
                         .tol_pass = 0.1,
                         .rank = RANK_MANY,
                         .passes = 2,
                         .seed = 1};
    bool rare, plain;
    gnd_status st;

    o.teleport = gnd_hp_real(m, TELEPORT);
    o.rank = rank_cap(RANK_MANY, x->n_row, gnd_n_class(m));
    GND_TRY(gnd_csr_transpose(&xt, x, err));
    weight = gnd_alloc(xt.n_row, sizeof *weight);
    if (!weight)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld features", (long long)xt.n_row));
    rare = rarity(weight, &xt) && gnd_hp_has(m, VIEWS, RARE);
    plain = !rare || gnd_hp_has(m, VIEWS, PLAIN);
    o.weight = rare ? weight : NULL;
    if (rare)
        GND_TRY(view_make(g, RARE, &o, pool, err));
    if (gnd_hp_choice(m, SAFETY) && !m->identity) {
        gnd_sketch_opts still = o;

        still.S = NULL;
        still.rank = rank_cap(RANK_FEW, x->n_row, gnd_n_class(m));
        GND_TRY(gnd_sketch(&g->still, &still, pool, err));
    }
    o.weight = NULL;
    if (plain)
        GND_TRY(view_make(g, PLAIN, &o, pool, err));
out:
    gnd_free(weight);
    gnd_csr_fini(&xt);
    return st;
}

static double spectrum_share(const gnd_points *p, int64_t C)
{
    double first = 0, all = 0;

    for (int64_t k = 0; k < p->r && k < RANK_FEW; k++) {
        first += k < C ? p->value[k] : 0;
        all += p->value[k];
    }
    return all > 0 ? first / all : 0;
}

/* 1 / |Z^T Z / n|^2: r for points that fill r directions evenly, 1 if all lie on a line. */
static double spread_of(const gnd_points *p)
{
    const int64_t r = p->r;
    double sum = 0;

    for (int64_t k = 0; k < r; k++)
        for (int64_t l = 0; l <= k; l++) {
            double e = 0;

            for (int64_t i = 0; i < p->n; i++)
                e += (double)p->z[i * r + k] * (double)p->z[i * r + l];
            e /= (double)p->n;
            sum += (k == l ? 1 : 2) * e * e;
        }
    return sum > 0 ? 1 / sum : 1;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    graph_views *own = gnd_alloc(1, sizeof *own);
    double *degree = gnd_alloc(g->n_node, sizeof *degree);
    gnd_csr links = {0};
    gnd_status st;

    in->own = own;
    if (!own || !degree)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n_node));
    GND_TRY(gnd_csr_symmetrise(&links, &g->adj, err));
    GND_TRY(gnd_csr_drop_loops(&own->links, &links, NULL, err));
    GND_TRY(gnd_operator_init(&in->op, GND_OP_S, &own->links, err));
    for (int64_t i = 0; i < g->n_node; i++) {
        degree[i] = 1;
        for (int64_t q = own->links.ptr[i]; q < own->links.ptr[i + 1]; q++)
            degree[i] += (double)gnd_csr_val(&own->links, q);
    }
    GND_TRY(views_make(own, m, &in->x, &in->op.a, degree, pool, err));
    own->share =
        spectrum_share(own->view[RARE].n ? &own->view[RARE] : &own->view[PLAIN], gnd_n_class(m));
    own->spread = spread_of(own->low[RARE].n ? &own->low[RARE] : &own->low[PLAIN]);
out:
    gnd_csr_fini(&links);
    gnd_free(degree);
    return st;
}

/* ---- fits ---- */

typedef struct {
    const gnd_model *m;
    const graph_views *g;
    gnd_seeds seeds;
    int64_t n, C;
    double q;       /* labels a class */
    gnd_real *prob; /* [n, C] of one fit */
    gnd_pool *pool;
} labelling;

static const gnd_points *view_of(const labelling *l, int v)
{
    const int64_t wish = gnd_hp_int(l->m, RANK);
    const bool many = wish ? wish > RANK_FEW : l->g->share > 0.7 && l->q >= 2;

    return many ? &l->g->view[v] : &l->g->low[v];
}

/* out += by softmax(kappa log prob) */
static void add_member(gnd_real *out, const labelling *l, double by)
{
    const double kappa = gnd_hp_real(l->m, SHARPNESS) * sqrt(1 + l->q);

    for (int64_t i = 0; i < l->n; i++) {
        double share[256], sum = 0;

        for (int64_t c = 0; c < l->C; c++) {
            share[c % 256] = pow((double)l->prob[i * l->C + c] + 1e-12, kappa);
            sum += share[c % 256];
        }
        for (int64_t c = 0; c < l->C; c++)
            out[i * l->C + c] += (gnd_real)(by * share[c % 256] / sum);
    }
}

/* out += by times the mean of the fits on some views. */
static gnd_status add_fits(gnd_real *out, labelling *l, const gnd_points *const *view, int n_view,
                           double by, gnd_error *err)
{
    const bool soft = gnd_hp_has(l->m, FITS, SOFT), quota = gnd_hp_has(l->m, FITS, QUOTA);
    gnd_status st = GND_OK;

    by /= n_view * (soft + quota);
    for (int v = 0; v < n_view; v++) {
        if (soft) {
            GND_TRY(gnd_fit_soft(l->prob, view[v], &l->seeds, l->pool, err));
            add_member(out, l, by);
        }
        if (quota) {
            GND_TRY(gnd_fit_quota(l->prob, view[v], &l->seeds, l->pool, err));
            add_member(out, l, by);
        }
    }
out:
    return st;
}

/* How much more links join vertices of one class than chance would. */
static double homophily(const gnd_csr *a, const gnd_real *prob, int64_t C, double *mass)
{
    double same = 0, total = 0, chance = 0;

    memset(mass, 0, (size_t)C * sizeof *mass);
    for (int64_t i = 0; i < a->n_row; i++)
        for (int64_t q = a->ptr[i]; q < a->ptr[i + 1]; q++) {
            const double w = (double)gnd_csr_val(a, q);
            const gnd_real *x = prob + i * C, *y = prob + a->col[q] * C;

            for (int64_t c = 0; c < C; c++) {
                same += w * (double)x[c] * (double)y[c];
                mass[c] += w * (double)x[c];
            }
            total += w;
        }
    for (int64_t c = 0; c < C && total > 0; c++)
        chance += mass[c] / total * (mass[c] / total);
    return total > 0 && chance < 1 ? (same / total - chance) / (1 - chance) : 0;
}

/* Share of the features alone: none where links join like vertices. */
static double still_share(double h)
{
    if (h >= 0.15)
        return 0;
    if (h >= 0.05)
        return 0.5 * (0.15 - h) / 0.10;
    return h >= -0.02 ? 0.5 : fmin(1, 0.5 + 0.5 * (-0.02 - h) / 0.08);
}

/* Three predictors: fits on diffused features, their prototypes, fits on features alone. */
enum { DIFFUSED, PROTOTYPE, STILL, N_PREDICTOR };

static gnd_status predictor_fit(labelling *l, int k, const gnd_seeds *s, gnd_error *err)
{
    const int first = l->g->view[RARE].n ? RARE : PLAIN;

    if (k == DIFFUSED)
        return gnd_fit_soft(l->prob, view_of(l, first), s, l->pool, err);
    if (k == PROTOTYPE)
        return gnd_fit_prototype(l->prob, &l->g->view[first], s, l->pool, err);
    return gnd_fit_soft(l->prob, &l->g->still, s, l->pool, err);
}

/* Labels left out in turn: how many each predictor gets right. */
static gnd_status left_out(double hits[N_PREDICTOR], labelling *l, bool still, gnd_error *err)
{
    enum { FOLDS_MAX = 5 };
    const gnd_seeds *all = &l->seeds;
    const int64_t folds = l->q < FOLDS_MAX ? (int64_t)l->q : FOLDS_MAX;
    int32_t *point = gnd_alloc(all->n, sizeof *point), *cls = gnd_alloc(all->n, sizeof *cls);
    int64_t *turn = gnd_alloc(all->n, sizeof *turn), *met = gnd_alloc(l->C, sizeof *met);
    gnd_status st = GND_OK;

    if (!point || !cls || !turn || !met)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld labels", (long long)all->n));
    for (int64_t k = 0; k < all->n; k++)
        turn[k] = met[all->cls[k]]++;
    for (int64_t fold = 0; fold < folds; fold++) {
        gnd_seeds s = *all;

        s.point = point;
        s.cls = cls;
        s.n = 0;
        for (int64_t k = 0; k < all->n; k++)
            if (met[all->cls[k]] < 2 || turn[k] % folds != fold) {
                point[s.n] = all->point[k];
                cls[s.n++] = all->cls[k];
            }
        for (int k = 0; k < (still ? N_PREDICTOR : STILL); k++) {
            GND_TRY(predictor_fit(l, k, &s, err));
            for (int64_t e = 0; e < all->n; e++) {
                const gnd_real *row = l->prob + all->point[e] * l->C;
                int64_t top = 0;

                if (met[all->cls[e]] < 2 || turn[e] % folds != fold)
                    continue;
                for (int64_t c = 1; c < l->C; c++)
                    top = row[c] > row[top] ? c : top;
                hits[k] += top == all->cls[e];
            }
        }
    }
out:
    gnd_free(met);
    gnd_free(turn);
    gnd_free(cls);
    gnd_free(point);
    return st;
}

/* Weights of the predictors. */
static gnd_status weigh(double w[N_PREDICTOR], labelling *l, gnd_error *err)
{
    double *mass = gnd_alloc(l->C, sizeof *mass), hits[N_PREDICTOR] = {0}, sum = 0, alone;
    gnd_status st;

    w[DIFFUSED] = 1;
    w[PROTOTYPE] = w[STILL] = 0;
    if (!mass)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld classes", (long long)l->C));
    if (!gnd_hp_choice(l->m, SAFETY)) {
        st = GND_OK;
        goto out;
    }
    alone = 0;
    if (l->g->still.n > 0) {
        GND_TRY(predictor_fit(l, STILL, &l->seeds, err));
        alone = still_share(homophily(&l->g->links, l->prob, l->C, mass));
    }
    w[DIFFUSED] = (1 - alone) * 0.9;
    w[PROTOTYPE] = (1 - alone) * 0.1;
    w[STILL] = alone;
    if (l->q >= 2)
        GND_TRY(left_out(hits, l, alone > 0, err));
    for (int k = 0; k < N_PREDICTOR; k++)
        sum += w[k] *= exp(0.3 * hits[k]);
    for (int k = 0; k < N_PREDICTOR; k++)
        w[k] /= sum;
out:
    gnd_free(mass);
    return st;
}

static gnd_status label(gnd_real *out, labelling *l, gnd_error *err)
{
    const gnd_points *view[N_VIEW], *still = &l->g->still;
    double w[N_PREDICTOR];
    int n_view = 0;
    gnd_status st;

    for (int v = 0; v < N_VIEW; v++)
        if (l->g->view[v].n > 0)
            view[n_view++] = view_of(l, v);
    GND_TRY(weigh(w, l, err));
    if (w[DIFFUSED] > 0)
        GND_TRY(add_fits(out, l, view, n_view, w[DIFFUSED], err));
    if (w[STILL] > 0)
        GND_TRY(add_fits(out, l, &still, 1, w[STILL], err));
    if (w[PROTOTYPE] > 0) {
        GND_TRY(predictor_fit(l, PROTOTYPE, &l->seeds, err));
        for (int64_t e = 0; e < l->n * l->C; e++)
            out[e] += (gnd_real)w[PROTOTYPE] * l->prob[e];
    }
out:
    return st;
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const int64_t n = in->n_node, C = gnd_n_class(m);
    gnd_real *out = gnd_tape_alloc(t, n * C, sizeof *out);
    labelling l = {.m = m, .g = in->own, .n = n, .C = C, .pool = t->pool};
    gnd_error err = {0};
    gnd_status st;

    l.prob = gnd_tape_alloc(t, n * C, sizeof *l.prob);
    if (!out || !l.prob)
        return (gnd_var){-1};
    if (in->n_seed == 0)
        return gnd_tape_fail(t, GND_ERR_ARG,
                             "none of the vertices whose labels the model knows is in this graph");
    l.seeds = (gnd_seeds){.point = in->seed, .cls = in->seed_cls, .n = in->n_seed, .n_class = C};
    l.seeds.temperature = gnd_hp_real(m, TEMPERATURE);
    l.seeds.soften = 1;
    if (l.seeds.temperature == 0) {
        const double narrow = 17.5 / l.g->spread;

        l.seeds.temperature = 0.1 * narrow;
        l.seeds.soften = narrow > 1 ? 1 / narrow : 1;
    }
    l.seeds.shrink = gnd_hp_real(m, SHRINK);
    l.seeds.pull = gnd_hp_real(m, PULL);
    l.q = (double)in->n_seed / (double)C;
    memset(out, 0, (size_t)(n * C) * sizeof *out);
    st = label(out, &l, &err);
    if (st != GND_OK)
        return gnd_tape_fail(t, st, "%s", err.msg);
    return gnd_wanted(t, gnd_constant(t, out, n, C));
}

/* All of it is in a pass. */
static gnd_status solve(gnd_model *m, const gnd_inputs *in, const gnd_target *train,
                        const gnd_target *val, uint64_t seed, gnd_pool *pool, gnd_error *err)
{
    (void)m, (void)in, (void)train, (void)val, (void)seed, (void)pool, (void)err;
    return GND_OK;
}

const gnd_method gnd_method_auto = {
    .name = "auto",
    .title = "Closed-form fits on diffused features",
    .formula = "sum_m w_m softmax(kappa log P_m), P_m fitted to a (I - (1-a) S)^-1 X",
    .paper = "this project",
    .hparams = hparams,
    .features = GND_FEAT_RAW,
    .keeps_labels = true,
    .output = GND_OUT_MASS,
    .init = init,
    .prepare = prepare,
    .release = release,
    .forward = forward,
    .solve = solve,
};
