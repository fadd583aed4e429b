/* SPDX-License-Identifier: MIT
 * Powers of an operator through panels of columns, against plain loops, at widths around a panel's;
 * the ops that choose them, against powers one by one. */
#include "check.h"

#include "base/alloc.h"
#include "base/rng.h"
#include "tape/op.h"

enum { N = 37, MANY = 4500, DEGREE = 9, F = 30 };

/* Row i reads `degree` vertices, itself never. */
static gnd_csr web(int64_t n, int64_t degree)
{
    gnd_csr a;
    gnd_error err = {0};

    CHECK_OK(gnd_csr_init(&a, n, n, n * degree, true, &err));
    for (int64_t i = 0; i < n; i++) {
        for (int64_t d = 0; d < degree; d++) { /* columns need not ascend in a product */
            a.col[i * degree + d] = (int32_t)((i * 5 + 1 + d * 3) % n);
            a.val[i * degree + d] = (gnd_real)(gnd_rng_uniform(4, 1, (uint64_t)(i * degree + d)));
        }
        a.ptr[i + 1] = (i + 1) * degree;
    }
    return a;
}

static gnd_real *numbers(int64_t n, uint32_t stream)
{
    gnd_real *v = gnd_alloc(n, sizeof *v);

    assert_non_null(v);
    for (int64_t i = 0; i < n; i++)
        v[i] = (gnd_real)(gnd_rng_uniform(5, stream, (uint64_t)i) - 0.5);
    return v;
}

static void plain_power(gnd_real *y, const gnd_csr *a, const gnd_real *x, int64_t f, int64_t k)
{
    gnd_real *from = gnd_alloc(a->n_row * f, sizeof *from);

    assert_non_null(from);
    memcpy(y, x, (size_t)(a->n_row * f) * sizeof *y);
    for (int64_t i = 0; i < k; i++) {
        memcpy(from, y, (size_t)(a->n_row * f) * sizeof *y);
        gnd_kern_ref.spmm(y, a, from, f, 0, NULL, 0, a->n_row);
    }
    gnd_free(from);
}

static void panels_are_powers(void **state)
{
    static const int64_t width[] = {1, 30, 32, 33, 64, 70};
    gnd_csr a = web(N, 4);
    gnd_error err = {0};
    gnd_tape *t = NULL;

    (void)state;
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    for (int w = 0; w < LENGTH(width); w++)
        for (int64_t k = 0; k < 4; k++)
            for (int add = 0; add < 2; add++) {
                const int64_t size = N * width[w];
                gnd_real *x = numbers(size, 1), *y = numbers(size, 2), *z = numbers(size, 3);

                gnd_tape_reset(t, false, 0);
                plain_power(z, &a, x, width[w], k);
                for (int64_t i = 0; add && i < size; i++)
                    z[i] += y[i];
                gnd_panels_power(t, y, &(gnd_product){.a = &a, .x = x, .f = width[w]}, k, add);
                CHECK_OK(gnd_tape_check(t, &err));
                for (int64_t i = 0; i < size; i++)
                    CHECK_CLOSE(y[i], z[i], 1e-12);
                gnd_free(x);
                gnd_free(y);
                gnd_free(z);
            }
    gnd_tape_free(t);
    gnd_csr_fini(&a);
}

/* Large enough that power and spmm choose panels: A (A^2 z), one op each, against plain loops; the
 * gradient of the sum of its squares, 2 (A^T)^3 A^3 z; the same bits with two threads. */
static void ops_choose_them(void **state)
{
    gnd_csr a = web(MANY, DEGREE), at;
    gnd_real *z = numbers(MANY * F, 1), *want = numbers(MANY * F, 2), *slope = numbers(MANY * F, 2);
    gnd_real *first = gnd_alloc(MANY * F, sizeof *first);
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_csr_transpose(&at, &a, &err));
    assert_true(gnd_panels_pay(&a, F) && gnd_panels_pay(&at, 64));
    assert_false(gnd_panels_pay(&a, 32) || gnd_panels_pay(&a, 16) || gnd_panels_pay(&a, 40));
    plain_power(want, &a, z, F, 3);
    plain_power(slope, &at, want, F, 3);
    for (int threads = 1; threads <= 2; threads++) {
        gnd_pool *pool = gnd_pool_new(threads);
        gnd_real *grad = gnd_alloc(MANY * F, sizeof *grad);
        gnd_tape *t = NULL;
        gnd_var y;

        CHECK_OK(gnd_tape_new(&t, pool, &err));
        gnd_tape_reset(t, true, 0);
        y = gnd_parameter(t, z, grad, MANY, F);
        y = gnd_spmm(t, &a, &at, gnd_power(t, &a, &at, y, 2));
        gnd_tape_backward(t, gnd_mean_square(t, y, MANY * F));
        CHECK_OK(gnd_tape_check(t, &err));
        for (int64_t i = 0; i < MANY * F; i++) {
            CHECK_CLOSE(gnd_tape_node(t, y)->v[i], want[i], 1e-11);
            CHECK_CLOSE(grad[i], 2 * slope[i], 1e-10);
        }
        if (threads == 1)
            memcpy(first, grad, MANY * F * sizeof *grad);
        assert_memory_equal(first, grad, MANY * F * sizeof *grad);
        gnd_tape_free(t);
        gnd_pool_free(pool);
        gnd_free(grad);
    }
    gnd_free(first);
    gnd_free(slope);
    gnd_free(want);
    gnd_free(z);
    gnd_csr_fini(&at);
    gnd_csr_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_are_powers),
        cmocka_unit_test(ops_choose_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
