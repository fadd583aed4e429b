/* SPDX-License-Identifier: MIT
 * plan_cases.h - every plan of every method that has several, against the plan that computes all
 * rows: logits of a training pass with dropout, of a validation pass, and every gradient. The
 * includer says how close in PLAN_NEAR, relative to the largest value. */
#ifndef GND_TESTS_PLAN_CASES_H
#define GND_TESTS_PLAN_CASES_H

#include "random_graph.h"

#include "base/alloc.h"
#include "model/model.h"

enum { N = 300, D = 40, C = 4 };

/* Rows of one half of the vertices, so that a graph in two halves leaves the other one unreached.
 */
static const int32_t plan_train[] = {3, 8, 20, 41, 149, 77},
                     plan_val[] = {1, 140, 2, 9, 50, 99, 12};

typedef struct {
    const char *method, *name, *value; /* a setting, or NULL */
} plan_case;

static const plan_case plan_case_list[] = {
    {"gnd-slp", "first_hop", "1"},
    {"gnd-slp", "first_hop", "0"},
    {"gnd-slp", "operator", "S_symmetrised"},
    {"gnd-slp", "alpha", "simplex"},
    {"gnd-slp", "alpha", "heat"},
    {"gnd-slp", "hops", "1"},
    {"gnd-slp", "dropout_at", "R"},
    {"gnd-mlp", "first_hop", "1"},
    {"gnd-mlp", "first_hop", "0"},
    {"gnd-ds", "operator", "W"},
    {"gnd-ds", "operator", "S_symmetrised"},
    {"gprgnn", "operator", "plain"},
    {"gprgnn", "operator", "symmetrised"},
};

/* What the passes of a model gave. */
typedef struct {
    double *v;
    int64_t n;
    gnd_plan_kind kind[GND_ROW_SETS];
} plan_figures;

static void figures_add(plan_figures *f, const gnd_real *v, int64_t n)
{
    f->v = gnd_realloc(f->v, f->n + n, sizeof *f->v);
    for (int64_t i = 0; i < n; i++)
        f->v[f->n + i] = (double)v[i];
    f->n += n;
}

static void plan_pass(plan_figures *f, gnd_model *m, const gnd_inputs *in, const gnd_graph *g)
{
    const gnd_target y = {g->label, plan_train, LENGTH(plan_train)};
    const gnd_node *logits;
    gnd_error err = {0};
    gnd_tape *t;

    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    t->seed = 7;
    for (int epoch = 0; epoch < 2; epoch++) { /* the second finds buffers that were used */
        gnd_tape_reset(t, true, epoch);
        gnd_tape_request(t, plan_train, LENGTH(plan_train));
        memset(m->params.g, 0, (size_t)m->params.size * sizeof *m->params.g);
        gnd_tape_backward(t, gnd_objective(m, in, t, &y, NULL));
        CHECK_OK(gnd_tape_check(t, &err));
        figures_add(f, m->params.g, m->params.size);
    }
    gnd_tape_reset(t, false, 0);
    gnd_tape_request(t, plan_val, LENGTH(plan_val));
    logits = gnd_tape_node(t, m->config.method->forward(m, in, t));
    CHECK_OK(gnd_tape_check(t, &err));
    if (logits->row) {
        assert_int_equal(logits->rows, LENGTH(plan_val));
        figures_add(f, logits->v, logits->rows * logits->cols);
    } else
        for (int64_t i = 0; i < LENGTH(plan_val); i++)
            figures_add(f, logits->v + plan_val[i] * logits->cols, logits->cols);
    gnd_tape_free(t);
}

static plan_figures plan_run(const plan_case *c, const gnd_graph *g, gnd_plan_kind wish)
{
    plan_figures f = {0};
    gnd_config *config = NULL;
    gnd_model *m = NULL;
    gnd_inputs in;
    gnd_error err = {0};

    CHECK_OK(gnd_config_new(&config, c->method, &err));
    CHECK_OK(gnd_config_set(config, c->name, c->value, &err));
    CHECK_OK(gnd_model_new(&m, g, config, 1, &err));
    CHECK_OK(gnd_inputs_prepare(&in, m, g, &(gnd_inputs_opts){.memory = INT64_MAX}, &err));
    in.plan_wish = wish;
    CHECK_OK(gnd_inputs_add_rows(&in, m, GND_TRAIN_ROWS,
                                 (gnd_row_list){plan_train, LENGTH(plan_train)}, NULL, &err));
    CHECK_OK(gnd_inputs_add_rows(&in, m, GND_VAL_ROWS, (gnd_row_list){plan_val, LENGTH(plan_val)},
                                 NULL, &err));
    plan_pass(&f, m, &in, g);
    for (int k = 0; k < GND_ROW_SETS; k++)
        f.kind[k] = in.rows[k].plan.kind;
    gnd_inputs_fini(&in);
    gnd_model_free(m);
    gnd_config_free(config);
    return f;
}

/* A directed graph; halves: no link leads from one half of the vertices to the other. */
static gnd_graph *plan_graph(bool halves)
{
    gnd_graph *g = random_graph(N, D, C);
    int64_t q = 0, begin = 0;

    for (int64_t i = 0; halves && i < N; i++) {
        const int64_t end = g->adj.ptr[i + 1];

        for (int64_t p = begin; p < end; p++)
            if (g->adj.col[p] / (N / 2) == i / (N / 2)) {
                g->adj.col[q] = g->adj.col[p];
                g->adj.val[q++] = g->adj.val[p];
            }
        begin = end;
        g->adj.ptr[i + 1] = q;
    }
    return g;
}

static void figures_compare(const plan_case *c, const plan_figures *a, const plan_figures *b)
{
    double top = 0;

    assert_int_equal(a->n, b->n);
    for (int64_t i = 0; i < a->n; i++)
        top = fmax(top, fabs(a->v[i]));
    assert_true(top > 0);
    for (int64_t i = 0; i < a->n; i++)
        if (!(fabs(a->v[i] - b->v[i]) <= PLAN_NEAR * top))
            fail_msg("%s %s=%s, plans %s and %s: figure %lld is %g, not %g", c->method, c->name,
                     c->value, gnd_plan_name(b->kind[0]), gnd_plan_name(b->kind[1]), (long long)i,
                     b->v[i], a->v[i]);
}

static void plans_agree(void **state)
{
    int used[GND_ROW_SETS][GND_PLANS] = {{0}};

    (void)state;
    for (int halves = 0; halves < 2; halves++) {
        gnd_graph *g = plan_graph(halves);

        for (int64_t i = 0; i < LENGTH(plan_case_list); i++) {
            const plan_figures whole = plan_run(&plan_case_list[i], g, GND_PLAN_WHOLE);

            for (int k = GND_PLAN_POWERS; k < GND_PLANS; k++) {
                plan_figures f = plan_run(&plan_case_list[i], g, (gnd_plan_kind)k);

                for (int set = 0; set < GND_ROW_SETS; set++)
                    used[set][f.kind[set]]++;
                figures_compare(&plan_case_list[i], &whole, &f);
                gnd_free(f.v);
            }
            gnd_free(whole.v);
        }
        gnd_graph_free(g);
    }
    for (int set = 0; set < GND_ROW_SETS; set++)
        for (int k = GND_PLAN_POWERS; k < GND_PLANS; k++)
            if (!used[set][k])
                fail_msg("no case uses the plan %s", gnd_plan_name((gnd_plan_kind)k));
}

#endif
