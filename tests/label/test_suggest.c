/* SPDX-License-Identifier: MIT
 * test_suggest.c - which vertices to label: which others they represent, with and without labels.
 * */
#include "planted.h"

static gnd_suggestions *suggest(const gnd_graph *g, int64_t n, bool ignore, int32_t threads)
{
    const gnd_suggest_opts o = {.size = sizeof o, .n = n, .ignore = ignore, .threads = threads};
    gnd_suggestions *s = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_suggest(&s, g, &o, &err));
    return s;
}

static void check_same(const gnd_suggestions *a, const gnd_suggestions *b)
{
    assert_int_equal(gnd_suggestions_n(a), gnd_suggestions_n(b));
    for (int64_t i = 0; i < gnd_suggestions_n(a); i++) {
        const gnd_suggestion x = *gnd_suggestions_get(a, i), y = *gnd_suggestions_get(b, i);

        assert_int_equal(x.vertex, y.vertex);
        assert_int_equal(x.cls, y.cls);
        assert_int_equal(x.other, y.other);
        assert_true(x.represents == y.represents);
        assert_true(x.prob == y.prob || (isnan(x.prob) && isnan(y.prob)));
        assert_string_equal(gnd_suggestions_why(a, i), gnd_suggestions_why(b, i));
    }
}

/* Each once, none that has a label. Returns the sum of the shares they represent. */
static double check_sane(const gnd_suggestions *s, const gnd_graph *g, bool labels)
{
    bool *met = calloc((size_t)g->n_node, sizeof *met);
    double sum = 0;

    for (int64_t i = 0; i < gnd_suggestions_n(s); i++) {
        const gnd_suggestion x = *gnd_suggestions_get(s, i);

        assert_true(x.vertex >= 0 && x.vertex < g->n_node && !met[x.vertex]);
        met[x.vertex] = true;
        assert_true(x.represents >= 0 && x.represents <= 1);
        sum += x.represents;
        assert_true(strlen(gnd_suggestions_why(s, i)) > 0);
        if (labels) {
            assert_int_equal(g->label[x.vertex], -1);
            assert_true(x.cls >= 0 && x.cls < g->n_class && x.other >= 0 && x.other != x.cls);
            assert_true(x.prob > 0 && x.prob <= 1);
            assert_non_null(strstr(gnd_suggestions_why(s, i), gnd_graph_class_name(g, x.cls)));
        } else {
            assert_true(x.cls == -1 && x.other == -1 && isnan(x.prob));
        }
    }
    free(met);
    assert_true(sum <= 1 + 1e-9);
    return sum;
}

/* Take the labels away but those of the first per_class vertices of each class. */
static void keep_labels(gnd_graph *g, int64_t per_class)
{
    for (int64_t v = g->n_class * per_class; v < g->n_node; v++)
        g->label[v] = -1;
}

/* Without any label: the first few are of all classes, and represent a class each. */
static void from_nothing(void **state)
{
    for (int words = 0; words <= 6; words += 6) { /* also without features */
        gnd_graph *g = planted_graph(
            (plan){.n = 400, .n_class = 4, .inside = 6, .across = 1, .words = words, .lean = 0.8});
        gnd_suggestions *s, *again;
        bool met[4] = {false};

        (void)state;
        s = suggest(g, 4, true, 1); /* labels are there but not to be looked at */
        CHECK_CLOSE(check_sane(s, g, false), 1, 1e-9);
        for (int64_t i = 0; i < 4; i++) {
            const gnd_suggestion x = *gnd_suggestions_get(s, i);

            met[x.vertex % 4] = true;
            assert_true(x.represents > 0.15 && x.represents < 0.35);
        }
        assert_true(met[0] && met[1] && met[2] && met[3]);
        assert_int_equal(gnd_suggestions_n_note(s), 1);
        assert_string_equal(gnd_suggestions_note(s, 0)->code, "suggestions_cover");
        keep_labels(g, 0);
        again = suggest(g, 4, false, 1); /* the same as if there were none */
        check_same(s, again);
        gnd_suggestions_free(again);
        gnd_suggestions_free(s);
        gnd_graph_free(g);
    }
}

static void beside_labels(void **state)
{
    for (int words = 0; words <= 6; words += 6) {
        gnd_graph *g = planted_graph(
            (plan){.n = 400, .n_class = 4, .inside = 4, .across = 2, .words = words, .lean = 0.6});
        gnd_suggestions *s;

        (void)state;
        keep_labels(g, 2);
        s = suggest(g, 10, false, 1);
        assert_int_equal(gnd_suggestions_n(s), 10);
        assert_true(check_sane(s, g, true) < 0.999); /* labelled ones represent some */
        gnd_suggestions_free(s);
        gnd_graph_free(g);
    }
}

