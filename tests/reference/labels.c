/* SPDX-License-Identifier: MIT
 * labels.c - kinds of methods that remember labels: label spreading, correct and smooth, wvGN. */
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/methods/cs.h"
#include "model/methods/ls.h"
#include "model/methods/wvgn.h"
#include "train/metric.h"

/* A model of the method on the file's graph, with its training labels. */
typedef struct {
    verdict *r;
    gnd_graph *g;
    gnd_config *c;
    gnd_model *m;
    gnd_inputs in;
    int32_t *train;
    int64_t n_train;
} trial;

static bool set(trial *x, const char *setting, const char *hp)
{
    char value[32];
    double v;
    gnd_error err = {0};

    if (!need_scalar(x->r, hp, &v))
        return false;
    snprintf(value, sizeof value, "%.17g", v);
    return ref_ok(x->r, gnd_config_set(x->c, setting, value, &err), &err);
}

/* settings: pairs of a setting and the field that gives its value, up to NULL. */
static bool start(trial *x, verdict *r, const char *method, const char *const *settings)
{
    gnd_error err = {0};

    *x = (trial){.r = r, .g = ref_graph(r)};
    if (!x->g)
        return false;
    x->train = need_list(r, "train", &x->n_train, 0, x->g->n_node - 1);
    if (!x->train || !ref_ok(r, gnd_config_new(&x->c, method, &err), &err))
        return false;
    for (; *settings; settings += 2)
        if (!set(x, settings[0], settings[1]))
            return false;
    return ref_ok(r, gnd_model_new(&x->m, x->g, x->c, 1, &err), &err) &&
           ref_ok(r, gnd_model_keep_labels(x->m, x->g, x->train, x->n_train, &err), &err) &&
           ref_ok(r, gnd_inputs_init(&x->in, x->m, x->g, NULL, &err), &err);
}

static void finish(trial *x)
{
    gnd_inputs_fini(&x->in);
    gnd_model_free(x->m);
    gnd_config_free(x->c);
    free(x->train);
    gnd_graph_free(x->g);
}

static void check_top(trial *x, const char *name, const gnd_real *v)
{
    const int32_t C = x->g->n_class;
    int32_t *top = room(x->g->n_node, sizeof *top);

    for (int64_t i = 0; i < x->g->n_node; i++)
        top[i] = gnd_argmax(v + i * C, C);
    check_list(x->r, name, top, x->g->n_node);
    free(top);
}

/* ---- label spreading ---- */

static int64_t empty_rows(const gnd_real *v, int64_t n, int64_t C)
{
    int64_t count = 0;

    for (int64_t i = 0; i < n; i++) {
        bool empty = true;

        for (int64_t c = 0; c < C; c++)
            empty = empty && v[i * C + c] == 0;
        count += empty;
    }
    return count;
}

void ref_ls(verdict *r)
{
    static const char *const settings[] = {"alpha", "hp.a", NULL};
    trial x;
    double alpha;

    if (start(&x, r, "ls", settings) && need_scalar(r, "hp.a", &alpha)) {
        const int64_t n = x.g->n_node;
        const int32_t C = x.g->n_class;
        gnd_real *F = room(n * C, sizeof *F);
        gnd_error err = {0};

        if (ref_ok(r, gnd_ls_spread(F, &x.in, C, (gnd_ls_opts){.alpha = alpha}, NULL, &err),
                   &err)) {
            check_real(r, "F", F, n, C);
            check_top(&x, "pred", F);
            check_whole(r, "unreached", empty_rows(F, n, C));
        }
        if (ref_ok(r, gnd_ls_spread(F, &x.in, C, (gnd_ls_opts){alpha, true}, NULL, &err), &err)) {
            check_real(r, "F_mass", F, n, C);
            check_top(&x, "pred_mass", F);
        }
        free(F);
    }
    finish(&x);
}

/* ---- wvGN ---- */

