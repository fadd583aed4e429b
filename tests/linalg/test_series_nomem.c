/* SPDX-License-Identifier: MIT
 * test_series_nomem.c - series, spectra and diffusion with 0, 1, 2, ... allowed allocations. */
#include "linalg/eigen_top.h"
#include "graph/gdc.h"
#include "linalg/lanczos.h"
#include "graph/make.h"
#include "mallocfail.h"

enum { N = 40 };

/* A ring with one way street across it: S is not symmetric; without the street it is. */
static gnd_operator ring(gnd_operator_kind kind, bool street)
{
    arc link[2 * N + 1];
    gnd_csr a;
    gnd_operator op;
    gnd_error err = {0};

    for (int32_t v = 0; v < N; v++) {
        link[2 * v] = (arc){v, (v + 1) % N, 1};
        link[2 * v + 1] = (arc){(v + 1) % N, v, 1};
    }
    link[2 * N] = (arc){0, N / 2, 1};
    a = make_csr(N, N, link, 2 * N + street, false);
    CHECK_OK(gnd_operator_init(&op, kind, &a, &err));
    gnd_csr_fini(&a);
    return op;
}

static void series(void **state)
{
    gnd_operator op = ring(GND_OP_S, true);
    gnd_real x[N] = {1}, y[N], block[2 * N];
    const int32_t rows[] = {3, 0};
    gnd_csr out;
    gnd_series s;
    gnd_error err = {0};

    (void)state;
    NOMEM_WALK(gnd_series_heat(&s, 2, 0, &err), assert_null(s.c));
    gnd_series_fini(&s);
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        NOMEM_WALK(gnd_series_pagerank(&s, 0.5, symmetric, 0, &err), assert_null(s.c));
        NOMEM_WALK(gnd_series_apply(y, &(gnd_series_product){&op.a, &s, x, 1}, NULL, &err),
                   (void)0);
        NOMEM_WALK(gnd_series_rows(&out, &op.at, &s, (gnd_row_list){rows, 2}, NULL, &err),
                   assert_null(out.ptr));
        gnd_csr_fini(&out);
        NOMEM_WALK(gnd_series_blocks(block, &op.at, &s, (gnd_row_list){rows, 2}, NULL, &err),
                   (void)0);
        gnd_series_fini(&s);
    }
    gnd_operator_fini(&op);
}

static void spectra(void **state)
{
    gnd_operator op = ring(GND_OP_S, false);
    double start[N] = {1, 2}, value[3], vector[3 * N], end;
    gnd_lanczos l;
    gnd_error err = {0};

    (void)state;
    NOMEM_WALK(gnd_lanczos_init(&l, &op.a, start, 5, &err), assert_true(!l.q && !l.vector));
    gnd_lanczos_fini(&l);
    NOMEM_WALK(
        gnd_eigen_top(value, vector, &op.a, &(gnd_eigen_want){.k = 3, .tol = 0, .seed = 1}, &err),
        (void)0);
    CHECK_CLOSE(value[0], 1, 1e-6);
    gnd_operator_fini(&op);
    op = ring(GND_OP_LN, false);
    NOMEM_WALK(gnd_lambda_max(&end, &op.a, true, &err), (void)0);
    CHECK_CLOSE(end, 2, 1e-6);
    gnd_operator_fini(&op);
    for (int street = 0; street < 2; street++) {
        op = ring(GND_OP_LN, street);
        NOMEM_WALK(gnd_operator_to_cheby(&op, 2, &err), assert_int_equal(op.a.val[0], 1));
        assert_int_equal(op.shared, !street);
        gnd_operator_fini(&op);
    }
}

static void diffusion(void **state)
{
    gnd_operator op = ring(GND_OP_S, true), to;
    gnd_csr g;
    gnd_series s;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_series_heat(&s, 2, 0, &err));
    NOMEM_WALK(gnd_gdc(&g, &op.a, &s, (gnd_gdc_keep){.top = 3}, NULL, &err), assert_null(g.ptr));
    NOMEM_WALK(gnd_gdc_operator(&to, &g, &err), assert_true(!to.a.ptr && !to.at.ptr));
    gnd_operator_fini(&to);
    gnd_csr_fini(&g);
    NOMEM_WALK(gnd_gdc(&g, &op.a, &s, (gnd_gdc_keep){.eps = 0.1}, NULL, &err), assert_null(g.ptr));
    gnd_csr_fini(&g);
    gnd_series_fini(&s);
    gnd_operator_fini(&op);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(series),
        cmocka_unit_test(spectra),
        cmocka_unit_test(diffusion),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
