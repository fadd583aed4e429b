/* SPDX-License-Identifier: MIT
 * optim_cases.h - optimisers and L2 terms against the reference's values, in either precision. */
#ifndef GND_TESTS_OPTIM_CASES_H
#define GND_TESTS_OPTIM_CASES_H

#include "check.h"
#include "reference_file.h"
#include "tape/optim.h"

/* Limits of the reference: 1e-10 in double, 2e-5 in float, of the largest entry or 1. */
#define TOL (sizeof(gnd_real) == 4 ? 2e-5 : 1e-10)

enum { D = 6 };

/* Without the reference's values the test ends here, as skipped. */
static golden *load(void)
{
    golden *g = reference_file("optimisers.txt");

    if (!g)
        skip();
    return g;
}

static const double *field(const golden *g, const char *name, const char *suffix, int64_t rows)
{
    char full[64];
    int64_t r, c;
    const double *v;

    snprintf(full, sizeof full, "%s%s", name, suffix);
    v = golden_real(g, full, &r, &c);
    if (!v || r != rows || c != D)
        fail_msg("%s is not there or not %lld x %d", full, (long long)rows, D);
    return v;
}

static double number(const golden *g, const char *name, const char *suffix)
{
    char full[64];
    double x = NAN;

    snprintf(full, sizeof full, "%s%s", name, suffix);
    assert_true(golden_scalar(g, full, &x));
    return x;
}

/* Six parameters in two matrices, all under decay. */
static void params_six(gnd_params *ps, const double *v)
{
    gnd_error err = {0};

    *ps = (gnd_params){0};
    CHECK_OK(gnd_param_add(ps, "a", 1, 2, GND_INIT_ZERO | GND_DECAY, &err));
    CHECK_OK(gnd_param_add(ps, "b", 2, 2, GND_INIT_ZERO | GND_DECAY, &err));
    CHECK_OK(gnd_params_alloc(ps, &err));
    assert_int_equal(ps->size, D);
    for (int i = 0; i < D; i++)
        ps->v[i] = (gnd_real)v[i];
}

static void steps(const char *name, gnd_opt_kind kind, double decay, double lr_every)
{
    golden *g = load();
    const double *grad = field(g, "gradients", "", 20), *theta = field(g, name, ".theta", 20);
    gnd_error err = {0};
    gnd_params ps;
    gnd_optim o;

    params_six(&ps, field(g, "theta0", "", 1));
    CHECK_OK(gnd_optim_init(&o, kind, number(g, name, ".lr"), D, &err));
    o.lr_every = (int64_t)lr_every;
    for (int t = 0; t < 20; t++) {
        for (int i = 0; i < D; i++)
            ps.g[i] = (gnd_real)grad[t * D + i];
        gnd_optim_step(&o, &ps, gnd_l2_factor(GND_L2_HALF, decay));
        for (int i = 0; i < D; i++)
            CHECK_CLOSE(ps.v[i], theta[t * D + i], TOL);
    }
    assert_int_equal(o.t, 20);
    gnd_optim_fini(&o);
    gnd_params_fini(&ps);
    golden_free(g);
}

static void adam_tf(void **state)
{
    (void)state;
    steps("adam_tf", GND_OPT_ADAM_TF, 0, 0);
}

static void adam_torch(void **state)
{
    (void)state;
    steps("adam_torch", GND_OPT_ADAM_TORCH, 0, 0);
}

static void adam_torch_decay(void **state)
{
    golden *g;
    double decay;

    (void)state;
    g = load();
    decay = number(g, "weight_decay", "");
    golden_free(g);
    steps("adam_torch_wd", GND_OPT_ADAM_TORCH, decay, 0);
}

static void sgd_falls(void **state)
{
    golden *g;
    double every;

    (void)state;
    g = load();
    every = number(g, "gd.lr_every", "");
    golden_free(g);
    steps("gd", GND_OPT_SGD, 0, every);
}

static void adagrad(void **state)
{
    (void)state;
    steps("adagrad", GND_OPT_ADAGRAD, 0, 0);
}

static void l2_terms(void **state)
{
    const struct {
        const char *name;
        gnd_l2 how;
    } kind[] = {{"l2.tf", GND_L2_HALF}, {"l2.keras", GND_L2_FULL}};

    (void)state;
    for (int k = 0; k < 2; k++) {
        golden *g = load();
        const double c = number(g, "l2.c", ""), *grad = field(g, kind[k].name, "_gradient", 1);
        gnd_params ps;

        params_six(&ps, field(g, "theta0", "", 1));
        CHECK_CLOSE(gnd_l2_value(&ps, kind[k].how, c), number(g, kind[k].name, "_value"), TOL);
        for (int i = 0; i < D; i++)
            CHECK_CLOSE(gnd_l2_factor(kind[k].how, c) * (double)ps.v[i], grad[i], TOL);
        gnd_params_fini(&ps);
        golden_free(g);
    }
}

