/* SPDX-License-Identifier: MIT
 * test_diffused_pca.c - coordinates in float: the same bits with any number of threads and by
 * panels. */
#include "linalg/diffused_pca.h"

#include "graph/graph.h"
#include "graph/operator.h"
#include "linalg/point_checks.h"
#include "pools.h"
#include "random_graph.h"

static void threads_and_panels_do_not_matter(void **state)
{
    enum { N = 900, D = 200, RANK = 64 };
    static const int threads[] = {1, 2, 7};
    gnd_graph *g = random_graph(N, D, 4), *und = NULL;
    gnd_csr xt = {0};
    gnd_operator S = {0};
    double degree[N] = {0};
    gnd_points z[3], own[3];
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_graph_convert(&und, g, GND_GRAPH_UND, &err));
    CHECK_OK(gnd_csr_transpose(&xt, &g->feat, &err));
    CHECK_OK(gnd_operator_init(&S, GND_OP_S, &und->adj, &err));
    for (int64_t i = 0; i < N; i++)
        degree[i] = 1 + (double)(und->adj.ptr[i + 1] - und->adj.ptr[i]);
    for (int t = 0; t < 3; t++) {
        gnd_pool *pool = eager_pool(threads[t]);

        CHECK_OK(gnd_diffused_pca(&z[t], &own[t],
                                  &(gnd_pca_opts){.x = &g->feat,
                                                  .xt = &xt,
                                                  .n_feature = xt.n_row,
                                                  .S = &S.a,
                                                  .degree = degree,
                                                  .teleport = 0.1,
                                                  .odd_weight = 1,
                                                  .tol = 0.01,
                                                  .tol_pass = 0.1,
                                                  .rank = RANK,
                                                  .passes = 2,
                                                  .seed = 1,
                                                  .by_panels = t == 1},
                                  pool, &err));
        assert_int_equal(z[t].r, RANK);
        check_sane(&z[t]);
        check_sane(&own[t]);
        assert_true(same_points(&z[t], &z[0]) && same_points(&own[t], &own[0]));
        gnd_pool_free(pool);
    }
    for (int t = 0; t < 3; t++) {
        gnd_points_fini(&z[t]);
        gnd_points_fini(&own[t]);
    }
    gnd_operator_fini(&S);
    gnd_csr_fini(&xt);
    gnd_graph_free(und);
    gnd_graph_free(g);
}

/* Without features, from random signs. */
static void threads_do_not_matter_for_links(void **state)
{
    enum { N = 900, RANK = 32 };
    static const int threads[] = {1, 2, 7};
    gnd_graph *g = random_graph(N, 8, 4), *und = NULL;
    gnd_csr units = {0};
    double degree[N] = {0};
    gnd_points z[3], even[3];
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_graph_convert(&und, g, GND_GRAPH_UND, &err));
    CHECK_OK(gnd_csr_init(&units, N, N, N, false, &err));
    for (int64_t i = 0; i < N; i++) {
        for (int64_t p = und->adj.ptr[i]; p < und->adj.ptr[i + 1]; p++)
            degree[i] += (double)gnd_csr_val(&und->adj, p);
        units.col[i] = (int32_t)i;
        units.ptr[i + 1] = i + 1;
    }
    for (int t = 0; t < 3; t++) {
        gnd_pool *pool = eager_pool(threads[t]);

        CHECK_OK(gnd_links_pca(&z[t], &even[t],
                               &(gnd_pca_opts){.x = &units,
                                               .xt = &units,
                                               .S = &und->adj,
                                               .degree = degree,
                                               .teleport = 0.05,
                                               .tol = 0.03,
                                               .tol_pass = 0.3,
                                               .rank = RANK,
                                               .passes = 2,
                                               .seed = 1,
                                               .quick = true},
                               pool, &err));
        assert_int_equal(z[t].r, RANK);
        check_sane(&z[t]);
        check_sane(&even[t]);
        assert_true(same_points(&z[t], &z[0]) && same_points(&even[t], &even[0]));
        assert_false(same_points(&z[t], &even[t]));
        gnd_pool_free(pool);
    }
    for (int t = 0; t < 3; t++) {
        gnd_points_fini(&z[t]);
        gnd_points_fini(&even[t]);
    }
    gnd_csr_fini(&units);
    gnd_graph_free(und);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_panels_do_not_matter),
        cmocka_unit_test(threads_do_not_matter_for_links),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
