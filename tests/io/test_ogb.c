/* SPDX-License-Identifier: MIT
 * test_ogb.c - folders of the Open Graph Benchmark. */
#include "textfiles.h"

static void put_set(const char *n, const char *edges, const char *feat, const char *label)
{
    static const char *const all[] = {"edge",      "num-node-list", "num-edge-list",
                                      "node-feat", "node-label",    "triplet-type-list",
                                      "edge-feat"};

    for (int i = 0; i < LENGTH(all); i++) {
        char name[64];

        snprintf(name, sizeof name, "set/raw/%s.csv", all[i]);
        unlink(temp_path(name));
        strcat(name, ".gz");
        unlink(temp_path(name));
    }
    put_gz("set/raw/num-node-list.csv.gz", n);
    if (edges)
        put_gz("set/raw/edge.csv.gz", edges);
    if (feat)
        put_gz("set/raw/node-feat.csv.gz", feat);
    if (label)
        put_gz("set/raw/node-label.csv.gz", label);
}

static void test_read(void **state)
{
    static const char *const paths[] = {"set", "set/", "set/raw"};
    gnd_error err;

    (void)state;
    put_set("3\n", "0,1\n2,1\n0,1\n", "0.5,0\n-1e-3,2\n0,0\n", "10\n2\nnan\n");
    put_gz("set/raw/num-edge-list.csv.gz", "3\n");
    put("set/raw/edge-feat.csv", "1\n1\n1\n");
    for (int i = 0; i < LENGTH(paths); i++) {
        gnd_graph *g = NULL;

        CHECK_OK(gnd_load(&g, temp_path(paths[i]), NULL, &err));
        assert_string_equal(gnd_graph_name(g), i < 2 ? "set" : "raw");
        assert_int_equal(g->n_node, 3);
        assert_null(g->ids);
        assert_true(arc(g, 0, 1) == 1 && arc(g, 2, 1) == 1 && arc(g, 1, 0) == 0);
        assert_true(has_note(g, "1 duplicate edge was merged"));
        assert_true(has_note(g, "features of edges are not used"));
        assert_int_equal(has_note(g, "the split of the set is not used"), i < 2);
        assert_int_equal(g->n_feat, 2);
        assert_int_equal(gnd_csr_nnz(&g->feat), 3);
        assert_true(feature(g, 0, 0) == 0.5 && feature(g, 1, 1) == 2);
        CHECK_CLOSE(feature(g, 1, 0), -1e-3, 1e-9);
        assert_int_equal(g->n_class, 2);
        assert_string_equal(gnd_graph_class_name(g, g->label[0]), "10");
        assert_int_equal(g->label[1], 0);
        assert_int_equal(g->label[2], -1);
        gnd_graph_free(g);
    }
}

/* Labels as pandas writes them, several labels per vertex, no features. */
static void test_labels(void **state)
{
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    put_set("3\n", "0,1\n", NULL, "1.0\n\n0.0\n");
    CHECK_OK(gnd_load(&g, temp_path("set"), NULL, &err));
    assert_int_equal(g->n_feat, 0);
    assert_int_equal(g->n_class, 2);
    assert_string_equal(gnd_graph_class_name(g, g->label[0]), "1");
    assert_int_equal(g->label[1], -1);
    gnd_graph_free(g);
    put_set("2\n", "0,1\n", NULL, "1,0\n0,1\n");
    CHECK_OK(gnd_load(&g, temp_path("set"), NULL, &err));
    assert_int_equal(g->n_class, 0);
    assert_true(has_note(g, "has 2 labels per vertex"));
    gnd_graph_free(g);
}

static void test_files(void **state)
{
    gnd_load_opts o = {.size = sizeof o, .data_dir = temp_dir};
    char path[512];
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    put_set("2\n", "0,1\n", NULL, "1\n0\n");
    CHECK_OK(gnd_dataset_find(path, sizeof path, "set", temp_dir, &err));
    CHECK_OK(gnd_load(&g, "set", &o, &err));
    assert_int_equal(g->n_node, 2);
    gnd_graph_free(g);
    assert_true(gnd_format_ogb.part(path, sizeof path, temp_path("set"), 0));
    assert_non_null(strstr(path, "set/raw/edge.csv.gz"));
    assert_false(gnd_format_ogb.part(path, sizeof path, temp_path("set"), 5));
    assert_false(gnd_format_ogb.sniff(temp_dir, "", 0));
}