/* A parameter of n values, each 1, with gradient g. */
static void params_ones(gnd_params *ps, const char *name, int64_t n, double g)
{
    gnd_error err = {0};

    *ps = (gnd_params){0};
    CHECK_OK(gnd_param_add(ps, name, 1, n, GND_INIT_ZERO, &err));
    CHECK_OK(gnd_params_alloc(ps, &err));
    for (int64_t i = 0; i < n; i++) {
        ps->v[i] = 1;
        ps->g[i] = (gnd_real)g;
    }
}

/* By hand, so that something is checked where the reference is not there: the first Adam step of a
 * gradient far above epsilon is lr, against its sign; SGD's step size falls after steps 2 and 4. */
static void by_hand(void **state)
{
    gnd_error err = {0};
    gnd_params ps;
    gnd_optim o;

    (void)state;
    params_ones(&ps, "theta", 2, 3);
    ps.g[1] = -5;
    CHECK_OK(gnd_optim_init(&o, GND_OPT_ADAM_TF, 0.25, 2, &err));
    gnd_optim_step(&o, &ps, 0);
    CHECK_CLOSE(ps.v[0], 0.75, 1e-5);
    CHECK_CLOSE(ps.v[1], 1.25, 1e-5);
    gnd_optim_fini(&o);
    gnd_params_fini(&ps);
    params_ones(&ps, "x", 1, -1);
    CHECK_OK(gnd_optim_init(&o, GND_OPT_SGD, 1, 1, &err));
    o.lr_every = 2;
    for (int i = 0; i < 6; i++)
        gnd_optim_step(&o, &ps, 0);
    CHECK_CLOSE(ps.v[0], 1 + 3 + 2 * 0.99 + 0.98, 1e-5);
    gnd_optim_fini(&o);
    gnd_params_fini(&ps);
}

/* The L2 term moves parameters with decay only: SGD by its size of step, times the term's slope. */
static void decay_of_a_parameter(void **state)
{
    gnd_error err = {0};
    gnd_params ps = {0};
    gnd_optim o;

    (void)state;
    CHECK_OK(gnd_param_add(&ps, "W", 1, 1, GND_INIT_ZERO | GND_DECAY, &err));
    CHECK_OK(gnd_param_add(&ps, "b", 1, 1, GND_INIT_ZERO, &err));
    CHECK_OK(gnd_params_alloc(&ps, &err));
    ps.v[0] = ps.v[1] = 2;
    CHECK_OK(gnd_optim_init(&o, GND_OPT_SGD, 0.5, 2, &err));
    gnd_optim_step(&o, &ps, gnd_l2_factor(GND_L2_FULL, 0.25));
    CHECK_CLOSE(ps.v[0], 2 - 0.5 * 2 * 0.25 * 2, 1e-6);
    CHECK_CLOSE(ps.v[1], 2, 0);
    gnd_optim_fini(&o);
    gnd_params_fini(&ps);
}

/* A parameter's factor of the step size changes that parameter only. */
static void rate_of_a_parameter(void **state)
{
    static const gnd_opt_kind kind[] = {GND_OPT_ADAM_TF, GND_OPT_ADAM_TORCH, GND_OPT_SGD,
                                        GND_OPT_ADAGRAD};
    static const double zero[D] = {0};
    gnd_error err = {0};

    (void)state;
    for (size_t k = 0; k < LENGTH(kind); k++) {
        gnd_params ps;
        gnd_optim o;

        params_six(&ps, zero);
        ps.p[1].rate = 0.5;
        for (int i = 0; i < D; i++)
            ps.g[i] = -3;
        CHECK_OK(gnd_optim_init(&o, kind[k], 0.25, D, &err));
        gnd_optim_step(&o, &ps, 0);
        assert_true(ps.v[0] > 0.2);
        for (int i = 0; i < D; i++)
            CHECK_CLOSE(ps.v[i], ps.v[0] * (i < 2 ? 1 : 0.5), 1e-6);
        gnd_optim_fini(&o);
        gnd_params_fini(&ps);
    }
}

#define OPTIM_TESTS                                                                                \
    cmocka_unit_test(adam_tf), cmocka_unit_test(adam_torch), cmocka_unit_test(adam_torch_decay),   \
        cmocka_unit_test(sgd_falls), cmocka_unit_test(adagrad), cmocka_unit_test(l2_terms),        \
        cmocka_unit_test(by_hand), cmocka_unit_test(rate_of_a_parameter),                          \
        cmocka_unit_test(decay_of_a_parameter)

#endif
