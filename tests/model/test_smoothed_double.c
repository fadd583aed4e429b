/* SPDX-License-Identifier: MIT
 * Smoothed features against plain loops: kept sparse, kept dense, not kept at all, and one after
 * the other as memory runs out; for all rows and for some. */
#include "random_graph.h"

#include "model/smoothed.h"

enum { F = 3, LAST = 5, MUCH = 1 << 27 };

typedef struct {
    gnd_inputs in;
    double *x; /* S^k X, [n, d], dense */
} work;

static void work_init(work *w, const gnd_graph *g, int64_t d, const gnd_csr *x)
{
    gnd_error err = {0};

    *w = (work){.in = {.n_node = g->n_node}};
    CHECK_OK(gnd_csr_copy(&w->in.x, x, &err));
    CHECK_OK(gnd_operator_init(&w->in.op, GND_OP_S, &g->adj, &err));
    w->x = calloc((size_t)(g->n_node * d), sizeof *w->x);
    assert_non_null(w->x);
}

static void work_fini(work *w)
{
    if (w->in.own)
        gnd_smoothed_release(&w->in);
    gnd_csr_fini(&w->in.x);
    gnd_operator_fini(&w->in.op);
    free(w->x);
}

static void plain_power(work *w, int64_t k)
{
    const int64_t n = w->in.n_node, d = w->in.x.n_col;
    const gnd_csr *s = &w->in.op.a, *x = &w->in.x;
    double *from = calloc((size_t)(n * d), sizeof *from);

    assert_non_null(from);
    memset(w->x, 0, (size_t)(n * d) * sizeof *w->x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t p = x->ptr[i]; p < x->ptr[i + 1]; p++)
            w->x[i * d + x->col[p]] = gnd_csr_val(x, p);
    for (; k > 0; k--) {
        memcpy(from, w->x, (size_t)(n * d) * sizeof *from);
        memset(w->x, 0, (size_t)(n * d) * sizeof *from);
        for (int64_t i = 0; i < n; i++)
            for (int64_t p = s->ptr[i]; p < s->ptr[i + 1]; p++)
                for (int64_t j = 0; j < d; j++)
                    w->x[i * d + j] += s->val[p] * from[s->col[p] * d + j];
    }
    free(from);
}

/* S^k X W of all rows and of a few, against the plain power. */
static void check_power(work *w, gnd_tape *t, int64_t k)
{
    static const int32_t some[] = {7, 0, 7, 19};
    const int64_t n = w->in.n_node, d = w->in.x.n_col;
    gnd_real *W = calloc((size_t)(d * F), sizeof *W);
    gnd_error err = {0};

    assert_non_null(W);
    for (int64_t e = 0; e < d * F; e++)
        W[e] = random_at(30, e) - 0.5;
    plain_power(w, k);
    for (int few = 0; few < 2; few++) {
        const gnd_node *y;

        gnd_tape_reset(t, false, 0);
        if (few)
            gnd_tape_request(t, some, LENGTH(some));
        y = gnd_tape_node(t, gnd_smoothed_times(t, &w->in, k, gnd_constant(t, W, d, F)));
        CHECK_OK(gnd_tape_check(t, &err));
        assert_int_equal(y->rows, few ? LENGTH(some) : n);
        for (int64_t i = 0; i < y->rows; i++)
            for (int64_t c = 0; c < F; c++) {
                double want = 0;

                for (int64_t j = 0; j < d; j++)
                    want += w->x[(few ? some[i] : i) * d + j] * W[j * F + c];
                CHECK_CLOSE(y->v[i * F + c], want, 1e-13);
            }
    }
    free(W);
}

/* Powers first .. LAST with a budget for so many values; which of them are kept, and how many of
 * these dense. */
