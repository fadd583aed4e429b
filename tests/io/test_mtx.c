/* SPDX-License-Identifier: MIT
 * test_mtx.c - Matrix Market files as graphs and as matrices. */
#include "textfiles.h"

#include "io/mtx.h"

static gnd_graph *load(const char *path)
{
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(gnd_format_mtx.read(&g, path, NULL, &err));
    CHECK_OK(gnd_graph_check(g, path, &err));
    return g;
}

static void test_graphs(void **state)
{
    static const char *const same[] = {
        "%%MatrixMarket matrix coordinate pattern general\n% note\n3 3 2\n1 2\n3 1\n",
        "%%matrixmarket MATRIX Coordinate Real General\r\n3 3 2\r\n3 1 1\r\n1 2 1e0",
        "%%MatrixMarket matrix coordinate integer general\n\n3 3 2\n 1 2 1\n3\t1  1\n\n",
        "%%MatrixMarket matrix array real general\n3 3\n0\n0\n1\n1\n0\n0\n0\n0\n0\n",
    };

    (void)state;
    for (size_t i = 0; i < 2 * sizeof same / sizeof same[0]; i++) {
        gnd_graph *g =
            load(i % 2 ? put_gz("tiny.mtx.gz", same[i / 2]) : put("tiny.mtx", same[i / 2]));

        assert_int_equal(g->n_node, 3);
        assert_int_equal(gnd_csr_nnz(&g->adj), 2);
        assert_true(arc(g, 0, 1) == 1 && arc(g, 2, 0) == 1);
        assert_null(g->adj.val);
        assert_null(g->ids);
        assert_int_equal(g->notes.n, 0);
        assert_string_equal(g->name, "tiny");
        gnd_graph_free(g);
    }
}

static void test_symmetric(void **state)
{
    gnd_graph *g =
        load(put("s.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 4\n"
                          "2 1 0.5\n3 2 2\n"));

    (void)state;
    assert_int_equal(gnd_csr_nnz(&g->adj), 5);
    assert_true(arc(g, 0, 0) == 4 && arc(g, 0, 1) == 0.5 && arc(g, 1, 0) == 0.5);
    assert_true(arc(g, 1, 2) == 2 && arc(g, 2, 1) == 2);
    gnd_graph_free(g);
    /* an array states the lower triangle column by column: (1,1) (2,1) (2,2) */
    g = load(put("s.mtx", "%%MatrixMarket matrix array integer symmetric\n2 2\n5 6\n7\n"));
    assert_true(arc(g, 0, 0) == 5 && arc(g, 1, 0) == 6 && arc(g, 0, 1) == 6 && arc(g, 1, 1) == 7);
    gnd_graph_free(g);
}

static void test_duplicates_and_zeros(void **state)
{
    gnd_graph *g = load(put("d.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 2 1\n"
                                     "1 2 3\n1 2 2\n2 1 0\n"));

    (void)state;
    assert_int_equal(gnd_csr_nnz(&g->adj), 1);
    assert_true(arc(g, 0, 1) == 3);
    assert_true(has_note(g, "2 duplicate edges were merged"));
    assert_true(has_note(g, "1 entry has value 0 and is no edge"));
    gnd_graph_free(g);
}

