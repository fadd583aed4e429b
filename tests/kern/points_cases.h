/* SPDX-License-Identifier: MIT
 * points_cases.h - the kernels on points: every table against ref, bit for bit, and ref against
 * sums in double. */
#ifndef GND_TESTS_POINTS_CASES_H
#define GND_TESTS_POINTS_CASES_H

#include "base/alloc.h"
#include "base/rng.h"
#include "check.h"
#include "kern/kern.h"

/* Rounding of a sum of up to 1433 numbers of about 1. */
#define TOL (sizeof(gnd_real) == 4 ? 2e-4 : 1e-12)

enum { N = GND_POINT_LANES };

static gnd_real *numbers(int64_t n, uint32_t stream)
{
    gnd_real *p = gnd_alloc(n, sizeof *p);

    for (int64_t i = 0; i < n; i++)
        p[i] = (gnd_real)(gnd_rng_uniform(7, stream, (uint64_t)i) * 2 - 1);
    return p;
}

static void distances_case(int64_t n, int64_t k, int64_t f)
{
    const int64_t r0 = n > 3, r1 = n - (n > 5);
    gnd_real *x = numbers(n * k, 1), *w = numbers(k * f, 2), *ref = numbers(n * f, 3);

    gnd_kern_ref.distances(ref, x, w, k, f, r0, r1);
    for (int64_t i = r0; i < r1; i++)
        for (int64_t c = 0; c < f; c += 5) {
            double sum = 0;

            for (int64_t j = 0; j < k; j++) {
                const double d = (double)x[i * k + j] - (double)w[j * f + c];

                sum += d * d;
            }
            CHECK_CLOSE(ref[i * f + c], sum, TOL / 10 * (1 + sum)); /* a sum of squares */
        }
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *y = numbers(n * f, 3);

        gnd_kern_at(t)->distances(y, x, w, k, f, r0, r1);
        assert_memory_equal(y, ref, (size_t)(n * f) * sizeof *y);
        gnd_free(y);
    }
    gnd_free(x);
    gnd_free(w);
    gnd_free(ref);
}

static void distances_agree(void **state)
{
    static const int64_t depths[] = {0, 1, 2, 3, 16, 50, 1433};

    (void)state;
    for (int64_t k = 0; k < LENGTH(depths); k++)
        for (int64_t f = 0; f <= 5 * N; f += N)
            for (int64_t n = 0; n < 14; n += 3)
                distances_case(n, depths[k], f);
}

static void repel_agrees(void **state)
{
    static const int64_t counts[] = {0, 1, 2, 7, 33, 500};

    (void)state;
    for (int64_t c = 0; c < LENGTH(counts); c++) {
        const int64_t m = counts[c];
        gnd_real *p = numbers(2 * N, 1), *q = numbers(3 * m, 2), *ref = numbers(3 * N, 3);

        if (m > 1) { /* a mass at one of the points */
            q[0] = p[5];
            q[1] = p[N + 5];
        }
        gnd_kern_ref.repel(ref, p, q, m);
        for (int l = 0; l < N; l++) {
            gnd_real *start = numbers(3 * N, 3);
            double fx = (double)start[l], fy = (double)start[N + l], z = (double)start[2 * N + l];

            for (int64_t j = 0; j < m; j++) {
                const double dx = (double)p[l] - (double)q[3 * j];
                const double dy = (double)p[N + l] - (double)q[3 * j + 1];
                const double s = 1 / (1 + dx * dx + dy * dy), w = (double)q[3 * j + 2];

                fx += w * s * s * dx;
                fy += w * s * s * dy;
                z += w * s;
            }
            CHECK_CLOSE(ref[l], fx, TOL);
            CHECK_CLOSE(ref[N + l], fy, TOL);
            CHECK_CLOSE(ref[2 * N + l], z, TOL);
            gnd_free(start);
        }
        for (int t = 0; gnd_kern_at(t); t++) {
            gnd_real *sum = numbers(3 * N, 3);

            gnd_kern_at(t)->repel(sum, p, q, m);
            assert_memory_equal(sum, ref, 3 * N * sizeof *sum);
            gnd_free(sum);
        }
        gnd_free(p);
        gnd_free(q);
        gnd_free(ref);
    }
}

/* Rows of 0, 1, ... entries: every remainder of the lanes. */
static void attract_agrees(void **state)
{
    enum { ROWS = 4 * N };
    gnd_real *y = numbers(2 * ROWS, 1), *ref = numbers(2 * ROWS, 2);
    gnd_error err = {0};
    int64_t p = 0;
    gnd_csr a;

    (void)state;
    CHECK_OK(gnd_csr_init(&a, ROWS, ROWS, ROWS * (ROWS - 1) / 2, true, &err));
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j < i; j++, p++) {
            a.col[p] = (int32_t)j;
            a.val[p] = (gnd_real)gnd_rng_uniform(7, 3, (uint64_t)p);
        }
        a.ptr[i + 1] = p;
    }
    gnd_kern_ref.attract(ref, &a, y, 1, ROWS - 1);
    for (int64_t i = 1; i < ROWS - 1; i++)
        for (int c = 0; c < 2; c++) {
            double sum = 0;

            for (int64_t e = a.ptr[i]; e < a.ptr[i + 1]; e++) {
                const gnd_real *to = y + 2 * a.col[e];
                const double dx = (double)y[2 * i] - (double)to[0];
                const double dy = (double)y[2 * i + 1] - (double)to[1];

                sum += (double)a.val[e] * (c ? dy : dx) / (1 + dx * dx + dy * dy);
            }
            CHECK_CLOSE(ref[2 * i + c], sum, TOL);
        }
    for (int t = 0; gnd_kern_at(t); t++) {
        gnd_real *force = numbers(2 * ROWS, 2);

        gnd_kern_at(t)->attract(force, &a, y, 1, ROWS - 1);
        assert_memory_equal(force, ref, 2 * ROWS * sizeof *force);
        gnd_free(force);
    }
    gnd_csr_fini(&a);
    gnd_free(y);
    gnd_free(ref);
}

static int run_points_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_agree),
        cmocka_unit_test(repel_agrees),
        cmocka_unit_test(attract_agrees),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
