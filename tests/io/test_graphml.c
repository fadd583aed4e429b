/* SPDX-License-Identifier: MIT
 * test_graphml.c - GraphML of networkx, igraph and yEd, and files that are refused. */
#include "textfiles.h"

#define XML    "<?xml version='1.0' encoding='utf-8'?>\n"
#define NS     "xmlns='http://graphml.graphdrawing.org/xmlns'"
#define OPEN   XML "<graphml " NS ">\n"
#define DIRECT "<graph edgedefault='directed'>\n"
#define UND    "<graph edgedefault='undirected'>\n"
#define CLOSE  "</graph></graphml>\n"
#define ABC    "<node id='a'/><node id='b'/><node id='c'/>\n"

static gnd_graph *load_with(const char *text, const gnd_load_opts *o)
{
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(gnd_load(&g, put("g.graphml", text), o, &err));
    return g;
}

static gnd_graph *load(const char *text)
{
    return load_with(text, NULL);
}

static const char *class_of(const gnd_graph *g, int64_t v)
{
    return g->label[v] < 0 ? "" : gnd_graph_class_name(g, g->label[v]);
}

/* Direction by default and per edge, weights, duplicates, loops. */
static void test_edges(void **state)
{
    static const char key[] = "<key id='w' for='edge' attr.name='weight' attr.type='double'/>\n";
    char text[2048];
    gnd_graph *g;

    (void)state;
    snprintf(text, sizeof text,
             OPEN "%s" DIRECT ABC "<edge source='a' target='b'><data key='w'>2.5</data></edge>"
                  "<edge source='b' target='c' directed='false'/>"
                  "<edge source='c' target='c'/>"
                  "<edge source='a' target='b'><data key='w'> 3 </data></edge>" CLOSE,
             key);
    g = load(text);
    assert_string_equal(g->name, "g");
    assert_int_equal(gnd_csr_nnz(&g->adj), 4);
    assert_true(arc(g, 0, 1) == 3 && arc(g, 1, 0) == 0);
    assert_true(arc(g, 1, 2) == 1 && arc(g, 2, 1) == 1 && arc(g, 2, 2) == 1);
    assert_true(has_note(g, "1 duplicate edge was merged"));
    assert_true(has_note(g, "2 edges have no weight; it is 1 there"));
    check_id(g, 2, "c");
    gnd_graph_free(g);
    g = load(OPEN UND ABC "<edge source='a' target='b'/><edge source='b' target='a'/>"
                          "<edge source='c' target='a' directed='true'/>" CLOSE);
    assert_int_equal(gnd_csr_nnz(&g->adj), 3);
    assert_true(arc(g, 0, 1) == 1 && arc(g, 1, 0) == 1 && arc(g, 2, 0) == 1);
    assert_true(has_note(g, "1 duplicate edge was merged"));
    gnd_graph_free(g);
}

/* The default of a key is the value of edges and vertices without one; vertices may follow their
 * edges; weight 0 is left out. */
static void test_defaults(void **state)
{
    gnd_graph *g = load(
        OPEN "<key id='w' for='edge' attr.name='weight' attr.type='int'><default>7</default></key>"
             "<key id='x' for='node' attr.name='x' attr.type='float'><desc/><default>0.5</default>"
             "</key>" UND "<edge source='a' target='b'/><edge source='b' target='c'>"
             "<data key='w'>0</data></edge><node id='c'><data key='x'>2</data></node>"
             "<node id='a'/><node id='b'><data key='x'>0</data></node>" CLOSE);

    (void)state;
    assert_int_equal(g->n_feat, 1);
    check_id(g, 0, "a");
    assert_true(feature(g, 0, 0) == 0.5 && feature(g, 1, 0) == 0 && feature(g, 2, 0) == 2);
    assert_true(arc(g, 0, 1) == 7 && arc(g, 1, 2) == 0);
    assert_true(has_note(g, "of weight 0"));
    gnd_graph_free(g);
}

