/* SPDX-License-Identifier: MIT
 * test_col_blocks.c - a large operator in blocks of columns gives the bits of the whole one, both
 * ways, and takes no more memory than it may. */
#include "base/alloc.h"
#include "base/rng.h"
#include "check.h"
#include "tape/ops.h"

enum { N = 400000, EACH = 12, RANGES = 3, F = 16, ROWS = 5, HOPS = 3 };

/* EACH entries a row, one in each stretch of columns; some rows are empty, and some have none in
 * one of the ranges. */
static void operator_make(gnd_csr *a, gnd_csr *at)
{
    const int64_t stretch = N / EACH;
    gnd_error err = {0};
    int64_t p = 0;

    CHECK_OK(gnd_csr_init(a, N, N, (int64_t)N * EACH, true, &err));
    for (int64_t i = 0; i < N; i++) {
        for (int64_t e = 0; i % 17 && e < EACH; e++) {
            const uint64_t h = gnd_hash_at(3, (uint64_t)(i * EACH + e));

            if (i % 4 == 0 && e * RANGES / EACH == i / 4 % RANGES)
                continue;
            a->col[p] = (int32_t)(e * stretch + (int64_t)(h % (uint64_t)stretch));
            a->val[p++] = (gnd_real)((double)(h >> 40) * 0x1p-24 / EACH);
        }
        a->ptr[i + 1] = p;
    }
    CHECK_OK(gnd_csr_transpose(at, a, &err));
}

/* A z, few rows of a series of powers, the gradient of its weights, and that of z; the bytes that
 * were spent. */
static int64_t pass(gnd_real *y, gnd_real *g, gnd_real *z, const gnd_csr *a, const gnd_csr *at,
                    gnd_pool *pool, int64_t spare)
{
    static const int32_t rows[ROWS] = {0, 17, 5000, 131072, N - 1};
    gnd_real alpha[HOPS] = {1, 2, 3}, *dalpha = y + (int64_t)N * F + ROWS * F;
    gnd_error err = {0};
    gnd_tape *t;
    gnd_var x, whole, few, sum;

    memset(dalpha, 0, sizeof *dalpha * HOPS);
    CHECK_OK(gnd_tape_new(&t, pool, &err));
    t->budget.total = spare;
    gnd_tape_reset(t, true, 0);
    gnd_tape_request(t, rows, ROWS);
    x = gnd_parameter(t, z, g, N, F);
    whole = gnd_spmm(t, a, at, x);
    few =
        gnd_requested(t, gnd_diffuse(t, a, at, gnd_parameter(t, alpha, dalpha, 1, HOPS), whole, 1));
    sum = gnd_add(t, gnd_mean_square(t, few, 1), gnd_mean_square(t, whole, 1));
    gnd_tape_backward(t, sum);
    CHECK_OK(gnd_tape_check(t, &err));
    memcpy(y, gnd_tape_node(t, whole)->v, sizeof *y * N * F);
    memcpy(y + (int64_t)N * F, gnd_tape_node(t, few)->v, sizeof *y * ROWS * F);
    spare = t->budget.spent;
    gnd_tape_free(t);
    return spare;
}

static void same_bits_in_blocks(void **state)
{
    const int64_t size = (int64_t)N * F + ROWS * F + HOPS;
    /* at most: the operator and its transpose, all rows of each range, and which rows they are */
    const int64_t bytes = 2 * ((int64_t)N * EACH * 8 + RANGES * (N + 1) * 8 + (RANGES - 1) * N * 4);
    gnd_pool *pool = gnd_pool_new(2);
    gnd_real *z = gnd_alloc((int64_t)N * F, sizeof *z), *y[2], *g[2];
    gnd_csr a, at;

    (void)state;
    operator_make(&a, &at);
    for (int64_t k = 0; k < (int64_t)N * F; k++)
        z[k] = (gnd_real)((double)(gnd_hash_at(4, (uint64_t)k) >> 40) * 0x1p-24 - 0.5);
    for (int k = 0; k < 2; k++) {
        y[k] = gnd_alloc(size, sizeof *y[k]);
        g[k] = gnd_alloc((int64_t)N * F, sizeof *g[k]);
    }
    assert_int_equal(pass(y[0], g[0], z, &a, &at, NULL, 0), 0);
    assert_true(y[0][size - 1] != 0);
    for (int way = 0; way < 3; way++) { /* room for both, on one thread and on two; for one only */
        const int64_t spent =
            pass(y[1], g[1], z, &a, &at, way == 1 ? pool : NULL, way < 2 ? bytes : bytes * 2 / 3);

        assert_true(way < 2 ? spent > bytes / 4 * 3 && spent <= bytes
                            : spent > 0 && spent < bytes / 2);
        assert_memory_equal(y[0], y[1], (size_t)size * sizeof *z);
        assert_memory_equal(g[0], g[1], sizeof *z * N * F);
        memset(g[1], 0, sizeof *z * N * F);
    }
    for (int k = 0; k < 2; k++) {
        gnd_free(y[k]);
        gnd_free(g[k]);
    }
    gnd_free(z);
    gnd_csr_fini(&a);
    gnd_csr_fini(&at);
    gnd_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits_in_blocks)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