static void test_matrix(void **state)
{
    gnd_csr a;
    gnd_error err;
    int64_t n = -1;

    (void)state;
    CHECK_OK(gnd_mtx_load_matrix(&a, &n,
                                 put("m.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                              "2 4 3\n2 4 -1.5\n1 1 2\n2 4 -2\n"),
                                 0, &err));
    assert_int_equal(a.n_row, 2);
    assert_int_equal(a.n_col, 4);
    assert_int_equal(n, 1);
    CHECK_CLOSE(gnd_csr_val(&a, gnd_csr_find(&a, 1, 3)), -1.5, 0);
    gnd_csr_fini(&a);
    CHECK_OK(gnd_mtx_load_matrix(
        &a, NULL, put("m.mtx", "%%MatrixMarket matrix array real general\n2 3\n1 2 3\n0 5 -6\n"), 0,
        &err));
    assert_int_equal(gnd_csr_nnz(&a), 5);
    CHECK_CLOSE(gnd_csr_val(&a, gnd_csr_find(&a, 1, 0)), 2, 0);
    CHECK_CLOSE(gnd_csr_val(&a, gnd_csr_find(&a, 0, 1)), 3, 0);
    CHECK_CLOSE(gnd_csr_val(&a, gnd_csr_find(&a, 1, 2)), -6, 0);
    gnd_csr_fini(&a);
}

#define COO "%%MatrixMarket matrix coordinate real general\n"
static const bad_file bad[] = {
    {"", GND_ERR_FORMAT, "bad.mtx: is empty; expected %%MatrixMarket"},
    {"3 3 1\n1 1 1\n", GND_ERR_FORMAT, "bad.mtx:1: expected '%%MatrixMarket matrix coordinate"},
    {"%%MatrixMarket matrix coordinate real\n1 1 1\n", GND_ERR_FORMAT, "bad.mtx:1: expected '%%"},
    {"%%MatrixMarket vector coordinate real general\n1 1 1\n", GND_ERR_FORMAT,
     "bad.mtx:1: vector Matrix Market files are not read; expected matrix"},
    {"%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n", GND_ERR_FORMAT,
     "bad.mtx:1: complex Matrix Market files are not read; expected real, integer or pattern"},
    {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n", GND_ERR_FORMAT,
     "bad.mtx:1: skew-symmetric Matrix Market files are not read; expected general or symmetric"},
    {"%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 1\n", GND_ERR_FORMAT,
     "are not read"},
    {"%%MatrixMarket matrix array pattern general\n1 1\n1\n", GND_ERR_FORMAT, "has no values"},
    {COO, GND_ERR_FORMAT, "bad.mtx:1: the file ends before its line of sizes"},
    {COO "2 2\n", GND_ERR_FORMAT, "bad.mtx:2: expected rows, columns and entries; got 2 fields"},
    {COO "2 x 1\n1 1 1\n", GND_ERR_FORMAT, "bad.mtx:2: expected a count; got 'x'"},
    {COO "2 2 -1\n", GND_ERR_FORMAT, "bad.mtx:2: expected a count; got '-1'"},
    {COO "0 0 0\n", GND_ERR_FORMAT, "bad.mtx:2: a matrix of 0 x 0"},
    {COO "3000000000 3000000000 1\n1 1 1\n", GND_ERR_FORMAT, "expected 1 to 2147483646 rows"},
    {COO "2000000000 2000000000 1\n1 1 1\n", GND_ERR_FORMAT, "bytes can state"},
    {COO "2 2 1000000000000\n1 1 1\n", GND_ERR_FORMAT, "bad.mtx:2: states more entries than"},
    {COO "2 2 99999999999999999999\n1 1 1\n", GND_ERR_FORMAT, "expected a count"},
    {"%%MatrixMarket matrix array real general\n2000000000 2000000000\n1\n", GND_ERR_FORMAT,
     "states more entries than"},
    {COO "2 3 1\n1 1 1\n", GND_ERR_SHAPE,
     "bad.mtx:2: a matrix of 2 x 3; expected a square one for a graph"},
    {"%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n", GND_ERR_FORMAT,
     "a symmetric matrix of 2 x 3"},
    {COO "2 2 1\n0 1 1\n", GND_ERR_FORMAT, "bad.mtx:3: expected a row from 1 to 2; got '0'"},
    {COO "2 2 1\n1 3 1\n", GND_ERR_FORMAT, "bad.mtx:3: expected a column from 1 to 2; got '3'"},
    {COO "2 2 1\n1 1.5 1\n", GND_ERR_FORMAT, "got '1.5'"},
    {COO "2 2 1\n1 1\n", GND_ERR_FORMAT, "bad.mtx:3: expected row, column and value; got 2 fields"},
    {COO "2 2 1\n1 1 1 0\n", GND_ERR_FORMAT, "got 4 fields"},
    {COO "2 2 1\n1 1 nan\n", GND_ERR_FORMAT, "bad.mtx:3: expected a finite number; got 'nan'"},
    {COO "2 2 1\n1 2 -2\n", GND_ERR_FORMAT,
     "bad.mtx:3: expected a weight that is not negative; got '-2'"},
    {COO "2 2 3\n1 1 1\n1 2 1\n", GND_ERR_FORMAT, "bad.mtx:4: the file ends after 2 of 3 entries"},
    {COO "2 2 1\n1 1 1\n1 2 1\n", GND_ERR_FORMAT, "bad.mtx:4: expected the end after 1 entries"},
    {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", GND_ERR_FORMAT,
     "bad.mtx:5: the file ends after 3 of 4 values"},
    {"%%MatrixMarket matrix array real general\n1 1\n1\n2\n", GND_ERR_FORMAT,
     "bad.mtx:4: expected the end after 1 values"},
};

static void test_bad(void **state)
{
    gnd_graph *g;
    gnd_error err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_FAILS(gnd_format_mtx.read(&g, put("bad.mtx", bad[i].text), NULL, &err), bad[i].code,
                    bad[i].say);
        assert_null(g);
    }
}

static void try_bytes(const char *s, size_t n)
{
    const char *path = temp_file("m.mtx", s, n);
    gnd_graph *g = NULL;
    gnd_error err = {0};
    gnd_csr a;
    const gnd_status st = gnd_format_mtx.read(&g, path, NULL, &err);

    check_outcome(st, g, &err);
    gnd_graph_free(g);
    if (gnd_mtx_load_matrix(&a, NULL, path, 0, &err) != GND_OK)
        assert_null(a.ptr);
    gnd_csr_fini(&a);
}

static void test_mangled(void **state)
{
    (void)state;
    mangle(COO "% c\n3 3 3\n1 2 1\n3 1 0.5\n2 2 7\n", try_bytes);
    mangle("%%MatrixMarket matrix array integer symmetric\n2 2\n5 6\n7\n", try_bytes);
}

static void test_sniff(void **state)
{
    (void)state;
    assert_true(gnd_format_mtx.sniff("x", "%%MatrixMarket matrix", 21));
    assert_false(gnd_format_mtx.sniff("x.mtx", "%%Matrix", 8));
    assert_false(gnd_format_mtx.sniff("x.mtx", "", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_symmetric),
        cmocka_unit_test(test_duplicates_and_zeros),
        cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_mangled),
        cmocka_unit_test(test_sniff),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
