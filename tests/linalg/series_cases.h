/* SPDX-License-Identifier: MIT
 * series_cases.h - polynomials of operators against dense inverses and exponentials, in either
 * precision. */
#ifndef GND_TESTS_SERIES_CASES_H
#define GND_TESTS_SERIES_CASES_H

#include "base/alloc.h"
#include "graph/dense.h"
#include "graph/operator.h"
#include "linalg/series.h"
#include "random_graph.h"

/* Share of the largest entry, here 1, by which rounding and truncation may differ. */
static const double near_enough = sizeof(gnd_real) == sizeof(double) ? 2e-13 : 1e-6;

enum { N = 41, F = 3 };

/* Links within 0..N-4 and within the last three only: two components at least. kind S on a directed
 * graph is not symmetric. */
static gnd_operator two_parts(gnd_operator_kind kind)
{
    gnd_graph *g = random_graph(N, 5, 2);
    gnd_operator op;
    gnd_error err = {0};
    int64_t q = 0;

    for (int64_t i = 0, p = 0; i < N; i++) {
        const int64_t end = g->adj.ptr[i + 1];

        for (; p < end; p++)
            if ((i >= N - 3) == (g->adj.col[p] >= N - 3)) {
                g->adj.col[q] = g->adj.col[p];
                g->adj.val[q++] = g->adj.val[p];
            }
        g->adj.ptr[i + 1] = q;
    }
    CHECK_OK(gnd_operator_init(&op, kind, &g->adj, &err));
    assert_int_equal(op.shared, kind != GND_OP_S);
    gnd_graph_free(g);
    return op;
}

/* All rows at once, in an order of their own, then one product with the columns of a block. */
static void compare(const gnd_operator *op, const gnd_series *s, const double *dense)
{
    int32_t rows[N];
    gnd_real x[N * F], y[N * F], block[N * N];
    gnd_csr out;
    gnd_error err = {0};

    for (int32_t i = 0; i < N; i++)
        rows[i] = (i * 7 + 3) % N;
    CHECK_OK(gnd_series_rows(&out, &op->at, s, (gnd_row_list){rows, N}, NULL, &err));
    CHECK_OK(gnd_csr_check(&out, "rows", &err));
    assert_int_equal(out.n_row, N);
    assert_int_equal(out.n_col, N);
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j < N; j++) {
            const int64_t p = gnd_csr_find(&out, i, (int32_t)j);

            CHECK_CLOSE(p < 0 ? 0 : out.val[p], dense[rows[i] * N + j], near_enough);
            if ((rows[i] >= N - 3) != (j >= N - 3))
                assert_int_equal(p, -1);
        }
        for (int64_t p = out.ptr[i]; p < out.ptr[i + 1]; p++)
            assert_true(out.val[p] != 0);
    }
    gnd_csr_fini(&out);
    CHECK_OK(gnd_series_blocks(block, &op->at, s, (gnd_row_list){rows, N}, NULL, &err));
    for (int64_t i = 0; i < N; i++) {
        const int64_t first = i / GND_SERIES_BLOCK * GND_SERIES_BLOCK;
        const int64_t f = N - first < GND_SERIES_BLOCK ? N - first : GND_SERIES_BLOCK;

        for (int64_t j = 0; j < N; j++)
            CHECK_CLOSE(block[first * N + j * f + i - first], dense[rows[i] * N + j], near_enough);
    }
    for (int64_t i = 0; i < N * F; i++)
        x[i] = (gnd_real)(random_at(9, i) - 0.5);
    CHECK_OK(gnd_series_apply(y, &(gnd_series_product){&op->a, s, x, F}, NULL, &err));
    for (int64_t i = 0; i < N; i++)
        for (int64_t c = 0; c < F; c++) {
            double sum = 0;

            for (int64_t j = 0; j < N; j++)
                sum += dense[i * N + j] * (double)x[j * F + c];
            CHECK_CLOSE(y[i * F + c], sum, near_enough);
        }
}

