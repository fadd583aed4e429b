/* SPDX-License-Identifier: MIT
 * operator_cases.h - operators and feature norms against reference values, in either precision. */
#ifndef GND_TESTS_GRAPH_OPERATOR_CASES_H
#define GND_TESTS_GRAPH_OPERATOR_CASES_H

#include "graph/norm.h"
#include "make.h"
#include "operator_names.h"
#include "reference_file.h"

static double tolerance(void)
{
    return sizeof(gnd_real) == sizeof(double) ? 1e-10 : 2e-5;
}

/* Matrix NAME.ij, NAME.v (NULL v: all 1). */
static gnd_csr matrix_of(const golden *f, const char *ij_name, const char *v_name, int64_t n_row,
                         int64_t n_col)
{
    int64_t nnz = 0, n_val = 0;
    const int64_t *ij = golden_int(f, ij_name, &nnz, NULL);
    const double *v = v_name ? golden_real(f, v_name, &n_val, NULL) : NULL;
    arc *arcs = calloc((size_t)nnz + 1, sizeof *arcs);
    gnd_csr a;

    assert_non_null(ij);
    assert_true(!v_name || (v && n_val == nnz));
    for (int64_t p = 0; p < nnz; p++)
        arcs[p] = (arc){(int32_t)ij[2 * p], (int32_t)ij[2 * p + 1], v ? v[p] : 1};
    a = make_csr(n_row, n_col, arcs, nnz, v != NULL);
    free(arcs);
    return a;
}

/* Same entries, where an entry that is not stored is 0. */
static void check_matrix(const golden *f, const char *name, const gnd_csr *a)
{
    char ij_name[64], v_name[64];
    int64_t nnz = 0;
    const int64_t *ij;
    const double *v;
    double largest = 1;

    snprintf(ij_name, sizeof ij_name, "%s.ij", name);
    snprintf(v_name, sizeof v_name, "%s.v", name);
    ij = golden_int(f, ij_name, &nnz, NULL);
    v = golden_real(f, v_name, NULL, NULL);
    assert_true(ij && v && nnz > 0);
    for (int64_t p = 0; p < nnz; p++)
        largest = fmax(largest, fabs(v[p]));
    for (int64_t p = 0; p < nnz; p++) {
        const double got = entry(a, ij[2 * p], ij[2 * p + 1]);

        if (!(fabs(got - v[p]) <= tolerance() * largest))
            fail_msg("%s(%lld,%lld) = %.17g; expected %.17g", name, (long long)ij[2 * p],
                     (long long)ij[2 * p + 1], got, v[p]);
    }
    assert_int_equal(gnd_csr_nnz(a), nnz); /* so nothing is stored beyond these */
}

/* a y = expected, by the plainest loop. */
static void check_product(const golden *f, const char *name, const char *what, const gnd_csr *a)
{
    char full[64];
    int64_t n = 0, k = 0;
    const double *y = golden_real(f, "Y", &n, &k), *want;
    double largest = 1;

    snprintf(full, sizeof full, "%s.%s", name, what);
    want = golden_real(f, full, NULL, NULL);
    assert_true(y && want && a->n_row == n);
    for (int64_t i = 0; i < n * k; i++)
        largest = fmax(largest, fabs(want[i]));
    for (int64_t i = 0; i < n; i++) {
        for (int64_t c = 0; c < k; c++) {
            double sum = 0;

            for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
                sum += (double)a->val[p] * y[a->col[p] * k + c];
            CHECK_CLOSE(sum, want[i * k + c], tolerance() * largest);
        }
    }
}

static void check_operators(const golden *f)
{
    const int64_t n = reference_int(f, "n");
    gnd_csr adj = matrix_of(f, "A", NULL, n, n);
    gnd_error err;

    for (int64_t k = 0; k < LENGTH(operator_names); k++) {
        gnd_operator op;

        CHECK_OK(gnd_operator_init(&op, operator_names[k].kind, &adj, &err));
        CHECK_OK(gnd_csr_check(&op.a, operator_names[k].name, &err));
        CHECK_OK(gnd_csr_check(&op.at, operator_names[k].name, &err));
        check_matrix(f, operator_names[k].name, &op.a);
        check_product(f, operator_names[k].name, "Y", &op.a);
        check_product(f, operator_names[k].name, "TY", &op.at);
        assert_int_equal(op.shared, op.a.val == op.at.val);
        gnd_operator_fini(&op);
    }
    gnd_csr_fini(&adj);
}

