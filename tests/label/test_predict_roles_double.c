/* SPDX-License-Identifier: MIT
 * test_predict_roles_double.c - regression on structural roles is dense kernel ridge regression;
 * classes that differ by degree alone are found. */
#include "label/predictors.h"

#include "planted.h"
#include "prepared.h"

enum { N = 120, C = 3, LABELS = 9 };

static gnd_labelled labels_of(int32_t *point, int32_t *cls, int32_t of)
{
    for (int32_t k = 0; k < LABELS; k++) {
        point[k] = 5 * k;
        cls[k] = k % of;
    }
    return (gnd_labelled){.point = point, .cls = cls, .n = LABELS, .n_class = C};
}

static void is_ridge_regression(void **state)
{
    gnd_graph *graph =
        planted_graph((plan){.n = N, .n_class = C, .inside = 2, .across = 1, .lone = 1});
    gnd_prepared g = prepared_of(NULL, &graph->adj, C);
    const int64_t n = g.n;
    gnd_real score[(N + 1) * C];
    int32_t point[LABELS], cls[LABELS];
    gnd_error err;

    (void)state;
    for (int32_t of = C - 1; of <= C; of++) {
        const gnd_labelled s = labels_of(point, cls, of);
        double *z = dense_new(n, GND_ROLES), *want;

        for (int64_t e = 0; e < n * GND_ROLES; e++)
            z[e] = (double)g.roles[e];
        want = dense_ridge(z, n, GND_ROLES, &s);
        CHECK_OK(gnd_predict_roles(score, &g, &s, NULL, &err));
        check_scores(score, want, n * C, 1e-12);
        free(want);
        free(z);
    }
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
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
    enum { MANY = 3000 }; /* more rows than one block has */
    static const int threads[] = {1, 2, 5};
    gnd_graph *graph = planted_graph((plan){.n = MANY, .n_class = C, .inside = 2, .across = 1});
    gnd_prepared g = prepared_of(NULL, &graph->adj, C);
    static gnd_real want[MANY * C], got[MANY * C];
    int32_t point[LABELS], cls[LABELS];
    const gnd_labelled s = labels_of(point, cls, C);
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_predict_roles(want, &g, &s, NULL, &err));
    for (int64_t t = 0; t < LENGTH(threads); t++) {
        gnd_pool *pool = eager_pool(threads[t]);

        CHECK_OK(gnd_predict_roles(got, &g, &s, pool, &err));
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
        cmocka_unit_test(classes_by_degree),
        cmocka_unit_test(threads_do_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
