/* SPDX-License-Identifier: MIT
 * test_load_nomem.c - archives, pickles and gnd_load with every allocation failing in turn. */
#include "planetoid_make.h"
#include "textfiles.h"

#include "mallocfail.h"

/* Ids, classes, weights and features: every member an archive may have. */
static gnd_graph *rich_graph(void)
{
    const gnd_load_opts o = {
        .size = sizeof o,
        .features = put("x.csv", "a,1,0.5\nb,2,0\nc,0,1\n"),
        .labels = put("l.csv", "a,red\nb,blue\n"),
    };
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(gnd_load(&g, put("e.csv", "a,b,2\nb,c,0.5\nc,c,1\n"), &o, &err));
    return g;
}

static void test_npz(void **state)
{
    gnd_graph *g = rich_graph(), *back = NULL;
    const char *path = temp_path("g.npz");
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_npz_save(g, path, NULL, &err), assert_int_not_equal(access(path, F_OK), 0));
    NOMEM_WALK(gnd_load(&back, path, NULL, &err), assert_null(back));
    assert_int_equal(gnd_csr_nnz(&back->adj), 3);
    assert_string_equal(gnd_graph_class_name(back, back->label[0]), "red");
    gnd_graph_free(back);
    gnd_graph_free(g);
}

static void test_safetensors(void **state)
{
    gnd_graph *g = rich_graph(), *back = NULL;
    const char *path = temp_path("g.safetensors");
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_graph_save(g, path, "safetensors", &err),
               assert_int_not_equal(access(path, F_OK), 0));
    NOMEM_WALK(gnd_load(&back, path, NULL, &err), assert_null(back));
    assert_int_equal(gnd_csr_nnz(&back->adj), 3);
    assert_string_equal(gnd_graph_class_name(back, back->label[0]), "red");
    gnd_graph_free(back);
    gnd_graph_free(g);
}

static void test_convert(void **state)
{
    const gnd_dataset_convert_opts o = {.size = sizeof o, .threads = 1};
    gnd_graph *g = NULL;
    gnd_error err;
    const char *out = temp_path("c.safetensors"), *edges;

    (void)state;
    edges = put("c.csv", "a,b,2\nb,c,0.5\nc,c,1\n");
    NOMEM_WALK(gnd_dataset_convert(&g, edges, out, &o, &err), assert_null(g));
    assert_int_equal(gnd_csr_nnz(&g->adj), 3);
    gnd_graph_free(g);
    g = NULL;
    edges = put("c.csv", "1,2\n3,9\n");
    NOMEM_WALK(gnd_dataset_convert(&g, edges, out, &o, &err), assert_null(g));
    assert_int_equal(g->n_node, 4);
    gnd_graph_free(g);
}

/* Rows out of order and an entry stated twice: what sorting asks for may fail too. */
static void test_untidy(void **state)
{
    static const float data[] = {1, 2, 3, 4};
    static const int32_t indices[] = {2, 0, 2, 1}, indptr[] = {0, 3, 3, 4};
    static const int64_t shape[] = {3, 3};
    const made m[] = {{"data", "<f4", "(4,)", data, sizeof data, NULL, 0},
                      {"indices", "<i4", "(4,)", indices, sizeof indices, NULL, 0},
                      {"indptr", "<i4", "(4,)", indptr, sizeof indptr, NULL, 0},
                      {"shape", "<i8", "(2,)", shape, sizeof shape, NULL, 0},
                      {0}};
    static bytes file;
    gnd_graph *g = NULL;
    gnd_error err;
    const char *path;

    (void)state;
    make_npz(&file, m);
    path = temp_file("s.npz", file.b, file.n);
    NOMEM_WALK(gnd_load(&g, path, NULL, &err), assert_null(g));
    assert_true(arc(g, 0, 2) == 4 && arc(g, 0, 0) == 2 && arc(g, 2, 1) == 4);
    NOMEM_WALK(gnd_features_load(g, path, NULL, &err), {
        assert_int_equal(g->n_feat, 0);
        assert_int_equal(g->notes.n, 1);
    });
    assert_int_equal(g->n_feat, 3);
    gnd_graph_free(g);
}

static void test_planetoid(void **state)
{
    gnd_graph *g = NULL;
    const char *path;
    gnd_error err;

    (void)state;
    make_set();
    path = write_set();
    NOMEM_WALK(gnd_load(&g, path, NULL, &err), assert_null(g));
    assert_int_equal(g->n_fixed_test, 2);
    gnd_graph_free(g);
}

static void test_load(void **state)
{
    const gnd_load_opts o = {
        .size = sizeof o,
        .features = put("x.csv", "5,1,0.5\n7,2,0\n"),
        .labels = put("l.csv", "5,red\n9,blue\n"),
    };
    const char *edges = put("edges.csv", "7,5\n5,9\n");
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_load(&g, edges, &o, &err), assert_null(g));
    check_id(g, 0, "5");
    gnd_graph_free(g);
    put("labels.csv", "5,red\n7,blue\n");
    NOMEM_WALK(gnd_load(&g, temp_dir, NULL, &err), assert_null(g));
    assert_int_equal(g->n_class, 2);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_npz),       cmocka_unit_test(test_safetensors),
        cmocka_unit_test(test_convert),   cmocka_unit_test(test_untidy),
        cmocka_unit_test(test_planetoid), cmocka_unit_test(test_load),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