static void check_hops(const gnd_graph *g, const gnd_csr *x, int64_t first, int64_t values,
                       int64_t kept, int64_t dense)
{
    work w;
    const gnd_powers *h;
    gnd_tape *t = NULL;
    gnd_error err = {0};

    work_init(&w, g, x->n_col, x);
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    w.in.budget = (gnd_budget){.total = 4 * values};
    CHECK_OK(gnd_smoothed_prepare(&w.in, first, LAST, true, NULL, &err));
    assert_true(w.in.budget.spent <= w.in.budget.total);
    h = w.in.own;
    assert_int_equal(h->last - first + 1, kept);
    for (int64_t k = h->first; k <= h->last; k++) {
        const gnd_kept_power *hop = gnd_powers_get(h, k);

        assert_true((hop->dense != NULL) != (hop->sp.ptr != NULL));
        dense -= hop->dense != NULL;
        if (hop->sp.ptr)
            CHECK_OK(gnd_csr_check(&hop->sp, "power", &err));
    }
    assert_int_equal(dense, 0);
    for (int64_t k = 0; k <= LAST; k++)
        check_power(&w, t, k);
    gnd_tape_free(t);
    work_fini(&w);
}

/* Few features fill up at once; many stay sparse for some hops. */
static void kept_or_not(void **state)
{
    gnd_graph *few = random_graph(60, 6, 3), *many = random_graph(60, 300, 3);

    (void)state;
    check_hops(few, &few->feat, 1, MUCH, 5, 5);
    check_hops(few, &few->feat, 4, MUCH, 2, 2);
    check_hops(few, &few->feat, 5, MUCH, 1, 1);
    check_hops(few, &few->feat, 1, 2 * 60 * 6, 2, 2); /* room for two */
    check_hops(few, &few->feat, 5, 2 * 60 * 6, 1, 1); /* the one before exists meanwhile */
    check_hops(few, &few->feat, 5, 2 * 60 * 6 - 1, 0, 0);
    check_hops(few, &few->feat, 1, 0, 0, 0);
    check_hops(many, &many->feat, 1, MUCH, 5, 3);
    check_hops(many, &many->feat, 2, MUCH, 4, 3);
    check_hops(many, &many->feat, 1, 60 * 200, 2, 0); /* sparse ones fit, dense ones do not */
    gnd_graph_free(few);
    gnd_graph_free(many);
}

/* Each vertex its own feature: S X = S. */
static void identity(void **state)
{
    gnd_graph *g = random_graph(60, 6, 3);
    gnd_csr eye;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_csr_init(&eye, 60, 60, 60, false, &err));
    for (int32_t i = 0; i < 60; i++) {
        eye.col[i] = i;
        eye.ptr[i + 1] = i + 1;
    }
    check_hops(g, &eye, 1, MUCH, 5, 3);
    check_hops(g, &eye, 1, 1000, 1, 0);
    check_hops(g, &eye, 3, 1000, 0, 0);
    gnd_csr_fini(&eye);
    gnd_graph_free(g);
}

/* Threads change no bit. */
static void threads_agree(void **state)
{
    gnd_graph *g = random_graph(900, 40, 3);
    gnd_pool *pool = gnd_pool_new(3);
    work w[2];
    gnd_error err = {0};

    (void)state;
    assert_non_null(pool);
    for (int i = 0; i < 2; i++) {
        work_init(&w[i], g, 40, &g->feat);
        w[i].in.budget.total = MUCH;
        CHECK_OK(gnd_smoothed_prepare(&w[i].in, 1, 3, true, i ? pool : NULL, &err));
    }
    for (int k = 0; k < 3; k++) {
        const gnd_kept_power *a = gnd_powers_get(w[0].in.own, k + 1);
        const gnd_kept_power *b = gnd_powers_get(w[1].in.own, k + 1);

        assert_true(a->dense && b->dense);
        assert_memory_equal(a->dense, b->dense, 900 * 40 * sizeof *a->dense);
    }
    work_fini(&w[0]);
    work_fini(&w[1]);
    gnd_pool_free(pool);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_or_not),
        cmocka_unit_test(identity),
        cmocka_unit_test(threads_agree),
    };

    setenv("GND_PARALLEL_MIN", "0", 1); /* small as they are, in threads */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
