/* SPDX-License-Identifier: MIT
 * test_predict_features_double.c - regression on own features is dense kernel ridge regression on
 * rows of length 1. */
#include "label/predictors.h"

#include "planted.h"
#include "prepared.h"

enum { N = 90, C = 3, LABELS = 12 };

/* The first `n` vertices are labelled; vertex i is of class i % of. */
static gnd_labelled labels_of(int32_t *point, int32_t *cls, int64_t n, int32_t of)
{
    for (int32_t k = 0; k < n; k++) {
        point[k] = k;
        cls[k] = k % of;
    }
    return (gnd_labelled){.point = point, .cls = cls, .n = n, .n_class = C};
}

static gnd_graph *words(void)
{
    return planted_graph((plan){.n = N,
                                .n_class = C,
                                .inside = 3,
                                .across = 1,
                                .words = 6,
                                .lean = 0.6,
                                .lone = 2,
                                .weighted = true});
}

/* Rows of length 1 from the features of the graph itself. */
static double *unit_rows(const gnd_csr *x)
{
    double *z = dense_of(x);

    for (int64_t i = 0; i < x->n_row; i++) {
        double square = 0;

        for (int64_t k = 0; k < x->n_col; k++)
            square += z[i * x->n_col + k] * z[i * x->n_col + k];
        for (int64_t k = 0; k < x->n_col && square > 0; k++)
            z[i * x->n_col + k] /= sqrt(square);
    }
    return z;
}

static void is_ridge_regression(void **state)
{
    gnd_graph *graph = words();
    gnd_prepared g = prepared_of(&graph->feat, &graph->adj, C);
    double *z = unit_rows(&graph->feat);
    gnd_real score[(N + 2) * C];
    int32_t point[LABELS], cls[LABELS];
    gnd_error err;

    (void)state;
    for (int32_t of = C - 1; of <= C; of++) { /* once without a label of the last class */
        const gnd_labelled s = labels_of(point, cls, LABELS, of);
        double *want = dense_ridge(z, N + 2, graph->n_feat, &s);

        CHECK_OK(gnd_predict_features(score, &g, &s, NULL, &err));
        check_scores(score, want, (N + 2) * C, 1e-12);
        for (int64_t c = 0; c < of; c++) /* vertices without features */
            assert_true(score[N * C + c] == 0);
        free(want);
    }
    free(z);
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

/* Words that lean to the class, whatever the links. */
static void predicts_classes(void **state)
{
    gnd_graph *graph =
        planted_graph((plan){.n = 600, .n_class = C, .across = 4, .words = 12, .lean = 0.8});
    gnd_prepared g = prepared_of(&graph->feat, &graph->adj, C);
    static gnd_real score[600 * C];
    int32_t point[30], cls[30];
    const gnd_labelled s = labels_of(point, cls, 30, C);
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_predict_features(score, &g, &s, NULL, &err));
    assert_true(right_share(score, 600, C) > 0.95);
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

static void threads_do_not_matter(void **state)
{
    static const int threads[] = {1, 2, 5};
    gnd_graph *graph = words();
    gnd_prepared g = prepared_of(&graph->feat, &graph->adj, C);
    gnd_real want[(N + 2) * C], got[(N + 2) * C];
    int32_t point[LABELS], cls[LABELS];
    const gnd_labelled s = labels_of(point, cls, LABELS, C);
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_predict_features(want, &g, &s, NULL, &err));
    for (int64_t t = 0; t < LENGTH(threads); t++) {
        gnd_pool *pool = eager_pool(threads[t]);

        CHECK_OK(gnd_predict_features(got, &g, &s, pool, &err));
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
