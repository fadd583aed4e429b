/* SPDX-License-Identifier: MIT
 * One product for a validation pass and for the training pass after it: the training pass has the
 * same bits as without it, and the validation pass the same values. */
#include "check.h"

#include "base/alloc.h"
#include "base/rng.h"
#include "tape/drop_ahead.h"

enum { N = 90, D = 5000, F = 16, K = 2, LONG = 40 };
enum { NEXT = 5, OTHER }; /* training passes: the one after the validation pass, and another */

static gnd_csr a, x, ones;

/* Features of few entries, or so many that they are read with columns of 16 bits (tape/narrow.h).
 */
enum { FEW, MANY, MANY_EVEN, SETS };

/* With about 160 or 850 entries per row, but row LONG has more than a run may hold. */
static void features_make(int set)
{
    const double density = set == FEW ? 0.032 : 0.17;
    gnd_error err = {0};
    int64_t p = 0;

    CHECK_OK(gnd_csr_init(&x, N, D, 100000, true, &err));
    for (int32_t i = 0; i < N; i++) {
        for (int32_t j = 0; j < D; j++)
            if (gnd_rng_uniform(1, 2, (uint64_t)(i * D + j)) < (i == LONG ? 0.95 : density)) {
                x.col[p] = j;
                x.val[p] = gnd_rng_uniform(1, 3, (uint64_t)(set == MANY_EVEN ? i : p)) + 0.1;
                p++;
            }
        x.ptr[i + 1] = p;
    }
    CHECK_OK(gnd_csr_check(&x, "features", &err));
    assert_true(x.ptr[LONG + 1] - x.ptr[LONG] > GND_REST_ENTRIES);
    ones = x;
    ones.val = NULL;
}

/* A ring. */
static int setup(void **state)
{
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_csr_init(&a, N, N, 2 * N, true, &err));
    for (int32_t i = 0; i < N; i++) {
        const int32_t low = i == 0       ? 1
                            : i == N - 1 ? 0
                                         : i - 1,
                      high = i == 0       ? N - 1
                             : i == N - 1 ? N - 2
                                          : i + 1;

        a.col[2 * i] = low;
        a.col[2 * i + 1] = high;
        a.val[2 * i] = a.val[2 * i + 1] = -0.5;
        a.ptr[i + 1] = 2 * i + 2;
    }
    CHECK_OK(gnd_csr_check(&a, "operator", &err));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    gnd_csr_fini(&a);
    return 0;
}

typedef gnd_var (*layer)(gnd_tape *t, gnd_var w, double p);

static gnd_var cheby(gnd_tape *t, gnd_var w, double p)
{
    return gnd_cheby_layer(t, &a, &a, &(gnd_dropped){gnd_input(t, &x), p, "X"}, w, K);
}

/* w: two matrices with D rows, one after the other. */
static gnd_var hops_of(gnd_tape *t, const gnd_csr *sp, gnd_var w, double p)
{
    static const int64_t width[] = {F, 0, 7};
    const gnd_node all = *gnd_tape_node(t, w);
    const gnd_var part[] = {
        gnd_parameter(t, all.v, all.g, D, F),
        {-1},
        gnd_parameter(t, all.v + D * F, all.g + D * F, D, 7),
    };

    return gnd_unit_hops(t, &a, &a, &(gnd_dropped){gnd_input(t, sp), p, "X"}, part, width, 3);
}

static gnd_var hops(gnd_tape *t, gnd_var w, double p)
{
    return hops_of(t, &ones, w, p);
}

/* Rows of length 1 are not multiplied ahead, but the copy of the weights serves two passes. */
static gnd_var hops_of_values(gnd_tape *t, gnd_var w, double p)
{
    return hops_of(t, &x, w, p);
}

typedef struct {
    double value[2][N * 23], grad[(K + 1) * D * 23]; /* values of both passes */
    int64_t size;
} result;

