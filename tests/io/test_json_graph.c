/* SPDX-License-Identifier: MIT
 * test_json_graph.c - node-link JSON of networkx and d3, and files that are refused. */
#include "textfiles.h"

static gnd_graph *load(const char *text)
{
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(gnd_load(&g, put("g.json", text), NULL, &err));
    return g;
}

static void test_networkx(void **state)
{
    static const char *const lists[] = {"links", "edges"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[1024];
        gnd_graph *g;

        snprintf(text, sizeof text,
                 "{\"directed\": true, \"multigraph\": true, \"graph\": {},\n\"nodes\": ["
                 "{\"class\": \"x\", \"age\": 3, \"ok\": true, \"id\": 10},"
                 "{\"class\": \"y\", \"age\": 2.5, \"ok\": false, \"id\": 20},"
                 "{\"class\": null, \"age\": null, \"id\": 30},"
                 "{\"class\": \"x\", \"pos\": [1, 2], \"id\": 40},"
                 "{\"class\": \"y\", \"id\": 50}], \"%s\": ["
                 "{\"source\": 10, \"target\": 20, \"weight\": 0.5, \"key\": 0},"
                 "{\"source\": 10, \"target\": 20, \"weight\": 2, \"key\": 1},"
                 "{\"source\": 30, \"target\": 10, \"kind\": \"z\", \"key\": 0}]}",
                 lists[i]);
        g = load(text);
        check_id(g, 0, "10");
        assert_int_equal(g->n_class, 2);
        assert_int_equal(g->label[2], -1);
        assert_int_equal(g->n_feat, 2);
        assert_true(feature(g, 0, 0) == 3 && feature(g, 1, 0) == 2.5 && feature(g, 0, 1) == 1);
        assert_int_equal(gnd_csr_nnz(&g->adj), 2);
        assert_true(arc(g, 0, 1) == 2 && arc(g, 1, 0) == 0 && arc(g, 2, 0) == 1);
        assert_true(has_note(g, "1 duplicate edge was merged"));
        assert_true(has_note(g, "pos (lists)"));
        assert_true(has_note(g, "only 'weight' is used"));
        gnd_graph_free(g);
    }
}

/* d3: by id, by position with or without ids, by name. */
static void test_d3(void **state)
{
    gnd_graph *g = load("{\"nodes\": [{\"id\": \"Ann\", \"group\": 1}, {\"id\": \"Bob\", "
                        "\"group\": 1}, {\"id\": \"Cy\", \"group\": 2}, {\"id\": \"Di\", "
                        "\"group\": 2}], \"links\": [{\"source\": \"Ann\", \"target\": \"Cy\", "
                        "\"value\": 3}]}");

    (void)state;
    check_id(g, 2, "Cy");
    assert_true(arc(g, 0, 2) == 1 && arc(g, 2, 0) == 1);
    assert_int_equal(g->n_class, 2);
    assert_string_equal(gnd_graph_class_name(g, 0), "1");
    gnd_graph_free(g);
    g = load("{\"nodes\": [{\"name\": \"a\"}, {\"name\": \"b\"}], "
             "\"links\": [{\"source\": 1, \"target\": 1}]}");
    assert_null(g->ids);
    assert_true(arc(g, 1, 1) == 1);
    gnd_graph_free(g);
    g = load("{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}], "
             "\"links\": [{\"source\": 0, \"target\": 1}]}");
    check_id(g, 0, "a");
    assert_true(arc(g, 0, 1) == 1);
    assert_true(has_note(g, "positions in the list of nodes"));
    gnd_graph_free(g);
    g = load("{\"nodes\": [{\"name\": \"a\"}, {\"name\": \"b\"}], "
             "\"links\": [{\"source\": \"b\", \"target\": \"b\"}]}");
    check_id(g, 1, "b");
    assert_true(arc(g, 1, 1) == 1);
    gnd_graph_free(g);
    g = load("{\"nodes\": [{\"id\": \"0\"}, {\"id\": \"1\"}], " /* both readings agree */
             "\"links\": [{\"source\": 0, \"target\": 1}]}");
    assert_true(arc(g, 0, 1) == 1);
    gnd_graph_free(g);
    g = load("{\"nodes\": [{}, {}], \"edges\": []}");
    assert_int_equal(g->n_node, 2);
    gnd_graph_free(g);
}

