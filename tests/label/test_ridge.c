/* SPDX-License-Identifier: MIT
 * test_ridge.c - coefficients solve the normal equations; which labels a regression uses. */
#include "label/ridge.h"

#include "base/rng.h"
#include "check.h"
#include "label/constants.h"

enum { M = 7, D = 4, C = 3 };

/* Inner products of random rows. */
static void kernel(double *K)
{
    double z[M * D];

    for (int64_t e = 0; e < M * D; e++)
        z[e] = 2 * gnd_rng_uniform(3, 1, (uint64_t)e) - 1;
    for (int64_t a = 0; a < M; a++)
        for (int64_t b = 0; b < M; b++) {
            K[a * M + b] = 0;
            for (int64_t k = 0; k < D; k++)
                K[a * M + b] += z[a * D + k] * z[b * D + k];
        }
}

/* (K + penalty I) coef = Y - 1 / C, for some labels of a longer list. */
static void normal_equations(void **state)
{
    static const int32_t cls[] = {2, 0, 1, 1, 0, 0, 2, 1, 1, 0}, which[M] = {0, 1, 3, 4, 6, 8, 9};
    const gnd_labelled s = {.cls = cls, .n = 10, .n_class = C};
    double K[M * M], copy[M * M], coef[M * C];

    (void)state;
    kernel(K);
    memcpy(copy, K, sizeof K);
    gnd_ridge_fit(coef, copy, which, M, &s);
    for (int64_t a = 0; a < M; a++)
        for (int64_t c = 0; c < C; c++) {
            double left = RIDGE_PENALTY * coef[a * C + c];

            for (int64_t b = 0; b < M; b++)
                left += K[a * M + b] * coef[b * C + c];
            CHECK_CLOSE(left, (cls[which[a]] == c) - 1.0 / C, 1e-12);
        }
}

/* One label, similarity k: coef = (Y - 1 / C) / (k + penalty). */
static void one_label(void **state)
{
    static const int32_t cls[] = {1}, which[] = {0};
    const gnd_labelled s = {.cls = cls, .n = 1, .n_class = 2};
    double K[] = {3}, coef[2];

    (void)state;
    gnd_ridge_fit(coef, K, which, 1, &s);
    CHECK_CLOSE(coef[0], -0.5 / (3 + RIDGE_PENALTY), 1e-15);
    CHECK_CLOSE(coef[1], 0.5 / (3 + RIDGE_PENALTY), 1e-15);
}

/* All labels up to the limit; beyond it so many, evenly from the whole list. */
static void labels_used(void **state)
{
    static int32_t which[5 * RIDGE_LABELS_MAX];
    static const int64_t n[] = {
        1,
        5,
        RIDGE_LABELS_MAX,
        RIDGE_LABELS_MAX + 1,
        5 * RIDGE_LABELS_MAX / 2,
        5 * RIDGE_LABELS_MAX,
    };

    (void)state;
    for (int64_t k = 0; k < LENGTH(n); k++) {
        const gnd_labelled s = {.n = n[k], .n_class = 2};
        const int64_t m = gnd_ridge_labels(which, &s);
        const double step = (double)n[k] / (double)m;

        assert_int_equal(m, n[k] < RIDGE_LABELS_MAX ? n[k] : RIDGE_LABELS_MAX);
        assert_int_equal(which[0], 0);
        for (int64_t a = 1; a < m; a++) {
            assert_true(which[a] > which[a - 1] && which[a] < n[k]);
            assert_true((double)which[a] <= (double)a * step &&
                        (double)which[a] > (double)a * step - 1);
        }
    }
    assert_int_equal(gnd_ridge_labels(which, &(gnd_labelled){.n_class = 2}), 0);
}

/* Rows {1 2 .}, {. 3 4}, {. . .}. */
static void row_products(void **state)
{
    int64_t ptr[] = {0, 2, 4, 4};
    int32_t col[] = {0, 1, 1, 2};
    gnd_real val[] = {1, 2, 3, 4};
    const gnd_csr a = {.n_row = 3, .n_col = 3, .ptr = ptr, .col = col, .val = val};
    const double want[] = {5, 6, 0, 6, 25, 0, 0, 0, 0};
    double K[9], room[3] = {0};

    (void)state;
    gnd_row_products(K, &a, room);
    for (int64_t e = 0; e < 9; e++)
        CHECK_CLOSE(K[e], want[e], 0);
    for (int64_t k = 0; k < 3; k++)
        CHECK_CLOSE(room[k], 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_equations),
        cmocka_unit_test(one_label),
        cmocka_unit_test(labels_used),
        cmocka_unit_test(row_products),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
