/* SPDX-License-Identifier: MIT
 * test_gexf.c - GEXF of Gephi and networkx, and files that are refused. */
#include "textfiles.h"

#define OPEN                                                                                       \
    "<?xml version='1.0' encoding='UTF-8'?>\n"                                                     \
    "<gexf xmlns='http://www.gexf.net/1.2draft' version='1.2' "                                    \
    "xmlns:viz='http://www.gexf.net/1.2draft/viz'>\n<meta><creator>x</creator></meta>\n"
#define UND   "<graph defaultedgetype='undirected' mode='static'>\n"
#define CLOSE "</graph></gexf>\n"
#define AB    "<nodes><node id='a' label='Ann'/><node id='b' label='Bob'/></nodes>\n"
#define ATTRIBUTES                                                                                 \
    "<attributes class='node' mode='static'>"                                                      \
    "<attribute id='0' title='modularity_class' type='integer'/>"                                  \
    "<attribute id='1' title='class' type='string'><default>red</default></attribute>"             \
    "<attribute id='2' title='on' type='boolean'/>"                                                \
    "</attributes>\n<attributes class='edge'>"                                                     \
    "<attribute id='0' title='since' type='float'/></attributes>\n"
#define VALUE(id, v) "<attvalue for='" id "' value='" v "'/>"

static gnd_graph *load(const char *text)
{
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(gnd_load(&g, put("g.gexf", text), NULL, &err));
    return g;
}

static void test_attributes(void **state)
{
    gnd_load_opts o = {.size = sizeof o, .id_attribute = "label"};
    gnd_graph *g = load(
        OPEN UND ATTRIBUTES "<nodes><node id='0' label='Ann'><attvalues>" VALUE("0", "3") VALUE(
            "2",
            "true") "</attvalues><viz:size value='9'/></node>"
                    "<node id='1' label='Bob'><attvalues>" VALUE("0", "1") VALUE("1", "blue") VALUE(
                        "2", "false") "</attvalues></node>"
                                      "<node id='2'><attvalues>" VALUE(
                                          "1",
                                          "blue") "</attvalues></node>"
                                                  "<node id='3' label='Dan'/></nodes><edges>"
                                                  "<edge id='0' source='0' target='1' "
                                                  "weight='2.5'><attvalues>" VALUE(
                                                      "0",
                                                      "7") "</attvalues></edge><edge id='1' "
                                                           "source='1' target='2' type='directed'/>"
                                                           "<edge id='2' source='3' target='2' "
                                                           "type='mutual'/></edges>" CLOSE);
    gnd_error err;

    (void)state;
    assert_null(g->ids);
    assert_int_equal(g->n_class, 2);
    assert_string_equal(gnd_graph_class_name(g, g->label[0]), "red");
    assert_string_equal(gnd_graph_class_name(g, g->label[1]), "blue");
    assert_int_equal(g->n_feat, 2);
    assert_true(feature(g, 0, 0) == 3 && feature(g, 1, 0) == 1 && feature(g, 0, 1) == 1);
    CHECK_CLOSE(arc(g, 0, 1), 2.5, 0);
    CHECK_CLOSE(arc(g, 1, 0), 2.5, 0);
    assert_true(arc(g, 1, 2) == 1 && arc(g, 2, 1) == 0);
    assert_true(arc(g, 3, 2) == 1 && arc(g, 2, 3) == 1);
    assert_true(has_note(g, "label (names the vertices)"));
    assert_true(has_note(g, "colours, positions"));
    assert_true(has_note(g, "only 'weight' is used"));
    gnd_graph_free(g);
    CHECK_FAILS(gnd_load(&g, temp_path("g.gexf"), &o, &err), GND_ERR_FORMAT,
                "attribute 'label' cannot be the ids: vertex '2' has no value");
}

/* The display name is not the class, even if it is the same for many vertices; it can be chosen. */
static void test_display_name(void **state)
{
    static const char text[] =
        OPEN UND "<nodes><node id='a' label='x'/><node id='b' label='x'/><node id='c' label='y'/>"
                 "<node id='d' label='y'/></nodes>" CLOSE;
    const gnd_load_opts o = {.size = sizeof o, .label_attribute = "label"};
    gnd_graph *g = load(text);
    gnd_error err;

    (void)state;
    assert_int_equal(g->n_class, 0);
    assert_int_equal(g->n_feat, 0);
    gnd_graph_free(g);
    CHECK_OK(gnd_load(&g, temp_path("g.gexf"), &o, &err));
    assert_int_equal(g->n_class, 2);
    gnd_graph_free(g);
}

