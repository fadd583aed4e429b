/* SPDX-License-Identifier: MIT
 * test_features.c - features by id (CSV) and by order (Matrix Market, svmlight, npz). */
#include "npz_make.h"
#include "textfiles.h"

static gnd_graph *named_graph(void)
{
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(gnd_format_edgelist.read(&g, put("g.csv", "a,b\nb,c\n"), NULL, &err));
    return g;
}

static void test_csv(void **state)
{
    static const char *const same[] = {
        "a,1,0,-2.5\nb,0,0,0\nc,0,3,0\n",
        "id,f0,f1,f2\nc,0,3,0\na,1,0,-2.5\nb,0,0,0\n",
        "ID\tfeature x\ty\tz\nc\t0\t3\t0\r\na\t1\t0\t-2.5\r\nb\t0\t0\t0",
        "# words\na 1 0 -25e-1\n\nb 0 0 0\nc 0 3 -0\n",
        "\"a\",\"1\", 0 ,-2.5\nb,0,0,\"0\"\nc,0,3.0,0\n",
    };
    gnd_error err;

    (void)state;
    for (size_t i = 0; i < 2 * sizeof same / sizeof same[0]; i++) {
        gnd_graph *g = named_graph();

        CHECK_OK(gnd_features_load(
            g, i % 2 ? put_gz("x.csv.gz", same[i / 2]) : put("x.csv", same[i / 2]), NULL, &err));
        CHECK_OK(gnd_graph_check(g, NULL, &err));
        assert_int_equal(g->n_node, 3);
        assert_int_equal(g->n_feat, 3);
        assert_int_equal(gnd_csr_nnz(&g->feat), 3); /* zeros are not stored */
        CHECK_CLOSE(feature(g, 0, 0), 1, 0);
        CHECK_CLOSE(feature(g, 0, 2), -2.5, 0);
        CHECK_CLOSE(feature(g, 2, 1), 3, 0);
        assert_int_equal(g->notes.n, 0);
        gnd_graph_free(g);
    }
}

static void test_csv_missing_and_new(void **state)
{
    gnd_graph *g = named_graph();
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_labels_load(g, put("l", "c,k\n"), NULL, &err));
    CHECK_OK(gnd_features_load(g, put("x", "z,1,1\nb,0,1\n"), NULL, &err));
    CHECK_OK(gnd_graph_check(g, NULL, &err));
    assert_int_equal(g->n_node, 4);
    check_id(g, 3, "z");
    assert_int_equal(g->label[2], 0);
    assert_int_equal(g->label[3], -1);
    assert_int_equal(gnd_csr_nnz(&g->feat), 3);
    assert_null(g->feat.val); /* all are 1 */
    assert_true(feature(g, 3, 0) == 1 && feature(g, 3, 1) == 1 && feature(g, 1, 1) == 1);
    assert_true(has_note(g, "1 vertex has no edges; added as isolated vertex"));
    assert_true(has_note(g, "2 vertices have no row here"));
    /* labels that bring a vertex make the features grow with it */
    CHECK_OK(gnd_labels_load(g, put("l", "new,k\na,k\n"), NULL, &err));
    CHECK_OK(gnd_graph_check(g, NULL, &err));
    assert_int_equal(g->feat.n_row, 5);
    assert_int_equal(g->feat.ptr[5] - g->feat.ptr[4], 0);
    /* and other features replace these */
    CHECK_OK(gnd_features_load(g, put("x", "a,7\n"), NULL, &err));
    assert_int_equal(g->n_feat, 1);
    assert_int_equal(gnd_csr_nnz(&g->feat), 1);
    gnd_graph_free(g);
}

static void test_csv_numbers_go_on(void **state)
{
    gnd_graph *g = path_graph(2);
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_features_load(g, put("x", "3,30\n0,1\n2,20\n1,10\n"), NULL, &err));
    assert_int_equal(g->n_node, 4);
    assert_null(g->ids);
    CHECK_CLOSE(feature(g, 3, 0), 30, 0);
    CHECK_CLOSE(feature(g, 2, 0), 20, 0);
    CHECK_CLOSE(feature(g, 1, 0), 10, 0);
    gnd_graph_free(g);
}

