/* SPDX-License-Identifier: MIT
 * test_row_groups.c - an operator with rows of similar length together gives the bits of the one as
 * it is, both ways, for all rows and for those near the requested ones, and is charged to the
 * budget. */
#include "base/alloc.h"
#include "base/rng.h"
#include "check.h"
#include "tape/row_groups.h"

enum { N = 3000, EACH = 4, F = 16, ROWS = 6, HOPS = 5, PASSES = 2, LONG_ROWS = 6, LONG_ROW = 80 };

static const int32_t rows[ROWS] = {4, 7, 1500, 7, 12, N - 1}; /* one of them twice */

/* Up to 2 EACH entries a row near the diagonal, so that few hops reach few rows; some rows are
 * empty, some are long. by_row: all entries of a row have one value. */
static void operator_make(gnd_csr *a, gnd_csr *at, bool by_row)
{
    gnd_error err = {0};
    int64_t p = 0;

    CHECK_OK(gnd_csr_init(a, N, N, (int64_t)N * EACH * 2 + LONG_ROWS * LONG_ROW, true, &err));
    for (int64_t i = 0; i < N; i++) {
        const int64_t n = i >= 1000 && i < 1000 + LONG_ROWS
                              ? LONG_ROW - 7 * (i % 4) /* neither ascending nor descending */
                              : (int64_t)(gnd_hash_at(5, (uint64_t)i) % (2 * EACH));

        for (int64_t e = 0; i % 17 && e < n; e++) {
            const int64_t j = i - n / 2 + 2 * e;

            if (j < 0 || j >= N)
                continue;
            a->col[p] = (int32_t)j;
            a->val[p] = (gnd_real)(gnd_rng_uniform(6, 7, (uint64_t)(by_row ? i : p)) - 0.4);
            p++;
        }
        a->ptr[i + 1] = p;
    }
    CHECK_OK(gnd_csr_transpose(at, a, &err));
}

typedef struct {
    gnd_real whole[N * F], few[ROWS * F], hops[HOPS * ROWS * F], dz[N * F], dalpha[HOPS];
} values;

/* All rows, and the requested rows by two ops, with gradients; spend: the ops may overwrite their
 * input. Returns the bytes that were spent. */
static int64_t passes(values *out, gnd_real *z, const gnd_csr *a, const gnd_csr *at, gnd_pool *pool,
                      int64_t memory, bool spend)
{
    gnd_real alpha[HOPS] = {1, -2, 3, 1, 2};
    const gnd_row_hops h = {a, at, rows, ROWS, 1, spend};
    gnd_error err = {0};
    int64_t spent;
    gnd_tape *t;

    CHECK_OK(gnd_tape_new(&t, pool, &err));
    t->budget.total = memory;
    for (int i = 0; i < PASSES; i++) { /* the second pass uses what the first has stored */
        gnd_var x, whole, few, hops, sum, c;

        memset(out, 0, sizeof *out);
        gnd_tape_reset(t, true, i);
        gnd_tape_request_again(t, rows, ROWS);
        x = gnd_parameter(t, z, out->dz, N, F);
        c = gnd_parameter(t, alpha, out->dalpha, 1, HOPS);
        whole = gnd_diffuse(t, a, at, c, gnd_spmm(t, a, at, x), 0);
        few = gnd_diffuse_rows(t, &h, c, gnd_add(t, x, x));
        hops = gnd_hop_rows(t, &h, gnd_add(t, x, x), HOPS);
        sum = gnd_add(t, gnd_mean_square(t, few, 1), gnd_mean_square(t, whole, 1));
        gnd_tape_backward(t, gnd_add(t, sum, gnd_mean_square(t, hops, 1)));
        CHECK_OK(gnd_tape_check(t, &err));
        memcpy(out->whole, gnd_tape_node(t, whole)->v, sizeof out->whole);
        memcpy(out->few, gnd_tape_node(t, few)->v, sizeof out->few);
        memcpy(out->hops, gnd_tape_node(t, hops)->v, sizeof out->hops);
    }
    spent = t->budget.spent;
    gnd_tape_free(t);
    return spent;
}

static void same_bits(bool by_row)
{
    gnd_pool *pool = gnd_pool_new(2);
    values *v = gnd_alloc(2, sizeof *v);
    gnd_real *z = gnd_alloc((int64_t)N * F, sizeof *z);
    gnd_csr a, at;
    int64_t one;

    operator_make(&a, &at, by_row);
    one = gnd_csr_nnz(&a) * 8 + N * 12;
    for (int64_t k = 0; k < (int64_t)N * F; k++)
        z[k] = (gnd_real)(gnd_rng_uniform(8, 9, (uint64_t)k) - 0.5);
    for (int spend = 0; spend < 2; spend++) {
        assert_int_equal(passes(&v[0], z, &a, &at, NULL, 0, spend), 0);
        assert_true(v[0].dalpha[HOPS - 1] != 0 && v[0].few[0] != 0);
        /* a and its transpose, of all rows and of those near the requested ones */
        assert_int_equal(passes(&v[1], z, &a, &at, NULL, 100 * one, spend), 4 * one);
        assert_memory_equal(&v[0], &v[1], sizeof *v);
        assert_int_equal(passes(&v[1], z, &a, &at, pool, 100 * one, spend), 4 * one);
        assert_memory_equal(&v[0], &v[1], sizeof *v);
        assert_int_equal(passes(&v[1], z, &a, &at, NULL, one * 3 / 2, spend), one);
        assert_memory_equal(&v[0], &v[1], sizeof *v);
    }
    gnd_free(z);
    gnd_free(v);
    gnd_csr_fini(&a);
    gnd_csr_fini(&at);
    gnd_pool_free(pool);
}

static void same_bits_in_groups(void **state)
{
    (void)state;
    same_bits(false);
    same_bits(true);
}

/* A chain: row i reads row i + 1. Only rows within the steps are computed. */
static void near_rows_only(void **state)
{
    enum { M = 40 };
    static const int32_t from[] = {3, 10};
    gnd_real x[M], y[M];
    gnd_error err = {0};
    const gnd_row_groups *g;
    gnd_tape *t;
    gnd_csr a;

    (void)state;
    CHECK_OK(gnd_csr_init(&a, M, M, M - 1, true, &err));
    for (int64_t i = 0; i < M; i++) {
        x[i] = (gnd_real)i;
        if (i < M - 1) {
            a.col[i] = (int32_t)i + 1;
            a.val[i] = 1;
        }
        a.ptr[i + 1] = i < M - 1 ? i + 1 : M - 1;
    }
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    t->budget.total = 1 << 20;
    gnd_tape_reset(t, false, 0);
    g = gnd_row_groups_get(t, &a, &a, (gnd_row_list){from, 2}, 3);
    assert_non_null(g);
    for (int64_t steps = 0; steps < 6; steps++) {
        for (int64_t i = 0; i < M; i++)
            y[i] = -1;
        gnd_row_groups_spmm(t, y, g, &(gnd_product){.x = x, .f = 1}, steps);
        for (int64_t i = 0; i < M; i++) {
            const int64_t most = steps < 3 ? steps : 3;
            const bool near = (i >= 3 && i <= 3 + most) || (i >= 10 && i <= 10 + most);

            assert_true(y[i] == (gnd_real)(near ? i + 1 : -1));
        }
    }
    gnd_tape_free(t);
    gnd_csr_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits_in_groups),
                                       cmocka_unit_test(near_rows_only)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