/* w of the file (row c: the constant, then the vertices) as the model's parameters. */
static bool take_weights(trial *x, const double *w)
{
    const int64_t n = x->g->n_node, C = x->g->n_class;
    const gnd_params *ps = &x->m->params;
    gnd_real *W = ps->v + ps->p[GND_WVGN_W].at, *b = ps->v + ps->p[GND_WVGN_B].at;

    for (int64_t c = 0; w && c < C; c++) {
        b[c] = (gnd_real)w[c * (n + 1)];
        for (int64_t j = 0; j < n; j++)
            W[j * C + c] = (gnd_real)w[c * (n + 1) + 1 + j];
    }
    return w != NULL;
}

static void check_decision(trial *x)
{
    gnd_tape *t = NULL;
    gnd_error err = {0};

    if (ref_ok(x->r, gnd_tape_new(&t, NULL, &err), &err)) {
        gnd_var d;

        gnd_tape_reset(t, false, 0);
        d = gnd_wvgn_decision(x->m, &x->in, t);
        if (ref_ok(x->r, gnd_tape_check(t, &err), &err))
            check_real(x->r, "decision", gnd_tape_node(t, d)->v, x->g->n_node, x->g->n_class);
    }
    gnd_tape_free(t);
}

/* Objective and gradient [1 + n] of class c at weights w [1 + n]; X: [n_train, n], l: [1 + n]. */
static double primal(double *gradient, const trial *x, int32_t c, const double *w, const double *l,
                     const gnd_real *X, double lam)
{
    const int64_t n = x->g->n_node, T = x->n_train;
    double *y = room(4 * T, sizeof *y), *cost = y + T, *m = cost + T, *slope = m + T, value;

    for (int64_t i = 0; i < T; i++) {
        y[i] = x->g->label[x->train[i]] == c ? 1 : -1;
        m[i] = w[0];
        for (int64_t j = 0; j < n; j++)
            m[i] += w[1 + j] * (double)X[i * n + j];
    }
    gnd_wvgn_costs(cost, y, T);
    value = gnd_wvgn_loss(slope, m, y, cost, T);
    for (int64_t j = 0; j <= n; j++) {
        value += lam * w[j] * w[j] * l[j] * l[j];
        gradient[j] = 2 * lam * w[j] * l[j] * l[j];
        for (int64_t i = 0; i < T; i++)
            gradient[j] += slope[i] * (j ? (double)X[i * n + j - 1] : 1);
    }
    free(y);
    return value;
}

/* What solve finds is a minimum: no slope is left, measured against that of w = 0. */
static void check_minimum(trial *x, const double *l, const gnd_real *X, double lam)
{
    const int64_t n = x->g->n_node, C = x->g->n_class;
    const gnd_params *ps = &x->m->params;
    const gnd_real *W = ps->v + ps->p[GND_WVGN_W].at, *b = ps->v + ps->p[GND_WVGN_B].at;
    double *w = room(2 * (n + 1), sizeof *w), *gradient = w + n + 1;
    const gnd_target train = {x->g->label, x->train, x->n_train}, none = {x->g->label, NULL, 0};
    gnd_error err = {0};

    if (ref_ok(x->r, x->c->method->solve(x->m, &x->in, &train, &none, 1, NULL, &err), &err))
        for (int32_t c = 0; c < C; c++) {
            double start = 0, end = 0;

            memset(w, 0, (size_t)(n + 1) * sizeof *w);
            primal(gradient, x, c, w, l, X, lam);
            for (int64_t j = 0; j <= n; j++)
                start = fmax(start, fabs(gradient[j]));
            w[0] = (double)b[c];
            for (int64_t j = 0; j < n; j++)
                w[1 + j] = (double)W[j * C + c];
            primal(gradient, x, c, w, l, X, lam);
            for (int64_t j = 0; j <= n; j++)
                end = fmax(end, fabs(gradient[j]) / start);
            check_values(x->r, "slope at the minimum", &(double){0}, &end, 1, 1);
        }
    free(w);
}

