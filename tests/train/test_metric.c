/* SPDX-License-Identifier: MIT
 * test_metric.c - every metric on a table small enough to work out by hand. */
#include "train/metric.h"

#include "fixture.h"
#include "train/predict.h"

/* Six vertices, three classes; the last has no label. */
static const int32_t truth[] = {0, 0, 1, 1, 2, -1};
static float prob[] = {
    .8f, .1f, .1f, /* right */
    .3f, .6f, .1f, /* 0 taken for 1 */
    .1f, .7f, .2f, /* right */
    .1f, .5f, .4f, /* right */
    .6f, .3f, .1f, /* 2 taken for 0 */
    .2f, .2f, .6f,
};
static int32_t top[] = {0, 1, 1, 1, 0, 2};

static void by_hand(void **state)
{
    static const int32_t link[][2] = {{0, 1}};
    gnd_prediction p = {.n = 6, .n_class = 3, .prob = prob, .top = top, .label = top};
    gnd_graph *g = fixture_graph(6, link, 1, NULL, 0, 0, truth, 3);
    gnd_error err = {0};
    gnd_metrics *m = NULL;

    (void)state;
    CHECK_OK(gnd_metrics_new(&m, &p, g, NULL, 0, &err));
    assert_int_equal(gnd_metrics_n(m), 5);
    CHECK_CLOSE(gnd_metrics_accuracy(m), 3.0 / 5, 1e-12);
    CHECK_CLOSE(gnd_metrics_precision(m, 0), 1.0 / 2, 1e-12);
    CHECK_CLOSE(gnd_metrics_recall(m, 0), 1.0 / 2, 1e-12);
    CHECK_CLOSE(gnd_metrics_precision(m, 1), 2.0 / 3, 1e-12);
    CHECK_CLOSE(gnd_metrics_recall(m, 1), 1, 1e-12);
    CHECK_CLOSE(gnd_metrics_f1(m, 1), 0.8, 1e-12);
    CHECK_CLOSE(gnd_metrics_f1(m, 2), 0, 0); /* never given: 0, not NaN */
    CHECK_CLOSE(gnd_metrics_macro_f1(m), (0.5 + 0.8 + 0) / 3, 1e-12);
    assert_int_equal(gnd_metrics_confusion(m, 2, 0), 1);
    assert_int_equal(gnd_metrics_confusion(m, 0, 2), 0);
    CHECK_CLOSE(gnd_metrics_log_loss(m), -(log(.8) + log(.3) + log(.7) + log(.5) + log(.1)) / 5,
                1e-6);
    /* bins of width 1/15: .8 alone, .7 alone, .5 alone; both .6 share one and are wrong */
    CHECK_CLOSE(gnd_metrics_ece(m), (.2 + .3 + .5 + 1.2) / 5, 1e-6);
    gnd_metrics_free(m);

    /* On listed vertices only; one of them without a label. */
    CHECK_OK(gnd_metrics_new(&m, &p, g, (const int32_t[]){0, 5}, 2, &err));
    assert_int_equal(gnd_metrics_n(m), 1);
    CHECK_CLOSE(gnd_metrics_accuracy(m), 1, 0);
    gnd_metrics_free(m);
    CHECK_OK(gnd_metrics_new(&m, &p, g, (const int32_t[]){5}, 1, &err));
    assert_true(isnan(gnd_metrics_accuracy(m)) && isnan(gnd_metrics_ece(m)));
    gnd_metrics_free(m);
    gnd_graph_free(g);
}

/* The same table as logits; each row is shifted by another constant. */
static void calibration_by_hand(void **state)
{
    static const int32_t rows[] = {5, 4, 3, 2, 1, 0};
    gnd_real all[18], some[18];
    double ece, half;
    gnd_error err = {0};

    (void)state;
    for (int i = 0; i < 18; i++)
        all[i] = (gnd_real)(log((double)prob[i]) + i / 3);
    for (int i = 0; i < 18; i++)
        some[i] = all[3 * rows[i / 3] + i % 3];
    for (int packed = 0; packed < 2; packed++) {
        CHECK_OK(gnd_score_calibration(
            &ece, &half, &(gnd_scored){packed ? some : all, 3, packed, truth, rows, 6, NULL},
            &err));
        CHECK_CLOSE(ece, (.2 + .3 + .5 + 1.2) / 5, 1e-6);
        CHECK_CLOSE(half, 2.0 / 3, 1e-12); /* of .8, .7 and a .6 */
    }
    CHECK_OK(gnd_score_calibration(&ece, &half, &(gnd_scored){all, 3, false, truth, rows, 1, NULL},
                                   &err));
    assert_true(isnan(ece) && isnan(half)); /* vertex 5 has no label */
    CHECK_OK(gnd_score_calibration(&ece, &half, &(gnd_scored){all, 3, false, truth, rows, 0, NULL},
                                   &err));
    assert_true(isnan(ece) && isnan(half));
    CHECK_OK(gnd_score_calibration(&ece, &half,
                                   &(gnd_scored){all, 3, false, truth, rows + 5, 1, NULL}, &err));
    CHECK_CLOSE(ece, .2, 1e-6);
    CHECK_CLOSE(half, 1, 0); /* half of one is one */
}

