/* SPDX-License-Identifier: MIT
 * test_edgelist.c - edges as text, well and badly formed. */
#include "textfiles.h"

#include <time.h>

static gnd_graph *load_as(const char *path, gnd_header header)
{
    const gnd_load_opts o = {.size = sizeof o, .header = header};
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(gnd_format_edgelist.read(&g, path, &o, &err));
    CHECK_OK(gnd_graph_check(g, path, &err));
    return g;
}

static gnd_graph *load(const char *path)
{
    return load_as(path, GND_HEADER_AUTO);
}

/* The same little graph in every way people write it. */
static void test_variants(void **state)
{
    static const char *const same[] = {
        "0,1\n1,2\n0,2\n",
        "0\t1\n1\t2\n0\t2",
        "0 1\r\n1 2\r\n0 2\r\n",
        "# SNAP\n% KONECT\n\n0 1\n# inside\n1   2\n  0 2  \n",
        "source,target\n0,1\n1,2\n0,2\n",
        "From\tTO\n0\t1\n1\t2\n0\t2\n",
        "src,dst,weight\n0,1,1\n1,2,1.0\n0,2,1e0\n",
        "\xef\xbb\xbf\"0\",\"1\"\n1, 2\n0 ,2\n",
    };

    (void)state;
    for (size_t i = 0; i < 2 * sizeof same / sizeof same[0]; i++) {
        const char *text = same[i / 2];
        gnd_graph *g = load(i % 2 ? put_gz("e.csv.gz", text) : put("e.csv", text));

        assert_int_equal(g->n_node, 3);
        assert_null(g->ids);
        assert_null(g->adj.val);
        assert_int_equal(gnd_csr_nnz(&g->adj), 3);
        assert_true(arc(g, 0, 1) == 1 && arc(g, 1, 2) == 1 && arc(g, 0, 2) == 1);
        assert_true(arc(g, 1, 0) == 0);
        assert_string_equal(g->name, "e");
        assert_int_equal(g->notes.n, 0);
        gnd_graph_free(g);
    }
}

static void test_string_ids(void **state)
{
    gnd_graph *g = load(put("s.csv", "bob,alice\n\"Smith, J.\",bob\n007,7\n"));

    (void)state;
    assert_int_equal(g->n_node, 5);
    check_id(g, 0, "bob");
    check_id(g, 1, "alice");
    check_id(g, 2, "Smith, J.");
    check_id(g, 3, "007");
    check_id(g, 4, "7");
    assert_true(arc(g, 0, 1) == 1 && arc(g, 2, 0) == 1 && arc(g, 3, 4) == 1);
    gnd_graph_free(g);
}

/* Numbers until late in the file, then a name: those before must be renamed, in order. */
static void test_numbers_then_names(void **state)
{
    gnd_graph *g = load(put("s.csv", "1,0\n2,1\n0,x\n2,2147483647\n"));

    (void)state;
    assert_int_equal(g->n_node, 5);
    check_id(g, 0, "1");
    check_id(g, 1, "0");
    check_id(g, 2, "2");
    check_id(g, 3, "x");
    check_id(g, 4, "2147483647");
    assert_true(arc(g, 0, 1) == 1 && arc(g, 2, 0) == 1 && arc(g, 1, 3) == 1 && arc(g, 2, 4) == 1);
    gnd_graph_free(g);
}

static void test_gaps(void **state)
{
    gnd_graph *g = load(put("s.txt", "10 30\n30 2000000000\n"));

    (void)state;
    assert_int_equal(g->n_node, 3);
    check_id(g, 0, "10");
    check_id(g, 1, "30");
    check_id(g, 2, "2000000000");
    assert_true(arc(g, 0, 1) == 1 && arc(g, 1, 2) == 1);
    gnd_graph_free(g);
    g = load(put("s.txt", "3 10\n2 1\n10 2\n")); /* from 1, in any order: ascending */
    assert_int_equal(g->n_node, 4);
    check_id(g, 0, "1");
    check_id(g, 1, "2");
    check_id(g, 2, "3");
    check_id(g, 3, "10");
    assert_int_equal(gnd_csr_nnz(&g->adj), 3);
    assert_true(arc(g, 2, 3) == 1 && arc(g, 1, 0) == 1 && arc(g, 3, 1) == 1);
    gnd_graph_free(g);
    g = load(put("s.txt", "2 1\n1 0\n")); /* dense: numbers stay whatever the order */
    assert_null(g->ids);
    assert_true(arc(g, 2, 1) == 1 && arc(g, 1, 0) == 1);
    gnd_graph_free(g);
}

