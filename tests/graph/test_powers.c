/* SPDX-License-Identifier: MIT
 * test_powers.c - rows of P^k X: from powers kept dense, sparse or not at all, against plain
 * loops. */
#include "check.h"

#include "base/alloc.h"
#include "base/rng.h"
#include "graph/operator.h"
#include "graph/powers.h"

enum { N = 23, D = 9, H = 3 };

static gnd_csr random_csr(int64_t n, int64_t m, double density, uint32_t stream)
{
    gnd_csr a;
    gnd_error err = {0};
    int64_t p = 0;

    CHECK_OK(gnd_csr_init(&a, n, m, n * m, true, &err));
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < m; j++)
            if (gnd_rng_uniform(3, stream, (uint64_t)(i * m + j)) < density) {
                a.col[p] = (int32_t)j;
                a.val[p] = (gnd_real)(gnd_rng_uniform(4, stream, (uint64_t)p) + 0.1);
                p++;
            }
        a.ptr[i + 1] = p;
    }
    return a;
}

/* y = a x, all dense, [n, d] */
static void times(double *y, const gnd_csr *a, const double *x, int64_t d)
{
    memset(y, 0, (size_t)(a->n_row * d) * sizeof *y);
    for (int64_t i = 0; i < a->n_row; i++)
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
            for (int64_t c = 0; c < d; c++)
                y[i * d + c] += (double)a->val[p] * x[a->col[p] * d + c];
}

/* Some rows, one of them twice. */
static void check_packed(const gnd_powers *r, const double *want)
{
    static const int32_t rows[] = {5, 0, N - 1, 5};
    gnd_error err = {0};
    gnd_csr out;

    CHECK_OK(gnd_powers_pack(&out, r, rows, LENGTH(rows), &err));
    CHECK_OK(gnd_csr_check(&out, "rows", &err));
    assert_int_equal(out.n_row, LENGTH(rows));
    assert_int_equal(out.n_col, (H + 1) * D);
    for (int64_t i = 0; i < LENGTH(rows); i++)
        for (int32_t k = 0; k < (H + 1) * D; k++) {
            const int64_t p = gnd_csr_find(&out, i, k);

            CHECK_CLOSE(p < 0 ? 0 : out.val[p], want[(k / D * N + rows[i]) * D + k % D], 1e-5);
            assert_true(p < 0 || out.val[p] != 0);
        }
    gnd_csr_fini(&out);
}

static void check_rows(const gnd_powers *r, const gnd_csr *p, const gnd_csr *x)
{
    gnd_real row[(H + 1) * D], scratch[2 * N];
    double want[(H + 1) * N * D] = {0};

    for (int64_t i = 0; i < N; i++)
        for (int64_t q = x->ptr[i]; q < x->ptr[i + 1]; q++)
            want[i * D + x->col[q]] = (double)x->val[q];
    for (int k = 1; k <= H; k++)
        times(want + k * N * D, p, want + (k - 1) * N * D, D);
    check_packed(r, want);
    assert_true(gnd_powers_scratch(r) <= 2 * N);
    for (int64_t i = N - 1; i >= 0; i--) {
        for (int k = 0; k < (H + 1) * D; k++)
            row[k] = 99;
        gnd_powers_row(row, r, i, scratch);
        for (int k = 0; k <= H; k++)
            for (int c = 0; c < D; c++)
                CHECK_CLOSE(row[k * D + c], want[(k * N + i) * D + c], 1e-5);
    }
}

/* With a budget of so many bytes; the powers kept, and what was spent. */
static int64_t check_budget(const gnd_csr *p, const gnd_csr *x, bool all_or_none, int64_t total,
                            int64_t *spent)
{
    gnd_budget b = {.total = total};
    gnd_error err = {0};
    gnd_powers r;
    int64_t kept = 0;

    CHECK_OK(gnd_powers_init(&r, &(gnd_powers_of){p, x, 1, H, all_or_none}, &b, NULL, &err));
    check_rows(&r, p, x);
    for (int k = 1; k <= H; k++) {
        const gnd_kept_power *h = gnd_powers_get(&r, k);

        kept += h != NULL;
        assert_true(!h || (h->dense != NULL) != (h->sp.ptr != NULL));
    }
    assert_true(b.spent <= total);
    *spent = b.spent;
    gnd_powers_fini(&r);
    return kept;
}

