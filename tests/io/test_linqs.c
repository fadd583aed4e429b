/* SPDX-License-Identifier: MIT
 * test_linqs.c - .content and .cites. */
#include "textfiles.h"

static gnd_graph *load(const char *content, const char *cites, const char *path)
{
    gnd_graph *g = NULL;
    gnd_error err;

    put("t.content", content);
    put("t.cites", cites);
    CHECK_OK(gnd_format_linqs.read(&g, temp_path(path), NULL, &err));
    CHECK_OK(gnd_graph_check(g, path, &err));
    return g;
}

static void test_read(void **state)
{
    static const char *const paths[] = {"t.content", "t.cites", "t"};

    (void)state;
    for (int i = 0; i < 3; i++) {
        gnd_graph *g =
            load("31336\t0\t1\t0\tNeural_Networks\n1061127\t1\t0\t0.5\tAgents\n"
                 "x9\t0\t0\t0\tNeural_Networks\n",
                 "1061127\t31336\nx9\t31336\nx9\tnobody\n31336\t31336\nx9\t31336\n", paths[i]);

        assert_int_equal(g->n_node, 3);
        assert_string_equal(g->name, "t");
        check_id(g, 0, "31336");
        check_id(g, 2, "x9");
        assert_int_equal(g->n_feat, 3);
        assert_int_equal(gnd_csr_nnz(&g->feat), 3);
        CHECK_CLOSE(feature(g, 1, 2), 0.5, 0);
        /* the second paper of a line cites the first */
        assert_true(arc(g, 0, 1) == 1 && arc(g, 0, 2) == 1 && arc(g, 0, 0) == 1);
        assert_int_equal(gnd_csr_nnz(&g->adj), 3);
        assert_int_equal(g->n_class, 2);
        assert_string_equal(gnd_graph_class_name(g, 0), "Agents");
        assert_int_equal(g->label[0], 1);
        assert_int_equal(g->label[1], 0);
        assert_true(has_note(g, "1 citation names an id that .content does not have; skipped"));
        assert_true(has_note(g, "1 duplicate citation was merged"));
        gnd_graph_free(g);
    }
}

/* Ids 0 .. n-1 in any order keep their numbers, and all that belongs to them moves along. */
static void test_numbers_and_blanks(void **state)
{
    gnd_graph *g = load("2 1 0 b\n0 0 1 a\n1 0 0 -1\n", "0 2\n1 0\n", "t");

    (void)state;
    assert_null(g->ids);
    assert_true(feature(g, 2, 0) == 1 && feature(g, 0, 1) == 1);
    assert_int_equal(g->label[2], 1);
    assert_int_equal(g->label[0], 0);
    assert_int_equal(g->label[1], -1);
    assert_true(arc(g, 2, 0) == 1 && arc(g, 0, 1) == 1);
    gnd_graph_free(g);
    g = load("a x\r\nb y\r\n", "a b\r\n", "t"); /* no features at all */
    assert_int_equal(g->n_feat, 0);
    gnd_graph_free(g);
}

static const struct {
    const char *content, *cites;
    gnd_status code;
    const char *say;
} bad[] = {
    {"", "a b\n", GND_ERR_FORMAT, "t.content: has no vertices"},
    {"a 1 x\n", "", GND_ERR_FORMAT, "t.cites: has no edges"},
    {"a\n", "a a\n", GND_ERR_FORMAT, "t.content:1: expected id, features and class; got 1 field"},
    {"a 1 x\nb 1 0 x\n", "a b\n", GND_ERR_FORMAT,
     "t.content:2: expected 1 features as in line 1; got 2"},
    {"a 1 0 x\nb 1\n", "a b\n", GND_ERR_FORMAT, "t.content:2: expected 2 features"},
    {"a 1 x\nb 2 y\na 1 x\n", "a b\n", GND_ERR_FORMAT,
     "t.content:3: vertex 'a' is already in line 1"},
    {"a 1 x\nb y 0 z\n", "a b\n", GND_ERR_FORMAT,
     "t.content:2:2: expected a finite number; got 'y'"},
    {"a 1 nan x\n", "a b\n", GND_ERR_FORMAT, "t.content:1:3: expected a finite number; got 'nan'"},
    {"a inf x\n", "a b\n", GND_ERR_FORMAT, "got 'inf'"},
    {"a,1,x\n,1,x\n", "a b\n", GND_ERR_FORMAT, "t.content:2: the id of the vertex is empty"},
    {"a,\"1,x\n", "a b\n", GND_ERR_FORMAT, "t.content:1: a quote is not closed"},
    {"a 1 x\n", "a\n", GND_ERR_FORMAT,
     "t.cites:1: expected cited and citing id separated by blanks; got 1 field"},
    {"a 1 x\n", "a a\na a a\n", GND_ERR_FORMAT, "t.cites:2: expected cited and citing id"},
    {"a 1 x\n", "a\ta\na a\n", GND_ERR_FORMAT, "separated by tabs; got 1 field"},
    {"a 1 x\n", NULL, GND_ERR_IO, "t.cites: No such file"},
    {NULL, "a a\n", GND_ERR_IO, "t.content: No such file"},
};

static void test_bad(void **state)
{
    gnd_graph *g;
    gnd_error err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        unlink(temp_path("t.content"));
        unlink(temp_path("t.cites"));
        if (bad[i].content)
            put("t.content", bad[i].content);
        if (bad[i].cites)
            put("t.cites", bad[i].cites);
        CHECK_FAILS(gnd_format_linqs.read(&g, temp_path("t"), NULL, &err), bad[i].code, bad[i].say);
        assert_null(g);
    }
    put("t.content", "a 1 x\n");
    temp_file("t.cites", "a a\na\0a\n", 8);
    CHECK_FAILS(gnd_format_linqs.read(&g, temp_path("t"), NULL, &err), GND_ERR_FORMAT,
                "t.cites:2: has a NUL byte");
}

static void try_content(const char *s, size_t n)
{
    gnd_graph *g = NULL;
    gnd_error err = {0};
    gnd_status st;

    temp_file("m.content", s, n);
    st = gnd_format_linqs.read(&g, temp_path("m"), NULL, &err);
    check_outcome(st, g, &err);
    gnd_graph_free(g);
}

static void try_cites(const char *s, size_t n)
{
    gnd_graph *g = NULL;
    gnd_error err = {0};
    gnd_status st;

    temp_file("m.cites", s, n);
    st = gnd_format_linqs.read(&g, temp_path("m"), NULL, &err);
    check_outcome(st, g, &err);
    gnd_graph_free(g);
}

static void test_mangled(void **state)
{
    (void)state;
    put("m.cites", "a\tb\nb\tc\n");
    mangle("a\t0\t1\tx\nb\t1\t0.5\ty\nc\t0\t0\tx\n", try_content);
    put("m.content", "a\t0\t1\tx\nb\t1\t0.5\ty\n");
    mangle("a\tb\nb\tc\n\"a\"\ta\n", try_cites);
}

static void test_sniff(void **state)
{
    (void)state;
    put("p.content", "");
    assert_true(gnd_format_linqs.sniff("x/cora.cites", "1 2", 3));
    assert_true(gnd_format_linqs.sniff(temp_path("p"), "", 0));
    assert_false(gnd_format_linqs.sniff(temp_path("q"), "", 0));
    assert_false(gnd_format_linqs.sniff("cora.csv", "1 2", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),  cmocka_unit_test(test_numbers_and_blanks),
        cmocka_unit_test(test_bad),   cmocka_unit_test(test_mangled),
        cmocka_unit_test(test_sniff),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
