/* SPDX-License-Identifier: MIT
 * test_predict_self_training_double.c - one fit, refined, in logarithms; and what it predicts. */
#include "label/predictors.h"

#include "label/refine.h"
#include "planted.h"
#include "prepared.h"

enum { N = 240, C = 3, LABELS = 9 };

/* How method auto uses labels in a fit. */
static gnd_labelled labels_of(int32_t *point, int32_t *cls, int64_t n, int32_t of)
{
    for (int32_t k = 0; k < n; k++) {
        point[k] = k;
        cls[k] = k % of;
    }
    return (gnd_labelled){.point = point, .cls = cls, .n = n, .n_class = C};
}

static gnd_graph *graph_of(int64_t words)
{
    return planted_graph(
        (plan){.n = N, .n_class = C, .inside = 5, .across = 1, .words = words, .lean = 0.7});
}

/* A fit, whose sharpness follows from the labels; without features there is nothing to refine. */
static void is_one_fit_refined(void **state)
{
    int32_t point[LABELS], cls[LABELS];

    (void)state;
    for (int64_t words = 0; words <= 6; words += 6)
        for (int64_t n = C; n <= LABELS; n += C) {
            gnd_graph *graph = graph_of(words);
            gnd_prepared g = prepared_of(words ? &graph->feat : NULL, &graph->adj, C);
            const gnd_labelled s = labels_of(point, cls, n, C);
            const gnd_fit_shape shape = gnd_self_training_shape(&g, &s, GND_PREDICT_SELF_TRAINING);
            gnd_labelled sharp = s;
            unsigned char excluded[N];
            gnd_real score[N * C], want[N * C];
            gnd_error err;

            sharp.sharpness = SHARPNESS * sqrt(1 + (double)n / C);
            CHECK_OK(gnd_fit_shaped(want, &shape, &sharp, NULL, &err));
            gnd_exclude(excluded, &g.z.diffused, &s);
            assert_int_equal(g.z.own.n, words ? N : 0);
            if (words)
                CHECK_OK(gnd_refine(want, NULL,
                                    &(gnd_refine_opts){&g.z.own, &g.links, &s, excluded,
                                                       REFINE_OWN_POWER * sharp.sharpness,
                                                       REFINE_NEIGHBOURS},
                                    NULL, &err));
            CHECK_OK(gnd_predict_self_training(score, &g, &s, NULL, &err));
            for (int64_t e = 0; e < N * C; e++)
                CHECK_CLOSE(score[e], log(fmax((double)want[e], PROBABILITY_MIN)), 1e-12);
            gnd_prepared_fini(&g);
            gnd_graph_free(graph);
        }
}

