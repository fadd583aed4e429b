/* SPDX-License-Identifier: MIT
 * walk_cases.h - (1 - a) (I - a S)^-1 Y against a dense inverse, on graphs of many shapes, in
 * either precision. */
#ifndef GND_TESTS_WALK_CASES_H
#define GND_TESTS_WALK_CASES_H

#include <unistd.h>

#include "graph/dense.h"
#include "graph/make.h"
#include "graph/operator.h"
#include "linalg/walk_solve.h"
#include "pools.h"
#include "random_graph.h"

enum { N = 60 };
static const bool is_double = sizeof(gnd_real) == sizeof(double);

/* ---- graphs: links that are symmetric and without loops ---- */

static gnd_csr links_of(const gnd_csr *a)
{
    gnd_csr links, own;
    gnd_error err = {0};

    CHECK_OK(gnd_operator_links(&links, a, &err));
    CHECK_OK(gnd_csr_copy(&own, &links, &err));
    own.symmetric = links.symmetric;
    gnd_csr_fini(&links);
    return own;
}

static gnd_csr links_made(const arc *arcs, int64_t n_arc, int64_t n, bool weighted)
{
    gnd_csr a = make_csr(n, n, arcs, n_arc, weighted), links = links_of(&a);

    gnd_csr_fini(&a);
    return links;
}

/* Weighted, several components, among them single vertices. */
static gnd_csr random_links(void)
{
    gnd_graph *g = random_graph(N, 2, 2);
    gnd_csr links;
    int64_t q = 0;

    for (int64_t i = 0, p = 0; i < N; i++) {
        const int64_t end = g->adj.ptr[i + 1];

        for (; p < end; p++)
            if (i / 25 == g->adj.col[p] / 25 && i % 10 && g->adj.col[p] % 10) {
                g->adj.col[q] = g->adj.col[p];
                g->adj.val[q++] = g->adj.val[p];
            }
        g->adj.ptr[i + 1] = q;
    }
    links = links_of(&g->adj);
    gnd_graph_free(g);
    return links;
}

/* Of n vertices. */
static gnd_csr path(int64_t n)
{
    arc *arcs = calloc((size_t)n, sizeof *arcs);
    gnd_csr links;

    for (int32_t v = 0; v + 1 < n; v++)
        arcs[v] = (arc){v, v + 1, 1};
    links = links_made(arcs, n - 1, n, false);
    free(arcs);
    return links;
}

static gnd_csr ring(void)
{
    arc arcs[N];

    for (int32_t v = 0; v < N; v++)
        arcs[v] = (arc){v, (v + 1) % N, 1};
    return links_made(arcs, N, N, false);
}

/* A hub with many leaves, and one of them has a leaf. */
static gnd_csr star(void)
{
    arc arcs[N];

    for (int32_t v = 1; v < N - 1; v++)
        arcs[v - 1] = (arc){0, v, 1};
    arcs[N - 2] = (arc){5, N - 1, 1};
    return links_made(arcs, N - 1, N, false);
}

static gnd_csr bipartite(void)
{
    arc arcs[30 * 4];

    for (int32_t v = 0; v < 30; v++)
        for (int32_t k = 0; k < 4; k++)
            arcs[4 * v + k] = (arc){v, 30 + (7 * v + 11 * k) % 30, 1 + k};
    return links_made(arcs, 30 * 4, N, true);
}

static gnd_csr complete(void)
{
    arc arcs[N * N];

    for (int32_t v = 0; v < N * N; v++)
        arcs[v] = (arc){v / N, v % N, 1};
    return links_made(arcs, N * N, N, false);
}

static gnd_csr without_links(void)
{
    return links_made(NULL, 0, N, false);
}

static gnd_csr graph_at(int k)
{
    gnd_csr (*const made[])(void) = {random_links, ring, star, bipartite, complete, without_links};

    return k < (int)LENGTH(made) ? made[k]() : path(k == (int)LENGTH(made) ? N : 2);
}
enum { GRAPHS = 8 };

/* ---- the equation ---- */

/* Labels of every ninth vertex, of changing columns; column 4 has none. */
static void labels(gnd_real *y, int64_t n, int64_t width)
{
    memset(y, 0, (size_t)(n * width) * sizeof *y);
    for (int64_t i = 1; i < n; i += 9)
        if (i % width != 4)
            y[i * width + i % width] = 1;
}

