/* SPDX-License-Identifier: MIT
 * test_predict_ridge_double.c - each regression is dense kernel ridge regression on the rows that
 * predict_ridge.c names, and finds the classes it is made for. */
#include "label/predictors.h"

#include "planted.h"
#include "prepared.h"

enum { N = 90, LONE = 2, ALL = N + LONE, C = 3, LABELS = 14 };

static const plan weighted = {.n = N,
                              .n_class = C,
                              .inside = 3,
                              .across = 2,
                              .words = 6,
                              .lean = 0.6,
                              .lone = LONE,
                              .weighted = true,
                              .directed = true};

/* n labels, every other vertex from the first on; vertex i is of class i % of. */
static gnd_labelled labels_of(int32_t *point, int32_t *cls, int64_t n, int32_t of)
{
    for (int32_t k = 0; k < n; k++) {
        point[k] = 2 * k;
        cls[k] = 2 * k % of;
    }
    return (gnd_labelled){.point = point, .cls = cls, .n = n, .n_class = C};
}

/* ---- rows, dense: [ALL, d] ---- */

static void to_length_1(double *z, int64_t d)
{
    for (int64_t i = 0; i < ALL; i++) {
        double square = 0;

        for (int64_t k = 0; k < d; k++)
            square += z[i * d + k] * z[i * d + k];
        for (int64_t k = 0; k < d && square > 0; k++)
            z[i * d + k] /= sqrt(square);
    }
}

/* Features of length 1, from those of the graph itself. */
static double *feature_rows(const gnd_graph *graph, const gnd_prepared *g)
{
    double *z = dense_of(&graph->feat);

    (void)g;
    to_length_1(z, graph->n_feat);
    return z;
}

/* Lengths are estimates, so they are taken from g; test_design_matrix_double.c has them. */
static double *diffused_rows(const gnd_graph *graph, const gnd_prepared *g)
{
    double *a = dense_of(&g->links), *S = dense_S(a, ALL), *x = feature_rows(graph, g);
    double *once = dense_product(S, x, ALL, ALL, graph->n_feat);
    double *z = dense_product(S, once, ALL, ALL, graph->n_feat);

    for (int64_t e = 0; e < ALL * graph->n_feat; e++)
        z[e] /= g->diffused_length[e / graph->n_feat];
    free(once);
    free(x);
    free(S);
    free(a);
    return z;
}

static double *link_rows(const gnd_graph *graph, const gnd_prepared *g)
{
    double *a = dense_of(&g->links), *S = dense_S(a, ALL), *z = dense_product(S, S, ALL, ALL, ALL);

    (void)graph;
    for (int64_t j = 0; j < ALL; j++) {
        double mean = 0;

        for (int64_t i = 0; i < ALL; i++)
            mean += z[i * ALL + j] / ALL;
        for (int64_t i = 0; i < ALL; i++)
            z[i * ALL + j] = (z[i * ALL + j] - mean) / g->link_length[i];
    }
    free(S);
    free(a);
    return z;
}

static double *role_rows(const gnd_graph *graph, const gnd_prepared *g)
{
    (void)graph;
    return dense_of(&g->roles);
}

static const struct {
    gnd_predictor_fn *predict;
    double *(*rows)(const gnd_graph *graph, const gnd_prepared *g);
    int64_t columns;
} kinds[] = {
    {gnd_predict_features, feature_rows, 32 * C},
    {gnd_predict_diffused_features, diffused_rows, 32 * C},
    {gnd_predict_links, link_rows, ALL},
    {gnd_predict_roles, role_rows, GND_ROLES},
};

/* ---- tests ---- */

