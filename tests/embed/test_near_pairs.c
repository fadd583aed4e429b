/* SPDX-License-Identifier: MIT
 * test_near_pairs.c - the nearest pairs against a sorted list of all of them. */
#include "embed/near_pairs.h"

#include "embed/poincare.h"
#include "links.h"

enum { N = 90, ALL = N * (N - 1) / 2 };

static double z[2 * N];

static double distance(int i, int j, gnd_metric metric)
{
    return metric == GND_METRIC_HYPERBOLIC
               ? gnd_hyperbolic_distance(z + 2 * i, z + 2 * j)
               : hypot(z[2 * i] - z[2 * j], z[2 * i + 1] - z[2 * j + 1]);
}

static int ascending(const void *p, const void *q)
{
    const double a = *(const double *)p, b = *(const double *)q;

    return (a > b) - (a < b);
}

static void scatter(uint32_t stream, double scale)
{
    for (int i = 0; i < 2 * N; i++)
        z[i] = scale * (gnd_rng_uniform(4, stream, (uint64_t)i) - 0.5);
}

static void check_pairs(const gnd_csr *near, double rho, gnd_metric metric)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if ((gnd_csr_find(near, i, j) >= 0) != (i != j && distance(i, j, metric) < rho))
                fail_msg("%d - %d: distance %.17g, rho %.17g", i, j, distance(i, j, metric), rho);
}

static void agrees(void **state)
{
    const int64_t pairs[] = {1, 2, 17, 400, ALL / 2, ALL - 1};
    static double d[ALL];
    gnd_csr near;
    double rho;
    gnd_error err;

    (void)state;
    for (uint32_t k = 0; k < 24; k++) {
        const gnd_metric metric = k % 2 ? GND_METRIC_HYPERBOLIC : GND_METRIC_EUCLID;
        const int64_t p = pairs[k / 2 % LENGTH(pairs)];
        gnd_pool *pool = eager_pool(1 + (int)k % 3);
        int64_t n = 0;

        scatter(k, k < 12 ? 1.3 : 1e-5); /* corners of norm 0.92; then all but one point */
        CHECK_OK(gnd_latent_pairs(&near, &rho, &(gnd_plane_points){z, N, metric}, p, pool, &err));
        for (int i = 0; i < N; i++)
            for (int j = 0; j < i; j++)
                d[n++] = distance(i, j, metric);
        qsort(d, ALL, sizeof *d, ascending);
        CHECK_CLOSE(rho, (d[p - 1] + d[p]) / 2, 1e-13 * rho);
        assert_int_equal(gnd_csr_nnz(&near), 2 * p);
        check_pairs(&near, rho, metric);
        gnd_csr_fini(&near);
        gnd_pool_free(pool);
    }
}

static void none_and_all(void **state)
{
    gnd_csr near;
    double rho;
    gnd_error err;

    (void)state;
    scatter(1, 1);
    CHECK_OK(
        gnd_latent_pairs(&near, &rho, &(gnd_plane_points){z, N, GND_METRIC_EUCLID}, 0, NULL, &err));
    assert_int_equal(gnd_csr_nnz(&near), 0);
    CHECK_CLOSE(rho, 0, 0);
    gnd_csr_fini(&near);
    CHECK_OK(gnd_latent_pairs(&near, &rho, &(gnd_plane_points){z, N, GND_METRIC_EUCLID}, ALL, NULL,
                              &err));
    assert_int_equal(gnd_csr_nnz(&near), 2 * ALL);
    assert_true(isinf(rho));
    gnd_csr_fini(&near);
    for (int64_t n = 0; n < 2; n++) {
        CHECK_OK(gnd_latent_pairs(&near, &rho, &(gnd_plane_points){z, n, GND_METRIC_HYPERBOLIC}, 0,
                                  NULL, &err));
        assert_int_equal(near.n_row, n);
        gnd_csr_fini(&near);
    }
}

/* On a lattice distances tie: rho is one of them, and none that far is near. */
static void ties(void **state)
{
    gnd_csr near;
    double rho;
    gnd_error err;

    (void)state;
    for (int i = 0; i < N; i++) {
        z[2 * i] = i % 9;
        z[2 * i + 1] = i / 9; /* 9 x 10: 161 pairs at 1, 144 at sqrt(2) */
    }
    CHECK_OK(gnd_latent_pairs(&near, &rho, &(gnd_plane_points){z, N, GND_METRIC_EUCLID}, 100, NULL,
                              &err));
    assert_int_equal(gnd_csr_nnz(&near), 0);
    CHECK_CLOSE(rho, 1, 0);
    gnd_csr_fini(&near);
    CHECK_OK(gnd_latent_pairs(&near, &rho, &(gnd_plane_points){z, N, GND_METRIC_EUCLID}, 161, NULL,
                              &err));
    assert_int_equal(gnd_csr_nnz(&near), 2 * 161);
    CHECK_CLOSE(rho, (1 + sqrt(2)) / 2, 1e-15);
    gnd_csr_fini(&near);
    CHECK_OK(gnd_latent_pairs(&near, &rho, &(gnd_plane_points){z, N, GND_METRIC_EUCLID}, 200, NULL,
                              &err));
    assert_int_equal(gnd_csr_nnz(&near), 2 * 161);
    CHECK_CLOSE(rho, sqrt(2), 0);
    gnd_csr_fini(&near);
    memset(z, 0, sizeof z);
    CHECK_OK(
        gnd_latent_pairs(&near, &rho, &(gnd_plane_points){z, N, GND_METRIC_EUCLID}, 5, NULL, &err));
    assert_int_equal(gnd_csr_nnz(&near), 0);
    CHECK_CLOSE(rho, 0, 0);
    gnd_csr_fini(&near);
}

static void refuses(void **state)
{
    gnd_csr near;
    double rho;
    gnd_error err;

    (void)state;
    scatter(1, 1);
    z[6] = NAN;
    CHECK_FAILS(
        gnd_latent_pairs(&near, &rho, &(gnd_plane_points){z, N, GND_METRIC_EUCLID}, 9, NULL, &err),
        GND_ERR_ARG, "point 3 is not finite");
    assert_null(near.ptr);
    z[6] = 1;
    CHECK_FAILS(gnd_latent_pairs(&near, &rho, &(gnd_plane_points){z, N, GND_METRIC_HYPERBOLIC}, 9,
                                 NULL, &err),
                GND_ERR_ARG, "point 3 is outside the unit disk");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees),
        cmocka_unit_test(none_and_all),
        cmocka_unit_test(ties),
        cmocka_unit_test(refuses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
