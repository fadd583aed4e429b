/* SPDX-License-Identifier: MIT
 * test_geomgcn.c - Geom-GCN's pair of text files. */
#include "textfiles.h"

#define NODE  "geom/out1_node_feature_label.txt"
#define EDGE  "geom/out1_graph_edges.txt"
#define HEAD  "node_id\tfeature\tlabel\n"
#define EHEAD "node_id\tnode_id\n"

static gnd_graph *load(const char *nodes, const char *edges, const char *path, gnd_header header)
{
    const gnd_load_opts o = {.size = sizeof o, .header = header};
    gnd_graph *g = NULL;
    gnd_error err;

    put(NODE, nodes);
    put(EDGE, edges);
    CHECK_OK(gnd_format_geomgcn.read(&g, temp_path(path), &o, &err));
    CHECK_OK(gnd_graph_check(g, path, &err));
    return g;
}

static void test_read(void **state)
{
    static const char *const paths[] = {"geom", "geom/", NODE, EDGE};

    (void)state;
    for (int i = 0; i < 4; i++) {
        gnd_graph *g = load(HEAD "2\t0,1,0\t1\n0\t1,0,1\t0\r\n1\t0,0,0\t10\n",
                            EHEAD "0\t1\n2\t2\n2\t1\n0\t1\n", paths[i], GND_HEADER_AUTO);

        assert_string_equal(g->name, "geom");
        assert_int_equal(g->n_node, 3);
        assert_null(g->ids);
        assert_int_equal(g->n_feat, 3);
        assert_true(feature(g, 2, 1) == 1 && feature(g, 0, 0) == 1 && feature(g, 0, 2) == 1);
        assert_int_equal(gnd_csr_nnz(&g->feat), 3);
        assert_null(g->feat.val);
        assert_true(arc(g, 0, 1) == 1 && arc(g, 2, 2) == 1 && arc(g, 2, 1) == 1);
        assert_true(has_note(g, "1 duplicate edge was merged"));
        assert_int_equal(g->n_class, 3);
        assert_int_equal(g->label[0], 0);
        assert_int_equal(g->label[2], 1);
        assert_int_equal(g->label[1], 2);
        assert_string_equal(gnd_graph_class_name(g, 2), "10");
        gnd_graph_free(g);
    }
}

static void test_headers(void **state)
{
    gnd_graph *g = load("a\t1\t0\nb\t0\t1\n", "a b\n", "geom", GND_HEADER_AUTO);

    (void)state;
    assert_int_equal(g->n_node, 2);
    check_id(g, 0, "a");
    gnd_graph_free(g);
    g = load("x\ty\tz\na\t1\t0\n", "x\ty\na\ta\n", "geom", GND_HEADER_YES);
    assert_int_equal(g->n_node, 1);
    gnd_graph_free(g);
    g = load("a\t1\t0\nb\t0\t\n", "a\tb\n", "geom", GND_HEADER_NO);
    assert_int_equal(g->label[1], -1);
    gnd_graph_free(g);
}

/* film: the columns that are 1, as many as there are. */
static void test_lists(void **state)
{
    gnd_graph *g = load(HEAD "0\t3,931\t4\n1\t0\t2\n2\t\t2\n3\t1,3,3\t4\n", EHEAD "0\t1\n", "geom",
                        GND_HEADER_AUTO);

    (void)state;
    assert_int_equal(g->n_feat, 932);
    assert_int_equal(gnd_csr_nnz(&g->feat), 5);
    assert_true(feature(g, 0, 3) == 1 && feature(g, 0, 931) == 1 && feature(g, 1, 0) == 1);
    assert_true(feature(g, 3, 1) == 1 && feature(g, 3, 3) == 1);
    assert_true(has_note(g, "lists of columns"));
    gnd_graph_free(g);
    /* equal lengths are values, be they over 1 */
    g = load(HEAD "0\t3,0.5\t4\n1\t0,2\t2\n", EHEAD "0\t1\n", "geom", GND_HEADER_AUTO);
    assert_int_equal(g->n_feat, 2);
    CHECK_CLOSE(feature(g, 0, 0), 3, 0);
    CHECK_CLOSE(feature(g, 0, 1), 0.5, 0);
    gnd_graph_free(g);
}

