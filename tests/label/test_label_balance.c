/* SPDX-License-Identifier: MIT
 * test_label_balance.c - class shares, confidence and macro-F1 of method auto: which vertices
 * count, and what setting balance changes. */
#include "label/class_priors.h"
#include "label/calibrate.h"
#include "label/prepare.h"
#include "label/self_train.h"
#include "label/label.h"

#include "planted.h"

static const plan hard = {
    .n = 600, .n_class = 3, .inside = 2, .across = 3, .words = 4, .lean = 0.3};

static const double unequal[] = {0.5, 0.3, 0.2};

static gnd_prediction *label_by(const gnd_graph *g, const gnd_split *s, const char *balance,
                                const char *calibration, const gnd_train_opts *o)
{
    gnd_config *c = planted_config("auto");
    gnd_prediction *p = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_config_set(c, "balance", balance, &err));
    CHECK_OK(gnd_config_set(c, "calibration", calibration, &err));
    CHECK_OK(gnd_label(&p, NULL, NULL, g, s, c, o, &err));
    gnd_config_free(c);
    return p;
}

/* ---- known class shares ---- */

/* Held-out labels are predicted with the known shares too: wrong ones show. */
static void wrong_shares_are_not_calibrated(void **state)
{
    static const double wrong[] = {0.9, 0.05, 0.05};
    gnd_graph *g = planted_graph(
        (plan){.n = 300, .n_class = 3, .inside = 4, .across = 1, .words = 4, .lean = 0.5});
    gnd_split *s = planted_split(g, 8, 1);
    gnd_error err = {0};

    (void)state;
    for (int k = 0; k < 2; k++) {
        const gnd_train_opts o = {.size = sizeof o, .threads = 1, .prior = k ? wrong : NULL};
        gnd_prediction *p = label_by(g, s, "accuracy", "on", &o);
        int64_t n;

        assert_int_equal(gnd_prediction_calibrated(p), k == 0);
        CHECK_OK(gnd_prediction_abstain(p, 0.1, &n, &err));
        assert_true(k ? n > 150 : n < 30);
        gnd_prediction_free(p);
    }
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* ---- balance ---- */

/* Probabilities of balance=macro-f1 are those of balance=accuracy, with known class shares or
 * without, times class weights. Labels are still the most probable class. */
static void weights_follow_known_shares(void **state)
{
    gnd_graph *g = planted_graph(hard);
    gnd_split *s = planted_split(g, 2, 1);
    unsigned char *labelled = calloc((size_t)g->n_node, 1);
    gnd_real *want = malloc(sizeof *want * (size_t)(3 * g->n_node));

    (void)state;
    assert_true(labelled && want);
    for (int64_t k = 0; k < gnd_split_n_train(s); k++)
        labelled[gnd_split_train(s)[k]] = 1;
    for (int k = 0; k < 2; k++) {
        const gnd_train_opts o = {.size = sizeof o, .threads = 1, .prior = k ? unequal : NULL};
        gnd_prediction *a = label_by(g, s, "accuracy", "off", &o);
        gnd_prediction *b = label_by(g, s, "macro-f1", "off", &o);
        double weight[3];
        int64_t changed = 0;

        for (int64_t e = 0; e < 3 * g->n_node; e++)
            want[e] = (gnd_real)gnd_prediction_prob(a, 0)[e];
        gnd_balance_weights(weight, want, g->n_node, 3, labelled, NULL);
        gnd_balance_apply(want, g->n_node, 3, weight, labelled, NULL);
        for (int64_t v = 0; v < g->n_node; v++) {
            const float *prob = gnd_prediction_prob(b, v);

            changed += gnd_prediction_label(a, v) != gnd_prediction_label(b, v);
            for (int64_t c = 0; c < 3; c++) {
                CHECK_CLOSE(prob[c], want[3 * v + c], 1e-5);
                assert_true(prob[c] <= prob[gnd_prediction_label(b, v)]);
            }
        }
        assert_true(changed > 0 || !k); /* without known shares, these classes are equal */
        gnd_prediction_free(a);
        gnd_prediction_free(b);
    }
    free(want);
    free(labelled);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* Mean probability of the labels that a gives, over vertices whose label is not known. */
static double mean_confidence(const gnd_prediction *a, const gnd_prediction *by, const gnd_split *s)
{
    const double n = (double)(gnd_prediction_n(a) - gnd_split_n_train(s));
    double sum = -(double)gnd_split_n_train(s);

    for (int64_t v = 0; v < gnd_prediction_n(a); v++)
        sum += (double)gnd_prediction_prob(by, v)[gnd_prediction_argmax(a, v)];
    return sum / n;
}

/* The mean confidence is the accuracy that the probabilities before give the new labels. */
static void confidence_stays_the_expected_accuracy(void **state)
{
    const gnd_train_opts o = {.size = sizeof o, .threads = 1, .prior = unequal};
    gnd_graph *g = planted_graph(hard);
    gnd_split *s = planted_split(g, 2, 1);
    gnd_prediction *a = label_by(g, s, "accuracy", "on", &o);
    gnd_prediction *b = label_by(g, s, "macro-f1", "on", &o);

    (void)state;
    CHECK_CLOSE(mean_confidence(b, b, s), mean_confidence(b, a, s), 1e-5);
    assert_true(mean_confidence(b, a, s) < mean_confidence(a, a, s));
    gnd_prediction_free(a);
    gnd_prediction_free(b);
    gnd_split_free(s);
    gnd_graph_free(g);
}

static void same_bits_for_any_number_of_threads(void **state)
{
    const gnd_train_opts one = {.size = sizeof one, .threads = 1, .prior = unequal};
    const gnd_train_opts three = {.size = sizeof three, .threads = 3, .prior = unequal};
    gnd_graph *g = planted_graph(hard);
    gnd_split *s = planted_split(g, 3, 1);
    gnd_prediction *a = label_by(g, s, "macro-f1", "on", &one);
    gnd_prediction *b = label_by(g, s, "macro-f1", "on", &three);

    (void)state;
    assert_memory_equal(gnd_prediction_prob(a, 0), gnd_prediction_prob(b, 0),
                        sizeof(float) * 3 * (size_t)g->n_node);
    gnd_prediction_free(a);
    gnd_prediction_free(b);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* ---- vertices that no label reaches ---- */

/* Known class shares are those of the vertices that get a label. */
static void unreached_vertices_have_no_share(void **state)
{
    static const double prior[] = {0.6, 0.3, 0.1};
    const gnd_train_opts o = {.size = sizeof o, .threads = 1, .prior = prior};

    (void)state;
    for (int words = 0; words <= 4; words += 4) {
        gnd_graph *g = planted_graph((plan){.n = 300,
                                            .n_class = 3,
                                            .inside = 3,
                                            .across = 2,
                                            .words = words,
                                            .lean = 0.3,
                                            .lone = 150});
        gnd_split *s = planted_split(g, 2, 1);
        gnd_prediction *p;
        double share[3] = {0};
        const double n = 300;

        planted_ids(g, 7); /* canonical order is another one */
        p = label_by(g, s, "accuracy", "on", &o);
        assert_int_equal(gnd_prediction_n_unknown(p), 150);
        for (int64_t v = 0; v < g->n_node; v++)
            for (int c = 0; c < 3 && gnd_prediction_label(p, v) >= 0; c++)
                share[c] += (double)gnd_prediction_prob(p, v)[c] / n;
        for (int c = 0; c < 3; c++)
            CHECK_CLOSE(share[c], prior[c], 2e-3);
        gnd_prediction_free(p);
        gnd_split_free(s);
        gnd_graph_free(g);
    }
}

/* Mean of the largest probability of the rows that are not excluded. */
static double confidence_of(const gnd_real *prob, int64_t n, int64_t C,
                            const unsigned char *excluded)
{
    double sum = 0, count = 0;

    for (int64_t i = 0; i < n; i++)
        if (!excluded[i]) {
            sum += (double)prob[i * C + gnd_argmax(prob + i * C, C)];
            count++;
        }
    return sum / count;
}

/* The same accuracy is expected whether vertices are reached or not; it is the mean confidence of
 * those that are. */
static void unreached_vertices_have_no_confidence(void **state)
{
    enum { N = 300, LONE = 150, LABELS = 6 };
    gnd_graph *g = planted_graph((plan){
        .n = N, .n_class = 3, .inside = 3, .across = 2, .words = 4, .lean = 0.3, .lone = LONE});
    const gnd_label_settings settings = {
        .predictors = 511, .numeric_by_rank = true, .calibration = true};
    const gnd_coordinates_opts o = gnd_label_coordinates(&settings, 3);
    const int32_t point[LABELS] = {0, 1, 2, 3, 4, 5}, cls[LABELS] = {0, 1, 2, 0, 1, 2};
    const gnd_labelled s = {.point = point, .cls = cls, .n = LABELS, .n_class = 3};
    unsigned char reached[N + LONE] = {0}, excluded[N + LONE];
    gnd_real prob[2][(N + LONE) * 3];
    double confidence[2];
    gnd_prepared prepared;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_prepare_graph(&prepared, g, &g->feat, &o, NULL, &err));
    gnd_exclude(excluded, &prepared.z.diffused, &s);
    for (int64_t v = 0; v < N / 2; v++) /* as if half of the graph were out of reach */
        reached[v] = 1;
    for (int k = 0; k < 2; k++) {
        gnd_estimate e = {.prob = prob[k]};

        CHECK_OK(gnd_label_fit(&e,
                               &(gnd_label_input){.prepared = &prepared,
                                                  .settings = &settings,
                                                  .point = point,
                                                  .cls = cls,
                                                  .n_labelled = LABELS,
                                                  .n_class = 3,
                                                  .reached = k ? reached : NULL},
                               &err));
        gnd_held_out_fini(&e.held_out);
        for (int64_t v = 0; v < N + LONE && k; v++)
            excluded[v] |= !reached[v];
        confidence[k] = confidence_of(prob[k], N + LONE, 3, excluded);
    }
    CHECK_CLOSE(confidence[1], confidence[0], 1e-6);
    assert_true(memcmp(prob[0], prob[1], sizeof prob[0]) != 0);
    gnd_prepared_fini(&prepared);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_shares_are_not_calibrated),
        cmocka_unit_test(weights_follow_known_shares),
        cmocka_unit_test(confidence_stays_the_expected_accuracy),
        cmocka_unit_test(same_bits_for_any_number_of_threads),
        cmocka_unit_test(unreached_vertices_have_no_share),
        cmocka_unit_test(unreached_vertices_have_no_confidence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
