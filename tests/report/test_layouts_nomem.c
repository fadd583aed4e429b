/* SPDX-License-Identifier: MIT
 * test_layouts_nomem.c - diffused features, their file and layouts with 0, 1, 2, ... allowed
 * allocations. */
#include "io/temp.h"
#include "mallocfail.h"

static void walked(void **state)
{
    static const int32_t hops[] = {0, 3};
    const gnd_load_opts lo = {.size = sizeof lo, .data_dir = GND_SOURCE_DIR "/data"};
    const gnd_hop_features_opts ho = {.size = sizeof ho, .hops = hops, .n_hop = 2, .threads = 1};
    const gnd_tsne_opts to = {.size = sizeof to, .early = 2, .iterations = 2, .threads = 1};
    gnd_graph *g;
    gnd_hop_features *h;
    gnd_layouts *l;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_load(&g, "karate", &lo, &err));
    NOMEM_WALK(gnd_hop_features_new(&h, g, &ho, &err), assert_null(h));
    NOMEM_WALK(gnd_hop_features_save(h, g, temp_path("hops.npz"), &err),
               assert_int_not_equal(access(temp_path("hops.npz"), F_OK), 0));
    NOMEM_WALK(gnd_layouts_new(&l, h, g, &to, &err), assert_null(l));
    gnd_layouts_free(l);
    gnd_hop_features_free(h);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walked)};

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
