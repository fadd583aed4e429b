/* SPDX-License-Identifier: MIT
 * test_attributes_nomem.c - GraphML, GEXF and JSON with every allocation failing in turn. jansson
 * has allocators of its own, so that its part is not walked. */
#include "textfiles.h"

#include "mallocfail.h"

static void walk(const char *name, const char *text, const gnd_load_opts *o, int64_t n_feat)
{
    const char *path = put(name, text);
    gnd_graph *g = NULL;
    gnd_error err;

    NOMEM_WALK(gnd_load(&g, path, o, &err), assert_null(g));
    assert_int_equal(g->n_node, 4);
    assert_int_equal(g->n_feat, n_feat);
    assert_int_equal(g->n_class, 2);
    gnd_graph_free(g);
}

static void test_graphml(void **state)
{
    const gnd_load_opts o = {.size = sizeof o, .id_attribute = "n"};

    (void)state;
    walk("g.graphml",
         "<graphml xmlns='u' xmlns:y='v'><key id='k' for='node' attr.name='class'/>"
         "<key id='n' for='node' attr.name='n'/><key id='t' for='node' attr.name='t'>"
         "<default>u</default></key><key id='i' for='node' attr.name='m' attr.type='int'/>"
         "<key id='s' for='node' attr.name='m'/>"
         "<graph edgedefault='undirected'>"
         "<node id='a'><data key='k'>x</data><data key='n'>1</data><data key='i'>1</data></node>"
         "<node id='b'><data key='k'>x</data><data key='n'>2</data><y:z/></node>"
         "<node id='c'><data key='k'>y</data><data key='n'>3</data><data key='t'>v</data></node>"
         "<node id='d'><data key='k'>y</data><data key='n'>4</data><data key='s'>1</data></node>"
         "<edge source='a' target='b'/><edge source='b' target='a'/></graph></graphml>",
         &o, 3);
}

static void test_gexf(void **state)
{
    (void)state;
    walk("g.gexf",
         "<gexf><graph><attributes class='node'><attribute id='0' title='class'/>"
         "<attribute id='1' title='x' type='float'><default>2</default></attribute></attributes>"
         "<nodes><node id='a' label='A'><attvalues><attvalue for='0' value='p'/></attvalues></node>"
         "<node id='b'><attvalues><attvalue for='0' value='p'/></attvalues></node>"
         "<node id='c'><attvalues><attvalue for='0' value='q'/></attvalues></node>"
         "<node id='d'><attvalues><attvalue for='0' value='q'/></attvalues></node></nodes>"
         "<edges><edge source='a' target='b' weight='2'/></edges></graph></gexf>",
         NULL, 1);
}

static void test_json(void **state)
{
    (void)state;
    walk("g.json",
         "{\"nodes\": [{\"id\": \"a\", \"class\": 1, \"x\": 1}, {\"id\": \"b\", \"class\": 1, "
         "\"x\": [2]}, {\"id\": \"c\", \"class\": 2, \"y\": 1}, {\"id\": \"d\", \"class\": 2, "
         "\"y\": 2}], \"links\": [{\"source\": 0, \"target\": 1, \"u\": 1}]}",
         NULL, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphml),
        cmocka_unit_test(test_gexf),
        cmocka_unit_test(test_json),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