static gnd_real *solved(const gnd_csr *links, int64_t width, double a, double error, double *bound,
                        gnd_pool *pool)
{
    const gnd_walk_equation e = {.a = a, .error = error};
    gnd_real *f = calloc((size_t)(links->n_row * width), sizeof *f);
    gnd_walk *w;
    gnd_error err = {0};

    assert_non_null(f);
    labels(f, links->n_row, width);
    CHECK_OK(gnd_walk_new(&w, links, NULL, pool, &err));
    CHECK_OK(gnd_walk_solve(f, width, bound, w, &e, pool, &err));
    gnd_walk_free(w);
    return f;
}

/* The largest error of a row relative to its largest value. Rows without values must be exact. */
static double error_of(const gnd_real *f, const gnd_csr *links, int64_t width, double a)
{
    const int64_t n = links->n_row;
    gnd_real *y = calloc((size_t)(n * width), sizeof *y);
    gnd_operator op;
    gnd_error err = {0};
    double *m, *inverse, worst = 0;

    labels(y, n, width);
    CHECK_OK(gnd_operator_init(&op, GND_OP_S0, links, &err));
    m = dense_of(&op.a);
    for (int64_t e = 0; e < n * n; e++)
        m[e] = (e / n == e % n) - a * m[e];
    inverse = dense_inverse(m, n);
    for (int64_t i = 0; i < n; i++) {
        double top = 0, off = 0;

        for (int64_t c = 0; c < width; c++) {
            double sum = 0;

            for (int64_t j = 0; j < n; j++)
                sum += (1 - a) * inverse[i * n + j] * (double)y[j * width + c];
            top = fmax(top, fabs(sum));
            off = fmax(off, fabs(sum - (double)f[i * width + c]));
        }
        if (top == 0)
            assert_true(off == 0);
        else
            worst = fmax(worst, off / top);
    }
    free(inverse);
    free(m);
    gnd_operator_fini(&op);
    free(y);
    return worst;
}

/* ---- tests ---- */

/* The bound holds. A bound of a tenth of the error is possible in float, too, if values do not
 * differ much. */
static void exact(void **state)
{
    static const double as[] = {0, 0.1, 0.5, 0.9, 0.99, 0.9999};
    static const int64_t widths[] = {1, 2, 3, 4, 7, 16, 33};

    (void)state;
    for (int k = 0; k < GRAPHS; k++) {
        gnd_csr links = graph_at(k);

        for (size_t j = 0; j < LENGTH(as); j++)
            for (size_t l = 0; l < LENGTH(widths); l++) {
                const double error = is_double ? 1e-10 : l % 2 ? 1e-2 : 1e-4;
                double bound;
                gnd_real *f = solved(&links, widths[l], as[j], error, &bound, NULL);

                /* The operator that the dense matrix is made of is rounded to float. */
                assert_true(bound <= error);
                assert_true(error_of(f, &links, widths[l], as[j]) <=
                            error + (is_double ? 1e-11 : 2e-7 / (1 - as[j])));
                free(f);
            }
        gnd_csr_fini(&links);
    }
}

/* Any number of threads gives the same bits. */
static void threads(void **state)
{
    (void)state;
    for (int k = 0; k < GRAPHS; k++) {
        gnd_csr links = graph_at(k);
        gnd_real *one = solved(&links, 7, 0.99, 1e-2, NULL, NULL);

        for (int t = 1; t <= 4; t++) {
            gnd_pool *pool = eager_pool(t);
            gnd_real *f = solved(&links, 7, 0.99, 1e-2, NULL, pool);

            assert_memory_equal(f, one, (size_t)(links.n_row * 7) * sizeof *f);
            free(f);
            gnd_pool_free(pool);
        }
        free(one);
        gnd_csr_fini(&links);
    }
}

/* On a path with one label, F falls by a constant factor from vertex to vertex. It is right far
 * beyond the rounding error near the label, and the bound says that it is not everywhere. */
static void far_away(void **state)
{
    enum { LONG = 3000 }; /* q^500 is 1e-31, and q^1500 is 1e-93 */
    const double a = 0.99, q = a / (1 + sqrt(1 - a * a)), error = is_double ? 1e-10 : 1e-2;
    const int64_t right = is_double ? 1500 : 500;
    gnd_real *f = calloc(LONG, sizeof *f);
    gnd_csr links = path(LONG);
    double bound;
    gnd_walk *w;
    gnd_error err = {0};

    (void)state;
    f[0] = 1;
    CHECK_OK(gnd_walk_new(&w, &links, NULL, NULL, &err));
    CHECK_OK(
        gnd_walk_solve(f, 1, &bound, w, &(gnd_walk_equation){.a = a, .error = error}, NULL, &err));
    for (int64_t i = 1; i < right - 1; i++)
        CHECK_CLOSE((double)f[i + 1] / (double)f[i], q, 2 * error);
    assert_true(isinf(bound));
    gnd_walk_free(w);
    gnd_csr_fini(&links);
    free(f);
}

