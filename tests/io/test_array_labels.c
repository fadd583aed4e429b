/* SPDX-License-Identifier: MIT
 * test_array_labels.c - labels, ids and names from arrays: what is kept, and what is refused. */
#include "fixture.h"

static gnd_graph *three(void)
{
    static const int32_t link[][2] = {{0, 1}, {1, 2}}, label[] = {0, 1, -1};

    return fixture_graph(3, link, 2, NULL, 0, 0, label, 2);
}

static void labels(void **state)
{
    static const char *const names[] = {"red", "green", "blue"};
    gnd_graph *g = three();
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_graph_set_labels(g, (const int32_t[]){2, -7, 0}, names, 3, &err));
    assert_int_equal(gnd_graph_n_class(g), 3);
    assert_int_equal(gnd_graph_label(g, 0), 2);
    assert_int_equal(gnd_graph_labels(g)[1], -1);
    assert_string_equal(gnd_graph_class_name(g, 2), "blue");
    CHECK_OK(gnd_graph_set_labels(g, (const int32_t[]){1, 0, -1}, NULL, 2, &err));
    assert_string_equal(gnd_graph_class_name(g, 1), "1");
    assert_int_equal(gnd_graph_labels(g)[0], 1);
    CHECK_OK(gnd_graph_set_labels(g, (const int32_t[]){-1, -1, -1}, NULL, 0, &err));
    assert_int_equal(gnd_graph_n_class(g), 0);
    gnd_graph_free(g);
}

static void bad_labels(void **state)
{
    static const int32_t good[] = {0, 1, -1}, high[] = {0, 2, -1};
    gnd_graph *g = three();
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_graph_set_labels(g, high, NULL, 2, &err), GND_ERR_FORMAT,
                "the label of vertex 1 is 2; expected less than 2, or negative for none");
    CHECK_FAILS(gnd_graph_set_labels(g, NULL, NULL, 2, &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_graph_set_labels(g, good, NULL, -1, &err), GND_ERR_ARG, "n_class is -1");
    CHECK_FAILS(gnd_graph_set_labels(g, good, NULL, INT32_MAX, &err), GND_ERR_ARG,
                "n_class is 2147483647; expected 0 to 65536");
    CHECK_FAILS(gnd_graph_set_labels(g, good, (const char *const[]){"a", "a"}, 2, &err),
                GND_ERR_FORMAT, "class name 1 is 'a', as is class name 0");
    CHECK_FAILS(gnd_graph_set_labels(g, good, (const char *const[]){"a", ""}, 2, &err),
                GND_ERR_FORMAT, "class name 1 is ''");
    CHECK_FAILS(gnd_graph_set_labels(g, good, (const char *const[]){"a", NULL}, 2, &err),
                GND_ERR_ARG, "class name 1 is NULL");
    assert_string_equal(gnd_graph_class_name(g, 1), "class 1"); /* as it was */
    assert_int_equal(gnd_graph_label(g, 1), 1);
    gnd_graph_free(g);
}

static void ids(void **state)
{
    gnd_graph *g = three();
    gnd_error err;
    char buf[32];

    (void)state;
    CHECK_OK(gnd_graph_set_ids(g, (const char *const[]){"a", "b c", "\xc3\xa4"}, &err));
    assert_string_equal(gnd_graph_id(g, 2, buf), "\xc3\xa4");
    CHECK_FAILS(gnd_graph_set_ids(g, (const char *const[]){"x", "y", "x"}, &err), GND_ERR_FORMAT,
                "id 2 is 'x', as is id 0");
    CHECK_FAILS(gnd_graph_set_ids(g, (const char *const[]){"x", "-1", "y"}, &err), GND_ERR_FORMAT,
                "id 1 is '-1'");
    CHECK_FAILS(gnd_graph_set_ids(g, (const char *const[]){"x", NULL, "y"}, &err), GND_ERR_ARG,
                "id 1 is NULL");
    assert_string_equal(gnd_graph_id(g, 0, buf), "a");
    CHECK_OK(gnd_graph_set_ids(g, NULL, &err));
    assert_string_equal(gnd_graph_id(g, 2, buf), "2");
    gnd_graph_free(g);
}

static void name(void **state)
{
    gnd_graph *g = three();
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_graph_set_name(g, "mine", &err));
    CHECK_FAILS(gnd_graph_set_name(g, NULL, &err), GND_ERR_ARG, "the name of the graph is NULL");
    assert_string_equal(gnd_graph_name(g), "mine");
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(labels), cmocka_unit_test(bad_labels),
                                       cmocka_unit_test(ids), cmocka_unit_test(name)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