/* A validation pass, with t->next as given (-1: nothing may be stored), and training pass `epoch`.
 * For pass OTHER the weights are changed. */
static void run(result *r, layer fn, int64_t rows, int64_t cols, double p, int64_t next,
                int64_t epoch)
{
    gnd_real *w = gnd_alloc(rows * cols, sizeof *w);
    gnd_tape *t = NULL;
    gnd_error err = {0};

    for (int64_t i = 0; i < rows * cols; i++)
        w[i] = gnd_rng_uniform(1, 4, (uint64_t)i) - 0.5;
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    t->budget.total = next < 0 ? 0 : 1 << 29;
    t->seed = 3;
    memset(r->grad, 0, sizeof r->grad);
    for (int pass = 0; pass < 2; pass++) {
        gnd_var y;

        gnd_tape_reset(t, pass == 1, pass ? epoch : 0);
        if (pass == 0)
            t->next = next;
        for (int64_t i = 0; i < rows * cols && pass == 1 && epoch == OTHER; i++)
            w[i] += 0.25;
        y = fn(t, gnd_parameter(t, w, r->grad, rows, cols), p);
        CHECK_OK(gnd_tape_check(t, &err));
        r->size = gnd_node_size(gnd_tape_node(t, y));
        memcpy(r->value[pass], gnd_tape_node(t, y)->v, (size_t)r->size * sizeof(double));
        if (pass == 1) {
            const gnd_node *yn = gnd_tape_node(t, y);
            gnd_real *left = gnd_tape_alloc(t, N, sizeof *left);
            gnd_real *right = gnd_tape_alloc(t, yn->cols, sizeof *right);

            for (int64_t i = 0; i < N; i++)
                left[i] = gnd_rng_uniform(1, 5, (uint64_t)i);
            for (int64_t c = 0; c < gnd_tape_node(t, y)->cols; c++)
                right[c] = (gnd_real)(c + 1);
            gnd_tape_backward(t,
                              gnd_matmul(t, gnd_constant(t, left, 1, N),
                                         gnd_matmul(t, y, gnd_constant(t, right, r->size / N, 1))));
            CHECK_OK(gnd_tape_check(t, &err));
        }
    }
    gnd_tape_free(t);
    gnd_free(w);
}

static void same_passes(layer fn, int64_t rows, int64_t cols)
{
    static result plain, ahead;

    for (double p = 0.25; p < 1; p += 0.25)
        for (int64_t epoch = NEXT; epoch <= OTHER; epoch++) { /* what was made for NEXT only */
            run(&plain, fn, rows, cols, p, -1, epoch);
            run(&ahead, fn, rows, cols, p, NEXT, epoch);
            for (int64_t i = 0; i < plain.size; i++)
                CHECK_CLOSE(ahead.value[0][i], plain.value[0][i], 1e-11);
            assert_memory_equal(ahead.value[1], plain.value[1],
                                (size_t)plain.size * sizeof(double));
            assert_memory_equal(ahead.grad, plain.grad, (size_t)(rows * cols) * sizeof(double));
        }
}

static void all_sets(layer fn, int64_t rows, int64_t cols)
{
    for (int set = 0; set < SETS; set++) {
        features_make(set);
        same_passes(fn, rows, cols);
        gnd_csr_fini(&x);
    }
}

static void cheby_layer_agrees(void **state)
{
    (void)state;
    all_sets(cheby, (K + 1) * D, F);
}

static void unit_hops_agrees(void **state)
{
    (void)state;
    all_sets(hops, D, F + 7);
    all_sets(hops_of_values, D, F + 7);
}

/* The copy of the weights for the next pass takes memory of the budget for whole lines, once;
 * without memory there is none. */