/* Hashtags: a line that is passed over as a comment but looks like an edge is not passed over in
 * silence. */
static void test_tags(void **state)
{
    gnd_graph *g =
        load(put("t.csv", "#a,b\n# words, and\nb,#c1\n#c,d\n## e,f\n#!x y\n#nothing\nb,#c2\n"));

    (void)state;
    assert_int_equal(gnd_csr_nnz(&g->adj), 2);
    assert_int_equal(g->notes.n, 1);
    assert_true(has_note(g, "t.csv: 2 lines begin with # or % and are each a comment"));
    gnd_graph_free(g);
    g = load(put("t.csv", "\"#a\",b\n\"%c\",\"#a\"\n"));
    assert_int_equal(g->n_node, 3);
    assert_int_equal(gnd_csr_nnz(&g->adj), 2);
    assert_int_equal(g->notes.n, 0);
    gnd_graph_free(g);
}

static void test_weights_loops_duplicates(void **state)
{
    gnd_graph *g = load(put("w.tsv", "0\t1\t0.5\n1\t1\t2\n0\t1\t3\n0\t1\t1\n1\t0\t0\n"));

    (void)state;
    assert_int_equal(gnd_csr_nnz(&g->adj), 2);
    assert_true(arc(g, 0, 1) == 3 && arc(g, 1, 1) == 2);
    assert_int_equal(gnd_csr_find(&g->adj, 1, 0), -1); /* weight 0 is no edge, in any mode */
    assert_int_equal(g->notes.n, 2);
    assert_true(has_note(g, "1 edge of weight 0 was left out"));
    assert_true(has_note(g, "2 duplicate edges were merged"));
    gnd_graph_free(g);
}

static void test_header(void **state)
{
    gnd_graph *g = load_as(put("h.csv", "left,right\na,b\n"), GND_HEADER_YES);

    (void)state;
    assert_int_equal(g->n_node, 2);
    gnd_graph_free(g);
    g = load_as(put("h.csv", "left,right\na,b\n"), GND_HEADER_NO);
    assert_int_equal(g->n_node, 4);
    gnd_graph_free(g);
    g = load_as(put("h.csv", "source,target\na,b\n"), GND_HEADER_NO);
    assert_int_equal(g->n_node, 4);
    gnd_graph_free(g);
    g = load_as(put("h.csv", "a,b\nsource,target\nb,a\n"), GND_HEADER_AUTO); /* not in line 1 */
    assert_int_equal(g->n_node, 4);
    gnd_graph_free(g);
}

/* A first row of text whose ids occur nowhere else may be a header: the user decides. */
static void test_doubt(void **state)
{
    static const char *const doubt[] = {"person,friend\nann,bob\nbob,cat\n", "left,right\na,b\n",
                                        "source,paris\na,b\n"};
    static const char *const data[] = {"ann,bob\nbob,cat\n", "a,a\nb,c\n", "n1,n2\nn3,n4\n",
                                       "# gnd vertex a\na,b\nc,d\n", "left,right\n"};
    char text[4096] = "x,y\n";
    gnd_graph *g;
    gnd_error err;

    (void)state;
    for (size_t i = 0; i < sizeof doubt / sizeof doubt[0]; i++) {
        CHECK_FAILS(gnd_format_edgelist.read(&g, put("d.csv", doubt[i]), NULL, &err),
                    GND_ERR_FORMAT,
                    "may be a header, since these ids occur in no other line; give "
                    "--header edges=yes or --header edges=no");
        assert_null(g);
    }
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++)
        gnd_graph_free(load(put("d.csv", data[i])));
    for (int i = 0; i < 300; i++) /* text above the numbers that are looked at */
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,%d\n", i, i + 1);
    strcat(text, "7,x\n");
    CHECK_FAILS(gnd_format_edgelist.read(&g, put("d.csv", text), NULL, &err), GND_ERR_FORMAT,
                "d.csv:1: 'x', 'y' may be a header, since it has text above numbers, and ids of "
                "other lines; give --header edges=yes");
}

