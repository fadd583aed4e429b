/* SPDX-License-Identifier: MIT
 * test_text_nomem.c - every text reader with every allocation failing in turn. */
#include "textfiles.h"

#include "io/mtx.h"
#include "mallocfail.h"

static void walk(const gnd_format *f, const char *path)
{
    gnd_graph *g = NULL;
    gnd_error err;

    NOMEM_WALK(f->read(&g, path, NULL, &err), assert_null(g));
    gnd_graph_free(g);
}

static void test_graphs(void **state)
{
    gnd_csr a;
    gnd_error err;

    (void)state;
    walk(&gnd_format_edgelist, put("e", "0,1\n1,2\n0,1\n"));
    walk(&gnd_format_edgelist, put("e", "0,1,2\n1,x,0.5\n0,1,3\n"));
    walk(&gnd_format_edgelist, put_gz("e.gz", "# gnd vertex a\nb,7\n"));
    walk(&gnd_format_edgelist,
         put("e", "Source;Target;Type;Weight;\n\"a \"\"b\"\"\";c;Undirected;0,5;\n"));
    walk(&gnd_format_mtx, put("m", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 2\n"
                                   "2 1 3\n3 3 0\n"));
    put("t.content", "a\t0\t2\tx\nb\t1\t0.5\ty\n");
    put("t.cites", "a\tb\nb\tc\na\tb\n");
    walk(&gnd_format_linqs, temp_path("t"));
    put("out1_node_feature_label.txt", "node_id\tfeature\tlabel\n1\t3,77\tb\n0\t5\ta\n");
    put("out1_graph_edges.txt", "node_id\tnode_id\n0\t1\n0\t1\n");
    walk(&gnd_format_geomgcn, temp_dir);
    NOMEM_WALK(gnd_mtx_load_matrix(&a, NULL, temp_path("m"), 0, &err), assert_null(a.ptr));
    gnd_csr_fini(&a);
}

/* A graph that could not be changed is the graph it was. */
static void walk_load(gnd_status (*load)(gnd_graph *, const char *, const gnd_load_opts *,
                                         gnd_error *),
                      const char *path, bool names)
{
    gnd_graph *g = NULL;
    gnd_error err;

    CHECK_OK(
        gnd_format_edgelist.read(&g, put("g", names ? "a,b\nb,c\n" : "0,1\n1,2\n"), NULL, &err));
    NOMEM_WALK(load(g, path, NULL, &err), {
        assert_int_equal(g->n_node, 3);
        assert_int_equal(g->n_feat, 0);
        assert_int_equal(g->n_class, 0);
        assert_int_equal(g->notes.n, 0);
        assert_int_equal(gnd_graph_check(g, NULL, NULL), GND_OK);
    });
    CHECK_OK(gnd_graph_check(g, NULL, &err));
    gnd_graph_free(g);
}

static void test_loads(void **state)
{
    (void)state;
    walk_load(gnd_labels_load, put("l", "a,x\nnew,y\na,x\n"), true);
    walk_load(gnd_labels_load, put("l", "4,x\n3,y\n0,x\n"), false);
    walk_load(gnd_features_load, put("x", "a,1,2\nnew,0,1\n"), true);
    walk_load(gnd_features_load, put("x", "0,1,2\n9,0,1\n"), false);
    walk_load(gnd_features_load, put("x", "name,age,city\na,1,Rome\nnew,2,Oslo\n"), true);
    walk_load(gnd_features_load, put("x", "1 1:2\n1\n1 3:0.5\n"), true);
    walk_load(gnd_features_load,
              put("x", "%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1 1\n1 1 2\n"),
              true);
}

static void test_save(void **state)
{
    gnd_graph *g = path_graph(3);
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_csv_save(g, temp_path("out"), NULL, &err), (void)0);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_save),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
