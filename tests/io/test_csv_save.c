/* SPDX-License-Identifier: MIT
 * test_csv_save.c - a graph written as text is the same graph when it is read again. */
#include "textfiles.h"

static bool exists(const char *name)
{
    return access(temp_path(name), F_OK) == 0;
}

/* Save into the folder `out` and read it again. */
static gnd_graph *again(const gnd_graph *g)
{
    const char *feat = NULL;
    gnd_graph *h = NULL;
    gnd_error err;

    CHECK_OK(gnd_csv_save(g, temp_path("out"), NULL, &err));
    assert_false(exists("out/features.csv") && exists("out/features.mtx"));
    CHECK_OK(gnd_format_edgelist.read(&h, temp_path("out/edges.csv"), NULL, &err));
    feat = exists("out/features.csv")   ? "out/features.csv"
           : exists("out/features.mtx") ? "out/features.mtx"
                                        : NULL;
    if (feat)
        CHECK_OK(gnd_features_load(h, temp_path(feat), NULL, &err));
    if (exists("out/labels.csv"))
        CHECK_OK(gnd_labels_load(h, temp_path("out/labels.csv"), NULL, &err));
    CHECK_OK(gnd_graph_check(h, NULL, &err));
    return h;
}

static void same_csr(const gnd_csr *a, const gnd_csr *b)
{
    assert_int_equal(a->n_row, b->n_row);
    assert_int_equal(a->n_col, b->n_col);
    assert_int_equal(gnd_csr_nnz(a), gnd_csr_nnz(b));
    assert_memory_equal(a->ptr, b->ptr, (size_t)(a->n_row + 1) * sizeof *a->ptr);
    for (int64_t p = 0; p < gnd_csr_nnz(a); p++) {
        assert_int_equal(a->col[p], b->col[p]);
        CHECK_CLOSE(gnd_csr_val(a, p), gnd_csr_val(b, p), 0);
    }
}

static void same_graph(const gnd_graph *g, const gnd_graph *h)
{
    char buf[2][32];

    assert_int_equal(g->n_node, h->n_node);
    same_csr(&g->adj, &h->adj);
    assert_int_equal(g->n_feat, h->n_feat);
    if (g->n_feat > 0)
        same_csr(&g->feat, &h->feat);
    assert_int_equal(g->n_class, h->n_class);
    for (int32_t c = 0; c < g->n_class; c++)
        assert_string_equal(gnd_graph_class_name(g, c), gnd_graph_class_name(h, c));
    for (int64_t i = 0; i < g->n_node; i++) {
        assert_int_equal(g->label[i], h->label[i]);
        assert_string_equal(gnd_graph_id(g, i, buf[0]), gnd_graph_id(h, i, buf[1]));
    }
    assert_int_equal(g->ids == NULL, h->ids == NULL);
}

static void round_trip(gnd_graph *g)
{
    gnd_graph *h = again(g);

    same_graph(g, h);
    gnd_graph_free(h);
    gnd_graph_free(g);
}

static gnd_graph *made_of(const char *edges, const char *feat, const char *labels)
{
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(gnd_format_edgelist.read(&g, put("e", edges), NULL, &err));
    if (feat)
        CHECK_OK(gnd_features_load(g, put("x", feat), NULL, &err));
    if (labels)
        CHECK_OK(gnd_labels_load(g, put("l", labels), NULL, &err));
    return g;
}

static void test_numbers(void **state)
{
    (void)state;
    round_trip(made_of("2,0\n0,1\n", NULL, NULL));
    round_trip(made_of("2,0,0.1\n0,1,3e-7\n1,1,0\n", "1,0.1,1e30\n3,-7,1\n4,0,2\n", "4,x\n0,y\n"));
    round_trip(made_of("# gnd vertices 4\n", NULL, NULL));
}

static void test_names(void **state)
{
    (void)state;
    round_trip(
        made_of("z,\"a,b\"\n\"say \"\"x\"\"\",z\n\"#no\",\" pad \"\n\"%\",007\nsource,target\n"
                "\"tab\there\",10\n",
                "z,1,2\n\"a,b\",3,4\nalone,5,6\n", "\"a,b\",\"c,d\"\nz,\" k\"\nlater,#\n"));
    round_trip(made_of("10 20\n30 10\n", NULL, "30 3\n20 1\n99 3\n"));
}

/* Wide features go into a Matrix Market file, whose rows must meet their vertices again although
 * some have no edge and the order is not that of the edges. */
static void test_wide(void **state)
{
    char line[4096];
    size_t n = 0;

    (void)state;
    for (int i = 0; i < 300; i++)
        n += (size_t)sprintf(line + n, ",%d", i % 7 == 0 ? i : 0);
    {
        char feat[16384];

        snprintf(feat, sizeof feat, "late%s\nb%s\na%s\n", line, line, line);
        round_trip(made_of("c,b\nb,a\n", feat, "a,1\n"));
    }
    assert_true(exists("out/features.mtx") && !exists("out/features.csv"));
    round_trip(
        made_of("source,target\nc,b\n", "b,1,1\nc,1,0\n", NULL)); /* the old files make way */
    assert_true(exists("out/features.csv") && !exists("out/features.mtx"));
    assert_false(exists("out/labels.csv"));
    round_trip(made_of("source,target\nc,b\n", "b,1,0,0,0,0,0\n", NULL)); /* sparse */
    assert_true(exists("out/features.mtx"));
}

/* Real size: isolated and unlabelled vertices, 3,703 columns. */
static void test_citeseer(void **state)
{
    const gnd_load_opts o = {.size = sizeof o, .data_dir = GND_SHARED_DIR "/data"};
    gnd_graph *g = NULL, *h = NULL;
    gnd_error err;

    (void)state;
    NEEDS_SHARED(GND_SHARED_DIR "/data/planetoid/ind.citeseer.graph");
    CHECK_OK(gnd_load(&g, "citeseer", &o, &err));
    CHECK_OK(gnd_csv_save(g, temp_path("citeseer"), NULL, &err));
    CHECK_OK(gnd_load(&h, temp_path("citeseer"), NULL, &err));
    same_graph(g, h);
    gnd_graph_free(g);
    gnd_graph_free(h);
}

static void test_fails(void **state)
{
    gnd_graph *g = path_graph(2);
    gnd_error err;

    (void)state;
    put("file", "x");
    CHECK_FAILS(gnd_csv_save(g, temp_path("file"), NULL, &err), GND_ERR_IO,
                "file: is not a folder");
    CHECK_FAILS(gnd_csv_save(g, temp_path("no/such"), NULL, &err), GND_ERR_IO,
                "cannot create the folder");
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),  cmocka_unit_test(test_names), cmocka_unit_test(test_wide),
        cmocka_unit_test(test_citeseer), cmocka_unit_test(test_fails),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