#define KEYS                                                                                       \
    "<key id='d0' for='node' attr.name='class' attr.type='string'/>"                               \
    "<key id='d1' for='node' attr.name='age' attr.type='int'/>"                                    \
    "<key id='d2' for='node' attr.name='old' attr.type='boolean'/>"                                \
    "<key id='d3' for='node' attr.name='name' attr.type='string'/>"                                \
    "<key id='d4' for='node' attr.name='town' attr.type='string'/>\n"
#define NODE(id, cls, age, old, town)                                                              \
    "<node id='" id "'><data key='d0'>" cls "</data><data key='d1'>" age                           \
    "</data><data key='d2'>" old "</data><data key='d3'>N" id "</data><data key='d4'>" town        \
    "</data></node>\n"
#define PEOPLE                                                                                     \
    OPEN KEYS UND NODE("p", "x", "30", "true", "Ulm") NODE("q", "y", "NaN", "false", "Bonn")       \
        NODE("r", "", "-4", "True", "Ulm") NODE("s", "x", "0", "0", "")                            \
            NODE("t", "y", "1", "1", "Bonn") "<edge source='p' target='q'/>" CLOSE

static void test_attributes(void **state)
{
    gnd_graph *g = load(PEOPLE);

    (void)state;
    assert_int_equal(g->n_class, 2);
    assert_string_equal(class_of(g, 0), "x");
    assert_string_equal(class_of(g, 1), "y");
    assert_int_equal(g->label[2], -1);
    assert_int_equal(g->n_feat, 4); /* age, old, Bonn, Ulm */
    assert_true(feature(g, 0, 0) == 30 && feature(g, 1, 0) == 0 && feature(g, 2, 0) == -4);
    assert_true(feature(g, 0, 1) == 1 && feature(g, 1, 1) == 0 && feature(g, 2, 1) == 1);
    assert_true(feature(g, 0, 3) == 1 && feature(g, 1, 2) == 1 && feature(g, 3, 3) == 0);
    assert_true(has_note(g, "attribute 'class' is the label: 4 of 5 vertices, 2 classes"));
    assert_true(has_note(g, "4 features from the attributes age, old, town (text)"));
    assert_true(has_note(g, "not used: name (names the vertices)"));
    assert_true(has_note(g, "1 missing value in 1 column of numbers is set to 0"));
    gnd_graph_free(g);
}

static void test_options(void **state)
{
    gnd_load_opts o = {.size = sizeof o, .label_attribute = "town", .id_attribute = "name"};
    gnd_graph *g = load_with(PEOPLE, &o);
    gnd_error err;
    const char *path = temp_path("g.graphml");

    (void)state;
    check_id(g, 1, "Nq");
    assert_string_equal(class_of(g, 0), "Ulm");
    assert_int_equal(g->label[3], -1);
    assert_true(has_note(g, "age, old"));
    assert_true(feature(g, 0, 0) == 1); /* class is a feature then: the user chose the label */
    gnd_graph_free(g);
    o = (gnd_load_opts){
        .size = sizeof o, .label_attribute = "none", .feature_attributes = "town,age"};
    g = load_with(PEOPLE, &o);
    assert_int_equal(g->n_class, 0);
    assert_int_equal(g->n_feat, 3);
    gnd_graph_free(g);
    o = (gnd_load_opts){.size = sizeof o, .missing = GND_MISSING_MEAN};
    g = load_with(PEOPLE, &o);
    CHECK_CLOSE(feature(g, 1, 0), 6.75, 1e-6); /* of 30, -4, 0 and 1 */
    gnd_graph_free(g);
    o = (gnd_load_opts){.size = sizeof o, .label_attribute = "none", .feature_attributes = "none"};
    g = load_with(PEOPLE, &o);
    assert_int_equal(g->n_feat, 0);
    gnd_graph_free(g);
    o.feature_attributes = "age,nothing";
    CHECK_FAILS(gnd_load(&g, path, &o, &err), GND_ERR_ARG,
                "--feature-attributes: vertices have no attribute 'nothing'; their attributes are: "
                "class, age, old, name, town");
    o = (gnd_load_opts){.size = sizeof o, .label_attribute = "colour"};
    CHECK_FAILS(gnd_load(&g, path, &o, &err), GND_ERR_ARG,
                "--label-attribute: vertices have no attribute 'colour'");
    o = (gnd_load_opts){.size = sizeof o, .id_attribute = "town"};
    CHECK_FAILS(gnd_load(&g, path, &o, &err), GND_ERR_FORMAT,
                "attribute 'town' cannot be the ids: vertex 'r' has the same value");
    o.id_attribute = "class";
    CHECK_FAILS(gnd_load(&g, path, &o, &err), GND_ERR_FORMAT, "cannot be the ids");
    assert_null(g);
    CHECK_FAILS(gnd_load(&g, put("e.csv", "a,b\n"), &o, &err), GND_ERR_ARG,
                "format edgelist has no attributes of vertices; --id-attribute is for graphml");
}

