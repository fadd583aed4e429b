/* SPDX-License-Identifier: MIT
 * test_solved.c - choices that methods make outside of their formulas: label spreading's alpha,
 * the calibration of wvGN, where Correct and Smooth trusts its scale. */
#include "random_graph.h"

#include "base/alloc.h"
#include "graph/split.h"
#include "linalg/walk.h"
#include "model/methods/cs.h"
#include "model/methods/ls.h"
#include "model/methods/wvgn.h"
#include "train/train.h"

enum { N = 150, D = 12, C = 3 };

static gnd_config *config(const char *method, const char *const *settings)
{
    gnd_config *c = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_config_new(&c, method, &err));
    for (; settings[0]; settings += 2)
        CHECK_OK(gnd_config_set(c, settings[0], settings[1], &err));
    return c;
}
#define CONFIG(method, ...) config(method, (const char *const[]){__VA_ARGS__, NULL})

static gnd_split *split(const gnd_graph *g, int per_class, int64_t n_val, uint32_t seed)
{
    const gnd_split_opts o = {
        .size = sizeof o, .per_class = per_class, .n_val = n_val, .seed = seed};
    gnd_split *s = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_split_new(&s, g, &o, &err));
    return s;
}

static gnd_model *train(gnd_result *res, const gnd_graph *g, const gnd_split *s, gnd_config *c)
{
    gnd_model *m = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_train(&m, res, g, s, c, NULL, &err));
    gnd_config_free(c);
    return m;
}

/* ---- label spreading ---- */

/* The first of these that is best on validation, each tried by itself. */
static double best_alpha(const gnd_graph *g, const gnd_split *s, const char *mass)
{
    static const char *const alpha[] = {"0.99", "0.95", "0.9", "0.8", "0.5"};
    double best = 0, most = -1;

    for (int64_t i = 0; i < LENGTH(alpha); i++) {
        gnd_result r = {.size = sizeof r};

        gnd_model_free(train(&r, g, s, CONFIG("ls", "alpha", alpha[i], "mass", mass)));
        if (r.acc_val > most) {
            most = r.acc_val;
            best = atof(alpha[i]);
        }
    }
    return best;
}

static void alpha_is_searched_on_validation(void **state)
{
    static const char *const mass[] = {"plain", "classes"};
    gnd_graph *g = random_graph(N, D, C);
    int others = 0;

    (void)state;
    for (uint32_t seed = 1; seed <= 12; seed++)
        for (int k = 0; k < 2; k++) {
            gnd_split *s = split(g, 3, 60, seed);
            const double best = best_alpha(g, s, mass[k]);
            gnd_result r = {.size = sizeof r};
            gnd_model *m = train(&r, g, s, CONFIG("ls", "alpha", "0", "mass", mass[k]));

            CHECK_CLOSE(m->params.v[0], best, 1e-6);
            others += best < 0.99;
            gnd_model_free(m);
            gnd_split_free(s);
        }
    assert_true(others > 3); /* or this test would see nothing */
    gnd_graph_free(g);
}

