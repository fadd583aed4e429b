/* SPDX-License-Identifier: MIT
 * test_calibrate.c - probabilities raised to the power that makes them as sure as wanted. */
#include "label/calibrate.h"

#include "base/alloc.h"
#include "linalg/blobs.h"

static double calibrate_to(gnd_real *p, int64_t n, int64_t n_class, const unsigned char *skip,
                           double target, gnd_pool *pool)
{
    double power;
    gnd_error err;

    CHECK_OK(gnd_calibrate_to(&power, p, target,
                              &(gnd_calibrate_rows){.n = n, .n_class = n_class, .skip = skip}, pool,
                              &err));
    return power;
}

enum { N = 400, C = 5 };

/* Random probabilities, the largest some twenty times the smallest. */
static void fill(gnd_real *p, int64_t n, int64_t n_class)
{
    for (int64_t i = 0; i < n; i++) {
        gnd_real *row = p + i * n_class, sum = 0;

        for (int64_t c = 0; c < n_class; c++) {
            row[c] = (gnd_real)exp(3 * gnd_rng_uniform(6, 1, (uint64_t)(i * n_class + c)));
            sum += row[c];
        }
        for (int64_t c = 0; c < n_class; c++)
            row[c] /= sum;
    }
}

static gnd_real largest(const gnd_real *row, int64_t n_class)
{
    gnd_real top = 0;

    for (int64_t c = 0; c < n_class; c++)
        top = row[c] > top ? row[c] : top;
    return top;
}

/* Mean of the largest entry of the rows that are not skipped. */
static double confidence(const gnd_real *p, int64_t n, const unsigned char *skip)
{
    double sum = 0, count = 0;

    for (int64_t i = 0; i < n; i++)
        if (!skip || !skip[i]) {
            sum += (double)largest(p + i * C, C);
            count++;
        }
    return sum / count;
}

/* The mean of the largest share is what was asked for; rows sum to 1; ranks within a row stay. */
static void reaches_the_target(void **state)
{
    static const double target[] = {0.25, 0.4, 0.6, 0.8, 0.95};
    gnd_real before[N * C], p[N * C];
    double last = 0;

    (void)state;
    fill(before, N, C);
    for (int64_t t = 0; t < LENGTH(target); t++) {
        double b;

        memcpy(p, before, sizeof p);
        b = calibrate_to(p, N, C, NULL, target[t], NULL);
        CHECK_CLOSE(confidence(p, N, NULL), target[t], 1e-5);
        check_shares(p, N, C, 1e-5);
        assert_true(b > last);
        last = b;
        for (int64_t i = 0; i < N; i++)
            for (int64_t c = 0; c < C; c++) {
                const double from = (double)before[i * C + c] / (double)largest(before + i * C, C);

                CHECK_CLOSE(p[i * C + c] / largest(p + i * C, C), pow(from, b), 1e-5);
                for (int64_t d = 0; d < C; d++)
                    if (before[i * C + c] > before[i * C + d])
                        assert_true(p[i * C + c] >= p[i * C + d]);
            }
    }
}

/* Rows to skip do not count, but are raised like the others; certain ones stay so. */
static void skips(void **state)
{
    gnd_real p[N * C], alone[N * C / 2];
    unsigned char skip[N] = {0};
    double b, b_alone;

    (void)state;
    fill(p, N, C);
    memcpy(alone, p, sizeof alone);
    for (int64_t i = N / 2; i < N; i++) {
        skip[i] = 1;
        for (int64_t c = 0; c < C; c++)
            p[i * C + c] = c == i % C;
    }
    b_alone = calibrate_to(alone, N / 2, C, NULL, 0.7, NULL);
    b = calibrate_to(p, N, C, skip, 0.7, NULL);
    assert_true(b == b_alone);
    assert_memory_equal(p, alone, sizeof alone);
    for (int64_t e = N / 2 * C; e < N * C; e++)
        assert_true(p[e] == (e / C % C == e % C));
    CHECK_CLOSE(confidence(p, N, skip), 0.7, 1e-5);
}

/* Of many rows a sample is looked at; which rows are skipped must not decide who is in it. */
static void skips_every_other(void **state)
{
    enum { MANY = 4 * 4096 };
    gnd_real *p = gnd_alloc(MANY * C, sizeof *p);
    unsigned char *skip = gnd_alloc(MANY, 1);

    (void)state;
    assert_non_null(p);
    assert_non_null(skip);
    fill(p, MANY, C);
    for (int64_t i = 0; i < MANY; i += 2)
        skip[i] = 1;
    calibrate_to(p, MANY, C, skip, 0.7, NULL);
    CHECK_CLOSE(confidence(p, MANY, skip), 0.7, 0.02);
    memset(skip, 1, MANY); /* nobody counts: nothing is done */
    assert_true(calibrate_to(p, MANY, C, skip, 0.4, NULL) == 1);
    memset(skip, 0, MANY);
    for (int64_t i = 0; i < MANY; i += 2)
        skip[i] = 1;
    CHECK_CLOSE(confidence(p, MANY, skip), 0.7, 0.02);
    gnd_free(skip);
    gnd_free(p);
}