static const struct {
    const char *nodes, *edges;
    gnd_status code;
    const char *say;
} bad[] = {
    {"", "", GND_ERR_FORMAT, "out1_node_feature_label.txt: has no vertices"},
    {HEAD, EHEAD, GND_ERR_FORMAT, "out1_node_feature_label.txt: has no vertices"},
    {HEAD "0\t1\t0\n", EHEAD, GND_ERR_FORMAT, "out1_graph_edges.txt: has no edges"},
    {HEAD "0\t1\n", EHEAD "0\t0\n", GND_ERR_FORMAT,
     "label.txt:2: expected id, features and label separated by tabs; got 2 fields"},
    {HEAD "0 1 0\n", EHEAD "0\t0\n", GND_ERR_FORMAT,
     "label.txt:2: expected id, features and label"},
    {HEAD "0\t1,0\t0\n1\t1\t0\n", EHEAD "0\t1\n", GND_ERR_FORMAT,
     "label.txt:3: expected 2 features as in line 2; got 1"},
    {HEAD "0\t1,0\t0\n1\t1,0,\t0\n", EHEAD "0\t1\n", GND_ERR_FORMAT,
     "label.txt:3: expected 2 features as in line 2; got 3"},
    {HEAD "0\t1,\t0\n1\t1,\t0\n", EHEAD "0\t1\n", GND_ERR_FORMAT,
     "label.txt:2: feature 1: expected a finite number; got ''"},
    {HEAD "0\t1,x\t0\n", EHEAD "0\t0\n", GND_ERR_FORMAT,
     "label.txt:2: feature 1: expected a finite number; got 'x'"},
    {HEAD "0\tnan\t0\n", EHEAD "0\t0\n", GND_ERR_FORMAT,
     "feature 0: expected a finite number; got 'nan'"},
    {HEAD "0\t1\t0\n0\t1\t0\n", EHEAD "0\t0\n", GND_ERR_FORMAT,
     "label.txt:3: vertex '0' is already in line 2"},
    {HEAD "\t1\t0\n", EHEAD "0\t0\n", GND_ERR_FORMAT, "label.txt:2: the id of the vertex is empty"},
    {HEAD "0\t2000000000\t0\n1\t1,2\t0\n", EHEAD "0\t1\n", GND_ERR_FORMAT,
     "label.txt:2: column 2000000000 is out of range"},
    {HEAD "0\t1\t0\n", EHEAD "0\t5\n", GND_ERR_FORMAT,
     "edges.txt:2: vertex '5' is not in out1_node_feature_label.txt"},
    {HEAD "0\t1\t0\n", EHEAD "0\n", GND_ERR_FORMAT,
     "edges.txt:2: expected two ids separated by tabs; got 1 field"},
    {HEAD "0\t1\t0\n", EHEAD "0\t0\t0\n", GND_ERR_FORMAT, "got 3 fields"},
    {HEAD "0\t\"1\t0\n", EHEAD "0\t0\n", GND_ERR_FORMAT, "label.txt:2: a quote is not closed"},
    {NULL, EHEAD "0\t0\n", GND_ERR_IO, "out1_node_feature_label.txt: No such file"},
    {HEAD "0\t1\t0\n", NULL, GND_ERR_IO, "out1_graph_edges.txt: No such file"},
};

static void test_bad(void **state)
{
    gnd_graph *g;
    gnd_error err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        unlink(temp_path(NODE));
        unlink(temp_path(EDGE));
        if (bad[i].nodes)
            put(NODE, bad[i].nodes);
        if (bad[i].edges)
            put(EDGE, bad[i].edges);
        CHECK_FAILS(gnd_format_geomgcn.read(&g, temp_path("geom"), NULL, &err), bad[i].code,
                    bad[i].say);
        assert_null(g);
    }
}

static void read_mangled(void)
{
    gnd_graph *g = NULL;
    gnd_error err = {0};
    gnd_status st;

    st = gnd_format_geomgcn.read(&g, temp_path("geom"), NULL, &err);
    check_outcome(st, g, &err);
    gnd_graph_free(g);
}

static void try_nodes(const char *s, size_t n)
{
    temp_file(NODE, s, n);
    read_mangled();
}

static void try_edges(const char *s, size_t n)
{
    temp_file(EDGE, s, n);
    read_mangled();
}

static void test_mangled(void **state)
{
    (void)state;
    put(EDGE, EHEAD "0\t1\n1\t1\n");
    mangle(HEAD "0\t1,0\t1\n1\t0,1\t0\n", try_nodes);
    mangle(HEAD "0\t1,77\t1\n1\t3\t0\n", try_nodes);
    put(NODE, HEAD "0\t1,0\t1\n1\t0,1\t0\n");
    mangle(EHEAD "0\t1\n1\t1\n", try_edges);
}

static void test_sniff(void **state)
{
    (void)state;
    assert_true(gnd_format_geomgcn.sniff("d/out1_graph_edges.txt", "node", 4));
    assert_true(gnd_format_geomgcn.sniff(temp_path("geom"), "", 0));
    assert_false(gnd_format_geomgcn.sniff(temp_dir, "", 0));
    assert_false(gnd_format_geomgcn.sniff("x.txt", "0 1", 3));
}

static int setup(void **state)
{
    return temp_setup(state) == 0 ? mkdir(temp_path("geom"), 0777) : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read), cmocka_unit_test(test_headers), cmocka_unit_test(test_lists),
        cmocka_unit_test(test_bad),  cmocka_unit_test(test_mangled), cmocka_unit_test(test_sniff),
    };

    return cmocka_run_group_tests(tests, setup, temp_teardown);
}
