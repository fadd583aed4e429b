/* SPDX-License-Identifier: MIT
 * test_predict.c - what is known, what is not, and graphs that have grown. */
#include "base/alloc.h"
#include "train/predict.h"

#include "fixture.h"

static gnd_model *train(const gnd_graph *g, gnd_result *res)
{
    gnd_error err = {0};
    gnd_split *s = NULL;
    gnd_config *c = NULL;
    gnd_model *m = NULL;

    CHECK_OK(gnd_split_new(
        &s, g, &(gnd_split_opts){.size = sizeof(gnd_split_opts), .per_class = 2, .seed = 3}, &err));
    CHECK_OK(gnd_config_new(&c, "gnd-slp", &err));
    CHECK_OK(gnd_config_set(c, "hops", "4", &err));
    CHECK_OK(gnd_train(&m, res, g, s, c, NULL, &err));
    gnd_config_free(c);
    gnd_split_free(s);
    return m;
}

static void learns_and_knows_what_it_does_not_know(void **state)
{
    gnd_graph *g = fixture_two_rings(10, 3);
    gnd_error err = {0};
    gnd_prediction *p = NULL;
    gnd_result res = {.size = sizeof res};
    gnd_model *m = train(g, &res);

    (void)state;
    CHECK_CLOSE(res.acc_train, 1, 0);
    CHECK_CLOSE(res.acc_test, 1, 0); /* each ring shares a feature: a learner must not miss it */
    assert_true(isnan(res.acc_val));
    assert_int_equal(res.epochs, 200);
    CHECK_OK(gnd_predict(&p, m, g, NULL, &err));
    for (int64_t v = 0; v < 20; v++) {
        const float *prob = gnd_prediction_prob(p, v);

        assert_int_equal(gnd_prediction_label(p, v), v / 10);
        CHECK_CLOSE(prob[0] + prob[1], 1, 1e-6);
    }
    for (int64_t v = 20; v < 23; v++)
        assert_int_equal(gnd_prediction_label(p, v), -1); /* no link, no feature */
    gnd_prediction_free(p);
    gnd_model_free(m);
    gnd_graph_free(g);
}

/* A component without labels is known exactly if it has a feature that labelled components have. */
static void features_speak_across_components(void **state)
{
    static const int32_t link[][2] = {{0, 1}, {1, 0}, {2, 3}, {3, 2},
                                      {4, 5}, {5, 4}, {6, 7}, {7, 6}};
    static const int32_t feat[][2] = {{0, 0}, {1, 0}, {2, 1}, {3, 1}, {4, 1}, {6, 2}, {7, 3}};
    static const int32_t label[] = {0, 0, 1, 1, -1, -1, -1, -1};
    gnd_graph *g = fixture_graph(8, link, LENGTH(link), feat, LENGTH(feat), 4, label, 2);
    gnd_error err = {0};
    gnd_prediction *p = NULL;
    gnd_model *m = train(g, NULL);

    (void)state;
    CHECK_OK(gnd_predict(&p, m, g, NULL, &err));
    assert_int_equal(gnd_prediction_label(p, 4), 1);
    assert_int_equal(gnd_prediction_label(p, 5), 1);  /* through its neighbour */
    assert_int_equal(gnd_prediction_label(p, 6), -1); /* its features were never met */
    assert_int_equal(gnd_prediction_label(p, 7), -1);
    gnd_prediction_free(p);
    gnd_model_free(m);
    gnd_graph_free(g);
}

/* What a model has met is part of it on disk. */
static void known_is_saved(void **state)
{
    static const int32_t link[][2] = {{0, 1}, {1, 0}, {2, 3}, {3, 2}, {4, 5}, {5, 4}};
    static const int32_t feat[][2] = {{0, 0}, {1, 0}, {2, 1}, {3, 1}, {4, 2}};
    static const int32_t label[] = {0, 0, 1, 1, -1, -1};
    gnd_graph *g = fixture_graph(6, link, LENGTH(link), feat, LENGTH(feat), 3, label, 2);
    char path[] = "/tmp/gnd-known-XXXXXX";
    const int fd = mkstemp(path);
    gnd_error err = {0};
    gnd_prediction *p = NULL;
    gnd_model *m = train(g, NULL), *loaded = NULL;

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    CHECK_OK(gnd_model_save(m, path, &err));
    CHECK_OK(gnd_model_load(&loaded, path, &err));
    CHECK_OK(gnd_predict(&p, loaded, g, NULL, &err));
    for (int64_t v = 0; v < 6; v++)
        assert_int_equal(gnd_prediction_label(p, v), label[v]);
    unlink(path);
    gnd_prediction_free(p);
    gnd_model_free(loaded);
    gnd_model_free(m);
    gnd_graph_free(g);
}