static void check_features(const golden *f)
{
    static const struct {
        const char *name;
        gnd_feat_norm how;
    } norms[] = {
        {"X_l1", GND_FEAT_ROW_L1}, {"X_l2", GND_FEAT_ROW_L2}, {"X_bin_l2", GND_FEAT_BINARY_L2}};
    gnd_csr x = matrix_of(f, "X.ij", "X.v", reference_int(f, "n"), reference_int(f, "d"));
    gnd_error err;

    for (int64_t k = 0; k < LENGTH(norms); k++) {
        gnd_csr out;

        CHECK_OK(gnd_feat_normalise(&out, &x, norms[k].how, &err));
        check_matrix(f, norms[k].name, &out);
        gnd_csr_fini(&out);
    }
    gnd_csr_fini(&x);
}

/* The largest component of the symmetrised graph without loops. */
static void check_std(const golden *f)
{
    const int64_t n = reference_int(f, "n");
    gnd_csr adj = matrix_of(f, "A", NULL, n, n);
    gnd_graph *g = NULL, *std = NULL;
    int64_t n_keep = 0, nnz = 0, rows = 0;
    const int64_t *keep = golden_int(f, "std.keep", &n_keep, NULL);
    const int64_t *comp = golden_int(f, "std.component", &rows, NULL);
    const int64_t *a = golden_int(f, "std.A", &nnz, NULL);
    int32_t *got = calloc((size_t)n, sizeof *got);
    gnd_error err;

    assert_true(keep && comp && a && rows == n);
    assert_true(gnd_components(got, &adj) > 0);
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(got[i], comp[i]);
    CHECK_OK(gnd_graph_new(&g, "golden", n, &err));
    g->adj = adj;
    CHECK_OK(gnd_graph_convert(&std, g, GND_GRAPH_STD, &err));
    CHECK_OK(gnd_graph_check(std, NULL, &err));
    assert_int_equal(std->n_node, n_keep);
    for (int64_t i = 0; i < n_keep; i++)
        assert_int_equal(std->old ? std->old[i] : i, keep[i]);
    assert_int_equal(gnd_csr_nnz(&std->adj), nnz);
    assert_null(std->adj.val);
    for (int64_t p = 0; p < nnz; p++)
        assert_true(gnd_csr_find(&std->adj, a[2 * p], (int32_t)a[2 * p + 1]) >= 0);
    free(got);
    gnd_graph_free(std);
    gnd_graph_free(g);
}

static void golden_case(void **state)
{
    golden *f = reference_file(*state);

    if (!f)
        skip();
    check_operators(f);
    check_features(f);
    check_std(f);
    golden_free(f);
}

/* Weights 2 and 3 on 0 -> 1 -> 2, a loop of weight 4 on 1, and vertex 3 alone. */
static const arc weighted_arcs[] = {{0, 1, 2}, {1, 1, 4}, {1, 2, 3}};

static void check_dense(gnd_operator_kind kind, const double want[4][4], bool shared)
{
    gnd_csr adj = make_csr(4, 4, weighted_arcs, LENGTH(weighted_arcs), true);
    gnd_operator op;
    gnd_error err;

    CHECK_OK(gnd_operator_init(&op, kind, &adj, &err));
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            CHECK_CLOSE(entry(&op.a, i, j), want[i][j], tolerance());
            CHECK_CLOSE(entry(&op.at, j, i), want[i][j], tolerance());
        }
    }
    assert_int_equal(op.shared, shared);
    gnd_operator_fini(&op);
    assert_null(op.a.ptr);
    gnd_csr_fini(&adj);
}

/* Values by hand, from the formulas in operator.h. */
static void weighted_rows_without_links(void **state)
{
    (void)state;
    check_dense(GND_OP_W,
                (const double[4][4]){
                    {1 / 3., 2 / 3., 0, 0}, {0, 5 / 8., 3 / 8., 0}, {0, 0, 1, 0}, {0, 0, 0, 1}},
                false);
    check_dense(
        GND_OP_S_TRANSPOSED,
        (const double[4][4]){
            {1 / 3., 0, 0, 0}, {2 / sqrt(24), 5 / 8., 0, 0}, {0, 3 / sqrt(8), 1, 0}, {0, 0, 0, 1}},
        false);
    check_dense(GND_OP_S_MIXHOP,
                (const double[4][4]){{1 / 3., 2 / sqrt(18), 0, 0},
                                     {2 / sqrt(18), 1 / 6., 3 / sqrt(24), 0},
                                     {0, 3 / sqrt(24), 1 / 4., 0},
                                     {0, 0, 0, 1}},
                true);
    /* Row 2 has no out-link: d = 0 scales its column by 0, and only the identity is left. */
    check_dense(GND_OP_LN,
                (const double[4][4]){
                    {1, -2 / sqrt(14), 0, 0}, {0, 1 - 4 / 7., 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}},
                false);
    check_dense(
        GND_OP_ADINV,
        (const double[4][4]){{0, 2 / 5., 0, 0}, {1, 0, 1, 0}, {0, 3 / 5., 0, 0}, {0, 0, 0, 0}},
        false);
    check_dense(GND_OP_P_DCNN,
                (const double[4][4]){
                    {0, 2 / 10., 0, 0}, {2 / 3., 4 / 10., 3 / 4., 0}, {0, 3 / 10., 0, 0}, {0}},
                false);
}

