/* SPDX-License-Identifier: MIT
 * The rows asked for, through operators cut down to what these rows depend on: the same values,
 * dropout and gradients as by way of all rows. */
#include "check.h"

#include "base/rng.h"
#include "tape/receptive_field.h"

enum { N = 400, D = 7, F = 3, DEPTH = 3 };

static gnd_csr a, at, x;

/* A directed ring with chords of length 9, weighted: after k operators at most (k + 1)(k + 2) / 2
 * rows are reached from one. Every fifth row has no entry. */
static int setup(void **state)
{
    gnd_error err = {0};
    int64_t p = 0, q = 0;

    (void)state;
    CHECK_OK(gnd_csr_init(&a, N, N, 3 * N, true, &err));
    CHECK_OK(gnd_csr_init(&x, N, D, 2 * N, true, &err));
    for (int32_t i = 0; i < N; i++) {
        const int32_t to[] = {i, i + 1, i + 9};

        for (int k = 0; k < 3 && i % 5 != 4; k++)
            if (to[k] < N) {
                a.col[p] = to[k];
                a.val[p] = gnd_rng_uniform(1, 2, (uint64_t)p) + 0.1;
                p++;
            }
        a.ptr[i + 1] = p;
        for (int k = 0; k < 2; k++, q++) {
            x.col[q] = i % (D / 2) + k * (D / 2);
            x.val[q] = gnd_rng_uniform(1, 3, (uint64_t)q) + 0.1;
        }
        x.ptr[i + 1] = q;
    }
    CHECK_OK(gnd_csr_check(&a, "operator", &err));
    CHECK_OK(gnd_csr_check(&x, "features", &err));
    CHECK_OK(gnd_csr_transpose(&at, &a, &err));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    gnd_csr_fini(&a);
    gnd_csr_fini(&at);
    gnd_csr_fini(&x);
    return 0;
}

typedef struct {
    gnd_real w[D * F], dw[D * F], v[F * F], dv[F * F];
} weights;

/* How the rows asked for are come by. */
typedef enum {
    BY_ALL,      /* all rows are made */
    NARROW,      /* theirs only */
    NARROW_AGAIN /* ... and kept from a pass before */
} way;

typedef struct {
    const int32_t *rows;
    int64_t n, depth;
    const gnd_real *dense; /* X as a dense matrix; NULL: sparse */
    double p;              /* drop rate of X */
} problem;

/* The largest of all layers h_l = M(tanh(A h_{l-1} V)), times V, with dropout between them. */
static gnd_var formula(gnd_tape *t, weights *w, const gnd_receptive_field *f, const problem *of)
{
    const gnd_var V = gnd_parameter(t, w->v, w->dv, F, F);
    const gnd_var X = of->dense ? gnd_constant(t, of->dense, N, D) : gnd_input(t, &x);
    gnd_var h = gnd_receptive_rows(t, f, X), J = {-1};

    for (int64_t l = 1; l <= of->depth; l++) {
        const gnd_var W = l == 1 ? gnd_parameter(t, w->w, w->dw, D, F) : V;
        gnd_var part;

        h = l == 1 ? gnd_receptive_first(t, f, &(gnd_dropped){h, of->p, "X"}, W)
                   : gnd_receptive_spmm(t, f, l - 1, gnd_matmul(t, h, W));
        h = gnd_dropout(t, gnd_tanh(t, h), 0.3, "H");
        part = gnd_receptive_part(t, f, l, h, of->depth);
        J = l == 1 ? part : gnd_max(t, J, part);
    }
    return gnd_matmul(t, J, V);
}

