/* SPDX-License-Identifier: MIT
 * test_masked_groups.c - a walk with dropout of links by masked groups gives the bits of the one
 * that packs the kept links, for all rows and for some, and the groups are charged to the budget.
 */
#include "base/alloc.h"
#include "base/rng.h"
#include "check.h"
#include "tape/op.h"

enum { N = 3000, EACH = 3, F = 5, ROWS = 400, STEPS = 4, PASSES = 3, LONG_ROW = 150 };

/* Up to 2 EACH entries a row, near the diagonal, so that few steps reach few rows; some rows are
 * empty, one is longer than a mask word. */
static void operator_make(gnd_csr *a, gnd_csr *at)
{
    gnd_error err = {0};
    int64_t p = 0;

    CHECK_OK(gnd_csr_init(a, N, N, (int64_t)N * EACH * 2 + LONG_ROW, true, &err));
    for (int64_t i = 0; i < N; i++) {
        const int64_t n = i == 12 ? LONG_ROW : (int64_t)(gnd_hash_at(5, (uint64_t)i) % (2 * EACH));

        for (int64_t e = 0; i % 17 && e < n; e++) {
            const int64_t j = i - n / 2 + 2 * e;

            if (j < 0 || j >= N)
                continue;
            a->col[p] = (int32_t)j;
            a->val[p] = (gnd_real)(gnd_rng_uniform(6, 7, (uint64_t)p) - 0.4);
            p++;
        }
        a->ptr[i + 1] = p;
    }
    CHECK_OK(gnd_csr_transpose(at, a, &err));
}

typedef struct {
    gnd_real y[PASSES][N * F], dz[PASSES][N * F];
} values;

/* Two training passes and one without dropout, for all rows (n_row 0) or some. Returns the bytes
 * that were spent. */
static int64_t passes(values *out, const gnd_csr *a, const gnd_csr *at, int64_t n_row, double p,
                      gnd_pool *pool, int64_t memory)
{
    gnd_real *z = gnd_alloc((int64_t)N * F, sizeof *z);
    int32_t row[ROWS];
    gnd_error err = {0};
    int64_t spent;
    gnd_tape *t;

    for (int64_t k = 0; k < (int64_t)N * F; k++)
        z[k] = (gnd_real)(gnd_rng_uniform(8, 9, (uint64_t)k) - 0.5);
    for (int64_t i = 0; i < n_row; i++)
        row[i] = (int32_t)(1000 + i);
    memset(out, 0, sizeof *out);
    CHECK_OK(gnd_tape_new(&t, pool, &err));
    t->budget.total = memory;
    for (int i = 0; i < PASSES; i++) {
        gnd_var y;

        gnd_tape_reset(t, i < PASSES - 1, i);
        if (n_row > 0)
            gnd_tape_request_again(t, row, n_row);
        y = gnd_restart(t, a, at, gnd_parameter(t, z, out->dz[i], N, F),
                        &(gnd_restart_walk){STEPS, 0.1, p, "S"});
        CHECK_OK(gnd_tape_check(t, &err));
        memcpy(out->y[i], gnd_tape_node(t, y)->v,
               (size_t)(gnd_tape_node(t, y)->rows * F) * sizeof(gnd_real));
        if (i < PASSES - 1)
            gnd_tape_backward(t, gnd_mean_square(t, y, 1));
        CHECK_OK(gnd_tape_check(t, &err));
    }
    spent = t->budget.spent;
    gnd_tape_free(t);
    gnd_free(z);
    return spent;
}

static void same_bits_by_masks(void **state)
{
    gnd_pool *pool = gnd_pool_new(2);
    values *v = gnd_alloc(2, sizeof *v);
    gnd_csr a, at;
    int64_t masked, groups;

    (void)state;
    operator_make(&a, &at);
    masked = gnd_csr_nnz(&a) * 8 + N * 24;
    groups = gnd_csr_nnz(&a) * 8 + N * 12;
    for (int k = 0; k < 2; k++) {
        const double p = k ? 0.3 : 0.5;

        assert_int_equal(passes(&v[0], &a, &at, 0, p, NULL, 0), 0);
        assert_memory_not_equal(v[0].y[0], v[0].y[1], sizeof v[0].y[0]);
        assert_memory_not_equal(v[0].y[0], v[0].y[2], sizeof v[0].y[0]);
        /* a and its transpose; for the pass without dropout a alone */
        assert_int_equal(passes(&v[1], &a, &at, 0, p, NULL, 1 << 30), 2 * masked + groups);
        assert_memory_equal(&v[0], &v[1], sizeof *v);
        assert_int_equal(passes(&v[1], &a, &at, 0, p, pool, 1 << 30), 2 * masked + groups);
        assert_memory_equal(&v[0], &v[1], sizeof *v);
        /* memory for one of them */
        assert_int_equal(passes(&v[1], &a, &at, 0, p, NULL, masked), masked);
        assert_memory_equal(&v[0], &v[1], sizeof *v);

        assert_int_equal(passes(&v[0], &a, &at, ROWS, p, NULL, 0), 0);
        assert_true(passes(&v[1], &a, &at, ROWS, p, NULL, 1 << 30) > 0);
        assert_memory_equal(&v[0], &v[1], sizeof *v);
        assert_true(passes(&v[1], &a, &at, ROWS, p, pool, 1 << 30) > 0);
        assert_memory_equal(&v[0], &v[1], sizeof *v);
    }
    gnd_free(v);
    gnd_csr_fini(&a);
    gnd_csr_fini(&at);
    gnd_pool_free(pool);
}

/* Walks by two rates on one operator: kept entries of each are scaled by its own rate. */
static void two_rates(void **state)
{
    static const double rates[] = {0.5, 0.3};
    gnd_real *z = gnd_alloc((int64_t)N * F, sizeof *z), *y[2][2];
    gnd_error err = {0};
    gnd_csr a, at;

    (void)state;
    operator_make(&a, &at);
    for (int64_t k = 0; k < (int64_t)N * F; k++)
        z[k] = (gnd_real)(gnd_rng_uniform(8, 9, (uint64_t)k) - 0.5);
    for (int with = 0; with < 2; with++) {
        gnd_tape *t;

        CHECK_OK(gnd_tape_new(&t, NULL, &err));
        t->budget.total = with ? 1 << 30 : 0;
        gnd_tape_reset(t, true, 0);
        for (int k = 0; k < 2; k++) {
            const gnd_var v = gnd_restart(t, &a, &at, gnd_constant(t, z, N, F),
                                          &(gnd_restart_walk){STEPS, 0.1, rates[k], "S"});

            CHECK_OK(gnd_tape_check(t, &err));
            y[with][k] = gnd_alloc((int64_t)N * F, sizeof *z);
            memcpy(y[with][k], gnd_tape_node(t, v)->v, sizeof(gnd_real[N * F]));
        }
        assert_int_equal(t->budget.spent > 0, with);
        gnd_tape_free(t);
    }
    for (int k = 0; k < 2; k++) {
        assert_memory_equal(y[0][k], y[1][k], sizeof(gnd_real[N * F]));
        gnd_free(y[0][k]);
        gnd_free(y[1][k]);
    }
    gnd_free(z);
    gnd_csr_fini(&a);
    gnd_csr_fini(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits_by_masks),
                                       cmocka_unit_test(two_rates)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
