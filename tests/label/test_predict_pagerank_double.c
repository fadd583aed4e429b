/* SPDX-License-Identifier: MIT
 * test_predict_pagerank_double.c - PageRank against a dense power iteration; vertices that no walk
 * reaches; components without labels. */
#include "label/predictors.h"

#include "base/alloc.h"
#include "planted.h"
#include "prepared.h"

/* F <- a D^-1 A F + (1 - a) E as often as the predictor does, from (1 - a) E; score = log of rows
 * of sum 1. */
static double *dense_pagerank(const gnd_csr *links, const gnd_labelled *s)
{
    const int64_t n = links->n_row, C = s->n_class;
    double *a = dense_of(links), *start = dense_new(n, C), *f = dense_new(n, C);
    double *degree = dense_new(n, 1), *count = dense_new(C, 1);

    for (int64_t e = 0; e < n * n; e++)
        degree[e / n] += a[e];
    for (int64_t k = 0; k < s->n; k++)
        count[s->cls[k]]++;
    for (int64_t k = 0; k < s->n; k++)
        start[s->point[k] * C + s->cls[k]] = 1 / (degree[s->point[k]] * count[s->cls[k]]);
    for (int64_t e = 0; e < n * C; e++)
        f[e] = (1 - PAGERANK_DAMPING) * start[e];
    for (int step = 0; step < PAGERANK_STEPS; step++) {
        double *next = dense_product(a, f, n, n, C);

        for (int64_t e = 0; e < n * C; e++)
            f[e] = PAGERANK_DAMPING * next[e] / degree[e / C] + (1 - PAGERANK_DAMPING) * start[e];
        free(next);
    }
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;

        for (int64_t c = 0; c < C; c++)
            sum += f[i * C + c];
        for (int64_t c = 0; c < C; c++)
            f[i * C + c] = log(f[i * C + c] / sum);
    }
    free(count);
    free(degree);
    free(start);
    free(a);
    return f;
}

/* A connected graph of small diameter, weighted or not, whose rows are several pieces; a class
 * without a label. */
static void is_power_iteration(void **state)
{
    enum { N = 600, C = 4 };
    static const int32_t point[] = {3, 510, 17, 300, 255, 256, 599}, cls[] = {0, 1, 2, 0, 0, 2, 1};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 7, .n_class = C};
    gnd_real score[N * C];
    gnd_error err;

    (void)state;
    for (int weighted = 0; weighted < 2; weighted++) {
        gnd_graph *graph = planted_graph(
            (plan){.n = N, .n_class = C, .inside = 2, .across = 2, .weighted = weighted});
        gnd_prepared g = prepared_of(NULL, &graph->adj, C);
        double *want = dense_pagerank(&g.links, &s);

        for (int64_t i = 0; i < N; i++)
            assert_int_equal(g.component[i], 0);
        CHECK_OK(gnd_predict_pagerank(score, &g, &s, NULL, &err));
        check_scores(score, want, N * C, 1e-10);
        assert_true(isinf(score[3])); /* class 3 */
        free(want);
        gnd_prepared_fini(&g);
        gnd_graph_free(graph);
    }
}

/* Scores as on a large graph and as on others. */
static void scores_of_both(gnd_real *large, gnd_real *small, gnd_prepared *g, const gnd_labelled *s)
{
    const int64_t n_link = g->n_link;
    gnd_error err;

    CHECK_OK(gnd_predict_pagerank(small, g, s, NULL, &err));
    g->n_link = LARGE_LINKS;
    CHECK_OK(gnd_predict_pagerank(large, g, s, NULL, &err));
    g->n_link = n_link;
}

/* Where walks mix, a large graph has fewer steps, and nearly the same probabilities. A class
 * without a label does not keep it from that. */