/* Loss and gradients. *n_bottom: rows read of X. */
static double run(weights *w, const problem *of, way by, int64_t *n_bottom)
{
    static int32_t label[N];
    gnd_tape *t = NULL;
    gnd_receptive_field f;
    gnd_var y;
    gnd_error err = {0};
    double loss;

    for (int64_t i = 0; i < N; i++)
        label[i] = (int32_t)(i % F);
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    t->budget.total = 1 << 29;
    t->seed = 3;
    for (int pass = 0; pass < (by == NARROW_AGAIN ? 3 : 1); pass++) {
        memset(w->dw, 0, sizeof w->dw);
        memset(w->dv, 0, sizeof w->dv);
        gnd_tape_reset(t, true, 2);
        if (by == NARROW)
            gnd_tape_request(t, of->rows, of->n);
        if (by == NARROW_AGAIN)
            gnd_tape_request_again(t, of->rows, of->n);
        gnd_receptive_init(&f, t, &a, &at, of->depth);
        *n_bottom = f.level[0].n;
        y = gnd_cross_entropy(t, formula(t, w, &f, of), label, of->rows, of->n);
        gnd_tape_backward(t, y);
        CHECK_OK(gnd_tape_check(t, &err));
    }
    loss = gnd_tape_node(t, y)->v[0];
    gnd_tape_free(t);
    return loss;
}

static void compare(const problem *of, bool bottom_is_whole)
{
    weights w, all;
    int64_t n_bottom;
    double loss;

    for (int64_t i = 0; i < D * F; i++)
        w.w[i] = gnd_rng_uniform(1, 4, (uint64_t)i) - 0.5;
    for (int64_t i = 0; i < F * F; i++)
        w.v[i] = gnd_rng_uniform(1, 5, (uint64_t)i) - 0.5;
    all = w;
    loss = run(&all, of, BY_ALL, &n_bottom);
    assert_int_equal(n_bottom, N);
    for (way by = NARROW; by <= NARROW_AGAIN; by++) {
        CHECK_CLOSE(run(&w, of, by, &n_bottom), loss, 1e-14);
        if (bottom_is_whole)
            assert_int_equal(n_bottom, N);
        else
            assert_true(n_bottom <= N / 8 * 7);
        for (int64_t i = 0; i < D * F; i++)
            CHECK_CLOSE(w.dw[i], all.dw[i], 1e-14);
        for (int64_t i = 0; i < F * F; i++)
            CHECK_CLOSE(w.dv[i], all.dv[i], 1e-14);
    }
}

static void same_as_by_all_rows(void **state)
{
    static const int32_t few[] = {17, 250, 3, 17, 399, 44};
    int32_t many[N];
    gnd_real dense[N * D] = {0};

    (void)state;
    for (int32_t i = 0; i < N; i++) {
        many[i] = N - 1 - i;
        for (int64_t p = x.ptr[i]; p < x.ptr[i + 1]; p++)
            dense[i * D + x.col[p]] = x.val[p];
    }
    for (int64_t depth = 1; depth <= DEPTH; depth++) {
        compare(&(problem){few, LENGTH(few), depth, NULL, 0.4}, false);
        compare(&(problem){few, LENGTH(few), depth, NULL, 0}, false); /* a x can be kept */
        compare(&(problem){few, LENGTH(few), depth, dense, 0.4}, false);
        compare(&(problem){many, N, depth, NULL, 0.4}, true);
    }
    /* Narrow above, whole below: rows 339 .. 0 see 349, and these more than 350. */
    compare(&(problem){many, 120, 1, NULL, 0.4}, false);
    compare(&(problem){many + 60, 340, 4, NULL, 0.4}, true);
    compare(&(problem){many + 60, 340, 4, NULL, 0}, true);
    compare(&(problem){many + 60, 340, 4, dense, 0.4}, true);
}

/* Two operators, the same rows of the same matrix: what is kept for one is not taken for the
 * other. Rows 27 .. 371 read nearly all of x either way, so that it is x itself for
 * both. */
static void operators_apart(void **state)
{
    enum { ROWS = 345 };
    const gnd_csr *const op[] = {&a, &at};
    int32_t rows[ROWS];
    gnd_real w[D * F];
    gnd_tape *t = NULL;
    gnd_error err = {0};

    (void)state;
    for (int32_t i = 0; i < ROWS; i++)
        rows[i] = 27 + i;
    for (int64_t i = 0; i < D * F; i++)
        w[i] = gnd_rng_uniform(1, 4, (uint64_t)i) - 0.5;
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    t->budget.total = 1 << 29;
    for (int pass = 0; pass < 2; pass++) {
        gnd_tape_reset(t, false, 0);
        gnd_tape_request_again(t, rows, ROWS);
        for (int k = 0; k < 2; k++) {
            const gnd_var X = gnd_input(t, &x), W = gnd_constant(t, w, D, F);
            const gnd_var all = gnd_spmm(t, op[k], op[!k], gnd_matmul(t, X, W));
            gnd_receptive_field f;
            gnd_var y;

            gnd_receptive_init(&f, t, op[k], op[!k], 1);
            assert_int_equal(f.level[0].n, N);
            y = gnd_receptive_first(t, &f, &(gnd_dropped){.x = gnd_receptive_rows(t, &f, X)}, W);
            CHECK_OK(gnd_tape_check(t, &err));
            for (int64_t i = 0; i < ROWS * F; i++)
                CHECK_CLOSE(gnd_tape_node(t, y)->v[i],
                            gnd_tape_node(t, all)->v[rows[i / F] * F + i % F], 1e-14);
        }
    }
    gnd_tape_free(t);
}