/* Without features a vertex is its own: old ones keep their column, new ones live off their
 * neighbours. */
static void grown_graph_without_features(void **state)
{
    static const int32_t link[][2] = {{0, 1}, {1, 0}, {1, 2}, {2, 1},
                                      {3, 4}, {4, 3}, {4, 5}, {5, 4}};
    static const int32_t more[][2] = {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {3, 4}, {4, 3},
                                      {4, 5}, {5, 4}, {6, 5}, {5, 6}, {7, 8}, {8, 7}};
    static const int32_t label[] = {0, 0, 0, 1, 1, 1, -1, -1, -1};
    gnd_graph *g = fixture_graph(6, link, LENGTH(link), NULL, 0, 0, label, 2);
    gnd_graph *grown = fixture_graph(9, more, LENGTH(more), NULL, 0, 0, label, 2);
    gnd_error err = {0};
    gnd_prediction *p = NULL;
    gnd_model *m = train(g, NULL);

    (void)state;
    CHECK_OK(gnd_predict(&p, m, grown, NULL, &err));
    assert_int_equal(gnd_prediction_n(p), 9);
    assert_int_equal(gnd_prediction_label(p, 6), 1);
    assert_int_equal(gnd_prediction_label(p, 7), -1);
    for (int64_t v = 0; v < 6; v++)
        assert_int_equal(gnd_prediction_label(p, v), label[v]);
    gnd_prediction_free(p);
    gnd_model_free(m);
    gnd_graph_free(grown);
    gnd_graph_free(g);
}

static void name_vertices(gnd_graph *g, const char *names)
{
    g->ids = gnd_names_new();
    for (int64_t v = 0; v < g->n_node; v++)
        assert_int_equal(gnd_names_add(g->ids, names + v, 1), v);
}

/* Named vertices keep their column wherever the other file puts them. */
static void names_find_their_columns(void **state)
{
    static const int32_t link[][2] = {{0, 1}, {1, 0}, {1, 2}, {2, 1},
                                      {3, 4}, {4, 3}, {4, 5}, {5, 4}};
    static const int32_t label[] = {0, 0, 0, 1, 1, 1};
    gnd_graph *g = fixture_graph(6, link, LENGTH(link), NULL, 0, 0, label, 2);
    gnd_graph *turned = fixture_graph(6, link, LENGTH(link), NULL, 0, 0, label, 2);
    gnd_error err = {0};
    gnd_prediction *p = NULL;
    gnd_model *m;

    (void)state;
    name_vertices(g, "abcdef");
    name_vertices(turned, "fedcba");
    m = train(g, NULL);
    CHECK_OK(gnd_predict(&p, m, turned, NULL, &err));
    for (int64_t v = 0; v < 6; v++)
        assert_int_equal(gnd_prediction_label(p, v), label[5 - v]);
    gnd_prediction_free(p);
    gnd_model_free(m);
    gnd_graph_free(turned);
    gnd_graph_free(g);
}

/* Vertices without names keep the column of the number that they had before some were left out. */
static void numbers_find_their_columns(void **state)
{
    static const int32_t link[][2] = {{0, 1}, {1, 0}, {1, 2}, {2, 1},
                                      {3, 4}, {4, 3}, {4, 5}, {5, 4}};
    static const int32_t label[] = {0, 0, 0, 1, 1, 1};
    gnd_graph *g = fixture_graph(6, link, LENGTH(link), NULL, 0, 0, label, 2);
    gnd_graph *turned = fixture_graph(6, link, LENGTH(link), NULL, 0, 0, label, 2);
    gnd_error err = {0};
    gnd_prediction *p = NULL;
    gnd_model *m;

    (void)state;
    turned->old = gnd_alloc(6, sizeof *turned->old);
    assert_non_null(turned->old);
    for (int32_t v = 0; v < 6; v++)
        turned->old[v] = 5 - v;
    m = train(g, NULL);
    CHECK_OK(gnd_predict(&p, m, turned, NULL, &err));
    for (int64_t v = 0; v < 6; v++)
        assert_int_equal(gnd_prediction_label(p, v), label[5 - v]);
    gnd_prediction_free(p);
    gnd_model_free(m);
    gnd_graph_free(turned);
    gnd_graph_free(g);
}

