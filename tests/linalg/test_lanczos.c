/* SPDX-License-Identifier: MIT
 * test_lanczos.c - Lanczos vectors, Ritz pairs, and the ends of a spectrum. */
#include "base/alloc.h"
#include "graph/dense.h"
#include "graph/operator.h"
#include "linalg/eigen_top.h"
#include "linalg/lanczos.h"
#include "graph/make.h"
#include "random_graph.h"

/* n vertices in rings of `each`, both directions stored. */
static gnd_csr rings(int32_t n, int32_t each)
{
    arc *link = calloc((size_t)(2 * n), sizeof *link);
    gnd_csr a;

    for (int32_t v = 0; v < n; v++) {
        const int32_t w = v % each == each - 1 ? v - each + 1 : v + 1;

        link[2 * v] = (arc){v, w, 1};
        link[2 * v + 1] = (arc){w, v, 1};
    }
    a = make_csr(n, n, link, 2 * n, false);
    free(link);
    return a;
}

static gnd_operator random_s(int64_t n, gnd_operator_kind kind)
{
    gnd_graph *g = random_graph(n, 3, 2);
    gnd_operator op;
    gnd_error err = {0};

    CHECK_OK(gnd_operator_init(&op, kind, &g->adj, &err));
    assert_true(op.shared);
    gnd_graph_free(g);
    return op;
}

/* y = A x */
static void times(double *y, const gnd_csr *a, const double *x, int64_t stride)
{
    for (int64_t i = 0; i < a->n_row; i++) {
        y[i] = 0;
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
            y[i] += (double)gnd_csr_val(a, p) * x[a->col[p] * stride];
    }
}

/* Q is orthonormal and A Q = Q T + off e^T; Ritz vectors are orthonormal and ascend. */
static void basis(void **state)
{
    enum { n = 200, k = 20 };
    gnd_operator op = random_s(n, GND_OP_S_SYMMETRISED);
    double start[n], aq[n];
    gnd_lanczos l;
    gnd_error err = {0};

    (void)state;
    for (int64_t i = 0; i < n; i++)
        start[i] = random_at(21, i) * 30;
    CHECK_OK(gnd_lanczos_init(&l, &op.a, start, k, &err));
    assert_int_equal(l.done, k);
    for (int64_t i = 0; i < n; i++) /* the start, shortened */
        CHECK_CLOSE(l.q[i] / l.q[0], start[i] / start[0], 1e-12);
    for (int64_t j = 0; j < k; j++) {
        for (int64_t h = 0; h < k; h++) {
            double q = 0, v = 0;

            for (int64_t i = 0; i < n; i++) {
                q += l.q[j * n + i] * l.q[h * n + i];
                v += l.vector[i * k + j] * l.vector[i * k + h];
            }
            CHECK_CLOSE(q, j == h, 1e-13);
            CHECK_CLOSE(v, j == h, 1e-13);
        }
        assert_true(l.off[j] > 1e-4);
        assert_true(j == 0 || l.value[j] > l.value[j - 1]);
        times(aq, &op.a, l.q + j * n, 1);
        for (int64_t i = 0; j < k - 1 && i < n; i++)
            CHECK_CLOSE(aq[i],
                        l.diag[j] * l.q[j * n + i] + l.off[j] * l.q[(j + 1) * n + i] +
                            (j ? l.off[j - 1] * l.q[(j - 1) * n + i] : 0),
                        1e-13);
    }
    times(aq, &op.a, l.vector + k - 1, k); /* the upper end comes first */
    CHECK_CLOSE(l.value[k - 1], 1, 1e-6);
    for (int64_t i = 0; i < n; i++)
        CHECK_CLOSE(aq[i], l.value[k - 1] * l.vector[i * k + k - 1], 1e-3);
    gnd_lanczos_fini(&l);
    assert_null(l.q);
    gnd_operator_fini(&op);
}

/* A ring of 8 has 5 distinct eigenvalues; from a unit vector all of them are seen, once each, and
 * then there is nothing left to do. Another ring is never reached. */
static void breakdown(void **state)
{
    enum { n = 16, k = 9 };
    gnd_csr a = rings(n, 8);
    double start[n] = {[3] = 2};
    gnd_operator op;
    gnd_lanczos l;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_operator_init(&op, GND_OP_S, &a, &err));
    CHECK_OK(gnd_lanczos_init(&l, &op.a, start, k, &err));
    assert_int_equal(l.done, 5);
    for (int64_t j = 0; j < 5; j++)
        CHECK_CLOSE(l.value[j], (1 + 2 * cos(M_PI * (double)(4 - j) / 4)) / 3, 1e-7);
    for (int64_t j = 5; j < k; j++) {
        assert_true(l.value[j] == 0 && l.diag[j] == 0 && l.off[j] == 0);
        for (int64_t i = 0; i < n; i++)
            assert_true(l.vector[i * k + j] == 0 && l.q[j * n + i] == 0);
    }
    for (int64_t i = 8; i < n; i++)
        for (int64_t j = 0; j < k; j++)
            assert_true(l.vector[i * k + j] == 0);
    gnd_lanczos_fini(&l);
    gnd_operator_fini(&op);
    gnd_csr_fini(&a);
}

