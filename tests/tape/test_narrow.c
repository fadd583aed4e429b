/* SPDX-License-Identifier: MIT
 * Products with features by columns of 16 bits have the bits of those with columns of 32 bits. */
#include "check.h"

#include "base/alloc.h"
#include "base/rng.h"
#include "tape/narrow.h"

enum { N = 900, D = 400, F = 16, SOME = 700 };

static gnd_csr own, even, ones; /* each entry with its value, a value per row, entries 1 */

static void with_values(gnd_csr *x, bool of_row)
{
    gnd_error err = {0};

    CHECK_OK(gnd_csr_copy(x, &ones, &err));
    x->val = gnd_alloc(gnd_csr_nnz(x), sizeof *x->val);
    for (int64_t i = 0; i < N; i++)
        for (int64_t p = x->ptr[i]; p < x->ptr[i + 1]; p++)
            x->val[p] = (gnd_real)gnd_rng_uniform(1, 3, (uint64_t)(of_row ? i : p)) + 1;
}

/* Row 7 is empty; the others have 20 to 180 entries. */
static int setup(void **state)
{
    gnd_error err = {0};
    int64_t p = 0;

    (void)state;
    CHECK_OK(gnd_csr_init(&ones, N, D, N * D, false, &err));
    for (int32_t i = 0; i < N; i++) {
        for (int32_t j = 0; j < D && i != 7; j++)
            if (gnd_rng_uniform(1, 2, (uint64_t)(i * D + j)) < 0.05 + 0.0004 * i)
                ones.col[p++] = j;
        ones.ptr[i + 1] = p;
    }
    with_values(&own, false);
    with_values(&even, true);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    gnd_csr_fini(&own);
    gnd_csr_fini(&even);
    gnd_csr_fini(&ones);
    return 0;
}

typedef struct {
    gnd_real value[N * F], grad[D * F];
} result;

/* A pass with M(x) w and sum_ic i c y_ic; budget 0: columns of 32 bits. */
static void run(result *r, const gnd_csr *x, double p, const int32_t *row, int64_t budget)
{
    gnd_real *w = gnd_alloc(D * F, sizeof *w), *left, *right;
    gnd_tape *t = NULL;
    gnd_error err = {0};
    gnd_var from, y;

    for (int64_t i = 0; i < D * F; i++)
        w[i] = (gnd_real)gnd_rng_uniform(1, 4, (uint64_t)i) - (gnd_real)0.5;
    memset(r, 0, sizeof *r);
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    t->budget.total = budget;
    gnd_tape_reset(t, true, 3);
    if (row)
        gnd_tape_request_again(t, row, SOME);
    from = row ? gnd_requested(t, gnd_input(t, x)) : gnd_input(t, x);
    y = gnd_dropped_matmul(t, &(gnd_dropped){from, p, "X"}, gnd_parameter(t, w, r->grad, D, F));
    CHECK_OK(gnd_tape_check(t, &err));
    assert_int_equal(gnd_narrow_get(t, gnd_tape_node(t, from), F) != NULL, budget > 0);
    assert_ptr_equal(gnd_tape_node(t, y)->row, row);
    memcpy(r->value, gnd_tape_node(t, y)->v,
           (size_t)gnd_node_size(gnd_tape_node(t, y)) * sizeof *r->value);
    left = gnd_tape_alloc(t, N, sizeof *left);
    right = gnd_tape_alloc(t, F, sizeof *right);
    for (int64_t i = 0; i < N; i++)
        left[i] = (gnd_real)gnd_rng_uniform(1, 5, (uint64_t)i);
    for (int64_t c = 0; c < F; c++)
        right[c] = (gnd_real)(c + 1);
    gnd_tape_backward(t, gnd_matmul(t, gnd_constant(t, left, 1, row ? SOME : N),
                                    gnd_matmul(t, y, gnd_constant(t, right, F, 1))));
    CHECK_OK(gnd_tape_check(t, &err));
    gnd_tape_free(t);
    gnd_free(w);
}

static void products_agree(void **state)
{
    static const gnd_csr *const matrix[] = {&own, &even, &ones};
    static result wide, narrow;
    static int32_t row[SOME];

    (void)state;
    for (int32_t i = 0; i < SOME; i++)
        row[i] = N - 1 - i;
    for (int m = 0; m < 3; m++)
        for (double p = 0; p < 1; p += 0.3)
            for (int some = 0; some < 2; some++) {
                run(&wide, matrix[m], p, some ? row : NULL, 0);
                run(&narrow, matrix[m], p, some ? row : NULL, 1 << 24);
                assert_memory_equal(&narrow, &wide, sizeof wide);
                assert_true(wide.grad[0] != 0);
            }
}

/* The first value of a row, or the last, is not that of the others. */
static void uneven_rows(void **state)
{
    const int64_t at[] = {even.ptr[N - 1], even.ptr[N] - 1};

    (void)state;
    for (int k = 0; k < 2; k++) {
        const gnd_real before = even.val[at[k]];
        gnd_error err = {0};
        gnd_tape *t = NULL;
        const gnd_csr *a;

        CHECK_OK(gnd_tape_new(&t, NULL, &err));
        t->budget.total = 1 << 24;
        gnd_tape_reset(t, false, 0);
        even.val[at[k]] = 9;
        a = gnd_narrow_get(t, gnd_tape_node(t, gnd_input(t, &even)), F);
        assert_true(a && a->val == even.val && !a->row_val);
        even.val[at[k]] = before;
        gnd_tape_free(t);
    }
}

/* What is kept, and what it takes of the budget. */
static void copies(void **state)
{
    const int64_t columns = 2 * ones.ptr[N];
    gnd_tape *t = NULL;
    gnd_error err = {0};
    const gnd_csr *a;
    gnd_var x;

    (void)state;
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    t->budget.total = 3 * columns + N * (int64_t)sizeof(gnd_real);
    gnd_tape_reset(t, false, 0);
    x = gnd_sparse(t, &own);
    assert_null(gnd_narrow_get(t, gnd_tape_node(t, x), F)); /* may not last */
    x = gnd_input(t, &own);
    assert_null(gnd_narrow_get(t, gnd_tape_node(t, x), 1)); /* little work */
    a = gnd_narrow_get(t, gnd_tape_node(t, x), F);
    assert_true(a && a->val == own.val && !a->row_val && !a->col);
    assert_ptr_equal(gnd_narrow_get(t, gnd_tape_node(t, x), F), a);
    assert_int_equal(t->budget.spent, columns);
    x = gnd_input(t, &even);
    a = gnd_narrow_get(t, gnd_tape_node(t, x), F);
    assert_true(a && !a->val && a->row_val[7] == 0 && a->row_val[8] == even.val[even.ptr[8]]);
    assert_int_equal(t->budget.spent, 2 * columns + N * (int64_t)sizeof(gnd_real));
    t->budget.total--;
    x = gnd_input(t, &ones);
    assert_null(gnd_narrow_get(t, gnd_tape_node(t, x), F));
    CHECK_OK(gnd_tape_check(t, &err));
    gnd_tape_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_agree),
        cmocka_unit_test(uneven_rows),
        cmocka_unit_test(copies),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