/* A label file replaces the label attribute, which does not become a feature. */
static void test_label_file(void **state)
{
    const gnd_load_opts o = {.size = sizeof o, .labels = put("l.csv", "p,1\nq,2\n")};
    gnd_graph *g = load_with(PEOPLE, &o);

    (void)state;
    assert_int_equal(g->n_feat, 4);
    assert_string_equal(class_of(g, 0), "1");
    assert_int_equal(g->label[4], -1);
    gnd_graph_free(g);
}

/* A text that differs for every vertex names it; two candidates leave a doubt. */
static void test_doubt(void **state)
{
    gnd_graph *g = load(OPEN "<key id='l' for='node' attr.name='label' attr.type='string'/>" UND
                             "<node id='a'><data key='l'>A</data></node>"
                             "<node id='b'><data key='l'>B</data></node>"
                             "<node id='c'><data key='l'>C</data></node>" CLOSE);

    (void)state;
    assert_int_equal(g->n_class, 0);
    assert_int_equal(g->n_feat, 0);
    assert_true(has_note(g, "label (has a different text for nearly every vertex)"));
    gnd_graph_free(g);
    g = load(OPEN "<key id='l' for='node' attr.name='Label' attr.type='int'/>"
                  "<key id='g' for='node' attr.name='group' attr.type='int'/>" UND
                  "<node id='a'><data key='l'>1</data><data key='g'>1</data></node>"
                  "<node id='b'><data key='l'>2</data><data key='g'>2</data></node>"
                  "<node id='c'><data key='l'>1</data><data key='g'>1</data></node>"
                  "<node id='d'><data key='l'>2</data><data key='g'>2</data></node>" CLOSE);
    assert_int_equal(g->n_class, 0);
    assert_int_equal(g->n_feat, 0);
    assert_true(has_note(g, "2 attributes may be the label, so none was taken"));
    assert_true(has_note(g, "Label (may be the label), group (may be the label)"));
    gnd_graph_free(g);
    g = load(OPEN "<key id='l' for='node' attr.name='y' attr.type='double'/>" UND
                  "<node id='a'><data key='l'>1.5</data></node>"
                  "<node id='b'><data key='l'>1.5</data></node>" CLOSE);
    assert_int_equal(g->n_class, 0); /* a number with decimals is no class */
    assert_int_equal(g->n_feat, 1);
    gnd_graph_free(g);
}

/* networkx declares a key for each type of a name: numbers stay numbers, numbers and texts become
 * texts. */
