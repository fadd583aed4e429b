/* SPDX-License-Identifier: MIT
 * test_mt19937.c - numpy's legacy generator: published outputs and shuffles. */
#include "base/mt19937.h"
#include "check.h"

static void known_outputs(void **state)
{
    gnd_mt19937 r;
    uint32_t last = 0;

    (void)state;
    gnd_mt19937_seed(&r, 5489);
    assert_int_equal(gnd_mt19937_next(&r), 3499211612u);
    assert_int_equal(gnd_mt19937_next(&r), 581869302u);
    for (int k = 3; k <= 10000; k++)
        last = gnd_mt19937_next(&r);
    assert_int_equal(last, 4123659995u); /* the 10000th, as the C++ standard states it */
}

static void shuffle(int32_t *perm, int64_t n, uint32_t seed)
{
    gnd_mt19937 r;

    for (int64_t i = 0; i < n; i++)
        perm[i] = (int32_t)i;
    gnd_mt19937_seed(&r, seed);
    gnd_mt19937_shuffle(&r, perm, n);
}

static void known_shuffles(void **state)
{
    static const struct {
        uint32_t seed;
        int32_t want[10];
    } kat[] = {{0, {2, 8, 4, 9, 1, 6, 7, 3, 0, 5}},
               {42, {8, 1, 5, 0, 7, 2, 9, 4, 3, 6}},
               {1, {2, 9, 6, 4, 0, 3, 1, 7, 8, 5}}};
    static const int32_t cora[] = {996, 1140, 1145, 1765, 439, 2575, 291, 299};
    int32_t perm[2708];

    (void)state;
    for (int64_t k = 0; k < LENGTH(kat); k++) {
        shuffle(perm, 10, kat[k].seed);
        assert_memory_equal(perm, kat[k].want, sizeof kat[k].want);
    }
    shuffle(perm, 2708, 1);
    assert_memory_equal(perm, cora, sizeof cora);
    shuffle(perm, 1, 3);
    assert_int_equal(perm[0], 0);
    shuffle(perm, 0, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_outputs),
        cmocka_unit_test(known_shuffles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