static void kept_or_walked(void **state)
{
    gnd_csr p = random_csr(N, N, 0.1, 1), x = random_csr(N, D, 0.12, 2);
    gnd_error err = {0};
    gnd_powers r;
    int64_t all, spent;

    (void)state;
    assert_int_equal(check_budget(&p, &x, false, 1 << 20, &all), H);
    CHECK_OK(gnd_powers_init(&r, &(gnd_powers_of){&p, &x, 1, H, false},
                             &(gnd_budget){.total = 1 << 20}, NULL, &err));
    assert_non_null(gnd_powers_get(&r, 1)->sp.ptr); /* the case holds both kinds */
    assert_non_null(gnd_powers_get(&r, H)->dense);
    assert_null(gnd_powers_get(&r, 0));
    assert_null(gnd_powers_get(&r, H + 1));
    gnd_powers_fini(&r);
    assert_int_equal(check_budget(&p, &x, false, all, &spent), H);
    assert_int_equal(spent, all);
    assert_int_equal(check_budget(&p, &x, false, all - 1, &spent), H - 1);
    assert_int_equal(check_budget(&p, &x, true, all - 1, &spent), 0);
    assert_int_equal(spent, 0);
    assert_int_equal(check_budget(&p, &x, false, 0, &spent), 0);
    gnd_csr_fini(&p);
    gnd_csr_fini(&x);
}

/* A ring of 200,000 vertices, each its own feature: [n, n] has no room, a row of the powers has 1,
 * 2, 3, 4 entries. */
static void identity_on_a_large_graph(bool kept)
{
    enum { n = 200000 };
    gnd_csr ring, x;
    gnd_operator op;
    gnd_powers r;
    gnd_real *row = gnd_alloc((H + 1) * (int64_t)n, sizeof *row), *scratch;
    gnd_budget budget = {.total = kept ? 1 << 29 : 1 << 22};
    gnd_error err = {0};

    CHECK_OK(gnd_csr_init(&ring, n, n, 2 * n, false, &err));
    CHECK_OK(gnd_csr_init(&x, n, n, n, true, &err));
    for (int32_t i = 0; i < n; i++) {
        const int32_t a = (i + n - 1) % n, b = (i + 1) % n;

        ring.col[2 * i] = a < b ? a : b;
        ring.col[2 * i + 1] = a < b ? b : a;
        ring.ptr[i + 1] = 2 * (i + 1);
        x.col[i] = i;
        x.val[i] = 1;
        x.ptr[i + 1] = i + 1;
    }
    CHECK_OK(gnd_operator_init(&op, GND_OP_P_DCNN, &ring, &err));
    CHECK_OK(gnd_powers_init(&r, &(gnd_powers_of){&op.a, &x, 1, H, true}, &budget, NULL, &err));
    assert_true((gnd_powers_get(&r, H) != NULL) == kept);
    scratch = gnd_alloc(gnd_powers_scratch(&r), sizeof *scratch);
    gnd_powers_row(row, &r, 7, scratch);
    for (int k = 0; k <= H; k++) /* binomial coefficients over 3^k, every second vertex */
        for (int64_t j = 0; j < n; j++) {
            static const double choose[][4] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}};
            const int64_t at = j - 7 + k;
            const bool there = at >= 0 && at <= 2 * k && at % 2 == 0;

            CHECK_CLOSE(row[k * (int64_t)n + j], there ? choose[k][at / 2] / pow(3, k) : 0, 1e-6);
        }
    gnd_powers_fini(&r);
    gnd_operator_fini(&op);
    gnd_csr_fini(&ring);
    gnd_csr_fini(&x);
    gnd_free(row);
    gnd_free(scratch);
}

static void identity_kept_sparse(void **state)
{
    (void)state;
    identity_on_a_large_graph(true);
}

static void identity_walked(void **state)
{
    (void)state;
    identity_on_a_large_graph(false);
}

/* Powers below the first are temporary, but exist while the next is computed. */
static void temporary_powers_count(void **state)
{
    gnd_csr p = random_csr(N, N, 0.5, 1), x = random_csr(N, D, 0.9, 2); /* all powers are dense */
    const int64_t one = (int64_t)N * D * 4;
    gnd_error err = {0};
    gnd_powers r;

    (void)state;
    for (int64_t total = 2 * one; total >= 2 * one - 1; total--) {
        gnd_budget b = {.total = total};

        CHECK_OK(gnd_powers_init(&r, &(gnd_powers_of){&p, &x, 3, 3, false}, &b, NULL, &err));
        assert_true((gnd_powers_get(&r, 3) != NULL) == (total == 2 * one));
        assert_int_equal(b.spent, total == 2 * one ? one : 0);
        gnd_powers_fini(&r);
    }
    gnd_csr_fini(&p);
    gnd_csr_fini(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_or_walked),
        cmocka_unit_test(temporary_powers_count),
        cmocka_unit_test(identity_kept_sparse),
        cmocka_unit_test(identity_walked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
