/* SPDX-License-Identifier: MIT
 * test_stats.c - Student's t against closed forms and table values; intervals and p by hand. */
#include "check.h"
#include "eval/stats.h"

static const double PI = 3.14159265358979323846;

/* P(|T| >= t) has a closed form for 1, 2, 3 and 4 degrees of freedom. */
static void closed_forms(void **state)
{
    static const double at[] = {1e-6, 0.01, 0.3, 1, 1.7, 2.5, 6, 40, 1000};

    (void)state;
    for (int i = 0; i < LENGTH(at); i++) {
        const double t = at[i], r3 = sqrt(3);
        const double two = t / sqrt(2 + t * t), u = t / sqrt(4 + t * t);

        CHECK_CLOSE(gnd_student_p(t, 1), 2 / PI * atan(1 / t), 1e-14);
        CHECK_CLOSE(gnd_student_p(t, 2), 1 - two, 1e-14);
        CHECK_CLOSE(gnd_student_p(t, 3), 1 - 2 / PI * (atan(t / r3) + t * r3 / (3 + t * t)), 1e-14);
        CHECK_CLOSE(gnd_student_p(t, 4), 1 - u * (1 + 2 / (4 + t * t)), 1e-14);
        CHECK_CLOSE(gnd_student_p(-t, 3), gnd_student_p(t, 3), 0);
    }
    CHECK_CLOSE(gnd_student_p(0, 7), 1, 0);
    CHECK_CLOSE(gnd_student_p(INFINITY, 7), 0, 0);
}

/* To 17 digits by the finite series of Abramowitz and Stegun 26.7.3 and 26.7.4, in 60 digits. */
static void known_quantiles(void **state)
{
    static const struct {
        double p, freedom, t;
    } known[] = {
        {0.5, 1, 1},
        {0.5, 2, 0.81649658092772603},
        {0.5, 4, 0.74069708411268265},
        {0.5, 9, 0.70272214675132638},
        {0.5, 29, 0.68304386082161317},
        {0.5, 99, 0.67697598554615268},
        {0.5, 999, 0.67473541034671902},
        {0.05, 1, 12.706204736174705},
        {0.05, 2, 4.3026527297494637},
        {0.05, 4, 2.7764451051977943},
        {0.05, 9, 2.2621571627982053},
        {0.05, 29, 2.0452296421327043},
        {0.05, 99, 1.9842169515864174},
        {0.05, 999, 1.96234146113345},
        {0.01, 1, 63.656741162871583},
        {0.01, 2, 9.9248432009182928},
        {0.01, 4, 4.604094871349993},
        {0.01, 9, 3.2498355415921263},
        {0.01, 29, 2.7563859036706053},
        {0.01, 99, 2.6264054572808275},
        {0.01, 999, 2.5807596372676369},
        {0.0001, 1, 6366.1976713159356},
        {0.0001, 2, 99.992499843744525},
        {0.0001, 4, 15.544100581545679},
        {0.0001, 9, 6.5936825839447852},
        {0.0001, 29, 4.505511631210962},
        {0.0001, 99, 4.0550413091143254},
        {0.0001, 999, 3.9063595611022115},
    };
    static const struct {
        double t, freedom, p;
    } tail[] = {
        {1, 1, 0.5},
        {2, 4, 0.11611652351681559},
        {5, 29, 2.5366315735423233e-05},
        {12, 29, 9.0607083331371796e-13},
        {8, 99, 2.4003038210568684e-12},
        {2.5, 299, 0.012954908669242026},
        {0.01, 29, 0.99208976480322497},
        {30, 9, 2.4837047041582624e-10},
    };

    (void)state;
    for (int i = 0; i < LENGTH(known); i++)
        CHECK_CLOSE(gnd_student_quantile(known[i].p, known[i].freedom), known[i].t,
                    1e-10 * known[i].t);
    for (int i = 0; i < LENGTH(tail); i++)
        CHECK_CLOSE(gnd_student_p(tail[i].t, tail[i].freedom), tail[i].p, 1e-10 * tail[i].p);
}

/* A p-value in the far tail keeps its digits: it is not 1 minus something. */
static void quantile_inverts_p(void **state)
{
    static const double freedom[] = {1, 2, 5, 29, 99, 999};

    (void)state;
    for (int i = 0; i < LENGTH(freedom); i++)
        for (double p = 0.9; p > 1e-12; p /= 7)
            CHECK_CLOSE(gnd_student_p(gnd_student_quantile(p, freedom[i]), freedom[i]), p,
                        1e-11 * p);
}

static void means(void **state)
{
    gnd_mean m = {0}, same = {0}, zero = {0};

    (void)state;
    assert_true(isnan(gnd_mean_get(&m)) && isnan(gnd_mean_std(&m)));
    gnd_mean_add(&m, 1e9 + 1);
    assert_true(isnan(gnd_mean_margin(&m)) && isnan(gnd_mean_p(&m)));
    gnd_mean_add(&m, 1e9 + 2);
    gnd_mean_add(&m, 1e9 + 6);
    CHECK_CLOSE(gnd_mean_get(&m), 1e9 + 3, 0);
    CHECK_CLOSE(gnd_mean_std(&m), sqrt(14. / 3), 1e-12); /* a sum of squares would have cancelled */
    CHECK_CLOSE(gnd_mean_margin(&m), 4.302652729749464 * sqrt(14. / 2 / 3), 1e-9);
    m = (gnd_mean){0};
    for (int i = 1; i <= 4; i++)
        gnd_mean_add(&m, i);
    CHECK_CLOSE(gnd_mean_p(&m), 0.030466291662170977, 1e-12);
    for (int i = 0; i < 3; i++) {
        gnd_mean_add(&same, 2);
        gnd_mean_add(&zero, 0);
    }
    CHECK_CLOSE(gnd_mean_p(&same), 0, 0);
    CHECK_CLOSE(gnd_mean_p(&zero), 1, 0);
    CHECK_CLOSE(gnd_mean_margin(&same), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(known_quantiles),
        cmocka_unit_test(quantile_inverts_p),
        cmocka_unit_test(means),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