static void pagerank(void **state)
{
    static const double teleport[] = {1, 0.9, 0.5, 0.2, 0.1, 0.05};

    (void)state;
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        gnd_operator op = two_parts(symmetric ? GND_OP_S_SYMMETRISED : GND_OP_S);

        for (int64_t k = 0; k < LENGTH(teleport); k++) {
            double *dense = dense_pagerank(&op.a, teleport[k]);
            gnd_series s;
            gnd_error err = {0};

            CHECK_OK(gnd_series_pagerank(&s, teleport[k], symmetric, 0, &err));
            compare(&op, &s, dense);
            gnd_series_fini(&s);
            assert_null(s.c);
            CHECK_OK(gnd_series_pagerank(&s, teleport[k], false, 0, &err)); /* holds for both */
            compare(&op, &s, dense);
            gnd_series_fini(&s);
            free(dense);
        }
        gnd_operator_fini(&op);
    }
}

static void heat(void **state)
{
    static const double time[] = {0, 0.5, 1, 5, 10, 40};

    (void)state;
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        gnd_operator op = two_parts(symmetric ? GND_OP_S_SYMMETRISED : GND_OP_S);

        for (int64_t k = 0; k < LENGTH(time); k++) {
            double *dense = dense_heat(&op.a, time[k]);
            gnd_series s;
            gnd_error err = {0};

            CHECK_OK(gnd_series_heat(&s, time[k], 0, &err));
            compare(&op, &s, dense);
            gnd_series_fini(&s);
            free(dense);
        }
        gnd_operator_fini(&op);
    }
}

/* Long enough and no longer; the values at the ends of the spectrum are known. */
static void lengths(void **state)
{
    gnd_series s;
    gnd_error err = {0};
    double sum = 0, alternating = 0;

    (void)state;
    CHECK_OK(gnd_series_pagerank(&s, 0.1, true, 6e-8, &err));
    assert_int_equal(s.basis, GND_BASIS_CHEBYSHEV);
    assert_in_range(s.n, 36, 38);
    for (int64_t k = 0; k < s.n; k++) {
        sum += s.c[k];
        alternating += k % 2 ? -s.c[k] : s.c[k];
    }
    CHECK_CLOSE(sum, 1, 6e-8);
    CHECK_CLOSE(alternating, 0.1 / 1.9, 6e-8);
    gnd_series_fini(&s);
    CHECK_OK(gnd_series_pagerank(&s, 0.1, false, 6e-8, &err));
    assert_int_equal(s.basis, GND_BASIS_POWER);
    assert_int_equal(s.n - 1, 158);
    sum = 0;
    for (int64_t k = 0; k < s.n; k++)
        sum += s.c[k];
    CHECK_CLOSE(sum, 1, 1e-14);
    gnd_series_fini(&s);
    CHECK_OK(gnd_series_heat(&s, 5, 6e-8, &err));
    assert_int_equal(s.n - 1, 21);
    gnd_series_fini(&s);
    CHECK_OK(gnd_series_heat(&s, 0, 6e-8, &err));
    assert_int_equal(s.n, 1);
    CHECK_CLOSE(s.c[0], 1, 0);
    gnd_series_fini(&s);
    CHECK_OK(gnd_series_heat(&s, 500, 6e-8, &err));
    sum = 0;
    for (int64_t k = 0; k < s.n; k++)
        sum += s.c[k];
    CHECK_CLOSE(sum, 1, 1e-7);
    gnd_series_fini(&s);
}

/* dense = share dense + (1 - share) other, all [N, N]. */
static void dense_mix(double *dense, const double *other, double share)
{
    for (int64_t e = 0; e < N * N; e++)
        dense[e] = share * dense[e] + (1 - share) * other[e];
}

/* Odd hops times `odd`: (1 + odd) / 2 of s(A) and (1 - odd) / 2 of s(-A), here both from dense
 * inverses and exponentials. */