/* Gephi's types of edges. */
static void test_types(void **state)
{
    gnd_graph *g = load(put("t.csv", "Source,Target,Type,Weight\n0,1,Undirected,2\n1,2,directed,3\n"
                                     "2,2,Mutual,1\n"));
    gnd_error err;

    (void)state;
    assert_int_equal(gnd_csr_nnz(&g->adj), 4);
    assert_true(arc(g, 0, 1) == 2 && arc(g, 1, 0) == 2 && arc(g, 1, 2) == 3 && arc(g, 2, 1) == 0);
    assert_true(has_note(g, "2 lines have type undirected and count in both directions"));
    gnd_graph_free(g);
    g = load(put("t.csv", "Source,Target,Type\n0,1,friend\n1,2,undirected\n")); /* other types */
    assert_int_equal(gnd_csr_nnz(&g->adj), 2);
    assert_true(has_note(g, "1 column is not used: 'Type'"));
    gnd_graph_free(g);
    CHECK_FAILS(gnd_format_edgelist.read(
                    &g, put("t.csv", "Source,Target,Type\n0,1,directed\n1,2,friend\n"), NULL, &err),
                GND_ERR_FORMAT,
                "t.csv:3: expected type directed, undirected or mutual; got 'friend'");
}

/* The range of weights, and decimal commas. */
static void test_range(void **state)
{
    gnd_graph *g = load(put("r.csv", "0,1,1e-38\n1,2,1e38\n"));

    (void)state;
    CHECK_CLOSE(arc(g, 0, 1), (double)(gnd_real)1e-38, 0);
    CHECK_CLOSE(arc(g, 1, 2), (double)(gnd_real)1e38, 0);
    gnd_graph_free(g);
    g = load(put("r.csv", "0,1,1700000000\n1,2,1700000001\n"));
    assert_true(has_note(g, "r.csv: all weights look like times; --columns weight= ignores them"));
    gnd_graph_free(g);
    g = load(put("r.csv", "0,1,1700000000\n1,2,17\n"));
    assert_int_equal(g->notes.n, 0);
    gnd_graph_free(g);
    g = load(put("r.csv", "0;1;0,5\n1;2;2,25\n"));
    assert_true(arc(g, 0, 1) == 0.5 && arc(g, 1, 2) == 2.25);
    gnd_graph_free(g);
}

static void test_stated_vertices(void **state)
{
    gnd_graph *g = load(put("v.csv", "# gnd vertices 5\nsource,target\n3,1\n"));

    (void)state;
    assert_int_equal(g->n_node, 5);
    assert_null(g->ids);
    assert_true(arc(g, 3, 1) == 1);
    gnd_graph_free(g);
    g = load(put("v.csv", "# gnd vertex z\n# gnd vertex \"a,b\"\n# gnd vertex 1\n1,z\ny,1\n"));
    assert_int_equal(g->n_node, 4);
    check_id(g, 0, "z");
    check_id(g, 1, "a,b");
    check_id(g, 2, "1");
    check_id(g, 3, "y");
    assert_true(arc(g, 2, 0) == 1 && arc(g, 3, 2) == 1);
    gnd_graph_free(g);
    g = load(put("v.csv", "# gnd vertices 2\n"));
    assert_int_equal(g->n_node, 2);
    gnd_graph_free(g);
    g = load(put("v.csv", "0,1\n# gnd vertices 9\n")); /* only at the top: elsewhere a comment */
    assert_int_equal(g->n_node, 2);
    gnd_graph_free(g);
}

static const refused_file bad[] = {
    {"", "bad.csv: has no edges"},
    {"# nothing\n\n   \n", "bad.csv: has no edges"},
    {"source,target\n", "bad.csv: has no edges"},
    {"a,b\nc\n", "bad.csv:2: expected 2 fields separated by commas as in line 1; got 1"},
    {"a\n",
     "bad.csv:1: expected source, target and an optional weight; got 1 field separated by blanks "
     "(--separator sets another separator)"},
    {"a,b\nc d\n", "bad.csv:2: expected 2 fields separated by commas"},
    {"a b\n# x\nc,d\n", "bad.csv:3: expected 2 fields separated by blanks"},
    {"a\tb\nc d\n", "separated by tabs as in line 1; got 1"},
    {"a,b,1,2\n",
     "bad.csv:1: it is not clear which column is the source; there are 4 columns and no header; "
     "name the columns, such as --columns source=1,target=2"},
    {"a,b,1\nc,d\n", "bad.csv:2: expected 3 fields separated by commas as in line 1; got 2"},
    {"source,target\na,b,1\n", "bad.csv:2: expected 2 fields"},
    {"a,b,x\n",
     "bad.csv:1: the weight: expected a finite number; got 'x' (--columns weight= ignores the "
     "column)"},
    {"a,b,1\na,c,nan\n", "bad.csv:2: the weight: expected a finite number; got 'nan'"},
    {"a,b,inf\n", "got 'inf'"},
    {"a,b,1e400\n", "bad.csv:1: the weight: '1e400' is too large; expected at most"},
    {"a,b,1e-400\n", "bad.csv:1: the weight '1e-400' is too small"},
    {"a,b,-1\n", "bad.csv:1: expected a weight that is not negative; got '-1'"},
    {"a,b,1\nb,c,\n", "bad.csv:2: the weight: expected a finite number; got ''"},
    {"a,\n", "bad.csv:1: the id of the target vertex is empty"},
    {"a,b\n,b\n", "bad.csv:2: the id of the source vertex is empty"},
    {"a,\"b\n", "bad.csv:1: a quote is not closed"},
    {"\"a\"x,b\n", "bad.csv:1: text follows a closing quote"},
    {"# gnd vertices 2000000000\n0,1\n",
     "bad.csv:1: 2000000000 vertices are more than a file of 30 bytes can state"},
    {"# gnd vertices 99999999999\n0,1\n", "bad.csv:1: expected '# gnd vertices N'"},
    {"# gnd vertices -1\n0,1\n", "bad.csv:1: expected '# gnd vertices N'"},
    {"# gnd vertices 2\n0,2\n", "bad.csv:2: vertex 2 is beyond the 2 vertices stated at the top"},
    {"# gnd vertices 2\n0,a\n", "but has other ids"},
    {"# gnd vertex a\n# gnd vertex a\na,b\n", "bad.csv:2: vertex 'a' is stated twice"},
};

