/* SPDX-License-Identifier: MIT
 * test_predict_blocks_double.c - the block model against its formulas over dense matrices; graphs
 * with planted blocks, also disassortative ones. */
#include "label/predictors.h"

#include "planted.h"
#include "prepared.h"

/* ---- dense reference ---- */

/* Q: [n, C], rows softmax(score), shares below 1e-6 are 0; labels are fixed. first: 0 or 1 instead,
 * by the largest score. */
static void assign(double *Q, const double *score, int64_t n, const gnd_labelled *s, bool first)
{
    const int64_t C = s->n_class;

    for (int64_t i = 0; i < n; i++) {
        double top = -INFINITY, sum = 0;
        bool taken = false;

        for (int64_t c = 0; c < C; c++)
            top = fmax(top, score[i * C + c]);
        for (int64_t c = 0; c < C; c++) {
            Q[i * C + c] = exp(score[i * C + c] - top);
            if (first)
                Q[i * C + c] = !taken && score[i * C + c] == top;
            taken = taken || Q[i * C + c] == 1;
            sum += Q[i * C + c];
        }
        for (int64_t c = 0; c < C; c++)
            Q[i * C + c] = Q[i * C + c] / sum < 1e-6 ? 0 : Q[i * C + c] / sum;
    }
    for (int64_t k = 0; k < s->n; k++)
        for (int64_t c = 0; c < C; c++)
            Q[s->point[k] * C + c] = s->cls[k] == c;
}

/* score: [n, C] = A Q log O - d (O k)^T;  W = Q^T A Q + pseudo links, k = Q^T d, O = W / k k^T. All
 * classes have labels and links. */
static void block_scores(double *score, const double *Q, const double *a, int64_t n, int64_t C)
{
    double *AQ = dense_product(a, Q, n, n, C), *O = dense_new(C, C), *k = dense_new(C, 1);
    double *d = dense_new(n, 1), links = 0, total = 0;

    for (int64_t e = 0; e < n * n; e++)
        d[e / n] += a[e];
    for (int64_t i = 0; i < n; i++)
        total += d[i];
    for (int64_t b = 0; b < C; b++)
        for (int64_t c = 0; c < C; c++) {
            O[b * C + c] = BLOCK_PSEUDO_LINKS;
            for (int64_t i = 0; i < n; i++)
                O[b * C + c] += Q[i * C + b] * AQ[i * C + c];
            links += O[b * C + c];
        }
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < C; c++)
            k[c] += Q[i * C + c] * d[i];
    for (int64_t b = 0; b < C; b++)
        for (int64_t c = 0; c < C; c++)
            O[b * C + c] =
                fmax(O[b * C + c] / (k[b] * k[c]), BLOCK_DENSITY_MIN * links / (total * total));
    for (int64_t i = 0; i < n; i++)
        for (int64_t b = 0; b < C; b++) {
            score[i * C + b] = 0;
            for (int64_t c = 0; c < C; c++)
                score[i * C + b] += AQ[i * C + c] * log(O[b * C + c]) - d[i] * O[b * C + c] * k[c];
        }
    free(d);
    free(k);
    free(O);
    free(AQ);
}

static void is_block_model(void **state)
{
    enum { N = 90, C = 3 };
    static const int32_t point[] = {0, 4, 8, 30, 31, 62}, cls[] = {0, 1, 2, 0, 1, 2};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 6, .n_class = C};
    gnd_real score[N * C];
    gnd_error err;

    (void)state;
    for (int k = 0; k < 4; k++) {
        gnd_graph *graph = planted_graph(
            (plan){.n = N, .n_class = C, .inside = 3, .across = 2, .weighted = k % 2 == 1});
        gnd_prepared g = prepared_of(NULL, &graph->adj, C);
        double *a = dense_of(&g.links), *Q = dense_new(N, C), *want = dense_new(N, C);

        g.n_link = k < 2 ? LARGE_LINKS - 1 : LARGE_LINKS; /* which decides the form */
        CHECK_OK(gnd_predict_pagerank(score, &g, &s, NULL, &err));
        for (int64_t e = 0; e < N * C; e++)
            want[e] = (double)score[e];
        for (int round = 0; round < BLOCK_ROUNDS; round++) {
            assign(Q, want, N, &s, round == 0);
            block_scores(want, Q, a, N, C);
        }
        CHECK_OK(gnd_predict_blocks(score, &g, &s, NULL, &err));
        check_scores(score, want, N * C, 1e-8);
        free(want);
        free(Q);
        free(a);
        gnd_prepared_fini(&g);
        gnd_graph_free(graph);
    }
}

/* ---- planted blocks ---- */

/* Share of the vertices right, from some labels of each class. */
static double right_of(plan p, int32_t per_class)
{
    gnd_graph *graph = planted_graph(p);
    gnd_prepared g = prepared_of(NULL, &graph->adj, p.n_class);
    gnd_real *score = calloc((size_t)(p.n * p.n_class), sizeof *score);
    int32_t point[64], cls[64];
    const gnd_labelled s = {
        .point = point, .cls = cls, .n = per_class * p.n_class, .n_class = p.n_class};
    double right;
    gnd_error err;

    assert_non_null(score);
    for (int32_t k = 0; k < s.n; k++) {
        point[k] = 7 * k; /* 7 and the numbers of classes have no common divisor */
        cls[k] = point[k] % p.n_class;
    }
    CHECK_OK(gnd_predict_blocks(score, &g, &s, NULL, &err));
    right = right_share(score, p.n, p.n_class);
    free(score);
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
    return right;
}