static void alpha_without_validation(void **state)
{
    gnd_graph *g = random_graph(N, D, C);
    gnd_split *s = split(g, 3, 0, 1);
    gnd_result r = {.size = sizeof r};
    gnd_model *m = train(&r, g, s, CONFIG("ls", "alpha", "0"));

    (void)state;
    CHECK_CLOSE(m->params.v[0], 0.99, 1e-6);
    gnd_model_free(m);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* Along a path masses fall below the rounding of those at its ends, and still tell the classes
 * apart: the vertices of one half are nearer to its label. */
static void far_from_every_label(void **state)
{
    enum { PATH = 60 };
    static int32_t seed[] = {0, PATH - 1}, cls[] = {0, 1};
    static double F[2 * PATH], next[2 * PATH];
    static gnd_real got[2 * PATH];
    const double a = 0.8;
    int32_t from[2 * PATH], to[2 * PATH];
    gnd_inputs in = {.n_node = PATH, .labelled = seed, .labelled_cls = cls, .n_labelled = 2};
    gnd_csr adj = {0};
    gnd_walk *walk;
    gnd_error err = {0};
    int64_t k = 0;
    double least = 1;

    (void)state;
    for (int32_t i = 1; i < PATH; i++) {
        from[k] = i, to[k++] = i - 1;
        from[k] = i - 1, to[k++] = i;
    }
    CHECK_OK(gnd_csr_from_triplets(&adj, &(gnd_triplets){PATH, PATH, k, from, to, NULL},
                                   GND_DUP_MAX, NULL, &err));
    CHECK_OK(gnd_operator_init(&in.op, GND_OP_S0, &adj, &err));
    CHECK_OK(gnd_walk_new(&walk, &adj, NULL, NULL, &err));
    in.own = walk;
    for (int step = 0; step < 2000; step++) {
        for (int i = 0; i < PATH; i++)
            for (int c = 0; c < 2; c++) {
                next[2 * i + c] = i == seed[c] ? 1 - a : 0;
                for (int64_t p = in.op.a.ptr[i]; p < in.op.a.ptr[i + 1]; p++)
                    next[2 * i + c] +=
                        a * (double)gnd_csr_val(&in.op.a, p) * F[2 * in.op.a.col[p] + c];
            }
        memcpy(F, next, sizeof F);
    }
    CHECK_OK(gnd_ls_spread(got, &in, 2, (gnd_ls_opts){.alpha = a}, NULL, &err));
    for (int i = 0; i < PATH; i++) {
        const int near = i >= PATH / 2;

        CHECK_CLOSE(got[2 * i + near], F[2 * i + near], 1e-3 * F[2 * i + near]);
        assert_true(got[2 * i + near] > got[2 * i + 1 - near]);
        least = fmin(least, F[2 * i + near]);
    }
    assert_true(least < 6e-8);
    gnd_walk_free(walk);
    gnd_operator_fini(&in.op);
    gnd_csr_fini(&adj);
}

/* ---- wvGN ---- */

static const gnd_real *param(const gnd_model *m, int i)
{
    return m->params.v + m->params.p[i].at;
}

/* The line of class c is where the cross-entropy of Platt's smoothed targets has no slope. */
static void check_platt(const gnd_model *m, const gnd_graph *g, const gnd_split *s, int c,
                        const gnd_node *decision)
{
    const double slope = (double)param(m, GND_WVGN_SLOPE)[c],
                 offset = (double)param(m, GND_WVGN_OFFSET)[c];
    double pos = 0, by_slope = 0, by_offset = 0;

    for (int64_t i = 0; i < s->n_train; i++)
        pos += g->label[s->train[i]] == c;
    for (int64_t i = 0; i < s->n_train; i++) {
        const double d = (double)decision->v[s->train[i] * C + c];
        const double target =
            g->label[s->train[i]] == c ? (pos + 1) / (pos + 2) : 1 / ((double)s->n_train - pos + 2);
        const double p = 1 / (1 + exp(-slope * d - offset));

        by_offset += p - target;
        by_slope += (p - target) * d;
    }
    CHECK_CLOSE(by_offset, 0, 1e-3);
    CHECK_CLOSE(by_slope, 0, 1e-3);
}

static void calibration(void **state)
{
    static const struct {
        int per_class;
        const char *how;
        bool platt;
    } cases[] = {{4, "platt", true}, {2, "platt", true}, {1, "platt", false}, {4, "none", false}};
    gnd_graph *g = random_graph(N, D, C);

    (void)state;
    for (int64_t k = 0; k < LENGTH(cases); k++) {
        gnd_split *s = split(g, cases[k].per_class, 0, 3);
        gnd_result r = {.size = sizeof r};
        gnd_model *m = train(&r, g, s, CONFIG("wvgn", "calibration", cases[k].how));
        gnd_inputs in = {0};
        gnd_tape *t = NULL;
        gnd_error err = {0};
        gnd_var d;

        CHECK_OK(gnd_inputs_init(&in, m, g, NULL, &err));
        CHECK_OK(gnd_tape_new(&t, NULL, &err));
        gnd_tape_reset(t, false, 0);
        d = gnd_wvgn_decision(m, &in, t);
        CHECK_OK(gnd_tape_check(t, &err));
        for (int c = 0; c < C; c++)
            if (cases[k].platt) {
                check_platt(m, g, s, c, gnd_tape_node(t, d));
            } else { /* decision values as they are */
                CHECK_CLOSE(param(m, GND_WVGN_SLOPE)[c], 1, 0);
                CHECK_CLOSE(param(m, GND_WVGN_OFFSET)[c], 0, 0);
            }
        gnd_tape_free(t);
        gnd_inputs_fini(&in);
        gnd_model_free(m);
        gnd_split_free(s);
    }
    gnd_graph_free(g);
}

/* ---- Correct and Smooth ---- */

/* A path of errors that fade to a tenth each hop, and a vertex nothing reaches: beyond a factor of
 * 1000, and where there is no error at all, the factor is 1. */
static void autoscale(void **state)
{
    enum { PATH = 10, ALL = PATH + 1 };
    static const int32_t seed[] = {0}, cls[] = {1};
    int32_t from[2 * PATH], to[2 * PATH];
    gnd_real prob[ALL * 2];
    gnd_csr a = {0};
    gnd_operator op = {0};
    gnd_tape *t = NULL;
    gnd_error err = {0};
    gnd_cs w = {.n = ALL, .C = 2, .iterations = 50, .a1 = 0.1, .a2 = 0.5, .n_labelled = 1};
    int64_t k = 0, scaled = 0, cut = 0;

    (void)state;
    for (int32_t i = 1; i < PATH; i++) {
        from[k] = i, to[k++] = i - 1;
        from[k] = i - 1, to[k++] = i;
    }
    for (int i = 0; i < 2 * ALL; i++)
        prob[i] = (gnd_real)0.5;
    CHECK_OK(gnd_csr_from_triplets(&a, &(gnd_triplets){ALL, ALL, k, from, to, NULL}, GND_DUP_MAX,
                                   NULL, &err));
    CHECK_OK(gnd_operator_init(&op, GND_OP_ADINV, &a, &err));
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    gnd_tape_reset(t, false, 0);
    w.op1 = w.op2 = &op.a;
    w.labelled = seed;
    w.labelled_cls = cls;
    gnd_cs_correct(&w, t, prob);
    CHECK_OK(gnd_tape_check(t, &err));
    CHECK_CLOSE(w.sigma, 1, 1e-6); /* .5 in either class */
    for (int i = 0; i < ALL; i++) {
        const double size = fabs((double)w.R[2 * i]) + fabs((double)w.R[2 * i + 1]);
        const bool fits = size * 1000 >= 1;

        CHECK_CLOSE(w.factor[i], fits ? 1 / size : 1, fits ? 1e-5 / size : 0);
        scaled += fits;
        cut += !fits && size > 0;
    }
    assert_true(scaled > 1 && cut > 1 && w.R[2 * PATH] == 0);
    gnd_tape_free(t);
    gnd_operator_fini(&op);
    gnd_csr_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alpha_is_searched_on_validation),
        cmocka_unit_test(alpha_without_validation),
        cmocka_unit_test(far_from_every_label),
        cmocka_unit_test(calibration),
        cmocka_unit_test(autoscale),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
