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
 * F is computed by Chebyshev polynomials of S and iterative refinement with the residual R in
 * double: far from all labels, F is smaller than the rounding error near them. No eigenvalue of (1
 * - a) (I - a S)^-1 exceeds 1, so |R| bounds the error at every vertex. Refinement ends when it is
 * small beside the largest score of each vertex. */
#include "ls.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "kern/components.h"
#include "linalg/series.h"

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

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    gnd_status st;

    GND_TRY(gnd_operator_init_in(&in->op, GND_OP_S0, &g->adj, pool, err));
    GND_TRY(gnd_operator_order(&in->op, gnd_n_class(m), &in->budget, pool, err));
out:
    return st;
}

/* ---- label spreading ---- */

enum { GRAIN = 256, PASSES_MAX = 3, COLUMNS = 16 };
/* Error of the polynomial in the first pass, at most, and in others; bound of the error of a score
 * at the end, relative to the largest of its vertex. */
static const double FIRST_TOL = 2e-7, TOL_MAX = 0.1,
                    ERROR_MAX = sizeof(gnd_real) == sizeof(double) ? 1e-10 : 1e-2;

typedef struct {
    const gnd_csr *S;
    double *F;               /* [n, C] the sum of the computed parts */
    gnd_real *Y, *rest, *dF; /* [n, C] */
    unsigned char *reached;  /* [n] connected with a label */
    double *sum;             /* [C] of all vertices */
    int64_t C;
    double a;
    gnd_pool *pool;
    gnd_checkpoint *saved; /* NULL: none */
} work;

static void add_rows(int64_t begin, int64_t end, void *arg)
{
    const work *w = arg;

    for (int64_t e = begin * w->C; e < end * w->C; e++)
        w->F[e] += (double)w->dF[e];
}

/* The residual Y - (F - a S F) / (1 - a). */
static void residual_rows(int64_t begin, int64_t end, void *arg)
{
    const work *w = arg;
    const int64_t C = w->C;
    double sum[COLUMNS];

    for (int64_t i = begin; i < end; i++)
        for (int64_t c0 = 0; c0 < C; c0 += COLUMNS) {
            const int64_t m = C - c0 < COLUMNS ? C - c0 : COLUMNS;

            memset(sum, 0, sizeof sum);
            for (int64_t p = w->S->ptr[i]; p < w->S->ptr[i + 1]; p++) {
                const double *F = w->F + w->S->col[p] * C + c0, s = (double)w->S->val[p];

                for (int64_t c = 0; c < m; c++)
                    sum[c] += s * F[c];
            }
            for (int64_t c = 0; c < m; c++) {
                const int64_t e = i * C + c0 + c;

                w->rest[e] = (gnd_real)((double)w->Y[e] - (w->F[e] - w->a * sum[c]) / (1 - w->a));
            }
        }
}

/* The smallest over the vertices that a label reaches of their largest score. */
static double least_score(const work *w)
{
    const gnd_row_range own = gnd_part_own(w->S->part, w->S->n_row);
    double least = INFINITY;

    for (int64_t i = own.begin; i < own.end; i++) {
        double top = 0;

        for (int64_t c = 0; c < w->C; c++)
            top = fmax(top, w->F[i * w->C + c]);
        if (w->reached[i])
            least = fmin(least, top);
    }
    return -gnd_part_max(w->S->part, -least);
}

/* Sums of the columns of something over all vertices, in w->sum. */
static gnd_status column_sums(work *w, void (*fn)(double *, int64_t, int64_t, void *),
                              gnd_error *err)
{
    return gnd_vertex_sum(w->sum, &(gnd_vertex_terms){w->S->part, w->S->n_row, w->C, fn, w},
                          w->pool, err);
}

static void rest_squares(double *sum, int64_t begin, int64_t end, void *arg)
{
    const work *w = arg;

    for (int64_t i = begin; i < end; i++)
        for (int64_t c = 0; c < w->C; c++)
            sum[c] += (double)w->rest[i * w->C + c] * (double)w->rest[i * w->C + c];
}

/* The largest norm of the columns of rest. */
static gnd_status rest_norm(double *most, work *w, gnd_error *err)
{
    const gnd_status st = column_sums(w, rest_squares, err);

    *most = 0;
    for (int64_t c = 0; c < w->C; c++)
        *most = fmax(*most, sqrt(w->sum[c]));
    return st;
}

/* ---- the state between two passes ---- */

typedef struct {
    double tol, norm;
} progress;

/* The sum and the residual of own vertices, and how far the run is. */
enum { SAVED = 3 };
static void saved_list(gnd_saved_array a[SAVED], const work *w, progress *at)
{
    const gnd_row_range own = gnd_part_own(w->S->part, w->S->n_row);
    const int64_t first = own.begin * w->C, n = (own.end - own.begin) * w->C;

    a[0] = (gnd_saved_array){"progress", at, sizeof *at, false};
    a[1] = (gnd_saved_array){"sum", w->F + first, n * (int64_t)sizeof *w->F, true};
    a[2] = (gnd_saved_array){"residual", w->rest + first, n * (int64_t)sizeof *w->rest, true};
}

static const char *stage_of(char buf[64], const work *w)
{
    snprintf(buf, 64, "label spreading, alpha %.17g", w->a);
    return buf;
}

/* *pass: the next one; 0: nothing was saved. */
static gnd_status state_load(int64_t *pass, progress *at, work *w, gnd_error *err)
{
    gnd_saved_array a[SAVED];
    progress got = *at;
    char stage[64];
    gnd_status st;

    saved_list(a, w, &got);
    st = gnd_checkpoint_load(pass, w->saved, stage_of(stage, w), a, SAVED, err);
    if (st != GND_OK || *pass < 0) {
        *pass = 0;
        return st;
    }
    *at = got;
    gnd_part_fill(w->S->part, w->F, w->C * (int64_t)sizeof *w->F);
    gnd_part_fill(w->S->part, w->rest, w->C * (int64_t)sizeof *w->rest);
    return GND_OK;
}