/* Targets out of reach end at the largest exponents, with finite probabilities. */
static void out_of_reach(void **state)
{
    gnd_real p[N * C];

    (void)state;
    fill(p, N, C);
    CHECK_CLOSE(calibrate_to(p, N, C, NULL, 0.01, NULL), 1.0 / 32, 1e-6);
    check_shares(p, N, C, 1e-5);
    fill(p, N, C);
    CHECK_CLOSE(calibrate_to(p, N, C, NULL, 1.5, NULL), 32, 1e-4);
    check_shares(p, N, C, 1e-5);
}

/* Some rows certain, others even: confidence rises steeply and then hardly at all, up to a plateau
 * that no power leaves. As near to it as 1e-8, and at any other height, the target is met. */
static void plateaus(void **state)
{
    enum { ROWS = 40 };
    gnd_real even[ROWS * C], p[ROWS * C];
    double high;

    (void)state;
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t c = 0; c < C; c++) {
            const gnd_real sure[C] = {0.9f, 0.04f, 0.03f, 0.02f, 0.01f};
            const gnd_real close[C] = {0.205f, 0.2f, 0.2f, 0.2f, 0.195f};

            even[i * C + c] = i % 4 == 0   ? c == 0
                              : i % 4 == 1 ? sure[c]
                              : i % 4 == 2 ? close[c]
                                           : 0.2f;
        }
    memcpy(p, even, sizeof p);
    calibrate_to(p, ROWS, C, NULL, 1, NULL);
    high = confidence(p, ROWS, NULL);
    for (int k = 0; k < 60; k++) {
        const double target = k < 30 ? 0.46 + (high - 0.46) * k / 30 : high - pow(0.5, k - 26);
        double b;

        memcpy(p, even, sizeof p);
        b = calibrate_to(p, ROWS, C, NULL, target, NULL);
        assert_true(b >= 1.0 / 32 && b <= 32);
        CHECK_CLOSE(confidence(p, ROWS, NULL), target, 1e-6);
    }
    for (int64_t e = 0; e < ROWS * C; e++) /* nothing to raise: it stays even */
        p[e] = 0.2f;
    calibrate_to(p, ROWS, C, NULL, 0.5, NULL);
    for (int64_t e = 0; e < ROWS * C; e++)
        CHECK_CLOSE(p[e], 0.2, 1e-7);
    memcpy(p, even, sizeof p);
    CHECK_CLOSE(calibrate_to(p, ROWS, C, NULL, NAN, NULL), 1.0 / 32, 1e-6);
    check_shares(p, ROWS, C, 1e-5);
}

/* Among many classes even the largest share is small, and its power must not vanish. */
static void many_classes(void **state)
{
    enum { MANY = 200 };
    gnd_real *before = calloc(N * MANY, sizeof *before), *p = calloc(N * MANY, sizeof *p);

    (void)state;
    fill(before, N, MANY);
    fill(p, N, MANY);
    CHECK_CLOSE(calibrate_to(p, N, MANY, NULL, 1, NULL), 32, 1e-4);
    check_shares(p, N, MANY, 1e-5);
    for (int64_t e = 0; e < N * MANY; e++)
        if (before[e] == largest(before + e / MANY * MANY, MANY))
            assert_true(p[e] == largest(p + e / MANY * MANY, MANY));
    free(before);
    free(p);
}

static void threads_do_not_matter(void **state)
{
    enum { LARGE = 20000 };
    static const int threads[] = {1, 2, 7};
    gnd_real *one = calloc(LARGE * C, sizeof *one), *many = calloc(LARGE * C, sizeof *many);

    (void)state;
    for (int t = 0; t < 3; t++) {
        gnd_real *p = t ? many : one;
        gnd_pool *pool = eager_pool(threads[t]);

        fill(p, LARGE, C);
        calibrate_to(p, LARGE, C, NULL, 0.55, pool);
        CHECK_CLOSE(confidence(p, LARGE, NULL), 0.55, 0.01); /* a sample speaks for all */
        if (t)
            assert_memory_equal(one, many, LARGE * C * sizeof *one);
        gnd_pool_free(pool);
    }
    free(one);
    free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reaches_the_target),
        cmocka_unit_test(skips),
        cmocka_unit_test(skips_every_other),
        cmocka_unit_test(out_of_reach),
        cmocka_unit_test(plateaus),
        cmocka_unit_test(many_classes),
        cmocka_unit_test(threads_do_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
