/* SPDX-License-Identifier: MIT
 * test_balance.c - class weights for macro-F1: cases computed by hand, and that they raise the
 * expected macro-F1. */
#include "label/class_priors.h"

#include "base/rng.h"
#include "label/constants.h"

#include "check.h"

enum { MANY = 8, FEW = 4, ROWS = MANY + FEW };

static const unsigned char none[64];

/* Eight rows of class 0, and four that are nearly class 1, which argmax gives no row. */
static void skewed(gnd_real *p)
{
    for (int64_t i = 0; i < ROWS; i++) {
        p[2 * i] = i < MANY ? 0.95f : 0.52f;
        p[2 * i + 1] = i < MANY ? 0.05f : 0.48f;
    }
}

/* Class 1 has the share (8 0.05 + 4 0.48) / 12 = 0.193: its weight is larger, and the four rows go
 * to it. */
static void a_small_class_gains(void **state)
{
    gnd_real p[2 * ROWS];
    double weight[2];

    (void)state;
    skewed(p);
    gnd_balance_weights(weight, p, ROWS, 2, none, NULL);
    CHECK_CLOSE(weight[0], pow(9.68 / 12, -BALANCE_POWER), 1e-6);
    CHECK_CLOSE(weight[1], pow(2.32 / 12, -BALANCE_POWER), 1e-6);
    gnd_balance_apply(p, ROWS, 2, weight, none, NULL);
    for (int64_t i = 0; i < ROWS; i++)
        assert_int_equal(gnd_argmax(p + 2 * i, 2), i < MANY ? 0 : 1);
}

static void rows_are_weighted(void **state)
{
    const double weight[] = {0.5, 1};
    gnd_real p[2 * ROWS];

    (void)state;
    skewed(p);
    /* eight rows stay in class 0, which has probability 0.95; four go to class 1 */
    CHECK_CLOSE(gnd_balance_apply(p, ROWS, 2, weight, none, NULL),
                (MANY * 0.95 + FEW * 0.48) / ROWS, 1e-6);
    CHECK_CLOSE(p[0], 0.475 / 0.525, 1e-6);
    CHECK_CLOSE(p[1], 0.05 / 0.525, 1e-6);
    CHECK_CLOSE(p[2 * MANY], 0.26 / 0.74, 1e-6);
    CHECK_CLOSE(p[2 * MANY + 1], 0.48 / 0.74, 1e-6);
}

/* Certain rows, classes without probability and rows of zeros stay. */
static void what_weights_do_not_change(void **state)
{
    const double weight[] = {0.5, 1, 4};
    gnd_real p[] = {1, 0, 0, 0, 0, 1, 0, 0, 0};
    const gnd_real same[] = {1, 0, 0, 0, 0, 1, 0, 0, 0};

    (void)state;
    gnd_balance_apply(p, 3, 3, weight, none, NULL);
    assert_memory_equal(p, same, sizeof p);
}

/* Classes that are alike have equal weights. */
static void equal_classes(void **state)
{
    const gnd_real p[] = {0.8f, 0.1f, 0.1f, 0.1f, 0.8f, 0.1f, 0.1f, 0.1f, 0.8f};
    double weight[3];

    (void)state;
    gnd_balance_weights(weight, p, 3, 3, none, NULL);
    for (int c = 1; c < 3; c++)
        CHECK_CLOSE(weight[c], weight[0], 1e-6);
}

static void skipped_rows_do_not_count(void **state)
{
    unsigned char skip[2 * ROWS] = {0}, all[2 * ROWS];
    gnd_real p[4 * ROWS];
    double weight[2];

    (void)state;
    memset(all, 1, sizeof all);
    skewed(p);
    for (int64_t i = ROWS; i < 2 * ROWS; i++) { /* with these, class 1 is the large one */
        p[2 * i] = 0.02f;
        p[2 * i + 1] = 0.98f;
        skip[i] = 1;
    }
    gnd_balance_weights(weight, p, 2 * ROWS, 2, skip, NULL);
    CHECK_CLOSE(weight[0], pow(9.68 / 12, -BALANCE_POWER), 1e-6);
    CHECK_CLOSE(gnd_balance_apply(p, 2 * ROWS, 2, weight, skip, NULL),
                (MANY * 0.95 + FEW * 0.48) / ROWS, 1e-6);
    gnd_balance_weights(weight, p, 2 * ROWS, 2, all, NULL);
    CHECK_CLOSE(weight[0], 1, 0);
    CHECK_CLOSE(weight[1], 1, 0);
    assert_true(isnan(gnd_balance_apply(p, 2 * ROWS, 2, weight, all, NULL)));
}

/* Expected macro-F1 of argmax_c weight[c] p[i, c], if p are probabilities. */
static double expected_f1(const gnd_real *p, int64_t n, int64_t C, const double *weight)
{
    double hit[8] = {0}, size[8] = {0}, f = 0;

    for (int64_t i = 0; i < n; i++) {
        int64_t y = 0;

        for (int64_t c = 0; c < C; c++) {
            size[c] += (double)p[i * C + c];
            y = weight[c] * (double)p[i * C + c] > weight[y] * (double)p[i * C + y] ? c : y;
        }
        hit[y] += (double)p[i * C + y];
        size[y]++;
    }
    for (int64_t c = 0; c < C; c++)
        f += 2 * hit[c] / size[c] / (double)C;
    return f;
}

/* Classes of falling share, uncertain rows. */
static void expected_macro_f1_rises(void **state)
{
    enum { N = 4096, C = 4 };
    const double equal[] = {1, 1, 1, 1};
    gnd_real *p = malloc(sizeof *p * N * C);
    unsigned char *skip = calloc(N, 1);
    double weight[C];

    (void)state;
    assert_true(p && skip);
    for (int64_t i = 0; i < N; i++) {
        double sum = 0, v[C];

        for (int64_t c = 0; c < C; c++) {
            v[c] = exp(2 * gnd_rng_uniform(1, 1, (uint64_t)(i * C + c)) - 0.5 * (double)c);
            sum += v[c];
        }
        for (int64_t c = 0; c < C; c++)
            p[i * C + c] = (gnd_real)(v[c] / sum);
    }
    gnd_balance_weights(weight, p, N, C, skip, NULL);
    assert_true(expected_f1(p, N, C, weight) > expected_f1(p, N, C, equal) + 0.03);
    for (int64_t c = 1; c < C; c++)
        assert_true(weight[c] > weight[c - 1]);
    free(skip);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_class_gains),        cmocka_unit_test(rows_are_weighted),
        cmocka_unit_test(what_weights_do_not_change), cmocka_unit_test(equal_classes),
        cmocka_unit_test(skipped_rows_do_not_count),  cmocka_unit_test(expected_macro_f1_rises),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