static const struct {
    const char *n, *edges, *feat, *label, *say;
} bad[] = {
    {"0\n", "0,1\n", NULL, NULL, "num-node-list.csv must state 1 to"},
    {"x\n", "0,1\n", NULL, NULL, "num-node-list.csv.gz:1: expected a count"},
    {"", "0,1\n", NULL, NULL, "expected a count"},
    {"2\n2\n", "0,1\n", NULL, NULL, "the folder has several graphs"},
    {"2000000000\n", "0,1\n", NULL, NULL, "more than 4 bytes of edges can have"},
    {"2\n", NULL, NULL, NULL, "the folder has no raw/edge.csv.gz"},
    {"2\n", "0,2\n", NULL, NULL, "edge.csv.gz:1: expected two vertices from 0 to 1"},
    {"2\n", "0,1\n0\n", NULL, NULL, "edge.csv.gz:2: expected two vertices; got one"},
    {"2\n", "0,1,1\n", NULL, NULL, "expected two vertices from 0 to 1"},
    {"2\n", "-1,0\n", NULL, NULL, "expected two vertices"},
    {"2\n", "0,1\n", "1,2\n", NULL, "has fewer lines than the 2 vertices"},
    {"2\n", "0,1\n", "", NULL, "has fewer lines than the 2 vertices"},
    {"2\n", "0,1\n", "1\n2\n3\n", NULL, "has more lines than the 2 vertices"},
    {"2\n", "0,1\n", "1,2\n3,4,5\n", NULL,
     "feat.csv.gz:2: expected 2 features as in line 1; got more"},
    {"2\n", "0,1\n", "1,2\n3      \n", NULL, "expected a finite number as feature 0"},
    {"2\n", "0,1\n", "1,2\n3333\n", NULL,
     "feat.csv.gz:2: expected 2 features as in line 1; got fewer"},
    {"2\n", "0,1\n", "1,2\n3,inf\n", NULL, "expected a finite number as feature 1; got 'inf'"},
    {"2\n", "0,1\n", NULL, "1\n", "has fewer lines"},
    {"2\n", "0,1\n", NULL, "1\n1\n1\n", "has more lines"},
    {"2\n", "0,1\n", NULL, "1\ncat\n", "label.csv.gz:2: expected a class number; got 'cat'"},
    {"2\n", "0,1\n", NULL, "1\n1.5\n", "expected a class number; got '1.5'"},
};

static void test_bad(void **state)
{
    gnd_graph *g;
    gnd_error err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        put_set(bad[i].n, bad[i].edges, bad[i].feat, bad[i].label);
        CHECK_FAILS(gnd_load(&g, temp_path("set"), NULL, &err),
                    bad[i].edges ? GND_ERR_FORMAT : GND_ERR_IO, bad[i].say);
        assert_null(g);
    }
    put_set("2\n", "0,1\n", NULL, NULL);
    put("set/raw/num-edge-list.csv", "2\n");
    CHECK_FAILS(gnd_load(&g, temp_path("set"), NULL, &err), GND_ERR_FORMAT,
                "has 1 edges; num-edge-list.csv says 2");
    put("set/raw/triplet-type-list.csv", "a,b,c\n");
    CHECK_FAILS(gnd_load(&g, temp_path("set"), NULL, &err), GND_ERR_FORMAT,
                "vertices and edges have several types");
}

static void read_mangled(void)
{
    gnd_graph *g = NULL;
    gnd_error err = {0};
    gnd_status st;

    st = gnd_format_ogb.read(&g, temp_path("set"), NULL, &err);
    check_outcome(st, g, &err);
    gnd_graph_free(g);
}

static void try_feat(const char *s, size_t n)
{
    temp_file("set/raw/node-feat.csv", s, n);
    read_mangled();
}

static void try_label(const char *s, size_t n)
{
    temp_file("set/raw/node-label.csv", s, n);
    read_mangled();
}

static void try_edge(const char *s, size_t n)
{
    temp_file("set/raw/edge.csv", s, n);
    read_mangled();
}

static void test_mangled(void **state)
{
    (void)state;
    put_set("2\n", "0,1\n", NULL, NULL);
    mangle("0.5,1\n2,-3\n", try_feat);
    unlink(temp_path("set/raw/node-feat.csv"));
    mangle("0\n12\n", try_label);
    unlink(temp_path("set/raw/node-label.csv"));
    unlink(temp_path("set/raw/edge.csv.gz"));
    mangle("0,1\n1,0\n", try_edge);
}

static void test_stop(void **state)
{
    (void)state;
    put_set("2\n", "0,1\n", NULL, NULL);
    check_stopped(&gnd_format_ogb, temp_path("set"));
}

static int setup(void **state)
{
    static const char *const folders[] = {"set", "set/raw", "set/split", "set/split/time"};

    if (temp_setup(state) != 0)
        return -1;
    for (int i = 0; i < LENGTH(folders); i++)
        if (mkdir(temp_path(folders[i]), 0777) != 0)
            return -1;
    put("set/split/time/train.csv", "0\n");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read), cmocka_unit_test(test_labels),  cmocka_unit_test(test_files),
        cmocka_unit_test(test_bad),  cmocka_unit_test(test_mangled), cmocka_unit_test(test_stop),
    };

    return cmocka_run_group_tests(tests, setup, temp_teardown);
}