static void is_ridge_regression(void **state)
{
    gnd_graph *graph = planted_graph(weighted);
    gnd_prepared g = prepared_of(&graph->feat, &graph->adj, C);
    gnd_real score[ALL * C];
    int32_t point[LABELS], cls[LABELS];
    gnd_error err;

    (void)state;
    for (int64_t k = 0; k < LENGTH(kinds); k++) {
        double *z = kinds[k].rows(graph, &g);

        for (int32_t of = C - 1; of <= C; of++) { /* once without a label of the last class */
            const gnd_labelled s = labels_of(point, cls, LABELS, of);
            double *want = dense_ridge(z, ALL, kinds[k].columns, &s);

            CHECK_OK(kinds[k].predict(score, &g, &s, NULL, &err));
            check_scores(score, want, ALL * C, RIDGE_TOL * sqrt(LABELS));
            free(want);
        }
        free(z);
    }
    CHECK_OK(gnd_predict_features(
        score, &g, &(gnd_labelled){.point = point, .cls = cls, .n = 4, .n_class = C}, NULL, &err));
    for (int64_t c = 0; c < C; c++) /* a vertex without features */
        assert_true(score[N * C + c] == 0);
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

/* Words that lean to the class, whatever the links; words and links that lean to it a little, where
 * words alone are not enough; links that join the different classes and never one. */
static void predicts_classes(void **state)
{
    enum { MANY = 600, KNOWN = 30 };
    static const struct {
        gnd_predictor_fn *predict;
        plan p;
        double right;
    } cases[] = {
        {gnd_predict_features,
         {.n = MANY, .n_class = C, .across = 4, .words = 12, .lean = 0.8},
         0.95},
        {gnd_predict_diffused_features,
         {.n = MANY, .n_class = C, .inside = 6, .across = 2, .words = 6, .lean = 0.4},
         0.9},
        {gnd_predict_links, {.n = MANY, .n_class = C, .inside = 20, .shift = 1}, 0.95},
    };
    static gnd_real score[MANY * C];
    int32_t point[KNOWN], cls[KNOWN];
    const gnd_labelled s = labels_of(point, cls, KNOWN, C);
    gnd_error err;

    (void)state;
    for (int64_t k = 0; k < LENGTH(cases); k++) {
        gnd_graph *graph = planted_graph(cases[k].p);
        gnd_prepared g = prepared_of(cases[k].p.words > 0 ? &graph->feat : NULL, &graph->adj, C);
        double right;

        CHECK_OK(cases[k].predict(score, &g, &s, NULL, &err));
        right = right_share(score, MANY, C);
        if (right < cases[k].right)
            fail_msg("case %d: %.3f right", (int)k, right);
        if (cases[k].predict == gnd_predict_diffused_features) {
            CHECK_OK(gnd_predict_features(score, &g, &s, NULL, &err));
            assert_true(right_share(score, MANY, C) < right - 0.2);
        }
        gnd_prepared_fini(&g);
        gnd_graph_free(graph);
    }
}

/* Stars of 3 and of 12 leaves in turn: the class of a vertex is that of its star. */
static void classes_by_degree(void **state)
{
    enum { STARS = 60, MOST = STARS * 13, TWO = 2 };
    link_list l = {.n = 0};
    int32_t truth[MOST], point[4 * TWO], cls[4 * TWO];
    static gnd_real score[MOST * TWO];
    gnd_labelled s = {.point = point, .cls = cls, .n_class = TWO};
    int64_t n = 0;
    gnd_csr adj;
    gnd_prepared g;
    gnd_error err;

    (void)state;
    for (int64_t k = 0; k < STARS; k++) {
        const int64_t centre = n, leaves = k % TWO ? 12 : 3;

        for (int64_t i = 0; i <= leaves; i++, n++) {
            truth[n] = (int32_t)(k % TWO);
            if (k < 2 * TWO && i < 2) { /* two centres and two leaves of each kind are labelled */
                point[s.n] = (int32_t)n;
                cls[s.n++] = truth[n];
            }
            if (i > 0)
                add_link(&l, centre, n);
        }
    }
    adj = make_links(n, &l);
    g = prepared_of(NULL, &adj, TWO);
    CHECK_OK(gnd_predict_roles(score, &g, &s, NULL, &err));
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(score[i * TWO + 1] > score[i * TWO], truth[i]);
    gnd_prepared_fini(&g);
    gnd_csr_fini(&adj);
}

static void threads_do_not_matter(void **state)
{
    static const int threads[] = {1, 2, 5};
    gnd_graph *graph = planted_graph(weighted);
    gnd_prepared g = prepared_of(&graph->feat, &graph->adj, C);
    gnd_real want[ALL * C], got[ALL * C];
    int32_t point[LABELS], cls[LABELS];
    const gnd_labelled s = labels_of(point, cls, LABELS, C);
    gnd_error err;

    (void)state;
    for (int64_t k = 0; k < LENGTH(kinds); k++) {
        CHECK_OK(kinds[k].predict(want, &g, &s, NULL, &err));
        for (int64_t t = 0; t < LENGTH(threads); t++) {
            gnd_pool *pool = eager_pool(threads[t]);

            CHECK_OK(kinds[k].predict(got, &g, &s, pool, &err));
            assert_memory_equal(got, want, sizeof want);
            gnd_pool_free(pool);
        }
    }
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_ridge_regression),
        cmocka_unit_test(predicts_classes),
        cmocka_unit_test(classes_by_degree),
        cmocka_unit_test(threads_do_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
