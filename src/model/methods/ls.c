/* SPDX-License-Identifier: MIT
 * ls.c - label spreading.
 *
 *     F = (1 - a) (I - a S)^-1 Y,   S = D^-1/2 A D^-1/2 without loops
 *     Y: [n, C] one-hot on the training vertices, 0 elsewhere   F: [n, C] (masses)
 *
 * Zhou, Bousquet, Lal, Weston and Schoelkopf, NIPS 2003, eq. 4, on the graph made undirected. There
 * are no weights, and features are not used: the model is the training labels, so it can be applied
 * to a graph with new vertices. A vertex without a path to a label has no mass.
 *
 * F is computed by conjugate gradients (linalg/walk_solve.h) to a bound of the error of a score
 * relative to the largest score of its vertex: far from all labels, F is smaller than the rounding
 * error near them. */
#include "ls.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "graph/operator.h"
#include "linalg/walk_solve.h"

enum { ALPHA, MASS };

static const gnd_hparam hparams[] = {
    [ALPHA] =
        GND_HP_REAL("alpha", 0.99, 0, 0.9999,
                    "weight of the neighbours; smaller values keep labels closer to where they are "
                    "known; 0: the one of 0.5, 0.8, 0.9, 0.95, 0.99 that is best on the validation "
                    "set, or 0.99 without one"),
    [MASS] = GND_HP_CHOICE("mass", 0, "plain|classes",
                           "classes: divide the scores of each class by their sum over all "
                           "vertices, so that large classes do not dominate; plain: do not"),
    GND_HP_END,
};

static const double alphas[] = {0.99, 0.95, 0.9, 0.8, 0.5};

static gnd_status init(gnd_model *m, gnd_error *err)
{
    return gnd_param_add(&m->params, "alpha", 1, 1, GND_INIT_ZERO, err);
}

/* in->own is the walk. */
static void release(gnd_inputs *in)
{
    gnd_walk_free(in->own);
    in->own = NULL;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    gnd_csr links = {0};
    gnd_walk *w = NULL;
    gnd_status st;

    (void)m;
    GND_TRY(gnd_operator_links(&links, &g->adj, err));
    GND_TRY(gnd_pool_check(pool, err));
    GND_TRY(gnd_walk_new(&w, &links, g->original, pool, err));
    in->own = w;
out:
    gnd_csr_fini(&links);
    return st;
}

/* ---- label spreading ---- */

enum { GRAIN = 256 };
/* Of a score, relative to the largest of its vertex. */
static const double ERROR_MAX = sizeof(gnd_real) == sizeof(double) ? 1e-10 : 1e-3;

typedef struct {
    gnd_real *F;
    int64_t C;
    const double *sum; /* [C] of all vertices; NULL: 1 */
} masses;

static void score_sums(double *sum, int64_t begin, int64_t end, void *arg)
{
    const masses *j = arg;

    for (int64_t i = begin; i < end; i++)
        for (int64_t c = 0; c < j->C; c++)
            sum[c] += (double)j->F[i * j->C + c];
}

/* F = max(F, 0), since rounding may give values below 0. */
static void positive_rows(int64_t begin, int64_t end, void *arg)
{
    const masses *j = arg;

    for (int64_t e = begin * j->C; e < end * j->C; e++)
        j->F[e] = j->F[e] > 0 ? j->F[e] : 0;
}

static void divide_rows(int64_t begin, int64_t end, void *arg)
{
    const masses *j = arg;

    for (int64_t i = begin; i < end; i++)
        for (int64_t c = 0; c < j->C; c++)
            if (j->sum[c] > 0)
                j->F[i * j->C + c] = (gnd_real)((double)j->F[i * j->C + c] / j->sum[c]);
}

