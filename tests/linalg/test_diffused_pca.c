/* SPDX-License-Identifier: MIT
 * test_diffused_pca.c - coordinates in float: threads, and known sets of points. */
#include "linalg/diffused_pca.h"

#include "graph/graph.h"
#include "graph/operator.h"
#include "linalg/points.h"
#include "pools.h"
#include "random_graph.h"

static void threads_do_not_matter(void **state)
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
                                                  .S = &S.a,
                                                  .degree = degree,
                                                  .teleport = 0.1,
                                                  .odd_weight = 1,
                                                  .tol = 0.01,
                                                  .tol_pass = 0.1,
                                                  .rank = RANK,
                                                  .passes = 2,
                                                  .seed = 1},
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

/* Known sets: a line fills one direction, the axes of a space all of them. */
static void spread_of_known_sets(void **state)
{
    enum { N = 40, R = 4 };
    gnd_real line[N * R] = {0}, axes[N * R] = {0};
    double value[R] = {4, 3, 2, 1};
    gnd_points z = {0};
    gnd_error err;

    (void)state;
    for (int64_t i = 0; i < N; i++) {
        line[i * R + 2] = i % 3 ? 2 : -2;
        axes[i * R + i % R] = i % 8 < 4 ? 3 : -3;
    }
    CHECK_OK(gnd_points_shape(&z, &(gnd_points){.n = N, .r = R, .z = line, .value = value}, R, 1,
                              NULL, &err));
    CHECK_CLOSE(z.spread, 1, 1e-6);
    for (int64_t i = 0; i < N; i++)
        CHECK_CLOSE(fabs((double)z.z[i * R + 2]), 1, 0);
    gnd_points_fini(&z);
    CHECK_OK(gnd_points_shape(&z, &(gnd_points){.n = N, .r = R, .z = axes, .value = value}, R, 0.5,
                              NULL, &err));
    CHECK_CLOSE(z.spread, R, 1e-5);
    CHECK_CLOSE(z.value[0], 4, 0);
    CHECK_CLOSE(z.value[3], 4 * sqrt(0.25), 1e-12);
    gnd_points_fini(&z);
    /* What lies in the middle stays there. */
    memset(axes, 0, R * sizeof *axes);
    CHECK_OK(gnd_points_shape(&z, &(gnd_points){.n = N, .r = R, .z = axes, .value = value}, 2, 1.5,
                              NULL, &err));
    assert_int_equal(z.r, 2);
    assert_true(z.z[0] == 0 && z.z[1] == 0);
    CHECK_CLOSE(fabs((double)z.z[1 * 2 + 1]), 1, 0);
    assert_true(z.z[2 * 2] == 0 && z.z[2 * 2 + 1] == 0); /* it had only a third coordinate */
    gnd_points_fini(&z);
}

static void some_points_and_their_lead(void **state)
{
    gnd_real z[] = {1, 0, 0, 1, -1, 0, 0, -1};
    double value[] = {6, 3, 1};
    const gnd_points p = {.n = 4, .r = 2, .z = z, .value = value, .spread = 2};
    gnd_points some;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_points_subset(&some, &p, (int32_t[]){3, 0, 3}, 3, &err));
    assert_int_equal(some.n, 3);
    assert_memory_equal(some.z, ((gnd_real[]){0, -1, 1, 0, 0, -1}), 6 * sizeof *z);
    assert_true(some.value[1] == 3 && some.spread == 2);
    gnd_points_fini(&some);
    CHECK_CLOSE(gnd_points_leading_share(&(gnd_points){.r = 3, .value = value}, 1, 32), 0.6, 1e-12);
    CHECK_CLOSE(gnd_points_leading_share(&(gnd_points){.r = 3, .value = value}, 1, 2), 2.0 / 3,
                1e-12);
    CHECK_CLOSE(gnd_points_leading_share(&(gnd_points){.r = 3, .value = value}, 5, 32), 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(some_points_and_their_lead),
        cmocka_unit_test(spread_of_known_sets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
