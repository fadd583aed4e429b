/* SPDX-License-Identifier: MIT
 * test_sym_eigen.c - factors and eigenpairs of small symmetric matrices, against the matrices that
 * they came from. */
#include "linalg/sym_eigen.h"

#include "base/rng.h"
#include "check.h"

enum { MAX = 80 };

static double a[MAX * MAX], kept[MAX * MAX], value[MAX], vector[MAX * MAX], b[MAX * MAX];

static double number(uint32_t stream, int64_t i)
{
    return 2 * gnd_rng_uniform(11, stream, (uint64_t)i) - 1;
}

/* a = kept = G G^T with G: [n, rank] of chance. */
static void make_gram(int64_t n, int64_t rank, uint32_t stream)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double s = 0;

            for (int64_t k = 0; k < rank; k++)
                s += number(stream, i * rank + k) * number(stream, j * rank + k);
            a[i * n + j] = kept[i * n + j] = s;
        }
}

/* ---- Cholesky ---- */

/* a = L, lower with zeros above, L L^T = kept. */
static void check_factor(int64_t n, double tol)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double s = 0;

            for (int64_t k = 0; k < n; k++)
                s += a[i * n + k] * a[j * n + k];
            CHECK_CLOSE(s, kept[i * n + j], tol * (double)n);
            if (j > i)
                assert_true(a[i * n + j] == 0);
        }
}

static void factor_and_solve(void **state)
{
    static const int64_t sizes[] = {1, 2, 3, 17, 80};

    (void)state;
    for (size_t t = 0; t < sizeof sizes / sizeof sizes[0]; t++) {
        const int64_t n = sizes[t], m = 3;

        make_gram(n, n + 5, (uint32_t)t);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = i + 1; j < n; j++)
                a[i * n + j] = NAN; /* the upper triangle is not read */
        assert_int_equal(gnd_cholesky(a, n, 1e-12), 0);
        check_factor(n, 1e-13);
        for (int64_t e = 0; e < n * m; e++)
            b[e] = number(100, e);
        gnd_solve_lower(b, a, n, m);
        for (int64_t i = 0; i < n; i++) /* L y = b */
            for (int64_t c = 0; c < m; c++) {
                double s = 0;

                for (int64_t j = 0; j <= i; j++)
                    s += a[i * n + j] * b[j * m + c];
                CHECK_CLOSE(s, number(100, i * m + c), 1e-11);
            }
        gnd_solve_lower_t(b, a, n, m);
        for (int64_t i = 0; i < n; i++) /* L L^T x = b */
            for (int64_t c = 0; c < m; c++) {
                double s = 0;

                for (int64_t j = 0; j < n; j++)
                    s += kept[i * n + j] * b[j * m + c];
                CHECK_CLOSE(s, number(100, i * m + c), 1e-8);
            }
    }
}

/* Rank r of n: the columns that others explain are zero, and the product still holds. */
static void null_pivots(void **state)
{
    (void)state;
    for (int64_t r = 0; r <= 12; r += 3) {
        const int64_t n = 12;

        make_gram(n, r, 50 + (uint32_t)r);
        assert_int_equal(gnd_cholesky(a, n, 1e-10), n - r);
        check_factor(n, 1e-13);
        for (int64_t j = r; j < n; j++)
            for (int64_t i = 0; i < n; i++)
                assert_true(a[i * n + j] == 0);
        for (int64_t i = 0; i < n; i++)
            b[i] = 1;
        gnd_solve_lower(b, a, n, 1);
        for (int64_t i = 0; i < n; i++)
            assert_true(isfinite(b[i]) && (i < r || b[i] == 0));
        gnd_solve_lower_t(b, a, n, 1);
        for (int64_t i = 0; i < n; i++)
            assert_true(isfinite(b[i]) && (i < r || b[i] == 0));
    }
    /* A null column in the middle: row and column 1 repeat 0. */
    static const double twice[] = {4, 4, 2, 4, 4, 2, 2, 2, 5};

    memcpy(a, twice, sizeof twice);
    memcpy(kept, twice, sizeof twice);
    assert_int_equal(gnd_cholesky(a, 3, 1e-12), 1);
    check_factor(3, 1e-15);
    assert_true(a[4] == 0 && a[7] == 0);
    CHECK_CLOSE(a[8], 2, 1e-15);
}

/* The threshold is relative to the largest diagonal entry. */
static void threshold(void **state)
{
    (void)state;
    memcpy(a, (double[]){1e6, 0, 0, 1e-7}, 4 * sizeof *a);
    assert_int_equal(gnd_cholesky(a, 2, 1e-12), 1);
    assert_true(a[3] == 0);
    memcpy(a, (double[]){1e6, 0, 0, 1e-5}, 4 * sizeof *a);
    assert_int_equal(gnd_cholesky(a, 2, 1e-12), 0);
    CHECK_CLOSE(a[3], sqrt(1e-5), 1e-16);
}

/* ---- eigenpairs ---- */

