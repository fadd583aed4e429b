/* SPDX-License-Identifier: MIT
 * test_rng.c - known answers of Philox and splitmix64, and uniform numbers that are uniform. */
#include "base/rng.h"
#include "check.h"

/* The three known-answer vectors of the Random123 distribution for philox4x32-10. */
static void philox_known_answers(void **state)
{
    static const struct {
        uint32_t counter[4], key[2], want[4];
    } kat[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };

    (void)state;
    for (int64_t k = 0; k < LENGTH(kat); k++) {
        uint32_t out[4];

        gnd_philox(out, kat[k].counter, kat[k].key);
        assert_memory_equal(out, kat[k].want, sizeof out);
    }
}

/* The first outputs of splitmix64 started at 1234567. */
static void splitmix_known_answers(void **state)
{
    static const uint64_t want[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                    UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                    UINT64_C(16408922859458223821)};

    (void)state;
    for (int64_t k = 0; k < LENGTH(want); k++)
        assert_true(gnd_hash_at(1234567, (uint64_t)k) == want[k]);
}

static void names_hash_as_fnv1a(void **state)
{
    (void)state;
    assert_true(gnd_hash_name("") == UINT64_C(0xcbf29ce484222325));
    assert_true(gnd_hash_name("a") == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(gnd_hash_name("foobar") == UINT64_C(0x85944171f73967e8));
}

static void uniform(void **state)
{
    enum { N = 100000, BIN = 20 };
    int64_t bin[BIN] = {0};
    double sum = 0;

    (void)state;
    for (uint64_t i = 0; i < N; i++) {
        const double u = gnd_rng_uniform(42, 3, i);

        assert_true(u >= 0 && u < 1);
        sum += u;
        bin[(int)(u * BIN)]++;
    }
    CHECK_CLOSE(sum / N, 0.5, 5 * sqrt(1.0 / 12 / N));
    for (int b = 0; b < BIN; b++)
        CHECK_CLOSE((double)bin[b], N / BIN, 5 * sqrt(N / BIN));
    /* Every argument counts, the upper halves of seed and index too. */
    assert_true(gnd_rng_uniform(42, 3, 7) == gnd_rng_uniform(42, 3, 7));
    assert_true(gnd_rng_uniform(42, 3, 7) != gnd_rng_uniform(43, 3, 7));
    assert_true(gnd_rng_uniform(42, 3, 7) != gnd_rng_uniform(42 + (UINT64_C(1) << 32), 3, 7));
    assert_true(gnd_rng_uniform(42, 3, 7) != gnd_rng_uniform(42, 4, 7));
    assert_true(gnd_rng_uniform(42, 3, 7) != gnd_rng_uniform(42, 3, 7 + (UINT64_C(1) << 32)));
}

static void one_of_each_part(void **state)
{
    int64_t out[100];
    int64_t odd = 0;

    (void)state;
    for (int64_t n = 100; n <= 1000; n += 300) {
        gnd_rng_strata(out, 100, n, 9);
        for (int64_t i = 0; i < 100; i++) {
            assert_true(out[i] >= i * n / 100 && out[i] < (i + 1) * n / 100);
            odd += n == 400 && out[i] % 2;
        }
    }
    assert_true(odd > 25 && odd < 75); /* not every other one */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_known_answers), cmocka_unit_test(splitmix_known_answers),
        cmocka_unit_test(names_hash_as_fnv1a),  cmocka_unit_test(uniform),
        cmocka_unit_test(one_of_each_part),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