static void test_header(void **state)
{
    gnd_graph *g = path_graph(2);
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_features_load(g, put("x", "paper,w\n0,1\n1,2\n"),
                               &(gnd_load_opts){.header = GND_HEADER_YES}, &err));
    assert_int_equal(g->n_node, 2);
    CHECK_FAILS(gnd_features_load(g, put("x", "paper,w\n0,1\n"),
                                  &(gnd_load_opts){.header = GND_HEADER_NO}, &err),
                GND_ERR_FORMAT, "x:1:2: expected a finite number; got 'w'");
    CHECK_OK(gnd_features_load(g, put("x", "id,5\n0,1\n"),
                               &(gnd_load_opts){.header = GND_HEADER_NO}, &err));
    assert_int_equal(g->n_node, 3);
    gnd_graph_free(g);
    /* A vertex may have a known name; its values are numbers, so the line is none. */
    CHECK_OK(gnd_format_edgelist.read(&g, put("g.csv", "to,a\na,id\n"), NULL, &err));
    CHECK_OK(gnd_features_load(g, put("x", "to,5,0\na,1,2\nid,3,4\n"), NULL, &err));
    assert_int_equal(g->n_node, 3);
    CHECK_CLOSE(feature(g, 0, 0), 5, 0);
    CHECK_CLOSE(feature(g, 2, 1), 4, 0);
    assert_int_equal(g->notes.n, 0);
    /* Quotes in a header are read once, and counted right. */
    CHECK_OK(gnd_features_load(g, put("x", "id,\"a \"\"b\"\"\",c\nto,1,2\n"), NULL, &err));
    assert_int_equal(g->n_feat, 2);
    CHECK_CLOSE(feature(g, 0, 1), 2, 0);
    CHECK_FAILS(gnd_features_load(g, put("x", "id,\"a\nto,1\n"),
                                  &(gnd_load_opts){.header = GND_HEADER_YES}, &err),
                GND_ERR_FORMAT, "x:1: a quote is not closed");
    gnd_graph_free(g);
}

/* A row per vertex; NA, nothing and text besides numbers. */
static void test_missing(void **state)
{
    static const char text[] = "id,age,pay\na,2,1\nb,NA,\nc,4,-3\n";
    gnd_graph *g = named_graph();
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_features_load(g, put("x", text), NULL, &err), GND_ERR_FORMAT,
                "x:3:2: the value is missing ('NA'); --missing zero or --missing mean replaces");
    assert_int_equal(g->notes.n, 0);
    CHECK_OK(
        gnd_features_load(g, put("x", text), &(gnd_load_opts){.missing = GND_MISSING_ZERO}, &err));
    assert_int_equal(gnd_csr_nnz(&g->feat), 4);
    assert_true(feature(g, 1, 0) == 0 && feature(g, 1, 1) == 0 && feature(g, 2, 1) == -3);
    assert_true(has_note(g, "x: 2 missing values in 2 columns of numbers are set to 0"));
    CHECK_OK(
        gnd_features_load(g, put("x", text), &(gnd_load_opts){.missing = GND_MISSING_MEAN}, &err));
    assert_true(feature(g, 1, 0) == 3 && feature(g, 1, 1) == -1 && feature(g, 2, 1) == -3);
    assert_true(has_note(g, "are set to the mean of the column"));
    gnd_graph_free(g);
}