static void walks_settle_on_large_graphs(void **state)
{
    enum { N = 3000, C = 3 };
    static const int32_t point[] = {1, 10, 1000, 2000}, cls[] = {0, 1, 0, 1};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 4, .n_class = C};
    gnd_graph *graph =
        planted_graph((plan){.n = N, .n_class = C, .inside = 9, .across = 6, .weighted = true});
    gnd_prepared g = prepared_of(NULL, &graph->adj, C);
    gnd_real *small = gnd_alloc(N * C, sizeof *small), *large = gnd_alloc(N * C, sizeof *large);
    double apart = 0;

    (void)state;
    scores_of_both(large, small, &g, &s);
    for (int64_t e = 0; e < N * C; e++)
        apart += fabs(exp((double)large[e]) - exp((double)small[e])) / (N * C);
    assert_true(apart < WALK_CHANGE);
    assert_true(memcmp(large, small, N * C * sizeof *small) != 0);
    gnd_free(large);
    gnd_free(small);
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

/* The walks go on until all classes have come to the sampled vertices, multiples of 64: here from
 * labels 4 and 10 links away. Between two labels, shares of both are as on a small graph. */
static void walks_wait_for_all_classes(void **state)
{
    enum { EVERY = 64, N = EVERY * 5, LEFT = EVERY - 4, RIGHT = EVERY + 10 };
    static const int32_t cls[] = {0, 1, 0, 1, 0, 1, 0, 1};
    int32_t point[8];
    const gnd_labelled s = {.point = point, .cls = cls, .n = 8, .n_class = 2};
    gnd_csr adj = make_path(N);
    gnd_prepared g = prepared_of(NULL, &adj, 2);
    gnd_real small[2 * N], large[2 * N];

    (void)state;
    for (int32_t k = 0; k < 4; k++) {
        point[2 * k] = EVERY * k + LEFT;
        point[2 * k + 1] = EVERY * k + RIGHT;
    }
    scores_of_both(large, small, &g, &s);
    for (int64_t e = 2 * LEFT; e < 2 * RIGHT; e++)
        assert_true(fabs(exp((double)large[e]) - exp((double)small[e])) < 0.05);
    gnd_prepared_fini(&g);
    gnd_csr_fini(&adj);
}

/* With more classes than WALK_CHANGE can tell apart they make all steps: the same bits. */
static void walks_go_on_with_many_classes(void **state)
{
    enum { N = 3000, MOST = 50 };
    static const int32_t point[] = {1, 10, 1000, 2000}, cls[] = {0, 1, 0, 1};
    gnd_graph *graph =
        planted_graph((plan){.n = N, .n_class = 3, .inside = 9, .across = 6, .weighted = true});

    (void)state;
    for (int32_t C = MOST; C <= MOST + 1; C++) {
        const gnd_labelled s = {.point = point, .cls = cls, .n = 4, .n_class = C};
        gnd_prepared g = prepared_of(NULL, &graph->adj, C);
        gnd_real *small = gnd_alloc(N * C, sizeof *small), *large = gnd_alloc(N * C, sizeof *large);

        scores_of_both(large, small, &g, &s);
        assert_int_equal(memcmp(large, small, (size_t)(N * C) * sizeof *small) == 0, C > MOST);
        gnd_free(large);
        gnd_free(small);
        gnd_prepared_fini(&g);
    }
    gnd_graph_free(graph);
}

/* On a long path they do not settle: the same bits. */
static void walks_go_on_where_they_do_not(void **state)
{
    enum { N = 64 * 5 };
    static const int32_t point[] = {0, N - 1}, cls[] = {0, 1};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 2, .n_class = 2};
    gnd_csr adj = make_path(N);
    gnd_prepared g = prepared_of(NULL, &adj, 2);
    gnd_real small[2 * N], large[2 * N];

    (void)state;
    scores_of_both(large, small, &g, &s);
    assert_memory_equal(large, small, sizeof small);
    gnd_prepared_fini(&g);
    gnd_csr_fini(&adj);
}

/* A path with labelled ends, longer than the walks are: each vertex gets the class of the nearer
 * end; the one in the middle both. */
