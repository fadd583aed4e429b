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
#include "auto.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "few/seeded.h"

enum { VIEWS, FITS, RANK, TELEPORT, SAFETY, PULL, TEMPERATURE, SHRINK, SHARPNESS };
enum { SOFT, QUOTA, N_FIT };

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

static gnd_status init(gnd_model *m, gnd_error *err)
{
    return gnd_param_add(&m->params, "prior", 1, gnd_n_class(m), GND_INIT_ZERO, GND_NO_DECAY, err);
}

/* ---- before any label is known ---- */

static void release(gnd_inputs *in)
{
    gnd_views_fini(in->own);
    gnd_free(in->own);
    in->own = NULL;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    const gnd_views_opts o = {
        .want = {gnd_hp_has(m, VIEWS, GND_VIEW_RARE), gnd_hp_has(m, VIEWS, GND_VIEW_PLAIN)},
        .still = gnd_hp_choice(m, SAFETY) && !m->identity,
        .teleport = gnd_hp_real(m, TELEPORT),
        .n_class = gnd_n_class(m)};

    in->own = gnd_alloc(1, sizeof(gnd_views));
    if (!in->own)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n_node);
    return gnd_views_init(in->own, &in->x, &g->adj, &o, pool, err);
}

const gnd_views *gnd_auto_views(const gnd_inputs *in)
{
    return in->own;
}

/* Share of the first C directions in what the first GND_VIEW_LOW hold. */
static double spectrum_share(const gnd_points *p, int64_t C)
{
    double first = 0, all = 0;

    for (int64_t k = 0; k < p->r && k < GND_VIEW_LOW; k++) {
        first += k < C ? p->value[k] : 0;
        all += p->value[k];
    }
    return all > 0 ? first / all : 0;
}

/* ---- fits ---- */

typedef struct {
    const gnd_model *m;
    const gnd_views *g;
    gnd_seeds seeds;
    int64_t n, C;
    double q;       /* labels a class */
    gnd_real *prob; /* [n, C] of one fit */
    gnd_pool *pool;
} labelling;

static const gnd_points *view_of(const labelling *l, int v)
{
    const int64_t wish = gnd_hp_int(l->m, RANK);
    const bool many = wish ? wish > GND_VIEW_LOW
                           : spectrum_share(&l->g->view[l->g->first], l->C) > 0.7 && l->q >= 2;

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
    const int first = l->g->first;

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
    const gnd_points *view[GND_VIEWS], *still = &l->g->still;
    double w[N_PREDICTOR];
    int n_view = 0;
    gnd_status st;

    for (int v = 0; v < GND_VIEWS; v++)
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