gnd_status gnd_ls_spread(gnd_real *F, const gnd_inputs *in, int32_t n_class, gnd_ls_opts o,
                         gnd_pool *pool, gnd_error *err)
{
    const int64_t n = in->n_node, C = n_class;
    double *sum = gnd_alloc(C, sizeof *sum);
    masses all = {F, C, sum};
    char stage[64];
    gnd_status st;

    if (!sum)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to spread labels of %d classes", n_class));
    snprintf(stage, sizeof stage, "spreading labels, alpha %.17g", o.alpha);
    memset(F, 0, (size_t)(n * C) * sizeof *F);
    for (int64_t k = 0; k < in->n_labelled; k++)
        F[in->labelled[k] * C + in->labelled_cls[k]] = 1;
    GND_TRY(gnd_walk_solve(F, C, NULL, in->own,
                           &(gnd_walk_equation){o.alpha, ERROR_MAX, in->checkpoint, stage}, pool,
                           err));
    gnd_parallel_for(pool, n, GRAIN, n * C, positive_rows, &all);
    if (!o.normalise)
        goto out;
    GND_TRY(gnd_vertex_sum(sum, &(gnd_vertex_terms){in->part, n, C, score_sums, &all}, pool, err));
    gnd_parallel_for(pool, n, GRAIN, n * C, divide_rows, &all);
out:
    gnd_free(sum);
    return st;
}

/* ---- the method ---- */

/* Number of rows of y whose largest entry of F is their label. */
static int64_t hits(const gnd_real *F, int64_t C, const gnd_target *y)
{
    int64_t n = 0;

    for (int64_t r = 0; r < y->n_rows; r++) {
        const gnd_real *row = F + y->rows[r] * C;
        int32_t top = 0;

        for (int32_t c = 1; c < C; c++)
            if (row[c] > row[top])
                top = c;
        n += y->label[y->rows[r]] == top;
    }
    return n;
}

/* Choose alpha on the validation set if it is 0. */
static gnd_status solve(gnd_model *m, const gnd_inputs *in, const gnd_target *train,
                        const gnd_target *val, uint64_t seed, gnd_pool *pool, gnd_error *err)
{
    const int32_t C = gnd_n_class(m);
    double best = gnd_hp_real(m, ALPHA);
    int64_t most = -1;
    gnd_real *F = NULL;
    gnd_status st = GND_OK;

    (void)train, (void)seed;
    if (best == 0 && val->n_rows > 0) {
        F = gnd_alloc(in->n_node * C, sizeof *F);
        if (!F)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to spread labels"));
        for (size_t k = 0; k < sizeof alphas / sizeof alphas[0]; k++) {
            int64_t n;

            GND_TRY(gnd_ls_spread(F, in, C, (gnd_ls_opts){alphas[k], gnd_hp_choice(m, MASS) == 1},
                                  pool, err));
            n = hits(F, C, val);
            if (n > most) {
                most = n;
                best = alphas[k];
            }
        }
    }
    m->params.v[0] = (gnd_real)(best == 0 ? alphas[0] : best);
out:
    gnd_free(F);
    return st;
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const int32_t C = gnd_n_class(m);
    const double given = gnd_hp_real(m, ALPHA), found = (double)m->params.v[0];
    gnd_real *F = gnd_tape_alloc(t, in->n_node * C, sizeof *F);
    gnd_error err = {0};
    gnd_status st;

    if (!F)
        return (gnd_var){-1};
    st = gnd_ls_spread(F, in, C,
                       (gnd_ls_opts){given > 0 ? given : found, gnd_hp_choice(m, MASS) == 1},
                       t->pool, &err);
    if (st != GND_OK)
        return gnd_tape_fail(t, st, "%s", err.msg);
    return gnd_requested(t, gnd_constant(t, F, in->n_node, C));
}

static const char *const aliases[] = {"label-spreading", NULL};

const gnd_method gnd_method_ls = {
    .name = "ls",
    .title = "Label spreading",
    .formula = "(1 - a) (I - a S)^-1 Y, S = D^-1/2 A D^-1/2",
    .paper = "Zhou et al., NIPS 2003",
    .aliases = aliases,
    .hparams = hparams,
    .no_features = true,
    .on_parts = true,
    .keeps_labels = true,
    .output = GND_OUT_MASS,
    .init = init,
    .prepare = prepare,
    .release = release,
    .forward = forward,
    .solve = solve,
};