static void odd_hops(void **state)
{
    static const double odd[] = {1, -1, 0, 0.5};

    (void)state;
    for (int64_t k = 0; k < LENGTH(odd); k++)
        for (int kind = 0; kind < 3; kind++) { /* Chebyshev, powers, heat */
            gnd_operator op = two_parts(kind ? GND_OP_S : GND_OP_S_SYMMETRISED);
            gnd_csr minus;
            double *dense, *other, first;
            gnd_series s;
            gnd_error err = {0};

            CHECK_OK(gnd_csr_copy(&minus, &op.a, &err));
            for (int64_t p = 0; p < gnd_csr_nnz(&minus); p++)
                minus.val[p] = -minus.val[p];
            dense = kind < 2 ? dense_pagerank(&op.a, 0.3) : dense_heat(&op.a, 2);
            other = kind < 2 ? dense_pagerank(&minus, 0.3) : dense_heat(&minus, 2);
            if (kind < 2)
                CHECK_OK(gnd_series_pagerank(&s, 0.3, kind == 0, 0, &err));
            else
                CHECK_OK(gnd_series_heat(&s, 2, 0, &err));
            assert_int_equal(s.basis, kind ? GND_BASIS_POWER : GND_BASIS_CHEBYSHEV);
            first = s.c[1];
            gnd_series_odd(&s, odd[k]);
            CHECK_CLOSE(s.c[1], odd[k] * first, 0); /* 1 leaves every bit */
            dense_mix(dense, other, (1 + odd[k]) / 2);
            compare(&op, &s, dense);
            gnd_series_fini(&s);
            gnd_series_odd(&s, -1); /* an empty one is none's business */
            free(dense);
            free(other);
            gnd_csr_fini(&minus);
            gnd_operator_fini(&op);
        }
}

/* <s(A) x, y> = <x, s(A^T) y> on a matrix without symmetry. */
static void adjoint(void **state)
{
    gnd_operator op = two_parts(GND_OP_S);
    gnd_real x[N], y[N], ax[N], aty[N];
    double left = 0, right = 0;
    gnd_series s;
    gnd_error err = {0};

    (void)state;
    for (int64_t i = 0; i < N; i++) {
        x[i] = (gnd_real)(random_at(11, i) - 0.5);
        y[i] = (gnd_real)(random_at(12, i) - 0.5);
    }
    CHECK_OK(gnd_series_pagerank(&s, 0.1, false, 0, &err));
    CHECK_OK(gnd_series_apply(ax, &(gnd_series_product){&op.a, &s, x, 1}, NULL, &err));
    CHECK_OK(gnd_series_apply(aty, &(gnd_series_product){&op.at, &s, y, 1}, NULL, &err));
    for (int64_t i = 0; i < N; i++) {
        left += (double)ax[i] * (double)y[i];
        right += (double)x[i] * (double)aty[i];
    }
    assert_true(fabs(left) > 1e-3);
    CHECK_CLOSE(left, right, near_enough);
    gnd_series_fini(&s);
    gnd_operator_fini(&op);
}

