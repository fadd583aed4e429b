/* SPDX-License-Identifier: MIT
 * test_points.c - known sets of points, and some of them. */
#include "linalg/points.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "check.h"

/* Known sets: a line fills one direction, the axes of a space all of them. */
static void spread_of_known_sets(void **state)
{
    enum { N = 40, R = 4 };
    gnd_real line[N * R] = {0}, axes[N * R] = {0};
    double value[R] = {4, 3, 2, 1};
    gnd_points z = {0};
    gnd_error err;

    (void)state;
    for (int64_t i = 0; i < N; i++) {
        line[i * R + 2] = i % 3 ? 2 : -2;
        axes[i * R + i % R] = i % 8 < 4 ? 3 : -3;
    }
    CHECK_OK(gnd_points_shape(&z, &(gnd_points){.n = N, .r = R, .z = line, .value = value}, R, 1,
                              NULL, &err));
    CHECK_CLOSE(z.spread, 1, 1e-6);
    for (int64_t i = 0; i < N; i++)
        CHECK_CLOSE(fabs((double)z.z[i * R + 2]), 1, 0);
    gnd_points_fini(&z);
    CHECK_OK(gnd_points_shape(&z, &(gnd_points){.n = N, .r = R, .z = axes, .value = value}, R, 0.5,
                              NULL, &err));
    CHECK_CLOSE(z.spread, R, 1e-5);
    CHECK_CLOSE(z.value[0], 4, 0);
    CHECK_CLOSE(z.value[3], 4 * sqrt(0.25), 1e-12);
    gnd_points_fini(&z);
    /* What lies in the middle stays there. */
    memset(axes, 0, R * sizeof *axes);
    CHECK_OK(gnd_points_shape(&z, &(gnd_points){.n = N, .r = R, .z = axes, .value = value}, 2, 1.5,
                              NULL, &err));
    assert_int_equal(z.r, 2);
    assert_true(z.z[0] == 0 && z.z[1] == 0);
    CHECK_CLOSE(fabs((double)z.z[1 * 2 + 1]), 1, 0);
    assert_true(z.z[2 * 2] == 0 && z.z[2 * 2 + 1] == 0); /* it had only a third coordinate */
    gnd_points_fini(&z);
}

static void some_points_and_their_lead(void **state)
{
    gnd_real z[] = {1, 0, 0, 1, -1, 0, 0, -1};
    double value[] = {6, 3, 1};
    const gnd_points p = {.n = 4, .r = 2, .z = z, .value = value};
    gnd_points some;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_points_subset(&some, &p, (int32_t[]){0, 2, 3}, 3, &err));
    assert_int_equal(some.n, 3);
    assert_memory_equal(some.z, ((gnd_real[]){1, 0, -1, 0, 0, -1}), 6 * sizeof *z);
    assert_true(some.value[1] == 3);
    gnd_points_fini(&some);
    CHECK_CLOSE(gnd_points_leading_share(&(gnd_points){.r = 3, .value = value}, 1, 32), 0.6, 1e-12);
    CHECK_CLOSE(gnd_points_leading_share(&(gnd_points){.r = 3, .value = value}, 1, 2), 2.0 / 3,
                1e-12);
    CHECK_CLOSE(gnd_points_leading_share(&(gnd_points){.r = 3, .value = value}, 5, 32), 1, 1e-12);
}

/* All points other than 0 if there is room, otherwise one of each part of them. */
static void samples(void **state)
{
    enum { N = 1000, MOST = 99 };
    gnd_real z[N];
    int32_t back[N], *list;
    gnd_points p = {.n = N, .r = 1, .z = z};
    int64_t m;
    gnd_error err;

    (void)state;
    for (int64_t i = 0; i < N; i++) {
        z[i] = i % 3 ? 1 : 0;
        back[i] = (int32_t)(N - 1 - i);
    }
    CHECK_OK(gnd_points_sample(&list, &m, &p, N, &err));
    assert_int_equal(m, 666);
    for (int64_t k = 0; k < 666; k++)
        assert_int_equal(list[k], k / 2 * 3 + k % 2 + 1);
    gnd_free(list);
    for (int t = 0; t < 2; t++) { /* the same numbers, stored in another order */
        p.at.number = t ? back : NULL;
        for (int64_t i = 0; i < N; i++)
            z[i] = gnd_number_of(&p.at, i) % 3 ? 1 : 0;
        CHECK_OK(gnd_points_sample(&list, &m, &p, MOST, &err));
        assert_int_equal(m, MOST);
        for (int64_t k = 0; k < MOST; k++) {
            const int64_t low = k * 666 / MOST, high = (k + 1) * 666 / MOST - 1;

            assert_true(list[k] >= low / 2 * 3 + low % 2 + 1);
            assert_true(list[k] <= high / 2 * 3 + high % 2 + 1 && list[k] % 3);
        }
        gnd_free(list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(some_points_and_their_lead),
        cmocka_unit_test(spread_of_known_sets),
        cmocka_unit_test(samples),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