static void test_two_types(void **state)
{
    gnd_graph *g =
        load(OPEN "<key id='i' for='node' attr.name='v' attr.type='long'/>"
                  "<key id='d' for='node' attr.name='v' attr.type='double'/>"
                  "<key id='j' for='node' attr.name='u' attr.type='long'/>"
                  "<key id='s' for='node' attr.name='u' attr.type='string'/>" UND
                  "<node id='a'><data key='i'>1</data><data key='j'>7</data></node>"
                  "<node id='b'><data key='d'>0.1</data><data key='s'>z</data></node>"
                  "<node id='c'><data key='s'>7</data></node><node id='d'><data key='s'>z</data>"
                  "</node>" CLOSE);

    (void)state;
    assert_int_equal(g->n_feat, 3);
    CHECK_CLOSE(feature(g, 1, 0), 0.1, 1e-7);
    assert_true(feature(g, 0, 1) == 1 && feature(g, 2, 1) == 1 && feature(g, 3, 2) == 1);
    gnd_graph_free(g);
}

/* yEd: graphics in another namespace, keys without names, a description. */
static void test_yed(void **state)
{
    gnd_graph *g = load(
        XML "<graphml " NS " xmlns:y='http://www.yworks.com/xml/graphml'>"
            "<!--Created by yEd-->"
            "<key for='graphml' id='d0' yfiles.type='resources'/>"
            "<key attr.name='Description' attr.type='string' for='graph' id='d1'/>"
            "<key for='node' id='d2' yfiles.type='nodegraphics'/>"
            "<key attr.name='url' attr.type='string' for='node' id='d3'/>"
            "<key for='edge' id='d4' yfiles.type='edgegraphics'/>"
            "<graph edgedefault='directed' id='G'><data key='d1'/>"
            "<node id='n0'><data key='d3'/><data key='d2'><y:ShapeNode><y:NodeLabel>one"
            "</y:NodeLabel></y:ShapeNode></data></node>"
            "<node id='n1'><data key='d2'><y:ShapeNode/></data></node>"
            "<edge id='e0' source='n0' target='n1'><data key='d4'><y:PolyLineEdge/></data></edge>"
            "</graph><data key='d0'><y:Resources/></data></graphml>");

    (void)state;
    assert_int_equal(g->n_node, 2);
    assert_int_equal(g->n_feat, 0);
    assert_true(arc(g, 0, 1) == 1 && arc(g, 1, 0) == 0);
    assert_true(has_note(g, "drawing and other data"));
    assert_false(has_note(g, "not used"));
    gnd_graph_free(g);
}

/* Without a namespace, with a prefix, with a document type, in UTF-16 and gzip; ids 0 .. n-1. */
static void test_variants(void **state)
{
    static const char plain[] = "<!DOCTYPE graphml SYSTEM 'graphml.dtd'><graphml>" UND
                                "<node id='1'/><node id='0'/><edge source='1' target='1'/>" CLOSE;
    char wide[1024] = "\xff\xfe";
    size_t n = 2;
    gnd_graph *g = load(plain);
    gnd_error err;

    (void)state;
    assert_null(g->ids);
    assert_true(arc(g, 1, 1) == 1);
    gnd_graph_free(g);
    g = load("<g:graphml xmlns:g='urn:x'><g:graph edgedefault='undirected'>"
             "<g:node id='&lt;\xc3\xa9&gt;'/></g:graph></g:graphml>");
    check_id(g, 0, "<\xc3\xa9>");
    gnd_graph_free(g);
    for (const char *s = plain; *s; s++, n += 2)
        wide[n] = *s;
    CHECK_OK(gnd_load(&g, temp_file("wide.xml", wide, n), NULL, &err));
    assert_int_equal(g->n_node, 2);
    gnd_graph_free(g);
    CHECK_OK(gnd_load(&g, put_gz("z.graphml.gz", plain), NULL, &err));
    assert_int_equal(g->n_node, 2);
    gnd_graph_free(g);
}