/* A v = value v, V^T V = I, values falling, the largest entry of each column positive. */
static void check_pairs(int64_t n, double scale)
{
    for (int64_t j = 0; j < n; j++) {
        double top = 0;

        if (j > 0)
            assert_true(value[j - 1] >= value[j]);
        for (int64_t i = 0; i < n; i++) {
            double s = -value[j] * vector[i * n + j], dot = 0;

            for (int64_t k = 0; k < n; k++) {
                s += kept[i * n + k] * vector[k * n + j];
                dot += vector[k * n + i] * vector[k * n + j];
            }
            CHECK_CLOSE(s, 0, 2e-14 * (double)n * scale);
            CHECK_CLOSE(dot, i == j, 1e-13);
            if (fabs(vector[i * n + j]) > fabs(top))
                top = vector[i * n + j];
        }
        assert_true(top > 0);
    }
}

static void solve_kept(int64_t n)
{
    gnd_error err;

    memcpy(a, kept, (size_t)(n * n) * sizeof *a);
    CHECK_OK(gnd_small_eigen(value, vector, a, n, &err));
}

static void eigen_of_chance(void **state)
{
    static const int64_t sizes[] = {1, 2, 3, 17, 80};

    (void)state;
    for (size_t t = 0; t < sizeof sizes / sizeof sizes[0]; t++)
        for (int round = 0; round < 3; round++) {
            const int64_t n = sizes[t];
            double trace = 0, sum = 0;

            for (int64_t i = 0; i < n; i++)
                for (int64_t j = 0; j <= i; j++)
                    kept[i * n + j] = kept[j * n + i] =
                        number((uint32_t)(10 * t) + (uint32_t)round, i * n + j);
            solve_kept(n);
            check_pairs(n, 8);
            for (int64_t i = 0; i < n; i++) {
                trace += kept[i * n + i];
                sum += value[i];
            }
            CHECK_CLOSE(sum, trace, 1e-12);
        }
}

/* Spectra that repeat: of I + G G^T with few columns, all but a few are 1. */
static void eigen_repeated(void **state)
{
    const int64_t n = 40, rank = 3;

    (void)state;
    make_gram(n, rank, 70);
    for (int64_t i = 0; i < n; i++)
        kept[i * n + i] += 1;
    solve_kept(n);
    check_pairs(n, 30);
    for (int64_t j = 0; j < n; j++)
        assert_true(j < rank ? value[j] > 1.5 : fabs(value[j] - 1) < 1e-12);
}

static void eigen_diagonal_and_zero(void **state)
{
    const int64_t n = 17;

    (void)state;
    memset(kept, 0, sizeof kept);
    solve_kept(n);
    check_pairs(n, 1);
    for (int64_t j = 0; j < n; j++)
        assert_true(value[j] == 0);
    for (int64_t i = 0; i < n; i++)
        kept[i * n + i] = (double)(i * 7 % n) - 3;
    solve_kept(n);
    check_pairs(n, 13);
    for (int64_t j = 0; j < n; j++)
        CHECK_CLOSE(value[j], (double)(n - 1 - j) - 3, 1e-13);
}

/* Entries that are small beside the one next to the diagonal still count: a step that takes them
 * for nothing is wrong by as much as they are. */
static void eigen_small_entries(void **state)
{
    (void)state;
    for (int e = -4; e >= -16; e -= 2) {
        const int64_t n = 4;
        const double x = pow(10, e);

        memset(kept, 0, sizeof kept);
        for (int64_t i = 0; i < n; i++)
            kept[i * n + i] = 1;
        kept[3 * n + 2] = kept[2 * n + 3] = 1;
        kept[3 * n + 0] = kept[0 * n + 3] = x;
        kept[3 * n + 1] = kept[1 * n + 3] = -x;
        kept[1 * n + 0] = kept[0 * n + 1] = 0.5;
        solve_kept(n);
        check_pairs(n, 2);
    }
}

static void eigen_not_finite(void **state)
{
    static const double bad[] = {NAN, INFINITY};
    const int64_t n = 6;
    gnd_error err;

    (void)state;
    for (int k = 0; k < 2; k++)
        for (int64_t at = 0; at < n; at++)
            for (int64_t to = 0; to <= at; to++) {
                make_gram(n, n, 90);
                a[at * n + to] = a[to * n + at] = bad[k];
                CHECK_FAILS(gnd_small_eigen(value, vector, a, n, &err), GND_ERR_DIVERGED, "");
            }
    make_gram(1, 1, 90);
    a[0] = NAN;
    CHECK_FAILS(gnd_small_eigen(value, vector, a, 1, &err), GND_ERR_DIVERGED, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factor_and_solve),    cmocka_unit_test(null_pivots),
        cmocka_unit_test(threshold),           cmocka_unit_test(eigen_of_chance),
        cmocka_unit_test(eigen_repeated),      cmocka_unit_test(eigen_diagonal_and_zero),
        cmocka_unit_test(eigen_small_entries), cmocka_unit_test(eigen_not_finite),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