static bool has_note(const gnd_suggestions *s, const char *text)
{
    for (int64_t i = 0; i < gnd_suggestions_n_note(s); i++)
        if (strstr(gnd_suggestions_note(s, i)->text, text))
            return true;
    return false;
}

/* Labels of three of four classes: a vertex of the fourth comes first. */
static void what_is_missing_comes_first(void **state)
{
    gnd_graph *g = planted_clear(400, 4);
    gnd_suggestions *s;

    (void)state;
    keep_labels(g, 2);
    g->label[3] = g->label[7] = -1;
    s = suggest(g, 2, false, 1);
    check_sane(s, g, true);
    assert_int_equal(gnd_suggestions_get(s, 0)->vertex % 4, 3);
    assert_true(has_note(s, "class 'class3' has no known label"));
    gnd_suggestions_free(s);
    /* One class only: classes cannot be separated yet, but its vertices are not suggested again. */
    keep_labels(g, 0);
    for (int64_t v = 0; v < 40; v += 4)
        g->label[v] = 0;
    s = suggest(g, 3, false, 1);
    check_sane(s, g, false);
    for (int64_t i = 0; i < 3; i++)
        assert_true(gnd_suggestions_get(s, i)->vertex % 4 != 0);
    gnd_suggestions_free(s);
    gnd_graph_free(g);
}

/* Nothing is known of vertices without links and features, and labels there would say nothing. */
static void lone_vertices_come_last(void **state)
{
    (void)state;
    for (int words = 5; words >= 0; words -= 5) {
        gnd_graph *g = planted_graph((plan){.n = 200,
                                            .n_class = 4,
                                            .inside = 5,
                                            .across = 1,
                                            .words = words,
                                            .lean = 0.7,
                                            .lone = 200});

        for (int ignore = 1; ignore >= 0; ignore--) {
            gnd_suggestions *s;

            if (!ignore)
                keep_labels(g, 2);
            s = suggest(g, 20, ignore, 1);
            check_sane(s, g, !ignore);
            for (int64_t i = 0; i < 20; i++)
                assert_true(gnd_suggestions_get(s, i)->vertex < 200);
            gnd_suggestions_free(s);
        }
        gnd_graph_free(g);
    }
}

static void more_than_there_are(void **state)
{
    gnd_graph *g = planted_clear(60, 3);
    gnd_suggestions *s = suggest(g, 1000, true, 1);

    (void)state;
    assert_int_equal(gnd_suggestions_n(s), 60);
    CHECK_CLOSE(check_sane(s, g, false), 1, 1e-9);
    gnd_suggestions_free(s);
    keep_labels(g, 5);
    s = suggest(g, 1000, false, 1);
    assert_int_equal(gnd_suggestions_n(s), 45);
    check_sane(s, g, true);
    gnd_suggestions_free(s);
    for (int64_t v = 0; v < 60; v++)
        g->label[v] = (int32_t)(v % 3);
    s = suggest(g, 5, false, 1); /* nothing is left to label */
    assert_int_equal(gnd_suggestions_n(s), 0);
    gnd_suggestions_free(s);
    gnd_graph_free(g);
}

static void by_any_threads(void **state)
{
    gnd_graph *g = planted_graph(
        (plan){.n = 3000, .n_class = 4, .inside = 4, .across = 2, .words = 5, .lean = 0.6});

    (void)state;
    setenv("GND_PARALLEL_MIN", "0", 1);
    for (int ignore = 0; ignore < 2; ignore++) {
        gnd_suggestions *one, *two, *seven;

        if (!ignore)
            keep_labels(g, 3);
        one = suggest(g, 8, ignore, 1);
        two = suggest(g, 8, ignore, 2);
        seven = suggest(g, 8, ignore, 7);
        check_same(one, two);
        check_same(one, seven);
        gnd_suggestions_free(one);
        gnd_suggestions_free(two);
        gnd_suggestions_free(seven);
    }
    unsetenv("GND_PARALLEL_MIN");
    gnd_graph_free(g);
}

static void refused(void **state)
{
    gnd_graph *g = planted_clear(30, 3);
    gnd_suggestions *s = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_FAILS(gnd_suggest(&s, g, &(gnd_suggest_opts){.size = sizeof(gnd_suggest_opts)}, &err),
                GND_ERR_ARG, "0 suggestions asked for; expected 1 to 2000");
    assert_null(s);
    CHECK_FAILS(gnd_suggest(&s, g, &(gnd_suggest_opts){.n = 3}, &err), GND_ERR_ARG,
                "its size field is 0");
    assert_null(s);
    gnd_suggestions_free(NULL);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_nothing),
        cmocka_unit_test(beside_labels),
        cmocka_unit_test(what_is_missing_comes_first),
        cmocka_unit_test(lone_vertices_come_last),
        cmocka_unit_test(more_than_there_are),
        cmocka_unit_test(by_any_threads),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