static const refused_file bad[] = {
    {"", "g.graphml:1: not valid XML: no element found"},
    {OPEN UND ABC "<edge source='a' target='z'/>" CLOSE,
     "g.graphml:5: the edge names vertex 'z', which does not exist"},
    {OPEN UND ABC ABC CLOSE, "g.graphml:5: vertex 'a' occurs twice; the first is in line 4"},
    {OPEN UND "<node/>" CLOSE, "g.graphml:4: a <node> has no id"},
    {OPEN UND "<node id=''/>" CLOSE, "the id of the vertex is empty"},
    {OPEN UND ABC "<edge source='a'/>" CLOSE, "an <edge> has no target"},
    {OPEN UND ABC "<edge target='a'/>" CLOSE, "an <edge> has no source"},
    {OPEN UND ABC "<edge source='a' target='b' directed='maybe'/>" CLOSE,
     "expected directed=\"true\" or \"false\"; got 'maybe'"},
    {OPEN UND CLOSE, "the graph has no vertices"},
    {OPEN "</graphml>", "has no <graph>"},
    {OPEN "<graph>" ABC CLOSE, "expected edgedefault"},
    {OPEN UND ABC "</graph>" UND CLOSE, "more than one <graph>"},
    {OPEN UND "<hyperedge/>" CLOSE, "has hyperedges"},
    {OPEN UND "<node id='a'><port name='p'/></node>" CLOSE, "has ports"},
    {OPEN UND "<node id='a'>" UND "</graph></node>" CLOSE, "a graph is nested in a vertex"},
    {OPEN UND "<node id='a'><data key='k'>1</data></node>" CLOSE,
     "the key 'k' is not declared by an element <key> before it"},
    {OPEN UND "<node id='a'><data>1</data></node>" CLOSE, "a <data> has no key"},
    {OPEN "<key id='k'/><key id='k'/>" UND ABC CLOSE, "the key 'k' is declared twice"},
    {OPEN "<key id='w' for='edge' attr.name='weight' attr.type='double'/>" UND ABC
          "<edge source='a' target='b'><data key='w'>1</data><data key='w'>2</data></edge>" CLOSE,
     "g.graphml:5: the edge has two weights"},
    {OPEN "<key for='node'/>" UND ABC CLOSE, "an element <key> has no id"},
    {OPEN "<key id='k' for='node' attr.name='n' attr.type='int'/>" UND
          "<node id='a'><data key='k'>ten</data></node>" CLOSE,
     "g.graphml:4: attribute 'n' is one of numbers; got 'ten'"},
    {OPEN "<key id='k' for='node' attr.name='n' attr.type='int'/>" UND
          "<node id='a'><data key='k'>1e300</data></node>" CLOSE,
     "attribute 'n' is one of numbers; got '1e300'"},
    {OPEN "<key id='k' for='node' attr.name='n'/>" UND
          "<node id='a'><data key='k'>1</data><data key='k'>2</data></node>" CLOSE,
     "the vertex has two values of attribute 'n'"},
    {OPEN "<key id='k' for='edge' attr.name='weight'/>" UND ABC
          "<edge source='a' target='b'><data key='k'>-1</data></edge>" CLOSE,
     "g.graphml:5: the weight of an edge must be a finite number that is not negative; got '-1'"},
    {OPEN UND ABC, "not valid XML: no element found"},
    {OPEN UND "<node id='a'></nodes>" CLOSE, "g.graphml:4: not valid XML: mismatched tag"},
    {"<!DOCTYPE graphml [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><graphml>" UND
     "<node id='&b;'/>" CLOSE,
     "the document type has declarations of its own"},
    {"<!DOCTYPE graphml SYSTEM 'file:///etc/passwd'><graphml>" UND "<node id='a'/>&x;" CLOSE,
     "the entity 'x' is not known"},
    {"<graphml>" UND "<node id='&x;'/>" CLOSE, "not valid XML: undefined entity"},
};