/* GEXF 1.1 writes `id` of an attvalue, and directed edges by default; 1.3 is another namespace. */
static void test_versions(void **state)
{
    gnd_graph *g =
        load("<gexf xmlns='http://www.gexf.net/1.1draft'><graph defaultedgetype='directed'>"
             "<attributes class='node'><attribute id='k' title='n' type='double'/></attributes>"
             "<attributes class='edge'><attribute id='w' title='Weight' type='float'/></attributes>"
             "<nodes><node id='a'><attvalues><attvalue id='k' value='0.5'/></attvalues></node>"
             "<node id='b'/></nodes><edges><edge source='a' target='b'><attvalues>"
             "<attvalue id='w' value='4'/></attvalues></edge></edges>" CLOSE);

    (void)state;
    assert_true(feature(g, 0, 0) == 0.5);
    assert_true(arc(g, 0, 1) == 4 && arc(g, 1, 0) == 0);
    assert_true(has_note(g, "1 missing value in 1 column of numbers"));
    gnd_graph_free(g);
    g = load("<gexf xmlns='http://gexf.net/1.3'><graph>" AB
             "<edges count='1'><edge source='a' target='b'/></edges>" CLOSE);
    assert_int_equal(gnd_csr_nnz(&g->adj), 2);
    gnd_graph_free(g);
}

static void test_dynamic(void **state)
{
    gnd_graph *g = load(
        OPEN "<graph mode='dynamic' timeformat='date'>"
             "<attributes class='node' mode='dynamic'><attribute id='p' title='price' "
             "type='float'/></attributes><nodes><node id='a' start='1'><attvalues>"
             "<attvalue for='p' value='1' start='1' end='2'/><attvalue for='p' value='2' "
             "start='2'/></attvalues><spells><spell start='1'/></spells></node></nodes>" CLOSE);

    (void)state;
    assert_int_equal(g->n_node, 1);
    assert_int_equal(g->n_feat, 0);
    assert_true(has_note(g, "the graph changes with time"));
    gnd_graph_free(g);
}

static const refused_file bad[] = {
    {OPEN "</gexf>", "has no <graph>"},
    {OPEN UND CLOSE, "the graph has no vertices"},
    {OPEN "<graph defaultedgetype='both'>" AB CLOSE,
     "expected an edge type directed, undirected or mutual; got 'both'"},
    {OPEN UND AB "<edges><edge source='a' target='b' type='x&#10;y'/></edges>" CLOSE, "got 'x?y'"},
    {OPEN UND AB "<edges><edge source='a' target='c'/></edges>" CLOSE,
     "g.gexf:6: the edge names vertex 'c', which does not exist"},
    {OPEN UND AB "<edges><edge source='a' target='b' weight='-2'/></edges>" CLOSE, "got '-2'"},
    {OPEN UND AB "<edges><edge source='a'/></edges>" CLOSE, "an <edge> has no target"},
    {OPEN UND "<nodes><node/></nodes>" CLOSE, "a <node> has no id"},
    {OPEN UND "<nodes><node id='a' pid='b'/></nodes>" CLOSE, "has a parent (pid)"},
    {OPEN UND "<nodes><node id='a'><nodes/></node></nodes>" CLOSE, "vertices are nested"},
    {OPEN UND "<nodes><node id='a'/><node id='a'/></nodes>" CLOSE, "vertex 'a' occurs twice"},
    {OPEN UND "<attributes class='city'/>" CLOSE, "expected class=\"node\" or \"edge\""},
    {OPEN UND "<attributes class='node'><attribute/></attributes>" CLOSE,
     "an element <attribute> has no id"},
    {OPEN UND "<attributes class='node'><attribute id='a'/><attribute id='a'/></attributes>" CLOSE,
     "the attribute 'a' is declared twice"},
    {OPEN UND ATTRIBUTES
     "<nodes><node id='a'><attvalues>" VALUE("9", "1") "</attvalues></node></nodes>" CLOSE,
     "the attribute '9' is not declared by an element <attribute> before it"},
    {OPEN UND ATTRIBUTES
     "<nodes><node id='a'><attvalues>" VALUE("0", "many") "</attvalues></node></nodes>" CLOSE,
     "attribute 'modularity_class' is one of numbers; got 'many'"},
    {OPEN UND ATTRIBUTES "<nodes><node id='a'><attvalues><attvalue for='0'/></attvalues>"
                         "</node></nodes>" CLOSE,
     "an <attvalue> has no value"},
    {OPEN UND AB "</graph>" UND AB CLOSE, "more than one <graph>"},
    {OPEN UND AB, "not valid XML: no element found"},
};

static void test_bad(void **state)
{
    (void)state;
    check_bad_files("g.gexf", bad, LENGTH(bad));
}

static void test_mangled(void **state)
{
    (void)state;
    check_mangled(
        &gnd_format_gexf, "m.gexf",
        "<gexf><graph><attributes class='node'><attribute id='0' title='x' type='float'/>"
        "</attributes><nodes><node id='a'><attvalues>" VALUE(
            "0", "1") "</attvalues></node>"
                      "</nodes><edges><edge source='a' target='a' weight='2'/></edges>" CLOSE);
}

static void test_stop(void **state)
{
    (void)state;
    check_stopped(&gnd_format_gexf, put("g.gexf", OPEN UND AB CLOSE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attributes), cmocka_unit_test(test_display_name),
        cmocka_unit_test(test_versions),   cmocka_unit_test(test_dynamic),
        cmocka_unit_test(test_bad),        cmocka_unit_test(test_mangled),
        cmocka_unit_test(test_stop),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
