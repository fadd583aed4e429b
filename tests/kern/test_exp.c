/* SPDX-License-Identifier: MIT
 * test_exp.c - the vector form of exp beside the C library's, over all it may be asked. */
#include "kern/exp.h"

#include "check.h"

/* Units in the last place between a float and the exact value. */
static double apart(float got, double exact)
{
    const float next = nextafterf((float)exact, INFINITY);

    return fabs((double)got - exact) / ((double)next - (double)(float)exact);
}

static void check_at(float x)
{
    const double exact = exp((double)x), up = apart(gnd_exp_float(x), exact);

    if (!(up <= 2))
        fail_msg("exp(%.9g) is %.9g, %g units from %.17g", (double)x, (double)gnd_exp_float(x), up,
                 exact);
}

static void close_everywhere(void **state)
{
    (void)state;
    for (float x = -1e-30f; x > -86.999f; x *= 1.00037f)
        check_at(x);
    for (int i = 0; i < 87 * 512; i++)
        check_at(-(float)i / 512);
    for (int n = 0; n < 125; n++) { /* both sides of where the power of two changes */
        const float x = -((float)n + 0.5f) * 0.693147181f;

        check_at(x);
        check_at(nextafterf(x, 0));
        check_at(nextafterf(x, -INFINITY));
    }
}

static void ends(void **state)
{
    (void)state;
    assert_true(gnd_exp_float(0) == 1);
    assert_true(gnd_exp_float(-0.0f) == 1);
    assert_true(gnd_exp_float(-INFINITY) == 0);
    assert_true(gnd_exp_float(-87) == 0);
    assert_true(gnd_exp_float(-87.5f) == 0 && gnd_exp_float(-1e30f) == 0);
    assert_true(gnd_exp_float(nextafterf(-87, 0)) > 0);
    assert_true(gnd_exp_of(-1) == (gnd_real)gnd_exp_float(-1));
}

/* A larger argument never gives less, but for the last bits. */
static void rises(void **state)
{
    (void)state;
    for (int i = 1; i < 87 * 4096; i++) {
        const float low = gnd_exp_float(-(float)i / 4096),
                    high = gnd_exp_float(-(float)(i - 1) / 4096);

        if (!(low < high))
            fail_msg("exp(-%d/4096) = %.9g, the one before %.9g", i, (double)low, (double)high);
    }
    for (float x = -1e-3f; x > -80; x *= 1.01f)
        assert_true((double)gnd_exp_float(nextafterf(x, -INFINITY)) <=
                    (double)gnd_exp_float(x) * (1 + 3e-7));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(close_everywhere),
        cmocka_unit_test(ends),
        cmocka_unit_test(rises),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
