/* SPDX-License-Identifier: MIT
 * test_labels.c - `id,label` files. */
#include "textfiles.h"

static gnd_graph *named_graph(void)
{
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(gnd_format_edgelist.read(&g, put("g.csv", "a,b\nb,c\n"), NULL, &err));
    return g;
}

static void test_variants(void **state)
{
    static const char *const same[] = {
        "a,red\nb,blue\nc,\n",        "id,label\na,red\nb,blue\n",     "c\t-1\nb\tblue\na\tred",
        "a red\r\n# c\r\nb blue\r\n", "\"a\",\"red\"\nb,blue\nc,\"\"", "id,class\nb,blue\na,red\n",
    };
    gnd_error err;

    (void)state;
    for (size_t i = 0; i < 2 * sizeof same / sizeof same[0]; i++) {
        gnd_graph *g = named_graph();

        CHECK_OK(gnd_labels_load(g, i % 2 ? put_gz("l.gz", same[i / 2]) : put("l", same[i / 2]),
                                 NULL, &err));
        assert_int_equal(g->n_node, 3);
        assert_int_equal(g->n_class, 2);
        assert_string_equal(gnd_graph_class_name(g, 0), "blue");
        assert_int_equal(g->label[0], 1);
        assert_int_equal(g->label[1], 0);
        assert_int_equal(g->label[2], -1);
        assert_int_equal(g->notes.n, 0);
        gnd_graph_free(g);
    }
}

static void test_replaces_and_sorts(void **state)
{
    gnd_graph *g = named_graph();
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_labels_load(g, put("l", "a,x\nb,y\n"), NULL, &err));
    CHECK_OK(gnd_labels_load(g, put("l", "c,10\na,9\na,9\n"), NULL, &err));
    assert_int_equal(g->n_class, 2);
    assert_string_equal(gnd_graph_class_name(g, 0), "9"); /* by number, not as text */
    assert_int_equal(g->label[0], 0);
    assert_int_equal(g->label[1], -1);
    assert_int_equal(g->label[2], 1);
    assert_true(has_note(g, "1 line repeats a label; merged"));
    for (int k = 0; k < 2;
         k++) { /* one number, two classes: their order is not that of the lines */
        CHECK_OK(gnd_labels_load(g, put("l", k ? "a,1\nb,01\nc,+1\n" : "c,+1\nb,01\na,1\n"), NULL,
                                 &err));
        assert_string_equal(gnd_graph_class_name(g, 0), "+1");
        assert_string_equal(gnd_graph_class_name(g, 1), "01");
        assert_string_equal(gnd_graph_class_name(g, g->label[0]), "1");
    }
    gnd_graph_free(g);
}

static void test_header(void **state)
{
    gnd_graph *g = named_graph();
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_labels_load(g, put("l", "who,what\na,x\n"),
                             &(gnd_load_opts){.header = GND_HEADER_YES}, &err));
    assert_int_equal(g->n_node, 3);
    assert_int_equal(g->n_class, 1);
    CHECK_OK(gnd_labels_load(g, put("l", "id,label\na,x\n"),
                             &(gnd_load_opts){.header = GND_HEADER_NO}, &err));
    assert_int_equal(g->n_node, 4);
    gnd_graph_free(g);
}

/* A header may name more columns than id and label: they are passed over, and every line has
 * them. */
static void test_more_columns(void **state)
{
    gnd_graph *g = named_graph();
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_labels_load(g, put("l", "id,label,probability\na,x,0.5\nb,y,\n"), NULL, &err));
    assert_int_equal(g->n_node, 3);
    assert_int_equal(g->n_class, 2);
    assert_string_equal(gnd_graph_class_name(g, g->label[0]), "x");
    assert_string_equal(gnd_graph_class_name(g, g->label[1]), "y");
    assert_int_equal(g->label[2], -1);
    CHECK_OK(gnd_labels_load(
        g, put("l", "who\twhat\twhen\twhy\na\tz\t1\t\"2, 3\"\n"),
        &(gnd_load_opts){.header = GND_HEADER_YES, .columns = "id=who,label=what"}, &err));
    assert_int_equal(g->n_class, 1);
    assert_string_equal(gnd_graph_class_name(g, g->label[0]), "z");
    CHECK_FAILS(gnd_labels_load(g, put("l", "id,label\na,x,0.5\n"), NULL, &err), GND_ERR_FORMAT,
                "l:2: expected 2 fields separated by commas as in line 1; got 3");
    CHECK_FAILS(gnd_labels_load(g, put("l", "id,label,why\na,x,0.5\nb,y\n"), NULL, &err),
                GND_ERR_FORMAT, "l:3: expected 3 fields separated by commas as in line 1; got 2");
    CHECK_FAILS(gnd_labels_load(g, put("l", "id,label,why\na,x,0.5,1\n"), NULL, &err),
                GND_ERR_FORMAT, "got 4");
    CHECK_FAILS(gnd_labels_load(g, put("l", "id,label,why\n"), NULL, &err), GND_ERR_FORMAT,
                "l: has no labels");
    CHECK_FAILS(
        gnd_labels_load(g, put("l", "id\na,x\n"), &(gnd_load_opts){.header = GND_HEADER_YES}, &err),
        GND_ERR_FORMAT, "l:1: expected id and label");
    CHECK_FAILS(gnd_labels_load(g, put("l", "id,label,why\na,x,0.5\n"),
                                &(gnd_load_opts){.header = GND_HEADER_NO}, &err),
                GND_ERR_FORMAT,
                "l:1: it is not clear which column is the label; there are 3 columns");
    assert_int_equal(g->n_class, 1); /* as it was */
    gnd_graph_free(g);
}

