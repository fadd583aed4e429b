/* SPDX-License-Identifier: MIT
 * The rows asked for, through operators cut down to what these rows depend on: the same values,
 * dropout and gradients as by way of all rows. */
#include "check.h"

#include "base/rng.h"
#include "tape/field.h"

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

/* A tanh(.. A tanh(A M(X) W) V ..) V, depth operators, with dropout between them. dense: X as a
 * dense matrix. */
static gnd_var formula(gnd_tape *t, weights *w, const gnd_field *f, int64_t depth,
                       const gnd_real *dense)
{
    const gnd_var V = gnd_parameter(t, w->v, w->dv, F, F);
    const gnd_var X = dense ? gnd_constant(t, dense, N, D) : gnd_sparse(t, &x);
    gnd_var h = gnd_dropout(t, gnd_field_rows(t, f, X), 0.4, "X");

    h = gnd_matmul(t, h, gnd_parameter(t, w->w, w->dw, D, F));
    for (int64_t l = 0; l < depth; l++) {
        h = gnd_dropout(t, gnd_tanh(t, gnd_field_spmm(t, f, l, h)), 0.3, "H");
        h = gnd_matmul(t, h, V);
    }
    return h;
}

/* Loss and gradients; narrow: asked for the rows, else for all. *n_bottom: rows read of X. */
static double run(weights *w, const int32_t *rows, int64_t n, int64_t depth, bool narrow,
                  const gnd_real *dense, int64_t *n_bottom)
{
    static int32_t label[N];
    gnd_tape *t = NULL;
    gnd_field f;
    gnd_var y;
    gnd_error err = {0};
    double loss;

    for (int64_t i = 0; i < N; i++)
        label[i] = (int32_t)(i % F);
    memset(w->dw, 0, sizeof w->dw);
    memset(w->dv, 0, sizeof w->dv);
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    t->seed = 3;
    gnd_tape_reset(t, true, 2);
    if (narrow)
        gnd_tape_want(t, rows, n);
    gnd_field_init(&f, t, &a, &at, depth);
    *n_bottom = f.level[0].n;
    y = gnd_cross_entropy(t, formula(t, w, &f, depth, dense), label, rows, n);
    gnd_tape_backward(t, y);
    CHECK_OK(gnd_tape_check(t, &err));
    loss = gnd_tape_node(t, y)->v[0];
    gnd_tape_free(t);
    return loss;
}

static void compare(const int32_t *rows, int64_t n, int64_t depth, const gnd_real *dense,
                    bool bottom_is_whole)
{
    weights w, all;
    int64_t n_bottom;
    double loss;

    for (int64_t i = 0; i < D * F; i++)
        w.w[i] = gnd_rng_uniform(1, 4, (uint64_t)i) - 0.5;
    for (int64_t i = 0; i < F * F; i++)
        w.v[i] = gnd_rng_uniform(1, 5, (uint64_t)i) - 0.5;
    all = w;
    loss = run(&all, rows, n, depth, false, dense, &n_bottom);
    assert_int_equal(n_bottom, N);
    CHECK_CLOSE(run(&w, rows, n, depth, true, dense, &n_bottom), loss, 1e-14);
    if (bottom_is_whole)
        assert_int_equal(n_bottom, N);
    else
        assert_true(n_bottom <= N / 8 * 7);
    for (int64_t i = 0; i < D * F; i++)
        CHECK_CLOSE(w.dw[i], all.dw[i], 1e-14);
    for (int64_t i = 0; i < F * F; i++)
        CHECK_CLOSE(w.dv[i], all.dv[i], 1e-14);
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
        compare(few, LENGTH(few), depth, NULL, false);
        compare(few, LENGTH(few), depth, dense, false);
        compare(many, N, depth, NULL, true);
    }
    /* Narrow above, whole below: rows 339 .. 0 see 349, and these more than 350. */
    compare(many, 120, 1, NULL, false);
    compare(many + 60, 340, 4, NULL, true);
    compare(many + 60, 340, 4, dense, true);
}

/* How far one row sees. */
static void reach(void **state)
{
    static const int32_t one[] = {10}, none[] = {4};
    gnd_tape *t = NULL;
    gnd_field f;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    gnd_tape_reset(t, false, 0);
    gnd_tape_want(t, one, 1);
    gnd_field_init(&f, t, &a, &at, 2); /* 10 -> 10 11 19; 19 has no entry, 11 -> 11 12 20 */
    assert_int_equal(f.level[0].n, 5);
    assert_int_equal(f.op[1]->n_col, 3);
    assert_int_equal(f.op[0]->n_row, 3);
    assert_int_equal(f.op[0]->n_col, 5);
    gnd_tape_reset(t, false, 0);
    gnd_tape_want(t, none, 1);
    gnd_field_init(&f, t, &a, &at, 2);
    assert_non_null(f.level[0].row);
    assert_int_equal(f.level[0].n, 1); /* itself: levels are nested */
    CHECK_OK(gnd_tape_check(t, &err));
    gnd_tape_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_by_all_rows),
        cmocka_unit_test(reach),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