/* A walk with restarts on the rows asked for is that on all rows, whatever drops out; rates of 1/2
 * have a law of their own. */
static void walks(const int32_t *rows, int64_t n, int64_t steps, double p)
{
    gnd_real z[N * F], dz[2][N * F] = {{0}}, all[N * F], l[N * F];
    gnd_tape *t = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    t->budget.total = 1 << 29;
    for (int64_t i = 0; i < N * F; i++)
        z[i] = gnd_rng_uniform(1, 6, (uint64_t)i) - 0.5;
    for (int64_t i = 0; i < n; i++)
        l[i] = gnd_rng_uniform(1, 7, (uint64_t)i) - 0.5;
    for (int pass = 0; pass < 4; pass++) { /* all rows, narrow, and twice narrow and kept */
        const int narrow = pass > 0;
        gnd_real one[F];
        gnd_var y;

        for (int64_t c = 0; c < F; c++)
            one[c] = (gnd_real)(c + 1);
        memset(dz[narrow], 0, sizeof dz[narrow]);
        gnd_tape_reset(t, true, 5);
        if (pass == 1)
            gnd_tape_request(t, rows, n);
        if (pass > 1)
            gnd_tape_request_again(t, rows, n);
        y = gnd_restart(t, &a, &at, gnd_parameter(t, z, dz[narrow], N, F),
                        &(gnd_restart_walk){steps, 0.1, p, "S"});
        if (!narrow)
            y = gnd_rows(t, y, rows, n);
        CHECK_OK(gnd_tape_check(t, &err));
        assert_int_equal(gnd_tape_node(t, y)->rows, n);
        for (int64_t i = 0; i < n * F; i++)
            if (narrow)
                CHECK_CLOSE(gnd_tape_node(t, y)->v[i], all[i], 1e-14);
            else
                all[i] = gnd_tape_node(t, y)->v[i];
        gnd_tape_backward(t, gnd_matmul(t, gnd_constant(t, l, 1, n),
                                        gnd_matmul(t, y, gnd_constant(t, one, F, 1))));
        CHECK_OK(gnd_tape_check(t, &err));
        for (int64_t i = 0; i < N * F; i++)
            CHECK_CLOSE(dz[narrow][i], dz[0][i], 1e-14);
    }
    gnd_tape_free(t);
}

static void walks_agree(void **state)
{
    static const int32_t few[] = {17, 250, 3, 17, 399, 44};
    int32_t many[N];

    (void)state;
    for (int32_t i = 0; i < N; i++)
        many[i] = N - 1 - i;
    for (int64_t steps = 0; steps < 40; steps += steps < 4 ? 1 : 33) /* the last is no field */
        for (double p = 0; p < 0.8; p += 0.25) {
            walks(few, LENGTH(few), steps, p);
            walks(many, 120, steps, p);
            walks(many + 60, 340, steps, p);
        }
}

/* A sum of Chebyshev polynomials for the rows asked for is that for all rows, and so are its
 * gradients. */
