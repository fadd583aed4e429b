/* SPDX-License-Identifier: MIT
 * test_gdc.c - sparsified diffusion against dense columns, sorted. */
#include "base/alloc.h"
#include "dense.h"
#include "graph/gdc.h"
#include "make.h"
#include "random_graph.h"

enum { N = 75 }; /* two full blocks of columns and a part of one */

static gnd_operator operator_of(bool symmetric)
{
    gnd_graph *g = random_graph(N, 3, 2);
    gnd_operator op;
    gnd_error err = {0};

    CHECK_OK(gnd_operator_init(&op, symmetric ? GND_OP_S_SYMMETRISED : GND_OP_S, &g->adj, &err));
    gnd_graph_free(g);
    return op;
}

/* Column j of g against column j of pi: what is kept is larger than what is not, of the right
 * number, and divided by its sum. Values closer than 1e-6 may change places; those below 1e-9 are
 * other components or what no path leads to. */
static void check_column(const gnd_csr *g, const double *pi, int64_t j, gnd_gdc_keep keep)
{
    int64_t kept = 0, above = 0, clear = 0, some = 0;
    double least = INFINITY, rest = 0, sum = 0;

    for (int64_t i = 0; i < N; i++) {
        const double v = pi[i * N + j];

        above += v >= keep.eps;
        clear += v > 1e-6;
        some += v > 1e-9;
        if (gnd_csr_find(g, i, (int32_t)j) >= 0) {
            kept++;
            sum += v;
            least = fmin(least, v);
        } else
            rest = fmax(rest, v);
    }
    if (keep.top) {
        assert_in_range(kept, keep.top < clear ? keep.top : clear,
                        keep.top < some ? keep.top : some);
        assert_true(least >= rest - 1e-6);
    } else {
        assert_int_equal(kept, above);
        assert_true(least >= keep.eps && rest < keep.eps);
    }
    for (int64_t i = 0; i < N; i++)
        if (gnd_csr_find(g, i, (int32_t)j) >= 0)
            CHECK_CLOSE(entry(g, i, j), pi[i * N + j] / sum, 2e-6);
}

static void compare(const gnd_operator *op, const gnd_series *s, const double *pi,
                    gnd_gdc_keep keep)
{
    gnd_csr g;
    gnd_error err = {0};

    CHECK_OK(gnd_gdc(&g, &op->a, s, keep, NULL, &err));
    CHECK_OK(gnd_csr_check(&g, "diffusion", &err));
    for (int64_t j = 0; j < N; j++)
        check_column(&g, pi, j, keep);
    gnd_csr_fini(&g);
}

static void columns(void **state)
{
    (void)state;
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        gnd_operator op = operator_of(symmetric);
        double *pagerank = dense_pagerank(&op.a, 0.15), *heat = dense_heat(&op.a, 3);
        gnd_series s;
        gnd_error err = {0};

        CHECK_OK(gnd_series_pagerank(&s, 0.15, symmetric, 0, &err));
        compare(&op, &s, pagerank, (gnd_gdc_keep){.top = 1});
        compare(&op, &s, pagerank, (gnd_gdc_keep){.top = 9});
        compare(&op, &s, pagerank, (gnd_gdc_keep){.top = 64});
        compare(&op, &s, pagerank, (gnd_gdc_keep){.eps = 0.0123});
        gnd_series_fini(&s);
        CHECK_OK(gnd_series_heat(&s, 3, 0, &err));
        compare(&op, &s, heat, (gnd_gdc_keep){.top = 9});
        compare(&op, &s, heat, (gnd_gdc_keep){.eps = 0.0123});
        gnd_series_fini(&s);
        gnd_operator_fini(&op);
        free(pagerank);
        free(heat);
    }
}

/* A star: all leaves are equal, so the smallest row ids stay, besides the vertex and the hub. Two
 * vertices apart keep what there is, and one alone itself. */
static void ties(void **state)
{
    enum { leaves = 20, n = leaves + 4 };
    arc link[2 * leaves + 2];
    gnd_csr a, g;
    gnd_operator op;
    gnd_series s;
    gnd_error err = {0};

    (void)state;
    for (int32_t v = 0; v < leaves; v++) { /* the hub is vertex `leaves` */
        link[2 * v] = (arc){v, leaves, 1};
        link[2 * v + 1] = (arc){leaves, v, 1};
    }
    link[2 * leaves] = (arc){leaves + 1, leaves + 2, 1};
    link[2 * leaves + 1] = (arc){leaves + 2, leaves + 1, 1};
    a = make_csr(n, n, link, LENGTH(link), false);
    CHECK_OK(gnd_operator_init(&op, GND_OP_S, &a, &err));
    CHECK_OK(gnd_series_pagerank(&s, 0.1, true, 0, &err));
    CHECK_OK(gnd_gdc(&g, &op.a, &s, (gnd_gdc_keep){.top = 5}, NULL, &err));
    for (int32_t i = 0; i < n; i++) {
        if (i <= leaves) {
            assert_int_equal(gnd_csr_find(&g, i, 10) >= 0, i < 3 || i == 10 || i == leaves);
            assert_int_equal(gnd_csr_find(&g, i, leaves) >= 0, i < 4 || i == leaves);
        }
        assert_int_equal(gnd_csr_find(&g, i, leaves + 1) >= 0, i == leaves + 1 || i == leaves + 2);
        assert_int_equal(gnd_csr_find(&g, i, leaves + 3) >= 0, i == leaves + 3);
    }
    CHECK_CLOSE(entry(&g, leaves + 3, leaves + 3), 1, 1e-6);
    CHECK_CLOSE(entry(&g, leaves + 1, leaves + 1), 0.55, 1e-6); /* a + (1 - a) / 2 */
    gnd_csr_fini(&g);
    gnd_series_fini(&s);
    gnd_operator_fini(&op);
    gnd_csr_fini(&a);
}

