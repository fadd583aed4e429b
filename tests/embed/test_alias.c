/* SPDX-License-Identifier: MIT
 * test_alias.c - the shares that the tables give are the weights. */
#include "embed/alias.h"

#include "base/rng.h"
#include "check.h"

enum { MAX = 100 };

/* Share of each outcome: what it keeps of its own cell, and what others leave to it. */
static void check_shares(const double *weight, int n)
{
    double copy[MAX], share[MAX] = {0}, sum = 0;
    uint32_t keep[MAX];
    int32_t other[MAX], stack[MAX];

    for (int i = 0; i < n; i++) {
        copy[i] = weight[i];
        sum += weight[i];
    }
    gnd_alias_build(keep, other, copy, stack, n);
    for (int i = 0; i < n; i++) {
        assert_true(other[i] >= 0 && other[i] < n);
        share[i] += keep[i] / 4294967296.0 / n;
        share[other[i]] += (1 - keep[i] / 4294967296.0) / n;
    }
    for (int i = 0; i < n; i++) {
        CHECK_CLOSE(share[i], weight[i] / sum, 1e-9);
        if (weight[i] == 0)
            CHECK_CLOSE(share[i], 0, 0);
    }
}

static void shares(void **state)
{
    double w[MAX];

    (void)state;
    for (uint32_t k = 0; k < 200; k++) {
        const int n = 1 + (int)k % MAX;

        for (int i = 0; i < n; i++) {
            w[i] = gnd_rng_uniform(1, k, (uint64_t)i);
            if (k % 3 == 1)
                w[i] = exp(-40 * w[i]); /* a few outcomes have nearly all */
            if (k % 3 == 2 && i > 0 && w[i] < 0.5)
                w[i] = 0;
        }
        check_shares(w, n);
    }
}

static void draws(void **state)
{
    const uint32_t keep[2] = {0x80000000u, 0xffffffffu};
    const int32_t other[2] = {1, 1};

    (void)state;
    assert_int_equal(gnd_alias_draw(keep, other, 2, 0), 0);
    assert_int_equal(gnd_alias_draw(keep, other, 2, 0x3fffffffu), 0);
    assert_int_equal(gnd_alias_draw(keep, other, 2, 0x40000000u), 1);
    assert_int_equal(gnd_alias_draw(keep, other, 2, 0xffffffffu), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares), cmocka_unit_test(draws)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
