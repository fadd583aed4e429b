/* SPDX-License-Identifier: MIT
 * test_class_priors.c - statistics of class probabilities: cases with known answers. */
#include "label/class_priors.h"

#include "base/rng.h"

#include "check.h"

static void surest_is_the_first(void **state)
{
    const gnd_real row[] = {0.1f, 0.4f, 0.4f, 0.1f};

    (void)state;
    assert_int_equal(gnd_argmax(row, 4), 1);
    assert_int_equal(gnd_argmax(row, 1), 0);
}

/* A row a letter: the share of its class is the largest. */
static void rows_of(gnd_real *p, const char *classes, int64_t n_class)
{
    for (int64_t i = 0; classes[i]; i++)
        for (int64_t c = 0; c < n_class; c++)
            p[i * n_class + c] = c == classes[i] - 'a' ? 0.5f : 0.5f / (gnd_real)n_class;
}

/* Letters of p and q, those where skip has an x left out. */
static double same_class_and(double *error, const char *p, const char *q, const char *skip,
                             int64_t n_class)
{
    enum { N = 16, C = 4 };
    gnd_real x[N * C], y[N * C];
    unsigned char out[N] = {0};
    double mass[2 * C];
    gnd_kappa got;

    rows_of(x, p, n_class);
    rows_of(y, q, n_class);
    for (int64_t i = 0; skip[i]; i++)
        out[i] = skip[i] == 'x';
    got = gnd_class_kappa(x, y, (int64_t)strlen(p), n_class, out, mass, NULL);
    *error = got.error;
    return got.value;
}

static double same_class(const char *p, const char *q, const char *skip, int64_t n_class)
{
    double error;

    return same_class_and(&error, p, q, skip, n_class);
}

/* Pairs of classes drawn by chance agree beyond chance by their standard error, on average. */
static void same_class_by_chance(void **state)
{
    enum { TRIES = 4000, ROWS = 12 };
    double error, sum = 0, squares = 0, errors = 0;

    (void)state;
    for (int64_t t = 0; t < TRIES; t++) {
        char p[ROWS + 1] = {0}, q[ROWS + 1] = {0};
        double k;

        for (int64_t i = 0; i < ROWS; i++) {
            p[i] = gnd_rng_uniform(1, 1, (uint64_t)(t * ROWS + i)) < 0.5 ? 'a' : 'b';
            q[i] = gnd_rng_uniform(1, 2, (uint64_t)(t * ROWS + i)) < 0.5 ? 'a' : 'b';
        }
        k = same_class_and(&error, p, q, "", 2);
        sum += k / TRIES;
        squares += k * k / TRIES;
        errors += error * error / TRIES;
    }
    CHECK_CLOSE(sum, 0, 0.02);
    CHECK_CLOSE(sqrt(squares), sqrt(errors), 0.1 * sqrt(errors));
}

/* Cohen's kappa of tables with known answers. */
static void same_class_beyond_chance(void **state)
{
    (void)state;
    CHECK_CLOSE(same_class("abcabbca", "abcabbca", "", 3), 1, 1e-12);
    CHECK_CLOSE(same_class("aabb", "abab", "", 2), 0, 1e-12); /* half, and chance gives half */
    CHECK_CLOSE(same_class("abab", "baba", "", 2), -1, 1e-12);
    /* 0.7 agree; shares .6 .2 .2 and .4 .5 .1, so chance gives .36 */
    CHECK_CLOSE(same_class("aaaabbcaac", "aaaabbcbbb", "", 3), (0.7 - 0.36) / 0.64, 1e-12);
    /* rows that are skipped count neither as the same nor for chance */
    CHECK_CLOSE(same_class("abcabc", "abcbca", "...xxx", 3), 1, 1e-12);
    CHECK_CLOSE(same_class("ababaaaa", "babaaaaa", "....xxxx", 2), -1, 1e-12);
    CHECK_CLOSE(same_class("abc", "abc", "xxx", 3), 0, 0);
    CHECK_CLOSE(same_class("", "", "", 3), 0, 0);
    CHECK_CLOSE(same_class("bbbb", "bbbb", "", 3), 0, 0); /* no other was to be expected */
    CHECK_CLOSE(same_class("aaaa", "bbbb", "", 3), 0, 0);
    CHECK_CLOSE(same_class("aaaa", "aaaa", "", 1), 0, 0);
}

/* Means of the columns become the known ones, certain rows stay, rows sum to 1, and a class that
 * nobody has stays without. */
static void shares_are_matched(void **state)
{
    gnd_real p[] = {1, 0, 0, .6f, .4f, 0, .7f, .3f, 0, .9f, .1f, 0};
    gnd_real known[] = {.5f, .5f, .001f};
    double factor[3], mass[3], mean[3] = {0};

    (void)state;
    gnd_match_priors(p, 4, 3, NULL, known, factor, mass, NULL);
    for (int64_t i = 0; i < 4; i++) {
        CHECK_CLOSE((double)p[3 * i] + (double)p[3 * i + 1], 1, 1e-6);
        assert_true(p[3 * i + 2] == 0);
        for (int64_t c = 0; c < 3; c++)
            mean[c] += (double)p[3 * i + c] / 4;
    }
    assert_true(p[0] == 1);
    CHECK_CLOSE(mean[0], 0.5, 1e-3);
    CHECK_CLOSE(mean[1], 0.5, 1e-3);
    CHECK_CLOSE(p[4] / p[3], factor[1] * .4 / (factor[0] * .6), 1e-4);
}

static void ramps(void **state)
{
    (void)state;
    CHECK_CLOSE(gnd_ramp(-1, 2, 4), 0, 0);
    CHECK_CLOSE(gnd_ramp(2, 2, 4), 0, 0);
    CHECK_CLOSE(gnd_ramp(2.5, 2, 4), 0.25, 1e-15);
    CHECK_CLOSE(gnd_ramp(4, 2, 4), 1, 0);
    CHECK_CLOSE(gnd_ramp(9, 2, 4), 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surest_is_the_first),
        cmocka_unit_test(same_class_beyond_chance),
        cmocka_unit_test(same_class_by_chance),
        cmocka_unit_test(shares_are_matched),
        cmocka_unit_test(ramps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