static void threads_agree(void **state)
{
    static const int count[] = {2, 7};
    gnd_operator op = operator_of(true);
    gnd_csr one, many;
    gnd_series s;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_series_pagerank(&s, 0.1, true, 0, &err));
    CHECK_OK(gnd_gdc(&one, &op.a, &s, (gnd_gdc_keep){.top = 12}, NULL, &err));
    for (int64_t k = 0; k < LENGTH(count); k++) {
        gnd_pool *pool = gnd_pool_new(count[k]);

        assert_non_null(pool);
        CHECK_OK(gnd_gdc(&many, &op.a, &s, (gnd_gdc_keep){.top = 12}, pool, &err));
        assert_memory_equal(one.ptr, many.ptr, (N + 1) * sizeof *one.ptr);
        assert_memory_equal(one.col, many.col, (size_t)gnd_csr_nnz(&one) * sizeof *one.col);
        assert_memory_equal(one.val, many.val, (size_t)gnd_csr_nnz(&one) * sizeof *one.val);
        gnd_csr_fini(&many);
        gnd_pool_free(pool);
    }
    gnd_csr_fini(&one);
    gnd_series_fini(&s);
    gnd_operator_fini(&op);
}

/* By hand: row sums .5 + .25, 1 + 1 (a loop is added), 2; the loop of vertex 0 stays .5. */
static void reweighted(void **state)
{
    static const arc arcs[] = {{0, 0, 0.5}, {0, 1, 0.25}, {1, 0, 1}, {2, 2, 2}};
    const double d[] = {0.75, 2, 2};
    const double with[3][3] = {{0.5, 0.25, 0}, {1, 1, 0}, {0, 0, 2}};
    gnd_csr g = make_csr(3, 3, arcs, LENGTH(arcs), true), flat = g;
    gnd_operator op;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_gdc_operator(&op, &g, &err));
    CHECK_OK(gnd_csr_check(&op.a, "operator", &err));
    CHECK_OK(gnd_csr_check(&op.at, "adjoint", &err));
    for (int64_t i = 0; i < 3; i++)
        for (int64_t j = 0; j < 3; j++) {
            CHECK_CLOSE(entry(&op.at, i, j), with[i][j] / sqrt(d[i] * d[j]), 1e-6);
            CHECK_CLOSE(entry(&op.a, j, i), with[i][j] / sqrt(d[i] * d[j]), 1e-6);
        }
    gnd_operator_fini(&op);
    flat.n_col = 4;
    CHECK_FAILS(gnd_gdc_operator(&op, &flat, &err), GND_ERR_SHAPE, "expected square");
    assert_null(op.a.ptr);
    gnd_csr_fini(&g);
}

static void refusals(void **state)
{
    gnd_operator op = operator_of(true);
    gnd_csr flat = op.a, g, none = {0};
    gnd_series s;
    gnd_error err;

    (void)state;
    flat.n_col++;
    CHECK_OK(gnd_series_heat(&s, 1, 0, &err));
    CHECK_FAILS(gnd_gdc(&g, &flat, &s, (gnd_gdc_keep){.top = 1}, NULL, &err), GND_ERR_SHAPE,
                "expected square");
    CHECK_FAILS(gnd_gdc(&g, &op.a, &s, (gnd_gdc_keep){.top = -1}, NULL, &err), GND_ERR_ARG,
                "-1 links per vertex");
    CHECK_FAILS(gnd_gdc(&g, &op.a, &s, (gnd_gdc_keep){.eps = 0}, NULL, &err), GND_ERR_ARG,
                "links of at least 0");
    CHECK_FAILS(gnd_gdc(&g, &op.a, &s, (gnd_gdc_keep){.eps = NAN}, NULL, &err), GND_ERR_ARG,
                "expected more than 0");
    assert_null(g.ptr);
    CHECK_OK(gnd_gdc(&g, &none, &s, (gnd_gdc_keep){.top = 3}, NULL, &err));
    assert_int_equal(g.n_row, 0);
    gnd_csr_fini(&g);
    CHECK_OK(gnd_gdc(&g, &op.a, &s, (gnd_gdc_keep){.eps = 2}, NULL, &err)); /* nothing is left */
    assert_int_equal(gnd_csr_nnz(&g), 0);
    gnd_csr_fini(&g);
    gnd_series_fini(&s);
    gnd_operator_fini(&op);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns),    cmocka_unit_test(ties),     cmocka_unit_test(threads_agree),
        cmocka_unit_test(reweighted), cmocka_unit_test(refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