/* A first row that names no vertex and no label of another row may be a header. */
static void test_doubt(void **state)
{
    gnd_graph *g = named_graph();
    gnd_error err;

    (void)state;
    CHECK_FAILS(
        gnd_labels_load(g, put("l", "who,what\na,x\nb,y\n"), NULL, &err), GND_ERR_FORMAT,
        "l:1: 'who', 'what' may be a header, since the graph has no such vertex and no other "
        "line has the label; give --header labels=yes or --header labels=no");
    assert_int_equal(g->n_node, 3);
    CHECK_OK(gnd_labels_load(g, put("l", "new,x\na,x\nb,y\n"), NULL, &err)); /* x occurs again */
    assert_int_equal(g->n_node, 4);
    CHECK_OK(gnd_labels_load(g, put("l", "c,z\na,x\nb,y\n"), NULL, &err)); /* c is a vertex */
    assert_int_equal(g->n_class, 3);
    gnd_graph_free(g);
}

/* Columns by name, in any order. */
static void test_columns(void **state)
{
    gnd_graph *g = named_graph();
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_labels_load(g, put("l", "label,id\nx,a\ny,b\n"), NULL, &err));
    assert_int_equal(g->n_node, 3);
    assert_string_equal(gnd_graph_class_name(g, g->label[0]), "x");
    assert_true(has_note(g, "l:1: is read as a header; id is 'id', label is 'label'"));
    CHECK_OK(gnd_labels_load(g, put("l", "1;a;u\n2;b;v\n"),
                             &(gnd_load_opts){.columns = "id=2,label=3"}, &err));
    assert_string_equal(gnd_graph_class_name(g, g->label[1]), "v");
    gnd_graph_free(g);
}

/* Vertices without edges: appended to named ones. */
static void test_isolated_names(void **state)
{
    gnd_graph *g = named_graph();
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_labels_load(g, put("l", "z,1\na,0\n\"y, y\",1\n"), NULL, &err));
    assert_int_equal(g->n_node, 5);
    check_id(g, 2, "c");
    check_id(g, 3, "z");
    check_id(g, 4, "y, y");
    assert_int_equal(g->label[3], 1);
    assert_int_equal(g->label[4], 1);
    assert_int_equal(g->adj.n_row, 5);
    assert_int_equal(g->adj.n_col, 5);
    assert_int_equal(gnd_csr_nnz(&g->adj), 2);
    assert_true(has_note(g, "2 vertices have no edges; added as isolated vertices"));
    CHECK_OK(gnd_graph_check(g, NULL, &err));
    gnd_graph_free(g);
}

/* Numbers that go on from the last keep being numbers, in whatever order they come. */
static void test_isolated_numbers(void **state)
{
    gnd_graph *g = path_graph(3);
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_labels_load(g, put("l", "4,b\n0,a\n3,c\n"), NULL, &err));
    assert_int_equal(g->n_node, 5);
    assert_null(g->ids);
    assert_int_equal(g->label[4], 1);
    assert_int_equal(g->label[3], 2);
    gnd_graph_free(g);
    g = path_graph(3);
    CHECK_OK(gnd_labels_load(g, put("l", "9,b\n1,a\n01,c\n"), NULL, &err));
    assert_int_equal(g->n_node, 5);
    check_id(g, 1, "1");
    check_id(g, 3, "9");
    check_id(g, 4, "01");
    assert_int_equal(g->label[1], 0);
    assert_int_equal(g->label[3], 1);
    assert_int_equal(g->label[4], 2);
    CHECK_OK(gnd_graph_check(g, NULL, &err));
    gnd_graph_free(g);
}