static void far_vertices_get_the_nearest(void **state)
{
    enum { N = 4 * PAGERANK_STEPS + 1 };
    static const int32_t point[] = {0, N - 1}, cls[] = {0, 1};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 2, .n_class = 2};
    gnd_csr adj = make_path(N);
    gnd_prepared g = prepared_of(NULL, &adj, 2);
    gnd_real score[N * 2];
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_predict_pagerank(score, &g, &s, NULL, &err));
    for (int64_t i = 0; i < N; i++) {
        const int64_t near = i > N / 2;

        if (i == N / 2) {
            CHECK_CLOSE(score[2 * i], log(0.5), 1e-12);
            CHECK_CLOSE(score[2 * i + 1], log(0.5), 1e-12);
        } else {
            CHECK_CLOSE(score[2 * i + near], 0, 1e-12);
            assert_true(isinf(score[2 * i + 1 - near]));
        }
    }
    gnd_prepared_fini(&g);
    gnd_csr_fini(&adj);
}

/* Beyond the walks, the mean of the neighbours that are closer, by weight: two labelled tails of
 * the same length meet in one vertex, one by a link of weight 3. */
static void far_vertices_by_weight(void **state)
{
    enum { LONG = PAGERANK_STEPS + 5, N = 2 * LONG + 2 };
    static const int32_t point[] = {0, LONG}, cls[] = {0, 1};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 2, .n_class = 2};
    link_list l = {.n = 0};
    gnd_real score[N * 2], val[N];
    gnd_csr adj = {0};
    gnd_prepared g;
    gnd_error err;

    (void)state;
    add_path(&l, 0, LONG);
    add_path(&l, LONG, LONG);
    add_link(&l, LONG - 1, 2 * LONG);
    add_link(&l, 2 * LONG - 1, 2 * LONG);
    add_link(&l, 2 * LONG, 2 * LONG + 1);
    for (int64_t k = 0; k < l.n; k++)
        val[k] = l.a[k] == LONG - 1 && l.b[k] == 2 * LONG ? 3 : 1;
    CHECK_OK(gnd_csr_from_triplets(&adj, &(gnd_triplets){N, N, l.n, l.a, l.b, val}, GND_DUP_MAX,
                                   NULL, &err));
    g = prepared_of(NULL, &adj, 2);
    CHECK_OK(gnd_predict_pagerank(score, &g, &s, NULL, &err));
    for (int64_t i = 2 * LONG; i < N; i++) {
        CHECK_CLOSE(score[2 * i], log(0.75), 1e-12);
        CHECK_CLOSE(score[2 * i + 1], log(0.25), 1e-12);
    }
    gnd_prepared_fini(&g);
    gnd_csr_fini(&adj);
}

/* A triangle with both classes, one with a single class, one without labels, a lone vertex, a lone
 * vertex with a label. */
static void components(void **state)
{
    enum { N = 11, C = 3 };
    static const int32_t point[] = {0, 1, 3, 10}, cls[] = {0, 1, 0, 1};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 4, .n_class = C};
    link_list l = {.n = 0};
    gnd_real score[N * C];
    gnd_csr adj;
    gnd_prepared g;
    gnd_error err;

    (void)state;
    for (int64_t k = 0; k < 3; k++)
        add_clique(&l, 3 * k, 3);
    adj = make_links(N, &l);
    g = prepared_of(NULL, &adj, C);
    CHECK_OK(gnd_predict_pagerank(score, &g, &s, NULL, &err));
    for (int64_t i = 0; i < N; i++) {
        const gnd_real *row = score + i * C;

        assert_true(isinf(row[2]) && row[2] < 0);
        if (i < 3)
            assert_true(isfinite(row[0]) && isfinite(row[1]));
        else if (i < 6 || i == 10)
            assert_true(row[i == 10] == 0 && isinf(row[i != 10]));
        else /* equal scores */
            assert_true(row[0] == row[1] && isfinite(row[0]));
    }
    assert_true(score[0] > score[1] && score[C] < score[C + 1]);
    gnd_prepared_fini(&g);
    gnd_csr_fini(&adj);
}

/* A grid with labels at the same heights on both sides is symmetric: each vertex gets the class of
 * the nearer side, whatever the parity of its distance. */