static void test_bad(void **state)
{
    (void)state;
    check_bad_files("g.graphml", bad, LENGTH(bad));
}

/* Deep nesting, in GraphML's own namespace and in another one, and the limit on the input. */
static void test_limits(void **state)
{
    enum { DEEP = 20000 };
    char *text = calloc(1, 40 + 8 * DEEP);
    const gnd_load_opts o = {.size = sizeof o, .max_input = 100};
    gnd_graph *g;
    gnd_error err;

    (void)state;
    strcpy(text, "<graphml>");
    for (int i = 0; i < DEEP; i++)
        memcpy(text + 9 + 3 * i, "<a>", 3);
    CHECK_FAILS(gnd_load(&g, put("g.graphml", text), NULL, &err), GND_ERR_FORMAT,
                "elements of GraphML are nested");
    strcpy(text, "<graphml xmlns:x='u'>");
    for (int i = 0; i < DEEP; i++)
        memcpy(text + 21 + 5 * i, "<x:a>", 5);
    CHECK_FAILS(gnd_load(&g, put("g.graphml", text), NULL, &err), GND_ERR_FORMAT,
                "more than 256 elements are nested");
    CHECK_FAILS(gnd_load(&g, temp_path("g.graphml"), &o, &err), GND_ERR_FORMAT, "--max-input");
    free(text);
}

/* A short file with many attributes and many vertices takes no more memory than it may. */
static void test_many(void **state)
{
    enum { MANY = 100 };
    gnd_load_opts o = {.size = sizeof o, .max_input = 1 << 16};
    char *text = calloc(1, 200 * MANY), *at = text;
    gnd_graph *g;
    gnd_error err;

    (void)state;
    for (int with_default = 0; with_default < 2; with_default++) {
        at = text + sprintf(text, "<graphml>");
        for (int i = 0; i < MANY; i++)
            at += sprintf(at, "<key id='k%d' for='node' attr.name='a%d' attr.type='int'>%s</key>",
                          i, i, with_default ? "<default>1</default>" : "");
        at += sprintf(at, UND);
        for (int i = 0; i < MANY; i++)
            at += sprintf(at, "<node id='n%d'><data key='k%d'>1</data></node>", i, i);
        sprintf(at, CLOSE);
        put("g.graphml", text);
        if (with_default) {
            CHECK_FAILS(gnd_load(&g, temp_path("g.graphml"), &o, &err), GND_ERR_FORMAT,
                        "has defaults that take more than 64 kB");
            continue;
        }
        CHECK_OK(gnd_load(&g, temp_path("g.graphml"), &o, &err));
        assert_int_equal(gnd_csr_nnz(&g->feat), MANY);
        gnd_graph_free(g);
        o.missing = GND_MISSING_MEAN;
        CHECK_FAILS(gnd_load(&g, temp_path("g.graphml"), &o, &err), GND_ERR_FORMAT,
                    "too many values of attributes are missing for --missing mean");
    }
    free(text);
}

static void test_mangled(void **state)
{
    (void)state;
    check_mangled(&gnd_format_graphml, "m.graphml",
                  "<graphml><key id='k' for='node' attr.name='x' attr.type='int'/>" UND
                  "<node id='a'><data key='k'>1</data></node><edge source='a' target='a'/>" CLOSE);
}

static void test_stop(void **state)
{
    (void)state;
    put("g.graphml", PEOPLE);
    check_stopped(&gnd_format_graphml, temp_path("g.graphml"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),      cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_attributes), cmocka_unit_test(test_options),
        cmocka_unit_test(test_label_file), cmocka_unit_test(test_doubt),
        cmocka_unit_test(test_two_types),  cmocka_unit_test(test_yed),
        cmocka_unit_test(test_variants),   cmocka_unit_test(test_bad),
        cmocka_unit_test(test_limits),     cmocka_unit_test(test_mangled),
        cmocka_unit_test(test_stop),       cmocka_unit_test(test_many),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
