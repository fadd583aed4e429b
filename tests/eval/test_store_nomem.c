/* SPDX-License-Identifier: MIT
 * test_store_nomem.c - stores and comparisons with every allocation failing in turn. */
#include "fixture.h"
#include "mallocfail.h"
#include "store_make.h"

static void stores(void **state)
{
    const char *path = temp_path("a.db");
    char csv[256];
    gnd_store *s = NULL;
    const gnd_row row = make_row(1);
    int64_t n = -1;
    gnd_error err = {0};

    (void)state;
    snprintf(csv, sizeof csv, "%s", temp_path("a.csv"));
    NOMEM_WALK(gnd_store_open(&s, path, &err), assert_null(s));
    CHECK_OK(gnd_store_put(s, &row, &err));
    NOMEM_WALK(gnd_store_export(s, csv, &err), assert_int_not_equal(access(csv, F_OK), 0));
    gnd_store_close(s);
    s = make_store(temp_path("b.db"));
    NOMEM_WALK(gnd_store_import(s, csv, &n, &err), assert_int_equal(gnd_store_count(s), 0));
    assert_int_equal(n, 1);
    gnd_store_close(s);
}

/* The same with a folder, which is also opened as results. */
static void folders(void **state)
{
    gnd_store *s = make_store(temp_path("f.db")), *r = NULL;
    gnd_row row = make_row(1);
    char folder[256], path[300];
    int64_t n = -1;
    FILE *f;
    gnd_error err = {0};

    (void)state;
    row.dataset = "rings";
    snprintf(folder, sizeof folder, "%s/", temp_path("folder"));
    snprintf(path, sizeof path, "%sconfigs.csv", folder);
    CHECK_OK(gnd_store_put(s, &row, &err));
    NOMEM_WALK(gnd_store_export(s, folder, &err), assert_int_not_equal(access(path, F_OK), 0));
    gnd_store_close(s);
    s = make_store(temp_path("g.db"));
    NOMEM_WALK(gnd_store_import(s, folder, &n, &err), assert_int_equal(gnd_store_count(s), 0));
    assert_int_equal(n, 1);
    gnd_store_close(s);
    snprintf(path, sizeof path, "%sdatasets.csv", folder);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs("dataset,graph,vertices,edges,arcs,features,classes,directed\nrings,und,1,2,3,4,5,1\n",
          f);
    fclose(f);
    NOMEM_WALK(gnd_store_open_results(&r, folder, &err), assert_null(r));
    gnd_store_close(r);
}

/* Each failure leaves a store that the next attempt goes on with; the last has them all. */
static void comparisons(void **state)
{
    gnd_graph *g = fixture_two_rings(12, 2);
    gnd_store *s = make_store(temp_path("c.db"));
    const int32_t two = 2;
    gnd_config *c = NULL;
    gnd_comparison *out = NULL;
    gnd_error err = {0};
    int64_t had = 0;

    (void)state;
    CHECK_OK(gnd_config_new(&c, "gnd-slp", &err));
    CHECK_OK(gnd_config_set(c, "epochs_alone", "3", &err));
    for (int stored = 0; stored < 2; stored++) {
        const gnd_compare_opts o = {.size = sizeof o,
                                    .configs = (const gnd_config *const[]){c},
                                    .n_config = 1,
                                    .per_class = &two,
                                    .n_per_class = 1,
                                    .n_split = 2,
                                    .threads = 1, /* the counter is not for threads */
                                    .store = stored ? s : NULL};

        NOMEM_WALK(gnd_compare(&out, g, &o, &err), {
            assert_null(out);
            assert_in_range(gnd_store_count(s), had, 2);
            had = gnd_store_count(s);
        });
        assert_int_equal(gnd_comparison_cell(out, 0)->n, 2);
        assert_int_equal(gnd_store_count(s), stored ? 2 : 0);
        gnd_comparison_free(out);
    }
    gnd_config_free(c);
    gnd_store_close(s);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores),
        cmocka_unit_test(folders),
        cmocka_unit_test(comparisons),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
