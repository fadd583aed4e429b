/* SPDX-License-Identifier: MIT
 * test_tridiag.c - eigenpairs against closed forms, and against the matrix they came from. */
#include "linalg/tridiag.h"

#include <float.h>

#include "base/rng.h"
#include "check.h"

enum { MAX = 60 };

static double value[MAX], vector[MAX * MAX], diag[MAX], off[MAX];

/* T v = value v, columns orthonormal, values ascending. */
static void check_pairs(int64_t n, double scale)
{
    for (int64_t j = 0; j < n; j++) {
        if (j > 0)
            assert_true(value[j - 1] <= value[j]);
        for (int64_t i = 0; i < n; i++) {
            double t = (diag[i] - value[j]) * vector[i * n + j], dot = 0;

            if (i > 0)
                t += off[i - 1] * vector[(i - 1) * n + j];
            if (i + 1 < n)
                t += off[i] * vector[(i + 1) * n + j];
            CHECK_CLOSE(t, 0, 1e-14 * (double)n * scale);
            for (int64_t k = 0; k < n; k++)
                dot += vector[k * n + i] * vector[k * n + j];
            CHECK_CLOSE(dot, i == j, 1e-13);
        }
    }
}

static void chain(void **state)
{
    const double pi = acos(-1);
    gnd_error err;

    (void)state;
    for (int64_t n = 0; n <= MAX; n += n < 4 ? 1 : 7) {
        for (int64_t i = 0; i < n; i++) {
            diag[i] = 2;
            off[i] = i + 1 < n ? -1 : NAN; /* the last one is not read */
        }
        CHECK_OK(gnd_tridiag_eigen(value, vector, diag, off, n, &err));
        for (int64_t j = 0; j < n; j++)
            CHECK_CLOSE(value[j], 2 - 2 * cos((double)(j + 1) * pi / (double)(n + 1)), 1e-14);
        check_pairs(n, 4);
    }
}

/* Zero diagonal: every threshold that looks at the diagonal alone would wait for ever. */
static void hollow(void **state)
{
    gnd_error err;

    (void)state;
    for (int64_t n = 1; n <= 41; n += 5) {
        for (int64_t i = 0; i < n; i++) {
            diag[i] = 0;
            off[i] = 1;
        }
        CHECK_OK(gnd_tridiag_eigen(value, vector, diag, off, n, &err));
        check_pairs(n, 2);
        for (int64_t j = 0; j < n; j++)
            CHECK_CLOSE(value[j], -value[n - 1 - j], 1e-14);
    }
}

static void blocks_and_scales(void **state)
{
    double only[MAX];
    gnd_error err;

    (void)state;
    for (int round = 0; round < 40; round++) {
        const int64_t n = 1 + round;
        const double scale = ldexp(1, 10 * (round % 5) - 20);

        for (int64_t i = 0; i < n; i++) {
            diag[i] = scale * gnd_rng_uniform(3, (uint32_t)round, (uint64_t)(2 * i));
            off[i] = i % 4 == round % 4
                         ? 0 /* the matrix falls into blocks */
                         : scale * gnd_rng_uniform(3, (uint32_t)round, (uint64_t)(2 * i + 1));
            if (round % 7 == 6)
                diag[i] = scale; /* repeated values where a block has one row */
        }
        CHECK_OK(gnd_tridiag_eigen(value, vector, diag, off, n, &err));
        check_pairs(n, 2 * scale);
        CHECK_OK(gnd_tridiag_eigen(only, NULL, diag, off, n, &err));
        assert_memory_equal(only, value, (size_t)n * sizeof *only);
    }
}

/* Wilkinson's matrix: pairs of eigenvalues that agree to 14 digits, with orthogonal vectors. */
static void wilkinson(void **state)
{
    gnd_error err;

    (void)state;
    for (int i = 0; i < 21; i++) {
        diag[i] = fabs(10.0 - i);
        off[i] = 1;
    }
    CHECK_OK(gnd_tridiag_eigen(value, vector, diag, off, 21, &err));
    check_pairs(21, 11);
    CHECK_CLOSE(value[20], 10.746194182903393, 1e-13);
    CHECK_CLOSE(value[19], 10.746194182903322, 1e-13);
}

static void not_finite(void **state)
{
    gnd_error err;

    (void)state;
    for (int i = 0; i < 5; i++)
        diag[i] = off[i] = 1;
    off[2] = NAN;
    CHECK_FAILS(gnd_tridiag_eigen(value, vector, diag, off, 5, &err), GND_ERR_DIVERGED, "row 2");
    off[2] = 1;
    diag[4] = INFINITY;
    CHECK_FAILS(gnd_tridiag_eigen(value, NULL, diag, off, 5, &err), GND_ERR_DIVERGED, "row 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain),
        cmocka_unit_test(hollow),
        cmocka_unit_test(blocks_and_scales),
        cmocka_unit_test(wilkinson),
        cmocka_unit_test(not_finite),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