static void test_bad(void **state)
{
    gnd_graph *g;
    gnd_error err;

    (void)state;
    check_bad_files("bad.csv", bad, LENGTH(bad));
    CHECK_FAILS(gnd_format_edgelist.read(&g, temp_file("n.csv", "a,b\nc\0,d\n", 9), NULL, &err),
                GND_ERR_FORMAT, "n.csv:2: has a NUL byte");
    CHECK_FAILS(
        gnd_format_edgelist.read(&g, temp_file("z.gz", "\x1f\x8b\x08zzzzzzzzzzzz", 15), NULL, &err),
        GND_ERR_FORMAT, "z.gz: the gzip stream is damaged");
    CHECK_FAILS(gnd_format_edgelist.read(&g, temp_path("absent.csv"), NULL, &err), GND_ERR_IO,
                "absent.csv: No such file");
}

static void test_mangled(void **state)
{
    (void)state;
    check_mangled(&gnd_format_edgelist, "m.csv",
                  "# gnd vertices 12\nsource,target,weight\n0,1,1\n11,\"2\",2.5\n3,3,1e-3\n");
    check_mangled(&gnd_format_edgelist, "m.csv",
                  "# gnd vertex \"a,\"\"b\"\n\"a,\"\"b\" , c\r\nd,\"e\"\n");
}

static void test_sniff(void **state)
{
    (void)state;
    assert_true(gnd_format_edgelist.sniff("x.csv", "", 0));
    assert_true(gnd_format_edgelist.sniff("x.EDGES", "", 0));
    assert_true(gnd_format_edgelist.sniff("x", "0 1\n", 4));
    assert_false(gnd_format_edgelist.sniff("x", "\x80\x02}q\x01", 5));
    assert_false(gnd_format_edgelist.sniff("x", "a\0b", 3));
    assert_false(gnd_format_edgelist.sniff(temp_dir, "", 0));
    assert_true(gnd_format_edgelist.sniff(put("empty", ""), "", 0));
}

/* A million lines in well under a second: the bound is loose, since sanitizers and busy machines
 * count. */
static void test_speed(void **state)
{
    const int n = 1000000;
    char *text = malloc((size_t)n * 16), *p = text;
    struct timespec a, b;
    gnd_graph *g;
    double seconds;

    (void)state;
    for (int i = 0; i < n; i++)
        p += sprintf(p, "%d,%d\n", i % 99991, (int)((int64_t)i * 7919 % 100003));
    temp_file("million.csv", text, (size_t)(p - text));
    free(text);
    clock_gettime(CLOCK_MONOTONIC, &a);
    g = load(temp_path("million.csv"));
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert_int_equal(g->n_node, 100003);
    assert_null(g->ids);
    gnd_graph_free(g);
    seconds = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    print_message("1,000,000 lines in %.3f s\n", seconds);
    assert_true(seconds < 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_string_ids),
        cmocka_unit_test(test_numbers_then_names),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_weights_loops_duplicates),
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_doubt),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_stated_vertices),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_mangled),
        cmocka_unit_test(test_sniff),
        cmocka_unit_test(test_speed),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