static const bad_file bad[] = {
    {"", GND_ERR_FORMAT, "bad.csv: has no labels"},
    {"id,label\n", GND_ERR_FORMAT, "bad.csv: has no labels"},
    {"# a,b\n", GND_ERR_FORMAT, "bad.csv: has no labels"},
    {"a\n", GND_ERR_FORMAT, "bad.csv:1: expected id and label; got 1 field separated by blanks"},
    {"a,x\nb\n", GND_ERR_FORMAT,
     "bad.csv:2: expected 2 fields separated by commas as in line 1; got 1"},
    {"a,x\nb y\n", GND_ERR_FORMAT,
     "bad.csv:2: expected 2 fields separated by commas as in line 1; got 1"},
    {"a,x,0.5\n", GND_ERR_FORMAT, "bad.csv:1: it is not clear which column is the label"},
    {"a\tx\nb,y\n", GND_ERR_FORMAT,
     "bad.csv:2: expected 2 fields separated by tabs as in line 1; got 1"},
    {"a,x\n,y\n", GND_ERR_FORMAT, "bad.csv:2: the id of the vertex is empty"},
    {"a,x\nb,y\n\na,y\n", GND_ERR_FORMAT,
     "bad.csv:4: vertex 'a' has label 'y'; in line 1 it has 'x'"},
    {"a,x\na,\n", GND_ERR_FORMAT, "bad.csv:2: vertex 'a' has label ''; in line 1 it has 'x'"},
    {"new,x\nnew,z\n", GND_ERR_FORMAT, "bad.csv:2: vertex 'new' has label 'z'"},
    {"a,\"x\n", GND_ERR_FORMAT, "bad.csv:1: a quote is not closed"},
    {"\"a\"b,x\n", GND_ERR_FORMAT, "bad.csv:1: text follows a closing quote"},
};

/* A file that is refused leaves the graph as it was, ids it had begun to add included. */
static void test_bad(void **state)
{
    gnd_graph *g = named_graph();
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_labels_load(g, put("l", "b,keep\n"), NULL, &err));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_FAILS(gnd_labels_load(g, put("bad.csv", bad[i].text), NULL, &err), bad[i].code,
                    bad[i].say);
        assert_int_equal(g->n_node, 3);
        assert_int_equal(gnd_names_count(g->ids), 3);
        assert_int_equal(g->n_class, 1);
        assert_int_equal(g->label[1], 0);
        assert_int_equal(g->notes.n, 0);
    }
    CHECK_FAILS(gnd_labels_load(g, temp_file("n", "a,x\0\n", 5), NULL, &err), GND_ERR_FORMAT,
                "n:1: has a NUL byte");
    CHECK_FAILS(gnd_labels_load(g, temp_path("none"), NULL, &err), GND_ERR_IO,
                "none: No such file");
    gnd_graph_free(g);
}

static void try_bytes(const char *s, size_t n)
{
    gnd_graph *g = path_graph(4);
    gnd_error err = {0};
    const gnd_status st = gnd_labels_load(g, temp_file("m", s, n), NULL, &err);

    check_outcome(st, g, &err);
    gnd_graph_free(g);
}

static void test_mangled(void **state)
{
    (void)state;
    mangle("id,label\n0,x\n\"1\",\"y\"\"z\"\n2,-1\n9,x\n", try_bytes);
}

/* Seeds train; what the graph knew besides stays, under one list of classes. */
static void seeds_and_others(void **state)
{
    const gnd_split_opts so = {.size = sizeof so, .kind = GND_SPLIT_TRAIN_LABELS};
    static const char *const name[] = {"k", "z", "m", "z", "m"};
    static const int seed[] = {1, 1, 0, 0, 1};
    gnd_graph *g = path_graph(5), *und = NULL;
    gnd_split *s = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_labels_load(g, put("l", "0,m\n1,z\n2,m\n3,z\n"), NULL, &err));
    CHECK_FAILS(gnd_split_new(&s, g, &so, &err), GND_ERR_ARG, "without a file of training labels");
    /* 0 is contradicted, 1 confirmed, 3 named without a label, 4 new; k is a class of the file
     * alone. */
    CHECK_OK(gnd_train_labels_load(g, put("s", "0,k\n1,z\n3,\n4,m\n"), NULL, &err));
    assert_int_equal(g->n_class, 3);
    assert_string_equal(gnd_graph_class_name(g, 0), "k");
    for (int64_t v = 0; v < 5; v++) {
        assert_string_equal(gnd_graph_class_name(g, g->label[v]), name[v]);
        assert_int_equal(g->in_train_file[v], seed[v]);
    }
    CHECK_OK(gnd_graph_convert(&und, g, GND_GRAPH_UND, &err)); /* carries them along */
    CHECK_OK(gnd_split_new(&s, und, &so, &err));
    assert_int_equal(gnd_split_n_train(s), 3);
    assert_int_equal(gnd_split_n_val(s), 0);
    assert_int_equal(gnd_split_n_test(s), 2);
    assert_int_equal(gnd_split_train(s)[2], 4);
    assert_int_equal(gnd_split_test(s)[0], 2);
    gnd_split_free(s);
    gnd_graph_free(und);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variants),     cmocka_unit_test(test_replaces_and_sorts),
        cmocka_unit_test(test_header),       cmocka_unit_test(test_isolated_names),
        cmocka_unit_test(test_more_columns), cmocka_unit_test(test_isolated_numbers),
        cmocka_unit_test(test_bad),          cmocka_unit_test(test_mangled),
        cmocka_unit_test(seeds_and_others),  cmocka_unit_test(test_doubt),
        cmocka_unit_test(test_columns),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