/* Enough work for threads to be woken. */
static void threads_agree(void **state)
{
    enum { n = 3000, f = 40, rows = 70 };
    static const int count[] = {2, 7};
    gnd_graph *g = random_graph(n, 5, 2);
    gnd_real *x = gnd_alloc(n * f, sizeof *x), *y = gnd_alloc(n * f, sizeof *y);
    gnd_real *other = gnd_alloc(n * f, sizeof *other);
    int32_t row[rows];
    gnd_operator op;
    gnd_error err = {0};

    (void)state;
    for (int64_t i = 0; i < n * f; i++)
        x[i] = (gnd_real)(random_at(13, i) - 0.5);
    for (int32_t i = 0; i < rows; i++)
        row[i] = i * 31;
    CHECK_OK(gnd_operator_init(&op, GND_OP_S_SYMMETRISED, &g->adj, &err));
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        gnd_series s;
        gnd_csr one, many;

        CHECK_OK(gnd_series_pagerank(&s, 0.3, symmetric, 0, &err));
        CHECK_OK(gnd_series_apply(y, &(gnd_series_product){&op.a, &s, x, f}, NULL, &err));
        CHECK_OK(gnd_series_rows(&one, &op.at, &s, (gnd_row_list){row, rows}, NULL, &err));
        for (int64_t k = 0; k < LENGTH(count); k++) {
            gnd_pool *pool = gnd_pool_new(count[k]);

            assert_non_null(pool);
            CHECK_OK(gnd_series_apply(other, &(gnd_series_product){&op.a, &s, x, f}, pool, &err));
            assert_memory_equal(y, other, n * f * sizeof *y);
            CHECK_OK(gnd_series_rows(&many, &op.at, &s, (gnd_row_list){row, rows}, pool, &err));
            assert_int_equal(gnd_csr_nnz(&one), gnd_csr_nnz(&many));
            assert_memory_equal(one.val, many.val, (size_t)gnd_csr_nnz(&one) * sizeof *y);
            gnd_csr_fini(&many);
            gnd_pool_free(pool);
        }
        gnd_csr_fini(&one);
        gnd_series_fini(&s);
    }
    gnd_operator_fini(&op);
    gnd_graph_free(g);
    gnd_free(x);
    gnd_free(y);
    gnd_free(other);
}

static void refusals(void **state)
{
    gnd_operator op = two_parts(GND_OP_S);
    gnd_csr flat = op.a, out;
    gnd_real x[N] = {0}, y[N];
    gnd_series s;
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_series_pagerank(&s, 0, true, 0, &err), GND_ERR_ARG, "teleport probability");
    CHECK_FAILS(gnd_series_pagerank(&s, 1.1, true, 0, &err), GND_ERR_ARG, "expected 0 < a <= 1");
    CHECK_FAILS(gnd_series_pagerank(&s, NAN, false, 0, &err), GND_ERR_ARG, "teleport");
    CHECK_FAILS(gnd_series_pagerank(&s, 1e-9, false, 0, &err), GND_ERR_ARG, "terms");
    assert_null(s.c);
    CHECK_FAILS(gnd_series_heat(&s, -1, 0, &err), GND_ERR_ARG, "diffusion time of -1");
    CHECK_FAILS(gnd_series_heat(&s, NAN, 0, &err), GND_ERR_ARG, "diffusion time");
    CHECK_FAILS(gnd_series_heat(&s, 501, 0, &err), GND_ERR_ARG, "expected 0 to 500");
    assert_null(s.c);
    CHECK_OK(gnd_series_heat(&s, 1, 0, &err));
    flat.n_row--;
    CHECK_FAILS(gnd_series_apply(y, &(gnd_series_product){&flat, &s, x, 1}, NULL, &err),
                GND_ERR_SHAPE, "square");
    CHECK_FAILS(gnd_series_rows(&out, &flat, &s, (gnd_row_list){NULL, 0}, NULL, &err),
                GND_ERR_SHAPE, "square");
    CHECK_FAILS(gnd_series_rows(&out, &op.at, &s, (gnd_row_list){(int32_t[]){0, N}, 2}, NULL, &err),
                GND_ERR_ARG, "row 41 of a matrix of 41 rows");
    assert_null(out.ptr);
    CHECK_FAILS(gnd_series_blocks(y, &op.at, &s, (gnd_row_list){(int32_t[]){-1}, 1}, NULL, &err),
                GND_ERR_ARG, "row -1 of a matrix of 41 rows");
    CHECK_OK(gnd_series_rows(&out, &op.at, &s, (gnd_row_list){NULL, 0}, NULL, &err));
    assert_int_equal(gnd_csr_nnz(&out), 0);
    gnd_csr_fini(&out);
    gnd_series_fini(&s);
    gnd_operator_fini(&op);
}

static inline int run_series_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pagerank), cmocka_unit_test(heat),    cmocka_unit_test(lengths),
        cmocka_unit_test(odd_hops), cmocka_unit_test(adjoint), cmocka_unit_test(threads_agree),
        cmocka_unit_test(refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
