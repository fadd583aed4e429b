/* SPDX-License-Identifier: MIT
 * test_rmat_nomem.c - making a graph with 0, 1, 2, ... allowed allocations. */
#include "mallocfail.h"

static void make(void **state)
{
    const gnd_make_opts o = {.size = sizeof o,
                             .n_node = 20,
                             .n_edge = 30,
                             .n_feat = 8,
                             .n_class = 3,
                             .n_word = 2,
                             .inside = 50,
                             .seed = 1};
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_graph_make(&g, &o, &err), assert_null(g));
    assert_non_null(g);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(make)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