/* Vertices that come last are not linked with each other, and each is there once. */
static void order(void **state)
{
    (void)state;
    for (int k = 0; k < GRAPHS; k++) {
        gnd_csr links = graph_at(k);
        bool met[N] = {false};
        gnd_walk *w;
        gnd_error err = {0};

        CHECK_OK(gnd_walk_new(&w, &links, NULL, NULL, &err));
        assert_int_equal(w->a.n_row, links.n_row);
        assert_int_equal(gnd_csr_nnz(&w->a), gnd_csr_nnz(&links));
        assert_int_equal(w->first[w->n_block], w->kept);
        for (int64_t r = 0; r < w->n; r++) {
            const int64_t i = w->order[r];

            assert_false(met[i]);
            met[i] = true;
            for (int64_t p = w->a.ptr[r]; p < w->a.ptr[r + 1]; p++) {
                const int64_t q = gnd_csr_find(&links, i, w->order[w->a.col[p]]);

                assert_true(q >= 0 && gnd_csr_val(&links, q) == gnd_csr_val(&w->a, p));
                assert_true(r < w->kept || w->a.col[p] < w->kept);
            }
        }
        gnd_walk_free(w);
        gnd_csr_fini(&links);
    }
}

static int stop(const char *stage, double share, void *user)
{
    (void)stage, (void)share, (void)user;
    return 1;
}

static void cancelled(void **state)
{
    gnd_csr links = graph_at(0);
    gnd_pool *pool;
    gnd_walk *w;
    gnd_real f[N] = {1};
    gnd_error err = {0};

    (void)state;
    setenv("GND_TICK_MS", "0", 1);
    pool = eager_pool(2);
    CHECK_OK(gnd_walk_new(&w, &links, NULL, pool, &err));
    gnd_pool_set_tick(pool, stop, NULL, "test");
    CHECK_FAILS(
        gnd_walk_solve(f, 1, NULL, w, &(gnd_walk_equation){.a = 0.9, .error = 1e-2}, pool, &err),
        GND_ERR_STOPPED, "");
    unsetenv("GND_TICK_MS");
    gnd_walk_free(w);
    gnd_pool_free(pool);
    gnd_csr_fini(&links);
}

/* A run that goes on from a saved state ends with the same bits. */
static void saved(void **state)
{
    char folder[] = "/tmp/gnd-walk-XXXXXX", command[64];
    gnd_walk_equation e = {.a = 0.99, .error = is_double ? 1e-13 : 1e-4, .stage = "test"};
    gnd_csr links = graph_at(1);
    gnd_real whole[N * 3], f[N * 3];
    gnd_walk *w;
    gnd_error err = {0};

    (void)state;
    assert_non_null(mkdtemp(folder));
    CHECK_OK(gnd_walk_new(&w, &links, NULL, NULL, &err));
    labels(whole, N, 3);
    CHECK_OK(gnd_checkpoint_open(&e.saved,
                                 &(gnd_checkpoint_opts){.folder = folder, .run = "a\t1\n"}, &err));
    CHECK_OK(gnd_walk_solve(whole, 3, NULL, w, &e, NULL, &err));
    gnd_checkpoint_free(e.saved);
    CHECK_OK(gnd_checkpoint_open(&e.saved,
                                 &(gnd_checkpoint_opts){.folder = folder, .run = "a\t1\n"}, &err));
    memset(f, 0, sizeof f); /* the state has all that is needed */
    CHECK_OK(gnd_walk_solve(f, 3, NULL, w, &e, NULL, &err));
    assert_true(gnd_checkpoint_used(e.saved));
    assert_memory_equal(f, whole, sizeof f);
    gnd_checkpoint_free(e.saved);
    gnd_walk_free(w);
    gnd_csr_fini(&links);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

static int run_walk_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order),    cmocka_unit_test(exact), cmocka_unit_test(threads),
        cmocka_unit_test(far_away), cmocka_unit_test(saved), cmocka_unit_test(cancelled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