/* With features, rows are logarithms of probabilities; labels keep their class. */
static void gives_probabilities(void **state)
{
    gnd_graph *graph = graph_of(6);
    gnd_prepared g = prepared_of(&graph->feat, &graph->adj, C);
    int32_t point[LABELS], cls[LABELS];
    gnd_real score[N * C];
    gnd_error err;

    (void)state;
    for (int32_t of = C - 1; of <= C; of++) { /* once without a label of the last class */
        const gnd_labelled s = labels_of(point, cls, LABELS, of);

        CHECK_OK(gnd_predict_self_training(score, &g, &s, NULL, &err));
        for (int64_t i = 0; i < N; i++) {
            double sum = 0;

            for (int64_t c = 0; c < C; c++)
                sum += exp((double)score[i * C + c]);
            CHECK_CLOSE(sum, 1, 1e-6);
            assert_int_equal(isinf(score[i * C + 2]) != 0, of < C);
        }
        for (int64_t k = 0; k < LABELS; k++)
            CHECK_CLOSE(score[point[k] * C + cls[k]], 0, 1e-6);
        if (of == C)
            assert_true(right_share(score, N, C) > 0.97);
    }
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

/* More coordinates only where the first ones hold most of the variance and labels are many. */
static void shape(void **state)
{
    static const plan kind[] = {
        {.n = 700, .n_class = C, .inside = 30, .across = 2, .words = 20, .lean = 0.9},
        {.n = 700, .n_class = C, .inside = 2, .across = 1, .words = 6, .lean = 0.4},
    };
    int32_t point[LABELS], cls[LABELS];

    (void)state;
    for (int64_t k = 0; k < LENGTH(kind); k++) {
        gnd_graph *graph = planted_graph(kind[k]);
        gnd_prepared g = prepared_of(&graph->feat, &graph->adj, C);

        for (int many = 0; many < 2; many++) {
            const gnd_labelled s = labels_of(point, cls, many ? CV_LABELS_MIN * C : C, C);
            const gnd_fit_shape got = gnd_self_training_shape(&g, &s, GND_PREDICT_SELF_TRAINING);

            assert_int_equal(got.rank, k == 0 && many ? GND_RANK_HIGH : GND_RANK_LOW);
            assert_ptr_equal(got.points, &g.z.diffused);
            CHECK_CLOSE(got.power, 1, 0);
        }
        gnd_prepared_fini(&g);
        gnd_graph_free(graph);
    }
}

/* Features or links alone: one fit on their coordinates. */
static void groups(void **state)
{
    static const struct {
        gnd_predictor k;
        gnd_predictor_fn *predict;
        double power;
    } cases[] = {{GND_PREDICT_FEATURE_GROUPS, gnd_predict_feature_groups, 1},
                 {GND_PREDICT_LINK_GROUPS, gnd_predict_link_groups, LINKS_POWER}};
    gnd_graph *graph =
        planted_graph((plan){.n = N, .n_class = C, .inside = 6, .across = 1, .words = 8});
    gnd_prepared g = prepared_of(&graph->feat, &graph->adj, C);
    const gnd_points *const points[] = {&g.z.features, &g.z.links};
    int32_t point[LABELS], cls[LABELS];
    gnd_labelled s = labels_of(point, cls, LABELS, C);
    gnd_real score[N * C], prob[N * C];
    gnd_error err;

    (void)state;
    s.sharpness = SHARPNESS * sqrt(1 + (double)LABELS / C);
    for (int64_t k = 0; k < LENGTH(cases); k++) {
        const gnd_fit_shape want = {points[k], GND_RANK_LOW, cases[k].power};
        const gnd_fit_shape got = gnd_self_training_shape(&g, &s, cases[k].k);

        assert_int_equal(points[k]->n, N);
        assert_ptr_equal(got.points, want.points);
        assert_true(got.rank == want.rank && got.power == want.power);
        CHECK_OK(gnd_fit_shaped(prob, &want, &s, NULL, &err));
        CHECK_OK(cases[k].predict(score, &g, &s, NULL, &err));
        for (int64_t e = 0; e < N * C; e++)
            CHECK_CLOSE(score[e], log(fmax((double)prob[e], PROBABILITY_MIN)), 1e-12);
    }
    assert_true(right_share(score, N, C) > 0.95); /* links tell the classes */
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

static void threads_do_not_matter(void **state)
{
    static const int threads[] = {1, 2, 5};
    gnd_graph *graph = graph_of(6);
    gnd_prepared g = prepared_of(&graph->feat, &graph->adj, C);
    int32_t point[LABELS], cls[LABELS];
    const gnd_labelled s = labels_of(point, cls, LABELS, C);
    gnd_real want[N * C], got[N * C];
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_predict_self_training(want, &g, &s, NULL, &err));
    for (int64_t t = 0; t < LENGTH(threads); t++) {
        gnd_pool *pool = eager_pool(threads[t]);

        CHECK_OK(gnd_predict_self_training(got, &g, &s, pool, &err));
        assert_memory_equal(got, want, sizeof want);
        gnd_pool_free(pool);
    }
    gnd_prepared_fini(&g);
    gnd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_one_fit_refined),
        cmocka_unit_test(gives_probabilities),
        cmocka_unit_test(shape),
        cmocka_unit_test(groups),
        cmocka_unit_test(threads_do_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