#define N(nodes)    "{\"nodes\": [" nodes "], \"links\": []}"
#define L(a, b)     "{\"source\": " a ", \"target\": " b "}"
#define NL(n, list) "{\"nodes\": [" n "],\n\"links\": [" list "]}"
#define AB          "{\"id\": \"a\"}, {\"id\": \"b\"}"

static const refused_file bad[] = {
    {"[1, 2]", "of JSON, gnd reads the node-link form"},
    {"{}", "of JSON, gnd reads the node-link form"},
    {"{\"elements\": {}}", "JSON of Cytoscape"},
    {"{\"adjacency\": []}", "adjacency_data"},
    {"{\"graph\": {\"nodes\": {}}}", "JSON Graph Format"},
    {"{\"nodes\": {}, \"links\": []}", "'nodes' is not a list"},
    {"{\"nodes\": []}", "has no list 'links' or 'edges'"},
    {"{\"nodes\": [], \"links\": [], \"edges\": []}", "has both 'links' and 'edges'"},
    {"{\"nodes\": [], \"links\": []}", "the graph has no vertices"},
    {"{\"directed\": 1, \"nodes\": [], \"links\": []}", "expected true or false as 'directed'"},
    {N("1"), "nodes[0]: expected an object"},
    {N("{\"id\": 1}, {}"), "1 of 2 nodes have no id"},
    {N("{\"id\": 1.5}"), "nodes[0]: the id must be a text or a whole number"},
    {N("{\"id\": [1]}"), "the id must be a text or a whole number"},
    {N("{\"id\": 1}, {\"id\": \"1\"}"), "nodes[1]: vertex '1' occurs twice; the first is item 0"},
    {NL(AB, L("\"a\"", "\"z\"")), "links[0]: no node has the id 'z'"},
    {NL("{\"id\": 1}, {\"id\": 2}", L("1", "0")), "if links number the nodes from 0"},
    {NL(AB, L("0", "7")), "expected as 'target' a position in the list of nodes, 0 to 1"},
    {NL(AB, L("0", "\"a\"")), "some links name nodes by text, others by number"},
    {NL("{\"id\": \"1\"}, {\"id\": \"2\"}", L("1", "0")), "they may be ids or positions"},
    {NL("{}, {}", L("\"a\"", "\"b\"")), "nodes have no 'id'"},
    {NL(AB, "{\"source\": \"a\"}"), "links[0]: has no 'target'"},
    {NL(AB, "[]"), "links[0]: expected an object"},
    {NL(AB, "{\"source\": \"a\", \"target\": \"b\", \"weight\": \"w\"}"),
     "links[0]: expected one number as weight"},
    {NL(AB, "{\"source\": \"a\", \"target\": \"b\", \"weight\": -1}"), "not negative"},
    {NL(AB, "{\"source\": \"a\", \"target\": \"b\", \"weight\": 1e300}"), "finite number"},
    {N("{\"id\": \"a\", \"x\": 1e300}"), "attribute 'x' has the value 1e+300, which is too large"},
    {N("{\"id\": \"a\", \"id\": \"b\"}"), "g.json:1: not valid JSON: duplicate object key"},
    {N("{\"id\": 99999999999999999999}"), "too big integer"},
    {N("{\"id\": \"a\", \"x\": NaN}"), "not valid JSON"},
    {"{\"nodes\": [", "not valid JSON"},
};

static void test_bad(void **state)
{
    (void)state;
    check_bad_files("g.json", bad, LENGTH(bad));
}

static void test_depth(void **state)
{
    enum { DEEP = 100000 };
    char *text = calloc(1, DEEP + 1);
    gnd_graph *g;
    gnd_error err;

    (void)state;
    memset(text, '[', DEEP);
    CHECK_FAILS(gnd_load(&g, put("g.json", text), NULL, &err), GND_ERR_FORMAT,
                "maximum parsing depth reached");
    free(text);
}

static void test_mangled(void **state)
{
    (void)state;
    check_mangled(&gnd_format_json, "m.json",
                  "{\"nodes\": [{\"id\": 1, \"x\": 2, \"l\": \"t\"}], \"links\": [{\"source\": 1, "
                  "\"target\": 1, \"weight\": 3}]}");
}

static void test_stop(void **state)
{
    (void)state;
    put("g.json", N("{\"id\": 1}"));
    check_stopped(&gnd_format_json, temp_path("g.json"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_networkx), cmocka_unit_test(test_d3),
        cmocka_unit_test(test_bad),      cmocka_unit_test(test_depth),
        cmocka_unit_test(test_mangled),  cmocka_unit_test(test_stop),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