static gnd_status state_save(int64_t pass, progress *at, const work *w, gnd_error *err)
{
    gnd_saved_array a[SAVED];
    char stage[64];

    if (!gnd_checkpoint_due(w->saved))
        return GND_OK;
    saved_list(a, w, at);
    return gnd_checkpoint_save(w->saved, stage_of(stage, w), pass, a, SAVED, err);
}

static gnd_status spread(work *w, gnd_error *err)
{
    const int64_t n = w->S->n_row;
    const gnd_rows_of rest = {.part = w->S->part,
                              .y = w->rest,
                              .bytes = w->C * (int64_t)sizeof *w->rest,
                              .n = n,
                              .grain = GRAIN,
                              .cost = (gnd_csr_nnz(w->S) + n) * w->C};
    progress at = {.tol = sizeof(gnd_real) == sizeof(double) ? gnd_series_precision() : FIRST_TOL};
    gnd_series series = {0};
    int64_t first;
    gnd_status st;

    memcpy(w->rest, w->Y, (size_t)(n * w->C) * sizeof *w->rest);
    GND_TRY(rest_norm(&at.norm, w, err));
    GND_TRY(state_load(&first, &at, w, err));
    for (int64_t pass = first;; pass++) {
        GND_TRY(gnd_series_pagerank(&series, 1 - w->a, true, at.tol, err));
        GND_TRY(gnd_series_apply(w->dF, &(gnd_series_product){w->S, &series, w->rest, w->C},
                                 w->pool, err));
        gnd_series_fini(&series);
        gnd_parallel_for(w->pool, n, GRAIN, n * w->C, add_rows, w);
        if (pass == PASSES_MAX - 1 || at.tol * at.norm <= ERROR_MAX * least_score(w))
            break;
        gnd_rows_product(w->pool, &rest, residual_rows, w);
        GND_TRY(rest_norm(&at.norm, w, err));
        at.tol = fmin(fmax(ERROR_MAX * least_score(w) / at.norm, gnd_series_precision()), TOL_MAX);
        GND_TRY(state_save(pass + 1, &at, w, err));
    }
out:
    gnd_series_fini(&series);
    return st;
}

static void score_sums(double *sum, int64_t begin, int64_t end, void *arg)
{
    const work *w = arg;

    for (int64_t i = begin; i < end; i++)
        for (int64_t c = 0; c < w->C; c++)
            sum[c] += w->F[i * w->C + c];
}

/* out = max(F, 0), since rounding may give values below 0; columns divided by their sums on
 * request. */
static gnd_status masses(gnd_real *out, work *w, bool normalise, gnd_error *err)
{
    const int64_t n = w->S->n_row, C = w->C;
    gnd_status st = GND_OK;

    for (int64_t e = 0; e < n * C; e++)
        w->F[e] = w->F[e] > 0 ? w->F[e] : 0;
    if (normalise)
        GND_TRY(column_sums(w, score_sums, err));
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < C; c++)
            out[i * C + c] = (gnd_real)(normalise && w->sum[c] > 0 ? w->F[i * C + c] / w->sum[c]
                                                                   : w->F[i * C + c]);
out:
    return st;
}

static gnd_status mark_reached(work *w, const gnd_inputs *in, gnd_error *err)
{
    const int64_t n = in->n_node;
    int32_t *component = gnd_alloc(n, sizeof *component);
    unsigned char *has_label = gnd_alloc(n, 1);
    gnd_status st = GND_OK;

    if (!component || !has_label || gnd_components(component, w->S) < 0)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to spread labels over %lld vertices",
                         (long long)n));
    for (int64_t k = 0; k < in->n_labelled; k++)
        has_label[component[in->labelled[k]]] = 1;
    gnd_component_any(has_label, component, w->reached, w->S->part);
    for (int64_t i = 0; i < n; i++)
        w->reached[i] = has_label[component[i]];
out:
    gnd_free(has_label);
    gnd_free(component);
    return st;
}

gnd_status gnd_ls_spread(gnd_real *F, const gnd_inputs *in, int32_t n_class, gnd_ls_opts o,
                         gnd_pool *pool, gnd_error *err)
{
    const int64_t n = in->n_node, C = n_class;
    work w = {.S = &in->op.a, .dF = F, .C = C, .a = o.alpha, .pool = pool, .saved = in->checkpoint};
    gnd_status st = GND_OK;

    w.Y = gnd_alloc(n * C, sizeof *w.Y);
    w.F = gnd_alloc(n * C, sizeof *w.F);
    w.rest = gnd_alloc_raw(n * C, sizeof *w.rest);
    w.reached = gnd_alloc(n, sizeof *w.reached);
    w.sum = gnd_alloc(C, sizeof *w.sum);
    if (!w.Y || !w.F || !w.rest || !w.reached || !w.sum)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to spread labels over %lld vertices",
                         (long long)n));
    for (int64_t k = 0; k < in->n_labelled; k++)
        w.Y[in->labelled[k] * C + in->labelled_cls[k]] = 1;
    GND_TRY(mark_reached(&w, in, err));
    GND_TRY(spread(&w, err));
    GND_TRY(masses(F, &w, o.normalise, err));
out:
    gnd_free(w.sum);
    gnd_free(w.reached);
    gnd_free(w.rest);
    gnd_free(w.F);
    gnd_free(w.Y);
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
    .forward = forward,
    .solve = solve,
};