static void planted_blocks(void **state)
{
    (void)state;
    assert_true(right_of((plan){.n = 400, .n_class = 2, .inside = 6, .across = 1}, 2) > 0.98);
    assert_true(right_of((plan){.n = 600, .n_class = 3, .inside = 8, .across = 1}, 2) > 0.95);
    /* links join the two classes and never one: bipartite; and nearly so */
    assert_true(right_of((plan){.n = 400, .n_class = 2, .inside = 6, .shift = 1}, 16) > 0.98);
    assert_true(right_of((plan){.n = 400, .n_class = 2, .inside = 6, .across = 1, .shift = 1}, 25) >
                0.98);
}

/* Two cliques in components of their own, and a third clique without labels: the class of the label
 * where there is one, no opinion elsewhere. */
static void components_of_one_class(void **state)
{
    enum { SIZE = 6, N = 3 * SIZE, C = 2 };
    static const int32_t point[] = {0, SIZE}, cls[] = {0, 1};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 2, .n_class = C};
    link_list l = {.n = 0};
    gnd_real score[N * C];
    gnd_csr adj;
    gnd_prepared g;
    gnd_error err;

    (void)state;
    for (int64_t k = 0; k < 3; k++)
        add_clique(&l, k * SIZE, SIZE);
    adj = make_links(N, &l);
    g = prepared_of(NULL, &adj, C);
    CHECK_OK(gnd_predict_blocks(score, &g, &s, NULL, &err));
    for (int64_t i = 0; i < SIZE; i++)
        assert_true(score[i * C] > score[i * C + 1] + 1);
    for (int64_t i = SIZE; i < 2 * SIZE; i++)
        assert_true(score[i * C + 1] > score[i * C] + 1);
    for (int64_t i = 2 * SIZE; i < N; i++)
        CHECK_CLOSE(score[i * C], score[i * C + 1], 1e-9);
    gnd_prepared_fini(&g);
    gnd_csr_fini(&adj);
}

/* A path longer than the walks: most vertices are reached from one end alone. */
static void long_path(void **state)
{
    enum { N = 100, C = 2 };
    static const int32_t point[] = {0, N - 1}, cls[] = {0, 1};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 2, .n_class = C};
    gnd_csr adj = make_path(N);
    gnd_prepared g = prepared_of(NULL, &adj, C);
    gnd_real score[N * C];
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_predict_blocks(score, &g, &s, NULL, &err));
    for (int64_t i = 0; i < N; i++) {
        const double blue = (double)(score[i * C + 1] - score[i * C]);

        if (i == N / 2 - 1 || i == N / 2) /* the two in the middle have a neighbour of each class */
            CHECK_CLOSE(blue, 0, 1e-9);
        else
            assert_true(i < N / 2 ? blue < -1 : blue > 1);
    }
    gnd_prepared_fini(&g);
    gnd_csr_fini(&adj);
}

/* Classes without a label: -INFINITY, and the others as if the class did not exist but for its
 * number. Lone vertices have equal scores. */
static void class_without_label(void **state)
{
    enum { N = 120, C = 3 };
    static const int32_t point[] = {0, 1, 2, 3}, cls[] = {0, 1, 0, 1};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 4, .n_class = C};
    gnd_graph *graph =
        planted_graph((plan){.n = N, .n_class = 2, .inside = 6, .across = 1, .lone = 2});
    gnd_prepared g = prepared_of(NULL, &graph->adj, C);
    gnd_real score[(N + 2) * C];
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_predict_blocks(score, &g, &s, NULL, &err));
    for (int64_t i = 0; i < N + 2; i++) {
        assert_true(isinf(score[i * C + 2]) && score[i * C + 2] < 0);
        assert_true(isfinite(score[i * C]) && isfinite(score[i * C + 1]));
    }
    for (int64_t i = N; i < N + 2; i++)
        CHECK_CLOSE(score[i * C], score[i * C + 1], 0);
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

static void threads_do_not_matter(void **state)
{
    enum { N = 500, C = 3 };
    static const int threads[] = {1, 2, 5};
    static const int32_t point[] = {3, 10, 17, 30, 31, 59}, cls[] = {0, 1, 2, 0, 1, 2};
    const gnd_labelled s = {.point = point, .cls = cls, .n = 6, .n_class = C};
    gnd_graph *graph = planted_graph((plan){.n = N, .n_class = C, .inside = 2, .across = 1});
    gnd_prepared g = prepared_of(NULL, &graph->adj, C);
    gnd_real want[N * C], got[N * C];
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_predict_blocks(want, &g, &s, NULL, &err));
    for (int64_t t = 0; t < LENGTH(threads); t++) {
        gnd_pool *pool = eager_pool(threads[t]);

        CHECK_OK(gnd_predict_blocks(got, &g, &s, pool, &err));
        assert_memory_equal(got, want, sizeof want);
        gnd_pool_free(pool);
    }
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_block_model),          cmocka_unit_test(planted_blocks),
        cmocka_unit_test(components_of_one_class), cmocka_unit_test(long_path),
        cmocka_unit_test(class_without_label),     cmocka_unit_test(threads_do_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
