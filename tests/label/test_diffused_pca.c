/* SPDX-License-Identifier: MIT
 * test_diffused_pca.c - coordinates in float: threads, graphs without information, known sets of
 * points, and all coordinates of a graph. */
#include "label/diffused_pca.h"

#include "graph/graph.h"
#include "graph/operator.h"
#include "embed/links.h"
#include "embed/points.h"
#include "prepared.h"
#include "random_graph.h"

static const gnd_coordinates_opts all_coordinates = {
    .weighting = {true, true}, .near = true, .teleport = 0.1, .teleport_near = 0.25, .n_class = 4};

static void threads_do_not_matter(void **state)
{
    static const int threads[] = {2, 7};
    gnd_graph *g = random_graph(900, 200, 4);
    gnd_pool *pool = eager_pool(1);
    gnd_prepared one = prepared_with(&g->feat, &g->adj, &all_coordinates, pool);

    (void)state;
    gnd_pool_free(pool);
    assert_int_equal(one.z.first, GND_WEIGHT_IDF);
    assert_int_equal(one.z.diffused[GND_WEIGHT_IDF].r, GND_RANK_HIGH);
    for (int v = 0; v < GND_WEIGHTINGS; v++) {
        check_sane(&one.z.diffused[v]);
        check_sane(&one.z.near[v]);
    }
    for (int t = 0; t < 2; t++) {
        gnd_prepared many;

        pool = eager_pool(threads[t]);
        many = prepared_with(&g->feat, &g->adj, &all_coordinates, pool);
        for (int v = 0; v < GND_WEIGHTINGS; v++) {
            assert_true(same_points(&many.z.diffused[v], &one.z.diffused[v]));
            assert_true(same_points(&many.z.near[v], &one.z.near[v]));
        }
        gnd_prepared_fini(&many);
        gnd_pool_free(pool);
    }
    gnd_prepared_fini(&one);
    gnd_graph_free(g);
}

/* One coordinate for ten vertices, but at least one per class; only what is wanted is made. */
static void coordinates_of_a_graph(void **state)
{
    gnd_graph *g = random_graph(120, 40, 3);
    gnd_prepared p = prepared_with(&g->feat, &g->adj, &all_coordinates, NULL);

    (void)state;
    assert_int_equal(p.z.diffused[p.z.first].r, 12);
    gnd_prepared_fini(&p);
    p = prepared_with(&g->feat, &g->adj,
                      &(gnd_coordinates_opts){
                          .weighting = {[GND_WEIGHT_EQUAL] = true}, .teleport = 0.1, .n_class = 20},
                      NULL);
    assert_int_equal(p.z.first, GND_WEIGHT_EQUAL);
    assert_int_equal(p.z.diffused[GND_WEIGHT_IDF].n, 0);
    assert_int_equal(p.z.diffused[GND_WEIGHT_EQUAL].r, 20);
    assert_int_equal(p.z.near[GND_WEIGHT_EQUAL].n, 0);
    gnd_prepared_fini(&p);
    gnd_graph_free(g);
}

/* The unit of weights does not matter; 2^-20 of it leaves even the bits. */
static void unit_of_weights(void **state)
{
    gnd_graph *g = random_graph(120, 40, 3);
    gnd_coordinates v, small;

    (void)state;
    assert_non_null(g->adj.val);
    v = coordinates_with(&g->feat, &g->adj, &all_coordinates);
    for (int64_t q = 0; q < gnd_csr_nnz(&g->adj); q++)
        g->adj.val[q] *= (gnd_real)0x1p-20;
    small = coordinates_with(&g->feat, &g->adj, &all_coordinates);
    assert_true(same_points(&v.diffused[v.first], &small.diffused[v.first]));
    gnd_coordinates_fini(&small);
    gnd_coordinates_fini(&v);
    gnd_graph_free(g);
}

/* Where all features have the same idf weight, one per vertex, there is one weighting, whatever was
 * wanted. */
