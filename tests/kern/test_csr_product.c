/* SPDX-License-Identifier: MIT
 * test_csr_product.c - sparse products against plain loops; sparse and dense results bit for bit.
 */
#include "check.h"

#include <string.h>

#include "base/rng.h"
#include "kern/csr_product.h"
#include "kern/kern.h"

enum { N = 31, M = 17, D = 23 };

/* with_val false: every entry is 1 */
static gnd_csr random_csr(int64_t n, int64_t m, double density, uint32_t stream, bool with_val)
{
    gnd_csr a;
    gnd_error err = {0};
    int64_t p = 0;

    CHECK_OK(gnd_csr_init(&a, n, m, n * m, with_val, &err));
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < m; j++)
            if (gnd_rng_uniform(3, stream, (uint64_t)(i * m + j)) < density) {
                a.col[p] = (int32_t)j;
                if (with_val)
                    a.val[p] = (gnd_real)(gnd_rng_uniform(4, stream, (uint64_t)p) - 0.4);
                p++;
            }
        a.ptr[i + 1] = p;
    }
    return a;
}

static void check_product(double density, bool with_val)
{
    gnd_csr a = random_csr(N, M, density, 1, with_val), b = random_csr(M, D, 0.2, 2, true), y;
    gnd_real dense[N * D] = {0}, want[N * D] = {0}, x[M * D] = {0}, times[N * D];
    int64_t mark[D], ptr[N + 1], nnz, work = 0, filled = 0;
    gnd_error err = {0};

    for (int64_t i = 0; i < M; i++)
        for (int64_t q = b.ptr[i]; q < b.ptr[i + 1]; q++)
            x[i * D + b.col[q]] = b.val[q];
    for (int64_t i = 0; i < N; i++)
        for (int64_t p = a.ptr[i]; p < a.ptr[i + 1]; p++) {
            work += b.ptr[a.col[p] + 1] - b.ptr[a.col[p]];
            for (int64_t j = 0; j < D; j++)
                want[i * D + j] += gnd_csr_val(&a, p) * x[a.col[p] * D + j];
        }
    nnz = gnd_csr_product_count(ptr, &a, &b, mark, NULL);
    assert_int_equal(gnd_csr_product_count(NULL, &a, &b, mark, NULL), nnz);
    assert_int_equal(gnd_csr_product_work(&a, &b), work);
    CHECK_OK(gnd_csr_product_init(&y, &a, &b, nnz, mark, NULL, &err));
    CHECK_OK(gnd_csr_check(&y, "product", &err));
    assert_int_equal(gnd_csr_nnz(&y), nnz);
    assert_memory_equal(y.ptr, ptr, sizeof ptr);
    gnd_csr_product_dense(dense, &a, &b, 0, N / 2);
    gnd_csr_product_dense(dense, &a, &b, N / 2, N);
    gnd_csr_times(times, &a, x, D, NULL);
    for (int64_t i = 0; i < N; i++)
        for (int32_t j = 0; j < D; j++) {
            const int64_t p = gnd_csr_find(&y, i, j), at = i * D + j;

            filled += p >= 0;
            assert_true((p < 0 ? 0 : y.val[p]) == dense[at]);
            CHECK_CLOSE(dense[at], want[at], 1e-6);
            CHECK_CLOSE(times[at], want[at], 1e-6);
        }
    assert_int_equal(filled, nnz);
    gnd_csr_fini(&a);
    gnd_csr_fini(&b);
    gnd_csr_fini(&y);
}

static void against_plain_loops(void **state)
{
    (void)state;
    check_product(0.1, true);
    check_product(0.6, true);
    check_product(0.3, false);
    check_product(0, true);
}

/* Sums in double by every table of kernels, of widths around those of their vectors. */
static void sums_of_rows(void **state)
{
    enum { WIDE = 81 };
    gnd_csr a[] = {random_csr(N, M, 0.4, 1, true), random_csr(N, M, 0.4, 1, false)};
    static gnd_real x[M * WIDE];
    static double want[N * WIDE], got[N * WIDE];

    (void)state;
    for (int64_t e = 0; e < M * WIDE; e++)
        x[e] = (gnd_real)(gnd_rng_uniform(5, 1, (uint64_t)e) - 0.5);
    for (int64_t f = 1; f <= WIDE; f++)
        for (int v = 0; v < 2; v++) {
            memset(want, 0, sizeof want);
            for (int64_t i = 2; i < N - 1; i++)
                for (int64_t p = a[v].ptr[i]; p < a[v].ptr[i + 1]; p++)
                    for (int64_t c = 0; c < f; c++)
                        want[(i - 2) * f + c] +=
                            (double)gnd_csr_val(&a[v], p) * (double)x[a[v].col[p] * f + c];
            for (int t = 0; gnd_kern_at(t); t++) {
                gnd_kern_at(t)->sums(got, &a[v], x, f, 2, N - 1);
                assert_memory_equal(got, want, (size_t)((N - 3) * f) * sizeof *got);
            }
            gnd_csr_sums(got, &a[v], x, f, (gnd_row_range){2, N - 1}, NULL);
            assert_memory_equal(got, want, (size_t)((N - 3) * f) * sizeof *got);
        }
    gnd_csr_fini(&a[0]);
    gnd_csr_fini(&a[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_plain_loops),
        cmocka_unit_test(sums_of_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
