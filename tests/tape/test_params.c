/* SPDX-License-Identifier: MIT
 * test_params.c - parameters: shapes, first values, decay. */
#include "check.h"
#include "tape/params.h"

static void make(gnd_params *ps)
{
    gnd_error err = {0};

    *ps = (gnd_params){0};
    CHECK_OK(gnd_param_add(ps, "W", 40, 20, GND_INIT_GLOROT | GND_DECAY, &err));
    CHECK_OK(gnd_param_add(ps, "b", 1, 20, GND_INIT_ZERO, &err));
    CHECK_OK(gnd_param_add(ps, "V", 25, 8, GND_INIT_LINEAR, &err));
    CHECK_OK(gnd_params_alloc(ps, &err));
}

static void bounds(const gnd_params *ps, int i, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t k = 0; k < ps->p[i].rows * ps->p[i].cols; k++) {
        *low = fmin(*low, (double)ps->v[ps->p[i].at + k]);
        *high = fmax(*high, (double)ps->v[ps->p[i].at + k]);
    }
}

static void draws(void **state)
{
    const double glorot = sqrt(6.0 / 60), linear = 1.0 / 5;
    gnd_params ps, same, other;
    double low, high;
    int64_t differ = 0;

    (void)state;
    make(&ps);
    make(&same);
    make(&other);
    gnd_params_draw(&ps, 1);
    gnd_params_draw(&same, 1);
    gnd_params_draw(&other, 2);
    bounds(&ps, 0, &low, &high);
    assert_true(low >= -glorot && low < -0.95 * glorot && high <= glorot && high > 0.95 * glorot);
    bounds(&ps, 1, &low, &high);
    assert_true(low == 0 && high == 0);
    bounds(&ps, 2, &low, &high);
    assert_true(low >= -linear && low < -0.9 * linear && high <= linear && high > 0.9 * linear);
    assert_memory_equal(ps.v, same.v, (size_t)ps.size * sizeof *ps.v);
    for (int64_t k = 0; k < ps.size; k++)
        differ += ps.v[k] != other.v[k];
    assert_int_equal(differ, 40 * 20 + 25 * 8);
    gnd_params_fini(&ps);
    gnd_params_fini(&same);
    gnd_params_fini(&other);
}

/* Mean, variance and the share beyond two deviations of 20,000 numbers. */
static void normal_law(void **state)
{
    gnd_params ps = {0};
    gnd_error err = {0};
    double mean = 0, var = 0, far = 0;

    (void)state;
    CHECK_OK(gnd_param_add(&ps, "w", 200, 100, GND_INIT_NORMAL | GND_DECAY, &err));
    ps.p[0].std = 0.01;
    CHECK_OK(gnd_params_alloc(&ps, &err));
    gnd_params_draw(&ps, 1);
    for (int64_t k = 0; k < ps.size; k++) {
        mean += (double)ps.v[k] / (double)ps.size;
        var += (double)ps.v[k] * (double)ps.v[k] / (double)ps.size;
        far += (fabs((double)ps.v[k]) > 0.02) / (double)ps.size;
    }
    CHECK_CLOSE(mean, 0, 0.0003); /* four deviations of each */
    CHECK_CLOSE(sqrt(var), 0.01, 0.0002);
    CHECK_CLOSE(far, 0.0455, 0.006);
    gnd_params_fini(&ps);
}

/* A parameter's values hang on its name, not on what else the model has. */
static void streams_are_named(void **state)
{
    gnd_params ps, alone = {0};
    gnd_error err = {0};

    (void)state;
    make(&ps);
    CHECK_OK(gnd_param_add(&alone, "V", 25, 8, GND_INIT_LINEAR, &err));
    CHECK_OK(gnd_params_alloc(&alone, &err));
    gnd_params_draw(&ps, 9);
    gnd_params_draw(&alone, 9);
    assert_memory_equal(ps.v + ps.p[2].at, alone.v, 200 * sizeof *alone.v);
    assert_memory_not_equal(ps.v, alone.v, 200 * sizeof *alone.v);
    gnd_params_fini(&ps);
    gnd_params_fini(&alone);
}

static void decay_is_chosen(void **state)
{
    gnd_params ps;
    double sum = 0;

    (void)state;
    make(&ps);
    gnd_params_draw(&ps, 3);
    for (int64_t k = 0; k < 800; k++)
        sum += (double)ps.v[k] * (double)ps.v[k];
    CHECK_CLOSE(gnd_l2_value(&ps, GND_L2_HALF, 0.5), sum / 4, 1e-9);
    CHECK_CLOSE(gnd_l2_value(&ps, GND_L2_FULL, 0.5), sum / 2, 1e-9);
    gnd_params_fini(&ps);
}

static void mistakes(void **state)
{
    gnd_error err = {0};
    gnd_params ps;

    (void)state;
    make(&ps);
    CHECK_FAILS(gnd_param_add(&ps, "U", 1, 1, GND_INIT_ZERO | GND_DECAY, &err), GND_ERR_ARG,
                "after gnd_params_alloc");
    assert_int_equal(gnd_params_find(&ps, "V"), 2);
    assert_int_equal(gnd_params_find(&ps, "v"), -1);
    gnd_params_fini(&ps);
    assert_int_equal(ps.n, 0);
    CHECK_OK(gnd_param_add(&ps, "U", 2, 3, GND_INIT_ZERO | GND_DECAY, &err));
    CHECK_FAILS(gnd_param_add(&ps, "U", 2, 3, GND_INIT_ZERO | GND_DECAY, &err), GND_ERR_ARG, "U");
    CHECK_FAILS(gnd_param_add(&ps, "T", 0, 3, GND_INIT_ZERO | GND_DECAY, &err), GND_ERR_SHAPE,
                "[0,3]");
    CHECK_FAILS(gnd_param_add(&ps, "T", INT64_MAX, 3, GND_INIT_ZERO | GND_DECAY, &err),
                GND_ERR_SHAPE, "T");
    assert_int_equal(ps.n, 1);
    assert_int_equal(ps.size, 6);
    gnd_params_fini(&ps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws),
        cmocka_unit_test(normal_law),
        cmocka_unit_test(streams_are_named),
        cmocka_unit_test(decay_is_chosen),
        cmocka_unit_test(mistakes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
