/* SPDX-License-Identifier: MIT
 * test_prepare_double.c - links, features and S against dense matrices. */
#include "label/prepare.h"

#include "planted.h"
#include "prepared.h"

enum { N = 70, LONE = 3, ALL = N + LONE, C = 3 };

static const plan weighted = {.n = N,
                              .n_class = C,
                              .inside = 3,
                              .across = 1,
                              .words = 6,
                              .lean = 0.7,
                              .lone = LONE,
                              .weighted = true,
                              .directed = true};

/* ---- links ---- */

/* The larger weight of both directions, without loops, divided by the mean weight. */
static double *plain_links(const gnd_csr *adj)
{
    const int64_t n = adj->n_row;
    double *once = dense_of(adj), *both = dense_new(n, n), sum = 0, count = 0;

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            both[i * n + j] = i == j ? 0 : fmax(once[i * n + j], once[j * n + i]);
            sum += both[i * n + j];
            count += both[i * n + j] > 0;
        }
    for (int64_t e = 0; e < n * n; e++)
        both[e] /= sum / count;
    free(once);
    return both;
}

static void links_and_operator(void **state)
{
    gnd_graph *graph = planted_graph(weighted);
    gnd_prepared g = prepared_of(&graph->feat, &graph->adj, C);
    double *want = plain_links(&graph->adj), *got = dense_of(&g.links);
    double *S = dense_S(want, ALL), *got_S = dense_of(&g.S.a);

    (void)state;
    assert_int_equal(g.n, ALL);
    check_scores(got, want, ALL * ALL, 1e-12);
    check_scores(got_S, S, ALL * ALL, 1e-12);
    for (int64_t i = 0; i < ALL; i++) {
        double degree = 0;

        for (int64_t j = 0; j < ALL; j++) {
            degree += want[i * ALL + j];
            assert_true(want[i * ALL + j] == 0 || g.component[i] == g.component[j]);
        }
        CHECK_CLOSE(g.degree[i], degree, 1e-12);
    }
    for (int64_t i = N; i < ALL; i++) /* each in a component of its own */
        for (int64_t j = 0; j < i; j++)
            assert_true(g.component[i] != g.component[j]);
    free(got_S);
    free(S);
    free(got);
    free(want);
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

/* Links without weights and loops stay without weights. */
static void links_without_weights(void **state)
{
    gnd_csr clique = make_clique(5);
    gnd_prepared g = prepared_of(NULL, &clique, 2);

    (void)state;
    assert_null(g.links.val);
    assert_int_equal(gnd_csr_nnz(&g.links), 20);
    for (int64_t i = 0; i < 5; i++)
        CHECK_CLOSE(g.degree[i], 4, 0);
    gnd_prepared_fini(&g);
    gnd_csr_fini(&clique);
}

/* ---- features ---- */

static void unit_rows(void **state)
{
    gnd_graph *graph = planted_graph(weighted);
    gnd_prepared g = prepared_of(&graph->feat, &graph->adj, C);
    double *raw = dense_of(&graph->feat), *got = dense_of(&g.x);
    const int64_t d = graph->n_feat;

    (void)state;
    assert_true(g.x.n_row == ALL && g.x.n_col == d);
    assert_true(g.x_t.n_row == d && gnd_csr_nnz(&g.x_t) == gnd_csr_nnz(&g.x));
    for (int64_t i = 0; i < ALL; i++) {
        double square = 0;

        for (int64_t k = 0; k < d; k++)
            square += raw[i * d + k] * raw[i * d + k];
        assert_int_equal(square > 0, i < N);
        for (int64_t k = 0; k < d; k++)
            CHECK_CLOSE(got[i * d + k], square > 0 ? raw[i * d + k] / sqrt(square) : 0, 1e-12);
    }
    free(got);
    free(raw);
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

/* No features, or the same for all: there are none. */
static void no_features(void **state)
{
    gnd_csr links = make_cycle(30), same = {0};
    gnd_prepared g = prepared_of(NULL, &links, 2);
    gnd_error err;

    (void)state;
    assert_int_equal(g.x.n_row, 0);
    assert_false(g.uncorrelated);
    gnd_prepared_fini(&g);
    CHECK_OK(gnd_csr_init(&same, 30, 2, 30, false, &err));
    for (int64_t i = 0; i < 30; i++)
        same.ptr[i + 1] = i + 1;
    g = prepared_of(&same, &links, 2);
    assert_int_equal(g.x.n_row, 0);
    gnd_prepared_fini(&g);
    gnd_csr_fini(&same);
    gnd_csr_fini(&links);
}

/* Words that lean to the class, words by chance; and no links to be correlated with. */
static void uncorrelated(void **state)
{
    static const plan kind[] = {
        {.n = 400, .n_class = 3, .inside = 6, .across = 1, .words = 8, .lean = 0.8},
        {.n = 400, .n_class = 3, .inside = 6, .across = 1, .words = 8},
        {.n = 400, .n_class = 3, .words = 8, .lean = 0.8},
    };
    static const bool want[] = {false, true, false};

    (void)state;
    for (int64_t k = 0; k < LENGTH(kind); k++) {
        gnd_graph *graph = planted_graph(kind[k]);
        gnd_prepared g = prepared_of(&graph->feat, &graph->adj, 3);

        assert_int_equal(g.uncorrelated, want[k]);
        gnd_prepared_fini(&g);
        gnd_graph_free(graph);
    }
}

/* ---- all ---- */

static void threads_do_not_matter(void **state)
{
    static const int threads[] = {1, 2, 5};
    const gnd_coordinates_opts o = usual_coordinates(C);
    gnd_graph *graph = planted_graph(weighted);
    gnd_prepared want = prepared_of(&graph->feat, &graph->adj, C);

    (void)state;
    for (int64_t t = 0; t < LENGTH(threads); t++) {
        gnd_pool *pool = eager_pool(threads[t]);
        gnd_prepared g = prepared_with(&graph->feat, &graph->adj, &o, pool);

        assert_memory_equal(g.roles.val, want.roles.val, ALL * GND_ROLES * sizeof *g.roles.val);
        assert_memory_equal(g.link_mean, want.link_mean, ALL * sizeof *g.link_mean);
        assert_memory_equal(g.link_length, want.link_length, ALL * sizeof *g.link_length);
        assert_memory_equal(g.diffused_length, want.diffused_length,
                            ALL * sizeof *g.diffused_length);
        assert_memory_equal(&g.uncorrelated, &want.uncorrelated, sizeof g.uncorrelated);
        gnd_prepared_fini(&g);
        gnd_pool_free(pool);
    }
    gnd_prepared_fini(&want);
    gnd_graph_free(graph);
}

static void is_empty_in_the_end(void **state)
{
    const gnd_prepared zero = {0};
    gnd_graph *graph = planted_graph(weighted);
    gnd_prepared g = prepared_of(&graph->feat, &graph->adj, C);

    (void)state;
    gnd_prepared_fini(&g);
    assert_memory_equal(&g, &zero, sizeof g);
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_and_operator),  cmocka_unit_test(links_without_weights),
        cmocka_unit_test(unit_rows),           cmocka_unit_test(no_features),
        cmocka_unit_test(uncorrelated),        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(is_empty_in_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
