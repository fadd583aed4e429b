/* SPDX-License-Identifier: MIT
 * test_arrays_nomem.c - graphs from arrays with every allocation failing in turn: nothing leaks,
 * and the graph is as it was. */
#include "check.h"
#include "mallocfail.h"

static const int64_t ptr[] = {0, 3, 4, 5};
static const int32_t col[] = {2, 1, 2, 1, 0}; /* unsorted, with a duplicate */
static const float val[] = {1, 2, 4, 0, 1};   /* and a zero */

static gnd_csr_view view(bool with_val)
{
    return (gnd_csr_view){.size = sizeof(gnd_csr_view),
                          .ptr_type = GND_I64,
                          .col_type = GND_I32,
                          .val_type = GND_F32,
                          .n_row = 3,
                          .n_col = 3,
                          .ptr = ptr,
                          .col = col,
                          .val = with_val ? val : NULL};
}

static void graphs(void **state)
{
    static const int32_t s[] = {0, 1, 0}, t[] = {1, 2, 1};
    const gnd_edges_view e = {
        .size = sizeof e, .index_type = GND_I32, .n_edge = 3, .source = s, .target = t};
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    for (int k = 0; k < 4; k++) {
        const gnd_csr_view v = view(k % 2);

        NOMEM_WALK(gnd_graph_from_csr(&g, &v, k / 2, &err), assert_null(g));
        gnd_graph_free(g);
    }
    NOMEM_WALK(gnd_graph_from_edges(&g, &e, &err), assert_null(g));
    gnd_graph_free(g);
}

/* The graph has one note: that of its features. */
static void check_same(const gnd_graph *g)
{
    gnd_csr_view x = {.size = sizeof x};
    gnd_error err;
    char buf[32];

    CHECK_OK(gnd_graph_features(&x, g, &err));
    assert_int_equal(x.n_col, 3);
    assert_int_equal(((const int64_t *)x.ptr)[3], 4);
    assert_int_equal(gnd_graph_n_note(g), 3);
    assert_string_equal(gnd_graph_id(g, 1, buf), "b");
    assert_string_equal(gnd_graph_class_name(g, 0), "x");
    assert_string_equal(gnd_graph_name(g), "name");
}

static void parts(void **state)
{
    const gnd_csr_view v = view(true);
    const gnd_dense_view d = {.size = sizeof d,
                              .type = GND_F32,
                              .n_row = 3,
                              .n_col = 1,
                              .row_stride = 4,
                              .col_stride = 4,
                              .data = val};
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_graph_from_csr(&g, &v, false, &err));
    CHECK_OK(gnd_graph_set_features_csr(g, &v, true, &err));
    CHECK_OK(gnd_graph_set_ids(g, (const char *const[]){"a", "b", "c"}, &err));
    CHECK_OK(gnd_graph_set_labels(g, col, (const char *const[]){"x", "y", "z"}, 3, &err));
    CHECK_OK(gnd_graph_set_name(g, "name", &err));
    NOMEM_WALK(gnd_graph_set_features_csr(g, &v, true, &err), check_same(g));
    NOMEM_WALK(gnd_graph_set_features_csr(g, &v, false, &err), check_same(g));
    NOMEM_WALK(gnd_graph_set_labels(g, col, (const char *const[]){"x", "v", "w"}, 3, &err),
               check_same(g));
    NOMEM_WALK(gnd_graph_set_ids(g, (const char *const[]){"a", "b", "d"}, &err), check_same(g));
    NOMEM_WALK(gnd_graph_set_features_dense(g, &d, &err), check_same(g));
    NOMEM_WALK(gnd_graph_set_labels(g, col, NULL, 3, &err), assert_int_equal(g != NULL, 1));
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(graphs), cmocka_unit_test(parts)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