static void check_classes(trial *x, const double *w, const double *l, const gnd_real *X)
{
    const int64_t n = x->g->n_node;
    const int32_t C = x->g->n_class;
    double lam, *value = room(C + C * (n + 1), sizeof *value), *gradient = value + C;

    if (need_scalar(x->r, "hp.lam", &lam)) {
        for (int32_t c = 0; c < C; c++)
            value[c] = primal(gradient + c * (n + 1), x, c, w + c * (n + 1), l, X, lam);
        check_double(x->r, "objective", value, 1, C);
        check_double(x->r, "gradient", gradient, C, n + 1);
        check_minimum(x, l, X, lam);
    }
    free(value);
}

/* x_train_truncated and terms belong to the authors' early end of the series, which is not ours. */
void ref_wvgn(verdict *r)
{
    static const char *const settings[] = {"time", "hp.t", "lam", "hp.lam", NULL};
    trial x;
    gnd_error err = {0};

    if (start(&x, r, "wvgn", settings)) {
        const int64_t n = x.g->n_node;
        const double *w = need_real(r, "w", x.g->n_class, n + 1);
        const gnd_wvgn *own = x.in.own;
        gnd_real *X = room(x.n_train * n, sizeof *X);
        double *l = room(n + 1, sizeof *l);

        l[0] = 1;
        for (int64_t j = 0; j < n; j++)
            l[1 + j] = 1 / (double)own->root[j];
        check_double(r, "l", l, 1, n + 1);
        if (take_weights(&x, w) &&
            ref_ok(r, gnd_wvgn_rows(X, &x.in, x.train, x.n_train, NULL, &err), &err)) {
            check_real(r, "x_train", X, x.n_train, n);
            check_decision(&x);
            check_classes(&x, w, l, X);
        }
        free(l);
        free(X);
    }
    finish(&x);
}

/* ---- correct and smooth ---- */

static void correct_and_smooth(trial *x, gnd_tape *t, const double *prob)
{
    const gnd_operator *second = x->in.own;
    gnd_cs w = {
        .n = x->g->n_node,
        .C = x->g->n_class,
        .op1 = &x->in.op.a,
        .op2 = &second->a,
        .labelled = x->in.labelled,
        .labelled_cls = x->in.labelled_cls,
        .n_labelled = x->in.n_labelled,
    };
    gnd_real *Z = room(w.n * w.C, sizeof *Z);
    gnd_error err = {0};

    for (int64_t e = 0; e < w.n * w.C; e++)
        Z[e] = (gnd_real)prob[e];
    check_top(x, "pred_base", Z);
    if (need_scalar(x->r, "hp.a1", &w.a1) && need_scalar(x->r, "hp.a2", &w.a2) &&
        need_whole(x->r, "hp.iterations", &w.iterations, 10000)) {
        gnd_tape_reset(t, false, 0);
        gnd_cs_correct(&w, t, Z);
        gnd_cs_smooth(&w, t);
        if (ref_ok(x->r, gnd_tape_check(t, &err), &err)) {
            check_real(x->r, "R", w.R, w.n, w.C);
            check_scalar(x->r, "sigma", w.sigma);
            check_real(x->r, "factor", w.factor, 1, w.n);
            check_real(x->r, "Z_corrected", w.Z, w.n, w.C);
            check_top(x, "pred_corrected", w.Z);
            check_real(x->r, "F", w.F, w.n, w.C);
            check_top(x, "pred", w.F);
        }
    }
    free(Z);
}

void ref_cs(verdict *r)
{
    static const char *const settings[] = {NULL}; /* the operators of the files are the defaults */
    trial x;
    gnd_tape *t = NULL;
    gnd_error err = {0};

    if (start(&x, r, "cs", settings) && ref_ok(r, gnd_tape_new(&t, NULL, &err), &err)) {
        const double *prob = need_real(r, "Z", x.g->n_node, x.g->n_class);

        if (prob)
            correct_and_smooth(&x, t, prob);
    }
    gnd_tape_free(t);
    finish(&x);
}
