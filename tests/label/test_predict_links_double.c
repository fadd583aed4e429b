/* SPDX-License-Identifier: MIT
 * test_predict_links_double.c - regression on rows of S^2 is the same with S^2 formed, its rows
 * centred and of length 1. */
#include "label/predictors.h"

#include "planted.h"
#include "prepared.h"

enum { N = 80, LONE = 2, ALL = N + LONE, C = 4, LABELS = 14 };

/* Every other vertex from the end on is labelled; classes up to `of`. */
static gnd_labelled labels_of(int32_t *point, int32_t *cls, int32_t of)
{
    for (int32_t k = 0; k < LABELS; k++) {
        point[k] = N - 1 - 2 * k;
        cls[k] = k % of;
    }
    return (gnd_labelled){.point = point, .cls = cls, .n = LABELS, .n_class = C};
}

static gnd_graph *weighted_graph(void)
{
    return planted_graph((plan){.n = N,
                                .n_class = C,
                                .inside = 3,
                                .across = 2,
                                .shift = 1,
                                .lone = LONE,
                                .weighted = true,
                                .directed = true});
}

/* Rows of S^2 less their mean; length: [n]. */
static double *centred_rows(double *length, const gnd_csr *links)
{
    const int64_t n = links->n_row;
    double *a = dense_of(links), *S = dense_S(a, n), *z = dense_product(S, S, n, n, n);

    for (int64_t j = 0; j < n; j++) {
        double mean = 0;

        for (int64_t i = 0; i < n; i++)
            mean += z[i * n + j] / (double)n;
        for (int64_t i = 0; i < n; i++)
            z[i * n + j] -= mean;
    }
    for (int64_t i = 0; i < n; i++) {
        double square = 0;

        for (int64_t j = 0; j < n; j++)
            square += z[i * n + j] * z[i * n + j];
        length[i] = sqrt(square);
    }
    free(S);
    free(a);
    return z;
}

/* score: [n, C] with estimated lengths; made those of exact lengths, which changes no order. */
static void to_exact_lengths(gnd_real *score, const gnd_prepared *g, const double *length)
{
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t c = 0; c < C; c++)
            score[i * C + c] *= (gnd_real)((g->row_length[i] + ROW_LENGTH_MIN) / length[i]);
}

static void is_ridge_regression(void **state)
{
    gnd_graph *graph = weighted_graph();
    gnd_prepared g = prepared_of(NULL, &graph->adj, C);
    double length[ALL], *z = centred_rows(length, &g.links);
    gnd_real score[ALL * C];
    int32_t point[LABELS], cls[LABELS];
    gnd_error err;

    (void)state;
    for (int64_t i = 0; i < ALL; i++)
        for (int64_t j = 0; j < ALL; j++)
            z[i * ALL + j] /= length[i];
    for (int32_t of = C - 1; of <= C; of++) {
        const gnd_labelled s = labels_of(point, cls, of);
        double *want = dense_ridge(z, ALL, ALL, &s);

        CHECK_OK(gnd_predict_links(score, &g, &s, NULL, &err));
        to_exact_lengths(score, &g, length);
        check_scores(score, want, ALL * C, 1e-7); /* lengths are limited from below by 1e-9 */
        free(want);
    }
    free(z);
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

/* Links join the different classes and never one: no homophily. */
static void predicts_classes(void **state)
{
    enum { MANY = 300, THREE = 3, KNOWN = 15 };
    gnd_graph *graph = planted_graph((plan){.n = MANY, .n_class = THREE, .inside = 20, .shift = 1});
    gnd_prepared g = prepared_of(NULL, &graph->adj, THREE);
    static gnd_real score[MANY * THREE];
    int32_t point[KNOWN], cls[KNOWN];
    const gnd_labelled s = {.point = point, .cls = cls, .n = KNOWN, .n_class = THREE};
    gnd_error err;

    (void)state;
    for (int32_t k = 0; k < KNOWN; k++) {
        point[k] = k;
        cls[k] = k % THREE;
    }
    CHECK_OK(gnd_predict_links(score, &g, &s, NULL, &err));
    assert_true(right_share(score, MANY, THREE) > 0.95);
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

static void threads_do_not_matter(void **state)
{
    static const int threads[] = {1, 2, 5};
    gnd_graph *graph = weighted_graph();
    gnd_prepared g = prepared_of(NULL, &graph->adj, C);
    gnd_real want[ALL * C], got[ALL * C];
    int32_t point[LABELS], cls[LABELS];
    const gnd_labelled s = labels_of(point, cls, C);
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_predict_links(want, &g, &s, NULL, &err));
    for (int64_t t = 0; t < LENGTH(threads); t++) {
        gnd_pool *pool = eager_pool(threads[t]);

        CHECK_OK(gnd_predict_links(got, &g, &s, pool, &err));
        assert_memory_equal(got, want, sizeof want);
        gnd_pool_free(pool);
    }
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_ridge_regression),
        cmocka_unit_test(predicts_classes),
        cmocka_unit_test(threads_do_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