static void grid(void **state)
{
    enum { SIDE = 20, N = SIDE * SIDE };
    static const int32_t point[] = {60, 200, 320, 79, 219, 339}, cls[] = {0, 0, 0, 1, 1, 1};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 6, .n_class = 2};
    link_list l = {.n = 0};
    static gnd_real score[N * 2];
    gnd_csr adj;
    gnd_prepared g;
    gnd_error err;

    (void)state;
    for (int64_t y = 0; y < SIDE; y++) {
        add_path(&l, y * SIDE, SIDE);
        for (int64_t x = 0; x < SIDE && y > 0; x++)
            add_link(&l, (y - 1) * SIDE + x, y * SIDE + x);
    }
    adj = make_links(N, &l);
    g = prepared_of(NULL, &adj, 2);
    CHECK_OK(gnd_predict_pagerank(score, &g, &s, NULL, &err));
    for (int64_t i = 0; i < N; i++)
        assert_int_equal(score[2 * i + 1] > score[2 * i], i % SIDE >= SIDE / 2);
    gnd_prepared_fini(&g);
    gnd_csr_fini(&adj);
}

static void threads_do_not_matter(void **state)
{
    enum { N = 500, C = 3 };
    static const int threads[] = {1, 2, 5};
    static const int32_t point[] = {3, 10, 17, 30, 31, 59}, cls[] = {0, 1, 2, 0, 0, 1};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 6, .n_class = C};
    gnd_graph *graph =
        planted_graph((plan){.n = N, .n_class = C, .inside = 2, .across = 1, .lone = 3});
    gnd_prepared g = prepared_of(NULL, &graph->adj, C);
    gnd_real want[(N + 3) * C], got[(N + 3) * C];
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_predict_pagerank(want, &g, &s, NULL, &err));
    for (int64_t t = 0; t < LENGTH(threads); t++) {
        gnd_pool *pool = eager_pool(threads[t]);

        CHECK_OK(gnd_predict_pagerank(got, &g, &s, pool, &err));
        assert_memory_equal(got, want, sizeof want);
        gnd_pool_free(pool);
    }
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

/* Walks of two labellings side by side are those of each alone. */
static void side_by_side(void **state)
{
    enum { N = 200, C = 3, SETS = 2 };
    static const int32_t point[] = {3, 10, 17, 30, 31}, cls[] = {0, 1, 2, 0, 1};
    const gnd_labelled set[SETS] = {{.point = point, .cls = cls, .n = 5, .n_class = C},
                                    {.point = point + 1, .cls = cls + 1, .n = 3, .n_class = C}};
    gnd_graph *graph = planted_graph((plan){.n = N, .n_class = C, .inside = 2, .across = 1});
    gnd_prepared g = prepared_of(NULL, &graph->adj, C);
    gnd_real both[N * C * SETS], alone[N * C], want[N * C], got[N * C];
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_walk(both, &g, set, SETS, NULL, &err));
    for (int64_t m = 0; m < SETS; m++) {
        gnd_labelled walked = set[m];

        CHECK_OK(gnd_walk(alone, &g, &set[m], 1, NULL, &err));
        for (int64_t e = 0; e < N * C; e++)
            assert_true(both[e / C * C * SETS + m * C + e % C] == alone[e]);
        CHECK_OK(gnd_predict_pagerank(want, &g, &set[m], NULL, &err));
        walked.walk = both + m * C;
        walked.walk_columns = SETS * C;
        CHECK_OK(gnd_predict_pagerank(got, &g, &walked, NULL, &err));
        assert_memory_equal(got, want, sizeof want);
    }
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_power_iteration),
        cmocka_unit_test(walks_settle_on_large_graphs),
        cmocka_unit_test(walks_wait_for_all_classes),
        cmocka_unit_test(walks_go_on_with_many_classes),
        cmocka_unit_test(walks_go_on_where_they_do_not),
        cmocka_unit_test(far_vertices_get_the_nearest),
        cmocka_unit_test(far_vertices_by_weight),
        cmocka_unit_test(components),
        cmocka_unit_test(grid),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(side_by_side),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