static void test_text_columns(void **state)
{
    gnd_graph *g = named_graph();
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_features_load(g,
                               put("x", "id,city,age,nick\na,Rome,5,ann\nb,\"Oslo, N\",6,bo\n"
                                        "c,Rome,7,cy\nd,Rome,8,di\n"),
                               NULL, &err));
    CHECK_OK(gnd_graph_check(g, NULL, &err));
    assert_int_equal(g->n_feat, 3); /* Oslo, Rome, age: categories are sorted */
    assert_true(feature(g, 0, 1) == 1 && feature(g, 1, 0) == 1 && feature(g, 2, 1) == 1);
    assert_true(feature(g, 0, 0) == 0 && feature(g, 1, 1) == 0 && feature(g, 1, 2) == 6);
    assert_true(has_note(g, "x: 'city' has text, with 2 different values; each is a feature"));
    assert_true(has_note(g, "x: 'nick' is not used: its texts differ in most rows"));
    /* The same categories in another order of rows, and without a header. */
    CHECK_OK(gnd_features_load(g, put("x", "c,Rome,7\nd,Rome,8\nb,\"Oslo, N\",6\na,Rome,5\n"), NULL,
                               &err));
    assert_int_equal(g->n_feat, 3);
    assert_true(feature(g, 0, 1) == 1 && feature(g, 1, 0) == 1 && feature(g, 3, 2) == 8);
    assert_true(has_note(g, "x: feature 1 has text, with 2 different values"));
    /* Text late in a column of numbers is a mistake, in a column of codes it is not. */
    CHECK_FAILS(gnd_features_load(g, put("x", "a,1\nb,2\nc,3x\n"), NULL, &err), GND_ERR_FORMAT,
                "x:3:2: expected a finite number; got '3x'");
    CHECK_OK(gnd_features_load(g, put("x", "a,7\nb,x7\nc,x7\n"), NULL, &err));
    assert_int_equal(g->n_feat, 2);
    CHECK_FAILS(gnd_features_load(g, put("x", "id,n\na,x\nb,y\nc,z\n"), NULL, &err), GND_ERR_FORMAT,
                "x: has no features: the texts of every column differ in most rows");
    CHECK_FAILS(gnd_features_load(g, put("x", "id,label\na,x\n"), NULL, &err), GND_ERR_FORMAT,
                "x: has no column of features besides id and label");
    CHECK_FAILS(gnd_features_load(g, put("x", "id,n,t\na,1,x\nb,\"1,234.5\",x\n"), NULL, &err),
                GND_ERR_FORMAT, "x:3:2: expected a finite number; got '1,234.5'");
    gnd_graph_free(g);
}