static void cheby(const int32_t *rows, int64_t n, int64_t K)
{
    enum { W = 2, MOST = 5 };
    gnd_real z[N * MOST * W], dz[2][N * MOST * W] = {{0}}, all[N * W], l[N];
    const gnd_real one[W] = {1, 2};
    gnd_tape *t = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    t->budget.total = 1 << 29;
    for (int64_t i = 0; i < LENGTH(z); i++)
        z[i] = gnd_rng_uniform(1, 6, (uint64_t)i) - 0.5;
    for (int64_t i = 0; i < n; i++)
        l[i] = gnd_rng_uniform(1, 7, (uint64_t)i) - 0.5;
    for (int pass = 0; pass < 4; pass++) { /* all rows, narrow, and twice narrow and kept */
        const int narrow = pass > 0;
        gnd_var Z, y;

        memset(dz[narrow], 0, sizeof dz[narrow]);
        gnd_tape_reset(t, true, 5);
        if (pass == 1)
            gnd_tape_request(t, rows, n);
        if (pass > 1)
            gnd_tape_request_again(t, rows, n);
        Z = gnd_parameter(t, z, dz[narrow], N, (K + 1) * W);
        if (narrow) {
            gnd_receptive_field f;

            gnd_receptive_init(&f, t, &a, &at, K);
            y = gnd_receptive_cheby(t, &f, gnd_receptive_rows(t, &f, Z));
            y = gnd_requested(t, y);
        } else
            y = gnd_rows(t, gnd_cheby_sum(t, &a, &at, Z, K), rows, n);
        CHECK_OK(gnd_tape_check(t, &err));
        assert_int_equal(gnd_tape_node(t, y)->rows, n);
        for (int64_t i = 0; i < n * W; i++)
            if (narrow)
                CHECK_CLOSE(gnd_tape_node(t, y)->v[i], all[i], 1e-12);
            else
                all[i] = gnd_tape_node(t, y)->v[i];
        gnd_tape_backward(t, gnd_matmul(t, gnd_constant(t, l, 1, n),
                                        gnd_matmul(t, y, gnd_constant(t, one, W, 1))));
        CHECK_OK(gnd_tape_check(t, &err));
        for (int64_t i = 0; i < LENGTH(z); i++)
            CHECK_CLOSE(dz[narrow][i], dz[0][i], 1e-12);
    }
    gnd_tape_free(t);
}

static void cheby_agrees(void **state)
{
    static const int32_t few[] = {17, 250, 3, 17, 399, 44};
    int32_t many[N];

    (void)state;
    for (int32_t i = 0; i < N; i++)
        many[i] = N - 1 - i;
    for (int64_t K = 0; K < 5; K++) {
        cheby(few, LENGTH(few), K);
        cheby(many, 120, K);
        cheby(many + 60, 340, K);
        cheby(many, N, K);
    }
}

/* How far one row sees. */
static void reach(void **state)
{
    static const int32_t one[] = {10}, none[] = {4};
    int32_t most[N];
    gnd_tape *t = NULL;
    gnd_receptive_field f;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    t->budget.total = 1 << 29;
    gnd_tape_reset(t, false, 0);
    gnd_tape_request(t, one, 1);
    gnd_receptive_init(&f, t, &a, &at, 2); /* 10 -> 10 11 19; 19 has no entry, 11 -> 11 12 20 */
    assert_int_equal(f.level[0].n, 5);
    assert_int_equal(f.op[1]->n_col, 3);
    assert_int_equal(f.op[0]->n_row, 3);
    assert_int_equal(f.op[0]->n_col, 5);
    assert_ptr_equal(f.op[1]->col, f.op[0]->col); /* one list and one matrix for all levels */
    assert_ptr_equal(f.level[1].row, f.level[0].row);
    gnd_tape_reset(t, false, 0);
    gnd_tape_request(t, none, 1);
    gnd_receptive_init(&f, t, &a, &at, 2);
    assert_non_null(f.level[0].row);
    assert_int_equal(f.level[0].n, 1); /* itself: levels are nested */
    for (int32_t i = 0; i < N; i++)
        most[i] = i;
    gnd_tape_reset(t, false, 0);
    gnd_tape_request(t, most, N - N / 8 + 1);
    gnd_receptive_init(&f, t, &a, &at, 2);
    assert_null(f.level[2].row); /* no copy of nearly all rows of the operator */
    assert_null(f.op[1]);
    CHECK_OK(gnd_tape_check(t, &err));
    gnd_tape_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_by_all_rows),
        cmocka_unit_test(operators_apart),
        cmocka_unit_test(walks_agree),
        cmocka_unit_test(cheby_agrees),
        cmocka_unit_test(reach),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