static void features_as_rare(void **state)
{
    gnd_csr links = make_cycle(30), x = {0};
    gnd_coordinates v = {0};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_init(&x, 30, 30, 30, false, &err));
    for (int64_t i = 0; i < 30; i++) {
        x.ptr[i + 1] = i + 1;
        x.col[i] = (int32_t)i;
    }
    v = coordinates_with(&x, &links, &all_coordinates);
    assert_int_equal(v.first, GND_WEIGHT_EQUAL);
    assert_int_equal(v.diffused[GND_WEIGHT_IDF].n, 0);
    check_sane(&v.diffused[GND_WEIGHT_EQUAL]);
    gnd_coordinates_fini(&v);
    gnd_csr_fini(&x);
    gnd_csr_fini(&links);
}

/* Numeric features have no idf weight: one that is 0 somewhere is not rare. */
static void numeric_features_have_no_idf_weighting(void **state)
{
    enum { N = 60, D = 4 };
    gnd_csr links = make_cycle(N), x = {0};
    gnd_coordinates v = {0};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_init(&x, N, D, N * D - 1, true, &err));
    for (int64_t i = 0, q = 0; i < N; i++) {
        for (int32_t j = 0; j < D; j++)
            if (i != 7 || j != 2) {
                x.col[q] = j;
                x.val[q++] = (gnd_real)sin((double)(1 + i * D + j));
            }
        x.ptr[i + 1] = q;
    }
    v = coordinates_with(&x, &links, &all_coordinates);
    assert_int_equal(v.first, GND_WEIGHT_EQUAL);
    assert_int_equal(v.diffused[GND_WEIGHT_IDF].n, 0);
    gnd_coordinates_fini(&v);
    gnd_csr_fini(&x);
    gnd_csr_fini(&links);
}

/* Features that nobody has, or that all have as much, say nothing: then each vertex is its own. */
static void features_that_say_nothing(void **state)
{
    gnd_csr links = make_cycle(30), none = {0}, same = {0};
    const gnd_csr *const silent[] = {&none, &same};
    gnd_coordinates own = {0}, v = {0};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_init(&none, 30, 5, 0, false, &err));
    CHECK_OK(gnd_csr_init(&same, 30, 5, 60, true, &err));
    for (int64_t i = 0; i < 30; i++) {
        same.ptr[i + 1] = 2 * (i + 1);
        same.col[2 * i] = 1;
        same.col[2 * i + 1] = 4;
        same.val[2 * i] = (gnd_real)0.3;
        same.val[2 * i + 1] = (gnd_real)-0.7;
    }
    own = coordinates_with(NULL, &links, &all_coordinates);
    check_sane(&own.diffused[GND_WEIGHT_EQUAL]);
    assert_int_equal(own.own.n, 0);
    for (int k = 0; k < 2; k++) {
        v = coordinates_with(silent[k], &links, &all_coordinates);
        assert_int_equal(v.diffused[GND_WEIGHT_EQUAL].r, own.diffused[GND_WEIGHT_EQUAL].r);
        assert_memory_equal(v.diffused[GND_WEIGHT_EQUAL].z, own.diffused[GND_WEIGHT_EQUAL].z,
                            (size_t)(30 * v.diffused[GND_WEIGHT_EQUAL].r) * sizeof(gnd_real));
        gnd_coordinates_fini(&v);
    }
    gnd_coordinates_fini(&own);
    gnd_csr_fini(&same);
    gnd_csr_fini(&none);
    gnd_csr_fini(&links);
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
        cmocka_unit_test(coordinates_of_a_graph),
        cmocka_unit_test(unit_of_weights),
        cmocka_unit_test(features_as_rare),
        cmocka_unit_test(numeric_features_have_no_idf_weighting),
        cmocka_unit_test(features_that_say_nothing),
        cmocka_unit_test(some_points_and_their_lead),
        cmocka_unit_test(spread_of_known_sets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
