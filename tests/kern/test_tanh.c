/* SPDX-License-Identifier: MIT
 * test_tanh.c - the vector form of tanh beside the C library's, over all magnitudes. */
#include "check.h"
#include "kern/tanh.h"

/* Units in the last place between a float and the exact value. */
static double apart(float got, double exact)
{
    const float next = nextafterf(fabsf((float)exact), INFINITY);

    return fabs((double)got - exact) / ((double)next - fabs((double)(float)exact));
}

static void close_everywhere(void **state)
{
    double worst = 0;

    (void)state;
    for (float x = 1e-30f; x < 40; x *= 1.00037f) {
        const double up = apart(gnd_tanh_float(x), tanh((double)x));

        assert_true(gnd_tanh_float(-x) == -gnd_tanh_float(x));
        if (up > worst)
            worst = up;
        if (!(up <= 4))
            fail_msg("tanh(%.9g) is %.9g, %g units from %.17g", (double)x,
                     (double)gnd_tanh_float(x), up, tanh((double)x));
    }
    assert_true(worst > 0);
}

static void ends(void **state)
{
    (void)state;
    assert_true(gnd_tanh_float(0) == 0);
    assert_true(gnd_tanh_float(INFINITY) == 1 && gnd_tanh_float(-INFINITY) == -1);
    assert_true(gnd_tanh_float(1e30f) == 1 && gnd_tanh_float(-1e30f) == -1);
    assert_true(isnan(gnd_tanh_float(NAN)));
    assert_true(gnd_tanh_float(9.99f) <= 1);
}

/* A slope of the right sign where the two forms meet, and nowhere a step back of more than
 * rounding. */
static void rises(void **state)
{
    float last = -1;

    (void)state;
    for (int i = -80000; i <= 80000; i++) {
        const float y = gnd_tanh_float((float)i * 1e-4f);

        assert_true(y >= last - 3e-7f && y <= 1 && y >= -1);
        last = y;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(close_everywhere), cmocka_unit_test(ends),
                                       cmocka_unit_test(rises)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