static void mismatches_are_told(void **state)
{
    gnd_graph *g = fixture_two_rings(10, 0), *other = fixture_two_rings(9, 0);
    gnd_error err = {0};
    gnd_prediction *p = NULL;
    gnd_model *m = train(g, NULL);

    (void)state;
    CHECK_FAILS(gnd_predict(&p, m, other, NULL, &err), GND_ERR_SHAPE,
                "has 20 features; the model was trained on 22");
    assert_null(p);
    g->mode = GND_GRAPH_UND;
    CHECK_FAILS(gnd_predict(&p, m, g, NULL, &err), GND_ERR_ARG, "needs a graph in mode raw");
    gnd_model_free(m);
    gnd_graph_free(other);
    gnd_graph_free(g);
}

static void what_the_user_said_stands(void **state)
{
    gnd_graph *g = fixture_two_rings(10, 1);
    gnd_error err = {0};
    gnd_prediction *p = NULL;
    gnd_model *m = train(g, NULL);

    (void)state;
    CHECK_OK(gnd_predict(&p, m, g, NULL, &err));
    g->label[3] = 1;
    g->label[20] = 0;
    CHECK_OK(gnd_prediction_clamp(p, m, g, &err));
    assert_int_equal(gnd_prediction_label(p, 3), 1);
    assert_int_equal(gnd_prediction_label(p, 20), 0);
    CHECK_CLOSE(gnd_prediction_prob(p, 3)[1], 1, 0);
    CHECK_CLOSE(gnd_prediction_prob(p, 3)[0], 0, 0);
    gnd_prediction_free(p);
    gnd_model_free(m);
    gnd_graph_free(g);
}

static void check_rows(const gnd_prediction *p)
{
    for (int64_t v = 0; v < gnd_prediction_n(p); v++) {
        const float *prob = gnd_prediction_prob(p, v);

        CHECK_CLOSE(prob[0] + prob[1], 1, 1e-6);
        assert_true(prob[0] >= 0 && prob[0] <= 1);
    }
}

/* A row with values that are not finite is unknown, and stays so with gnd_prediction_abstain. */
static void rows_are_finite(void **state)
{
    const gnd_real big = (gnd_real)3e38, inf = (gnd_real)INFINITY;
    const gnd_real logits[][2] = {{(gnd_real)NAN, 0}, {0, (gnd_real)NAN}, {inf, 0},    {-inf, -inf},
                                  {inf, -inf},        {-inf, 0},          {big, -big}, {1, 2}};
    gnd_prediction *p = NULL;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_prediction_new(&p, logits[0], LENGTH(logits), 2, GND_OUT_LOGITS, &err));
    check_rows(p);
    CHECK_OK(gnd_prediction_abstain(p, 1, NULL, &err));
    for (int64_t i = 0; i < LENGTH(logits); i++)
        assert_int_equal(gnd_prediction_label(p, i), i < 5 ? -1 : i == 6 ? 0 : 1);
    gnd_prediction_free(p);
}

/* A model that overflows everywhere: a warning says so, and what the user said is known still. */
static void overflow_is_said(void **state)
{
    gnd_graph *g = fixture_two_rings(10, 0);
    gnd_error err = {0};
    gnd_prediction *p = NULL;
    gnd_model *m = train(g, NULL);
    const gnd_note *last;

    (void)state;
    for (int64_t q = 0; q < m->params.size; q++)
        m->params.v[q] = (gnd_real)NAN;
    CHECK_OK(gnd_predict(&p, m, g, NULL, &err));
    check_rows(p);
    assert_int_equal(gnd_prediction_label(p, 5), -1);
    assert_true(gnd_prediction_n_note(p) > 0);
    last = gnd_prediction_note(p, gnd_prediction_n_note(p) - 1);
    assert_string_equal(last->code, "not_finite");
    assert_int_equal(last->severity, GND_WARNING);
    assert_non_null(strstr(last->text, "20 vertices get no label"));
    CHECK_OK(gnd_prediction_clamp(p, m, g, &err));
    assert_int_equal(gnd_prediction_label(p, 5), 0);
    gnd_prediction_free(p);
    gnd_model_free(m);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learns_and_knows_what_it_does_not_know),
        cmocka_unit_test(features_speak_across_components),
        cmocka_unit_test(known_is_saved),
        cmocka_unit_test(grown_graph_without_features),
        cmocka_unit_test(names_find_their_columns),
        cmocka_unit_test(numbers_find_their_columns),
        cmocka_unit_test(mismatches_are_told),
        cmocka_unit_test(what_the_user_said_stands),
        cmocka_unit_test(rows_are_finite),
        cmocka_unit_test(overflow_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
