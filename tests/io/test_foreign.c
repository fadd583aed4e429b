/* SPDX-License-Identifier: MIT
 * test_foreign.c - files of formats that gnd does not read are refused by name, whatever their
 * names end in; --format edgelist reads them as text. */
#include "textfiles.h"

static const struct {
    const char *text, *say;
} foreign[] = {
    {"<svg xmlns='x'><g/></svg>", "looks like XML with the root <svg>"},
    {"\xef\xbb\xbf <?xml version='1.0'?>\n<!-- > -->\n<x:rdf/>", "with the root <rdf>"},
    {"<!DOCTYPE html><html>", "with the root <html>"},
    {"<http://a> <http://b> <http://c> .", "looks like XML"},
    {"<?xml version='1.0'?>", "looks like XML; of XML, gnd reads GraphML and GEXF"},
    {"{\"a\": 1}", "of JSON, gnd reads the node-link form"},
    {" [ [0, 1], [1, 2] ]", "of JSON, gnd reads the node-link form"},
    {"graph [\n  directed 0\n", "looks like GML"},
    {"digraph g {\n a -> b;\n}", "looks like DOT"},
    {"*Vertices 3\n", "looks like Pajek"},
    {"nodedef>name VARCHAR\n", "looks like GDF"},
    {"PAR1\x15\x04\x15", "looks like Parquet"},
};

static void test_refused(void **state)
{
    static const char *const names[] = {"g.csv", "g.txt", "g.xml", "g"};
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            CHECK_FAILS(gnd_load(&g, put(names[k], foreign[i].text), NULL, &err), GND_ERR_FORMAT,
                        foreign[i].say);
            assert_null(g);
        }
}

static void test_accepted(void **state)
{
    static const char *const lists[] = {"[a] [b]\n[b] [a]\n", "graph b\nb graph\n",
                                        "a <b>\n<b> a\n", "{a b\nb {a\n"};
    const gnd_load_opts o = {.size = sizeof o, .format = "edgelist"};
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        CHECK_OK(gnd_load(&g, put("e.txt", lists[i]), i < 3 ? NULL : &o, &err));
        assert_int_equal(g->n_node, 2);
        gnd_graph_free(g);
    }
    CHECK_OK(gnd_load(&g, put("e.txt", "<a> <b>\n<b> <a>\n"), &o, &err));
    check_id(g, 0, "<a>");
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_accepted),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