/* The operators of a directed graph that no reference file has, by hand. */
static void directed_variants(void **state)
{
    (void)state;
    check_dense(
        GND_OP_S_MIXHOP_PLAIN,
        (const double[4][4]){
            {1 / 3., 2 / sqrt(12), 0, 0}, {0, 1 / 4., 3 / sqrt(4), 0}, {0, 0, 1, 0}, {0, 0, 0, 1}},
        false);
    check_dense(
        GND_OP_S_MIXHOP_TRANSPOSED,
        (const double[4][4]){
            {1 / 3., 0, 0, 0}, {2 / sqrt(12), 1 / 4., 0, 0}, {0, 3 / sqrt(4), 1, 0}, {0, 0, 0, 1}},
        false);
    check_dense(GND_OP_LN_SYMMETRISED,
                (const double[4][4]){{1, -2 / sqrt(18), 0, 0},
                                     {-2 / sqrt(18), 1 - 4 / 9., -3 / sqrt(27), 0},
                                     {0, -3 / sqrt(27), 1, 0},
                                     {0, 0, 0, 1}},
                true);
    /* Column sums 0, 6, 3, 0, plus one. */
    check_dense(GND_OP_P_DCNN_PLAIN,
                (const double[4][4]){{0, 2 / 7., 0, 0}, {0, 4 / 7., 3 / 4., 0}, {0}, {0}}, false);
    /* Column sums of A^T: 2, 7, 0, 0, plus one. */
    check_dense(GND_OP_P_DCNN_TRANSPOSED,
                (const double[4][4]){{0}, {2 / 3., 4 / 8., 0, 0}, {0, 3 / 8., 0, 0}, {0}}, false);
}

/* On a symmetric graph with awkward degrees S is symmetric to the last bit, so one copy serves
 * both. */
static void symmetric_is_shared(void **state)
{
    enum { N = 40 };
    arc arcs[2 * N * N];
    int64_t n_arc = 0;
    gnd_csr adj;
    gnd_error err;

    (void)state;
    for (int32_t i = 0; i < N; i++) {
        for (int32_t j = 0; j < i; j++) {
            if ((i * 7 + j * 3) % (2 + i % 5) != 0)
                continue;
            arcs[n_arc++] = (arc){i, j, 1.0 / (1 + i + j)};
            arcs[n_arc++] = (arc){j, i, 1.0 / (1 + i + j)};
        }
    }
    adj = make_csr(N, N, arcs, n_arc, true);
    for (int64_t k = 0; k < LENGTH(operator_names); k++) {
        const bool one_sided =
            strchr("WAD", operator_names[k].name[0]) || operator_names[k].kind == GND_OP_P_DCNN;
        gnd_operator op;

        CHECK_OK(gnd_operator_init(&op, operator_names[k].kind, &adj, &err));
        assert_int_equal(op.shared, !one_sided);
        gnd_operator_fini(&op);
    }
    gnd_csr_fini(&adj);
}

static void not_square(void **state)
{
    gnd_csr adj = make_csr(3, 4, (const arc[]){{0, 3, 1}}, 1, false);
    gnd_operator op;
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_operator_init(&op, GND_OP_W, &adj, &err), GND_ERR_SHAPE,
                "is 3 x 4; expected square");
    assert_null(op.a.ptr);
    gnd_csr_fini(&adj);
}

static int run_operator_tests(void)
{
    static char g1[] = "operators_G1.txt", g2[] = "operators_G2.txt", g3[] = "operators_G3.txt";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(golden_case, g1),
        cmocka_unit_test_prestate(golden_case, g2),
        cmocka_unit_test_prestate(golden_case, g3),
        cmocka_unit_test(weighted_rows_without_links),
        cmocka_unit_test(directed_variants),
        cmocka_unit_test(symmetric_is_shared),
        cmocka_unit_test(not_square),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