/* |A v - value v| and V^T V of all k pairs. */
static void check_pairs(const gnd_csr *a, const double *value, const double *vector, int64_t k)
{
    const int64_t n = a->n_row;
    double *av = dense_new(n, 1);

    for (int64_t j = 0; j < k; j++) {
        times(av, a, vector + j, k);
        for (int64_t i = 0; i < n; i++)
            CHECK_CLOSE(av[i], value[j] * vector[i * k + j], 1e-8);
        for (int64_t h = 0; h < k; h++) {
            double sum = 0;

            for (int64_t i = 0; i < n; i++)
                sum += vector[i * k + j] * vector[i * k + h];
            CHECK_CLOSE(sum, j == h, 1e-10);
        }
        assert_true(j == 0 || fabs(value[j]) <= fabs(value[j - 1]) + 1e-9);
    }
    free(av);
}

/* Four rings of 7 and their spectra: 1 four times, then pairs, eight of each. */
static void multiplicities(void **state)
{
    enum { n = 28 };
    static const int64_t many[] = {1, 3, 4, 5, 11, n};
    gnd_csr a = rings(n, 7);
    gnd_operator op;
    double value[n], vector[n * n];
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_operator_init(&op, GND_OP_S, &a, &err));
    for (int64_t m = 0; m < LENGTH(many); m++) {
        const int64_t k = many[m];

        CHECK_OK(gnd_eigen_top(value, vector, &op.a, &(gnd_eigen_want){.k = k, .tol = 0, .seed = 3},
                               &err));
        check_pairs(&op.a, value, vector, k);
        for (int64_t j = 0; j < k; j++) { /* |1 + 2 cos(2 pi r / 7)| / 3 falls as r = 0, 1, 2 .. */
            static const double r[] = {0, 1, 2, 3};
            double all[4];

            for (int i = 0; i < 4; i++)
                all[i] = fabs(1 + 2 * cos(2 * M_PI * r[i] / 7)) / 3;
            assert_true(all[1] > all[3] && all[3] > all[2]);
            CHECK_CLOSE(fabs(value[j]),
                        j < 4    ? all[0]
                        : j < 12 ? all[1]
                        : j < 20 ? all[3]
                                 : all[2],
                        1e-7);
        }
    }
    gnd_operator_fini(&op);
    gnd_csr_fini(&a);
}

/* Both ends of a bipartite spectrum count. A larger graph needs more than one look at its basis. */
static void both_ends(void **state)
{
    enum { n = 900, k = 24 };
    gnd_csr a = rings(10, 10);
    gnd_operator op;
    double value[k], *vector = dense_new(n, k);
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_operator_init(&op, GND_OP_S0, &a, &err));
    CHECK_OK(
        gnd_eigen_top(value, vector, &op.a, &(gnd_eigen_want){.k = 2, .tol = 0, .seed = 1}, &err));
    check_pairs(&op.a, value, vector, 2);
    CHECK_CLOSE(value[0] + value[1], 0, 1e-8);
    CHECK_CLOSE(fabs(value[0]), 1, 1e-7);
    gnd_operator_fini(&op);
    gnd_csr_fini(&a);
    op = random_s(n, GND_OP_S_SYMMETRISED);
    CHECK_OK(
        gnd_eigen_top(value, vector, &op.a, &(gnd_eigen_want){.k = k, .tol = 0, .seed = 1}, &err));
    check_pairs(&op.a, value, vector, k);
    CHECK_CLOSE(value[0], 1, 1e-6);
    gnd_operator_fini(&op);
    free(vector);
}

static double laplacian_end(const gnd_csr *a)
{
    gnd_operator ln;
    gnd_error err = {0};
    double out;

    CHECK_OK(gnd_operator_init(&ln, GND_OP_LN, a, &err));
    CHECK_OK(gnd_lambda_max(&out, &ln.a, ln.shared, &err));
    gnd_operator_fini(&ln);
    return out;
}