static void weights_bytes(void **state)
{
    static gnd_real w[D * (F + 7)];
    const int64_t total[] = {0, 1 << 29}, want[] = {0, D * (F + 8) * 8};

    (void)state;
    features_make(FEW);
    for (int k = 0; k < 2; k++) {
        gnd_tape *t = NULL;
        gnd_error err = {0};
        int64_t others = 0;

        CHECK_OK(gnd_tape_new(&t, NULL, &err));
        t->budget.total = total[k];
        for (int pass = 0; pass < 3; pass++) {
            gnd_tape_reset(t, false, 0);
            t->next = pass > 0 ? NEXT : -1;
            hops_of_values(t, gnd_parameter(t, w, w, D, F + 7), 0.5);
            CHECK_OK(gnd_tape_check(t, &err));
            if (pass == 0)
                others = t->budget.spent;
            assert_int_equal(t->budget.spent - others, pass > 0 ? want[k] : 0);
        }
        gnd_tape_free(t);
    }
    gnd_csr_fini(&x);
}

/* When a product is made ahead, and when it is not. */
static void conditions(void **state)
{
    gnd_tape *t = NULL;
    gnd_error err = {0};
    gnd_ahead *made;

    (void)state;
    features_make(FEW);
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    t->budget.total = 1 << 29;
    gnd_tape_reset(t, false, 0);
    assert_null(gnd_ahead_get(t, gnd_input(t, &x), 0.5, "X", 1)); /* nothing is known to follow */
    t->next = 3;
    assert_null(gnd_ahead_get(t, gnd_sparse(t, &x), 0.5, "X", 1)); /* may not last */
    assert_null(gnd_ahead_get(t, gnd_input(t, &x), 0, "X", 1));
    assert_null(gnd_ahead_get(t, gnd_input(t, &a), 0.5, "X", 1)); /* short rows */
    made = gnd_ahead_get(t, gnd_input(t, &x), 0.5, "X", 1);
    assert_non_null(made);
    gnd_tape_reset(t, true, 3);
    assert_ptr_equal(gnd_ahead_get(t, gnd_input(t, &x), 0.5, "X", 1), made);
    assert_null(gnd_ahead_get(t, gnd_input(t, &x), 0.5, "Y", 1));
    gnd_tape_reset(t, true, 4);
    assert_null(gnd_ahead_get(t, gnd_input(t, &x), 0.5, "X", 1));
    gnd_tape_free(t);
    CHECK_OK(gnd_tape_new(&t, NULL, &err)); /* no budget */
    gnd_tape_reset(t, false, 0);
    t->next = 3;
    assert_null(gnd_ahead_get(t, gnd_input(t, &x), 0.5, "X", 1));
    CHECK_OK(gnd_tape_check(t, &err));
    gnd_tape_free(t);
    gnd_csr_fini(&x);
}

/* What a slot takes of the budget: sums and row pointers, room for kept entries, and where columns
 * have 16 bits, those of the whole matrix. */
static void bytes(void **state)
{
    (void)state;
    for (int set = 0; set < SETS; set++) {
        int64_t want = (N * F + N + 1) * 8, nnz, room;
        gnd_tape *t = NULL;
        gnd_error err = {0};

        features_make(set);
        nnz = gnd_csr_nnz(&x);
        room = gnd_kept_room(nnz, 0.5);
        want += set == FEW    ? room * (4 + 8)
                : set == MANY ? room * (2 + 8) + nnz * 2
                              : room * 2 + N * 8 + nnz * 2 + N * 8; /* values of rows */
        CHECK_OK(gnd_tape_new(&t, NULL, &err));
        t->budget.total = 1 << 29;
        gnd_tape_reset(t, false, 0);
        t->next = 1;
        assert_non_null(gnd_ahead_get(t, gnd_input(t, &x), 0.5, "X", F));
        assert_int_equal(t->budget.spent, want);
        gnd_tape_free(t);
        gnd_csr_fini(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cheby_layer_agrees),
        cmocka_unit_test(unit_hops_agrees),
        cmocka_unit_test(weights_bytes),
        cmocka_unit_test(conditions),
        cmocka_unit_test(bytes),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