static void test_mtx(void **state)
{
    gnd_graph *g = path_graph(2);
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_features_load(g,
                               put_gz("x.mtx.gz", "%%MatrixMarket matrix coordinate real general\n"
                                                  "2 5 3\n1 5 -1\n2 1 2\n2 1 3\n"),
                               NULL, &err));
    assert_int_equal(g->n_feat, 5);
    CHECK_CLOSE(feature(g, 0, 4), -1, 0);
    CHECK_CLOSE(feature(g, 1, 0), 3, 0);
    assert_true(has_note(g, "1 duplicate entry was merged"));
    gnd_graph_free(g);
    g = named_graph();
    CHECK_OK(gnd_features_load(
        g, put("x", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n"), NULL, &err));
    CHECK_CLOSE(feature(g, 2, 0), 3, 0);
    assert_true(has_note(g, "rows are in vertex order"));
    gnd_graph_free(g);
}

static void test_svmlight(void **state)
{
    gnd_graph *g = path_graph(3);
    gnd_error err;

    (void)state;
    CHECK_OK(
        gnd_features_load(g, put("x", "# c\n-1\n+1 1:0.5 4:2 # end\n2 qid:7 2:1\n"), NULL, &err));
    CHECK_OK(gnd_graph_check(g, NULL, &err));
    assert_int_equal(g->n_feat, 4);
    CHECK_CLOSE(feature(g, 1, 0), 0.5, 0);
    CHECK_CLOSE(feature(g, 1, 3), 2, 0);
    CHECK_CLOSE(feature(g, 2, 1), 1, 0);
    assert_true(has_note(g, "svmlight with indices from 1"));
    CHECK_OK(gnd_features_load(g, put("x", "1 0:0 4:2\n1 2:1\n0\n"), NULL, &err));
    assert_int_equal(g->n_feat, 5); /* an index 0 counts though its value is 0 */
    CHECK_CLOSE(feature(g, 0, 4), 2, 0);
    CHECK_CLOSE(feature(g, 1, 2), 1, 0);
    assert_true(has_note(g, "svmlight with indices from 0"));
    gnd_graph_free(g);
}

#define M(name, descr, shape, data)                                                                \
    {                                                                                              \
        name, descr, shape, data, sizeof data, NULL, 0                                             \
    }

/* scipy's csr with an entry stated twice, its coo, and a plain array: the same three rows. */
static void test_npz(void **state)
{
    static const float data[] = {2, 0.5f, 1.5f, -1}, coo[] = {-1, 2, 2};
    static const int32_t indices[] = {1, 0, 0, 1}, indptr[] = {0, 1, 3, 4};
    static const int64_t shape[] = {3, 2}, row[] = {2, 0, 1}, col[] = {1, 1, 0};
    static const char csr_name[] = {'c', 's', 'r'}, coo_name[] = {'c', 'o', 'o'};
    static const double dense[] = {0, 2, 2, 0, 0, -1};
    const made files[][6] = {
        {M("indices", "<i4", "(4,)", indices), M("indptr", "<i4", "(4,)", indptr),
         M("format", "|S3", "()", csr_name), M("shape", "<i8", "(2,)", shape),
         M("data", "<f4", "(4,)", data)},
        {M("row", "<i8", "(3,)", row), M("col", "<i8", "(3,)", col),
         M("format", "|S3", "()", coo_name), M("shape", "<i8", "(2,)", shape),
         M("data", "<f4", "(3,)", coo)},
        {M("arr_0", "<f8", "(3, 2)", dense)},
    };
    static bytes file;
    gnd_error err;

    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        gnd_graph *g = path_graph(3);

        make_npz(&file, files[k]);
        CHECK_OK(
            gnd_features_load(g, temp_file(k ? "x.npz" : "no-ending", file.b, file.n), NULL, &err));
        CHECK_OK(gnd_graph_check(g, NULL, &err));
        assert_int_equal(g->n_feat, 2);
        assert_int_equal(gnd_csr_nnz(&g->feat), 3);
        assert_true(feature(g, 0, 1) == 2 && feature(g, 1, 0) == 2 && feature(g, 2, 1) == -1);
        assert_int_equal(has_note(g, "1 duplicate entry was added to the first one"), k == 0);
        gnd_graph_free(g);
    }
    make_npz(&file, files[0]); /* three rows for two vertices */
    gnd_graph *g = path_graph(2);
    CHECK_FAILS(gnd_features_load(g, temp_file("x.npz", file.b, file.n), NULL, &err), GND_ERR_SHAPE,
                "x.npz: has 3 rows of features; expected 2");
    assert_int_equal(g->notes.n, 0);
    gnd_graph_free(g);
}

#define COO "%%MatrixMarket matrix coordinate real general\n"
static const bad_file bad[] = {
    {"", GND_ERR_FORMAT, "bad.csv: has no features"},
    {"id,f\n", GND_ERR_FORMAT, "bad.csv: has no features"},
    {"a\n", GND_ERR_FORMAT,
     "bad.csv:1: expected an id and features; got 1 field separated by blanks"},
    {"a,1,2\nb,1\n", GND_ERR_FORMAT,
     "bad.csv:2: expected 3 fields separated by commas as in line 1; got 2"},
    {"a,1\nb,1,2\n", GND_ERR_FORMAT, "bad.csv:2: expected 2 fields"},
    {"id,x,y\na,1\n", GND_ERR_FORMAT, "bad.csv:2: expected 3 fields"},
    {"a,1\nb 1\n", GND_ERR_FORMAT,
     "bad.csv:2: expected 2 fields separated by commas as in line 1; got 1"},
    {"a,1\nb,nan\n", GND_ERR_FORMAT, "bad.csv:2:2: the value is missing ('nan'); --missing zero"},
    {"a,1,2\nb,1,inf\n", GND_ERR_FORMAT, "bad.csv:2:3: expected a finite number; got 'inf'"},
    {"a,1\nb,1e99999\n", GND_ERR_FORMAT, "bad.csv:2:2: '1e99999' is too large; expected at most"},
    {"a,1\nb,one\n", GND_ERR_FORMAT, "bad.csv:2:2: expected a finite number; got 'one'"},
    {"a,1\n# x\nb,2\na,1\n", GND_ERR_FORMAT, "bad.csv:4: vertex 'a' already has features (line 1)"},
    {"new,1\nnew,2\n", GND_ERR_FORMAT, "bad.csv:2: vertex 'new' already has features (line 1)"},
    {"a,1\n,2\n", GND_ERR_FORMAT, "bad.csv:2: the id of the vertex is empty"},
    {"a,\"1\n", GND_ERR_FORMAT, "bad.csv:1: a quote is not closed"},
    {"\"a,1\n", GND_ERR_FORMAT, "bad.csv:1: a quote is not closed"},
    {COO "2 1 1\n1 1 1\n", GND_ERR_SHAPE, "bad.csv: has 2 rows of features; expected 3"},
    {COO "4 1 1\n1 1 1\n", GND_ERR_SHAPE, "bad.csv: has 4 rows of features; expected 3"},
    {COO "3 1 1\n4 1 1\n", GND_ERR_FORMAT, "bad.csv:3: expected a row from 1 to 3; got '4'"},
    {COO "3 2000000000 1\n1 1 1\n", GND_ERR_FORMAT, "bytes can state"},
    {"1 1:1\n1 2:1\n", GND_ERR_SHAPE, "bad.csv: has 2 rows of features; expected 3"},
    {"1 1:1\n1 2:x\n1 1:1\n", GND_ERR_FORMAT,
     "bad.csv:2:2: expected index:value, a finite number; got '2:x'"},
    {"1 1:1\n1 2:nan\n1 1:1\n", GND_ERR_FORMAT, "bad.csv:2:2: expected index:value"},
    {"1 1:1\n1 -2:1\n1 1:1\n", GND_ERR_FORMAT, "bad.csv:2:2: expected index:value"},
    {"1 1:1\n1 7\n1 1:1\n", GND_ERR_FORMAT, "bad.csv:2:2: expected index:value"},
    {"1 1:1\n1 3:1 3:1\n1 1:1\n", GND_ERR_FORMAT,
     "bad.csv:2: index 3 after index 3; expected ascending"},
    {"1 1:1\n1 2000000000:1\n1\n", GND_ERR_FORMAT, "bad.csv:2: index 2000000000 is out of range"},
    {"1 1:1\n1 99999999999:1\n1\n", GND_ERR_FORMAT, "bad.csv:2: index 99999999999 is out of range"},
};

static void check_kept(const gnd_graph *g)
{
    assert_int_equal(g->n_node, 3);
    assert_int_equal(gnd_names_count(g->ids), 3);
    assert_int_equal(g->n_feat, 1);
    CHECK_CLOSE(feature(g, 1, 0), 8, 0);
    assert_int_equal(g->notes.n, 1);
}

static void test_bad(void **state)
{
    gnd_graph *g = named_graph();
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_features_load(g, put("x", "b,8\n"), NULL, &err));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_FAILS(gnd_features_load(g, put("bad.csv", bad[i].text), NULL, &err), bad[i].code,
                    bad[i].say);
        check_kept(g);
    }
    CHECK_FAILS(gnd_features_load(g, temp_file("n", "a,1\0\n", 5), NULL, &err), GND_ERR_FORMAT,
                "n:1: has a NUL byte");
    CHECK_FAILS(gnd_features_load(g, temp_path("none.csv"), NULL, &err), GND_ERR_IO,
                "none.csv: No such file");
    CHECK_FAILS(gnd_features_load(g, temp_dir, NULL, &err), GND_ERR_IO, "is a folder");
    err = (gnd_error){0};
    assert_int_not_equal(gnd_features_load(g, put("x.npz", "no zip"), NULL, &err), GND_OK);
    assert_non_null(strstr(err.msg, "x.npz"));
    check_kept(g);
    gnd_graph_free(g);
}

static void try_bytes(const char *s, size_t n)
{
    gnd_graph *g = path_graph(3);
    gnd_error err = {0};
    const gnd_status st = gnd_features_load(g, temp_file("m", s, n), NULL, &err);

    check_outcome(st, g, &err);
    gnd_graph_free(g);
}

static void test_mangled(void **state)
{
    (void)state;
    mangle("id,x,y\n0,1,0.5\n\"1\",,2\n2,0,-1\n7,1,1\n", try_bytes);
    mangle("id,city,age\n0,Rome,5\n1,Oslo,6\n2,Rome,7\n", try_bytes);
    mangle("1 1:0.5 3:1\n0 2:1\n1 1:1 # c\n", try_bytes);
    mangle(COO "3 2 2\n1 1 1\n3 2 5\n", try_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_csv_missing_and_new),
        cmocka_unit_test(test_csv_numbers_go_on),
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_text_columns),
        cmocka_unit_test(test_mtx),
        cmocka_unit_test(test_svmlight),
        cmocka_unit_test(test_npz),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_mangled),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