static void lambda(void **state)
{
    static const arc complete[] = {{0, 1, 1}, {0, 2, 1}, {1, 0, 1},
                                   {1, 2, 1}, {2, 0, 1}, {2, 1, 1}};
    static const arc one_way[] = {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}};
    gnd_csr even = rings(12, 6), odd = rings(55, 11);
    gnd_csr triangle = make_csr(4, 4, complete, LENGTH(complete), false);
    gnd_csr directed = make_csr(3, 3, one_way, LENGTH(one_way), false);

    (void)state;
    CHECK_CLOSE(laplacian_end(&even), 2, 1e-7);
    CHECK_CLOSE(laplacian_end(&odd), 1 + cos(M_PI / 11), 1e-7);
    CHECK_CLOSE(laplacian_end(&triangle), 1.5, 1e-7); /* beside a lone vertex, whose own is 1 */
    CHECK_CLOSE(laplacian_end(&directed), 2, 0);
    gnd_csr_fini(&even);
    gnd_csr_fini(&odd);
    gnd_csr_fini(&triangle);
    gnd_csr_fini(&directed);
}

/* (2 / lambda) L - I entry by entry, with and without an adjoint of its own; a diagonal that is not
 * stored - of a vertex whose only link is a loop - becomes -1. */
static void rescaled(void **state)
{
    static const arc arcs[] = {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}, {3, 3, 1}, {4, 0, 1}};
    static const double ends[] = {2, 1.6};

    (void)state;
    for (int64_t links = 5; links <= 6; links++) /* the sixth has no way back */
        for (int64_t e = 0; e < LENGTH(ends); e++) {
            gnd_csr a = make_csr(6, 6, arcs, links, false);
            gnd_operator op;
            gnd_error err = {0};
            double *before;

            CHECK_OK(gnd_operator_init(&op, GND_OP_LN, &a, &err));
            assert_int_equal(op.shared, links == 5);
            before = dense_of(&op.a);
            CHECK_OK(gnd_operator_to_cheby(&op, ends[e], &err));
            CHECK_OK(gnd_csr_check(&op.a, "L", &err));
            CHECK_OK(gnd_csr_check(&op.at, "its transpose", &err));
            assert_int_equal(op.shared, links == 5);
            for (int64_t i = 0; i < 6; i++)
                for (int64_t j = 0; j < 6; j++) {
                    const double want = 2 / ends[e] * before[i * 6 + j] - (i == j);

                    CHECK_CLOSE(entry(&op.a, i, j), want, 1e-6);
                    CHECK_CLOSE(entry(&op.at, j, i), want, 1e-6);
                }
            for (int64_t p = 0; p < gnd_csr_nnz(&op.a); p++)
                assert_true(op.a.val[p] != 0);
            CHECK_FAILS(gnd_operator_to_cheby(&op, 0, &err), GND_ERR_ARG, "no eigenvalue above 0");
            free(before);
            gnd_operator_fini(&op);
            gnd_csr_fini(&a);
        }
}

static void refusals(void **state)
{
    gnd_csr a = rings(6, 6), flat;
    double start[6] = {0}, value[7], vector[42];
    gnd_lanczos l;
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_lanczos_init(&l, &a, start, 3, &err), GND_ERR_ARG, "start vector");
    start[0] = NAN;
    CHECK_FAILS(gnd_lanczos_init(&l, &a, start, 3, &err), GND_ERR_ARG, "not finite");
    CHECK_FAILS(gnd_lanczos_init(&l, &a, start, 0, &err), GND_ERR_ARG, "0 Lanczos steps");
    flat = a;
    flat.n_row = 5;
    CHECK_FAILS(gnd_lanczos_init(&l, &flat, start, 3, &err), GND_ERR_SHAPE, "expected square");
    assert_null(l.value);
    CHECK_FAILS(
        gnd_eigen_top(value, vector, &a, &(gnd_eigen_want){.k = 0, .tol = 0, .seed = 1}, &err),
        GND_ERR_ARG, "0 eigenvectors");
    CHECK_FAILS(
        gnd_eigen_top(value, vector, &a, &(gnd_eigen_want){.k = 7, .tol = 0, .seed = 1}, &err),
        GND_ERR_ARG, "7 eigenvectors");
    CHECK_FAILS(
        gnd_eigen_top(value, vector, &flat, &(gnd_eigen_want){.k = 2, .tol = 0, .seed = 1}, &err),
        GND_ERR_SHAPE, "square");
    gnd_csr_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(basis),     cmocka_unit_test(breakdown), cmocka_unit_test(multiplicities),
        cmocka_unit_test(both_ends), cmocka_unit_test(lambda),    cmocka_unit_test(rescaled),
        cmocka_unit_test(refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