/* Vertices of equal confidence are ordered by number, whatever the order of the list. */
static void calibration_ties(void **state)
{
    static const gnd_real logits[] = {1, 0, 9, 0, 0, 1, 0, 1};
    static const int32_t label[] = {1, 0, 1, 0}, rows[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}};
    static const int32_t three[] = {2, 3, 1};
    double ece, half;
    gnd_error err = {0};

    (void)state;
    for (int k = 0; k < 2; k++) {
        CHECK_OK(gnd_score_calibration(
            &ece, &half, &(gnd_scored){logits, 2, false, label, rows[k], 4, NULL}, &err));
        CHECK_CLOSE(half, 0.5, 0); /* vertex 1, right, and vertex 0, wrong */
        /* Three in the bin of 1 / (1 + 1/e), one of them right; one in the last. */
        CHECK_CLOSE(ece, (3 / (1 + exp(-1)) - 1 + 1 - 1 / (1 + exp(-9))) / 4, 1e-6);
    }
    CHECK_OK(gnd_score_calibration(&ece, &half,
                                   &(gnd_scored){logits, 2, false, label, three, 3, NULL}, &err));
    CHECK_CLOSE(half, 1, 0); /* vertices 1 and 2, both right; 3 is as confident as 2, and wrong */
}

/* Confidence 1 is in the last bin; NAN gives NAN. */
static void calibration_ends(void **state)
{
    static const gnd_real sure[] = {1000, 0, 0, 1000}, lost[] = {NAN, 0, 0, 1};
    static const int32_t label[] = {0, 0}, rows[] = {0, 1};
    double ece, half;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_score_calibration(&ece, &half, &(gnd_scored){sure, 2, false, label, rows, 2, NULL},
                                   &err));
    CHECK_CLOSE(ece, 0.5, 0);
    CHECK_CLOSE(half, 1, 0);
    CHECK_OK(gnd_score_calibration(&ece, &half, &(gnd_scored){lost, 2, false, label, rows, 2, NULL},
                                   &err));
    assert_true(isnan(ece) && isnan(half));
}

static void unlabelled_by_convention(void **state)
{
    static const gnd_real logits[] = {2, 0, 0, 3, 5, 0}; /* predicted 0, 1, 0 */
    static const int32_t label[] = {0, -1, -1}, rows[] = {0, 1, 2};
    double loss, acc;

    (void)state;
    gnd_score(&loss, &acc, &(gnd_scored){logits, 2, false, label, rows, 3, NULL}, true);
    CHECK_CLOSE(acc, 2.0 / 3, 1e-12); /* the one predicted 0 counts as right */
    CHECK_CLOSE(loss, log(1 + exp(-2)) / 3, 1e-12);
    gnd_score(&loss, &acc, &(gnd_scored){logits, 2, false, label, rows, 3, NULL}, false);
    CHECK_CLOSE(acc, 1, 0);
    CHECK_CLOSE(loss, log(1 + exp(-2)), 1e-12);
    gnd_score(&loss, &acc, &(gnd_scored){logits, 2, false, label, rows + 1, 2, NULL}, false);
    assert_true(isnan(acc) && isnan(loss));
}

static void packed_rows(void **state)
{
    static const gnd_real all[] = {2, 0, 0, 1, 0, 3}, some[] = {0, 3, 2, 0};
    static const int32_t label[] = {1, 0, 1}, rows[] = {2, 0};
    double loss[2], acc[2];

    (void)state;
    gnd_score(&loss[0], &acc[0], &(gnd_scored){all, 2, false, label, rows, 2, NULL}, false);
    gnd_score(&loss[1], &acc[1], &(gnd_scored){some, 2, true, label, rows, 2, NULL}, false);
    CHECK_CLOSE(acc[0], 0.5, 0);
    CHECK_CLOSE(acc[1], acc[0], 0);
    CHECK_CLOSE(loss[1], loss[0], 0);
}

static void ties_and_large_logits(void **state)
{
    static const gnd_real logits[] = {1, 1, 1, 0, 1e30f, 1e30f};
    static const int32_t label[] = {2, 1}, rows[] = {1};
    double loss, acc;

    (void)state;
    assert_int_equal(gnd_argmax(logits, 3), 0);
    assert_int_equal(gnd_argmax(logits + 3, 3), 1);
    gnd_score(&loss, &acc, &(gnd_scored){logits, 3, false, label, rows, 1, NULL}, false);
    CHECK_CLOSE(loss, log(2), 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(calibration_by_hand),
        cmocka_unit_test(calibration_ties),
        cmocka_unit_test(calibration_ends),
        cmocka_unit_test(unlabelled_by_convention),
        cmocka_unit_test(packed_rows),
        cmocka_unit_test(ties_and_large_logits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
