/* SPDX-License-Identifier: MIT
 * test_repulsion.c - forces by the tree against sums over all pairs in double. */
#include "embed/repulsion.h"
#include "cloud.h"
#include "pools.h"

/* Sums over all pairs. */
static void all_pairs(double *force, double *z, const gnd_real *y, int64_t n)
{
    *z = 0;
    for (int64_t i = 0; i < n; i++) {
        force[2 * i] = force[2 * i + 1] = 0;
        for (int64_t j = 0; j < n; j++) {
            const double dx = (double)y[2 * i] - (double)y[2 * j];
            const double dy = (double)y[2 * i + 1] - (double)y[2 * j + 1];
            const double s = 1 / (1 + dx * dx + dy * dy);

            force[2 * i] += s * s * dx;
            force[2 * i + 1] += s * s * dy;
            *z += j == i ? 0 : s;
        }
    }
}

/* Largest difference of a force from `exact`, relative to the largest force. */
static double error_of(const gnd_real *force, const double *exact, int64_t n)
{
    double worst = 0, largest = 1e-30;

    for (int64_t i = 0; i < 2 * n; i++) {
        worst = fmax(worst, fabs((double)force[i] - exact[i]));
        largest = fmax(largest, fabs(exact[i]));
    }
    return worst / largest;
}

/* Points y: exact with theta < 0 and theta 0, near with theta 0.5; the same bits by threads. */
static void check_points(const gnd_real *y, int64_t n, double near)
{
    double *exact = gnd_alloc(2 * n, sizeof *exact), z;
    gnd_real *force = gnd_alloc(2 * n, sizeof *force), *again = gnd_alloc(2 * n, sizeof *again);
    gnd_repulsion r;
    gnd_error err;

    all_pairs(exact, &z, y, n);
    CHECK_OK(gnd_repulsion_init(&r, n, &err));
    for (int t = -1; t <= 1; t++) {
        const double got = gnd_repulsion_compute(&r, force, y, 0.5 * t, NULL);

        CHECK_CLOSE(got, z, (t == 1 ? near : 1e-5) * (z + 1));
        CHECK_CLOSE(error_of(force, exact, n), 0, t == 1 ? near : 1e-5);
        for (int threads = 2; threads <= 7; threads += 5) {
            gnd_pool *pool = eager_pool(threads);

            assert_true(gnd_repulsion_compute(&r, again, y, 0.5 * t, pool) == got);
            assert_memory_equal(force, again, (size_t)(2 * n) * sizeof *force);
            gnd_pool_free(pool);
        }
    }
    gnd_repulsion_fini(&r);
    gnd_free(exact);
    gnd_free(force);
    gnd_free(again);
}

static void agrees(void **state)
{
    static const int64_t sizes[] = {1, 2, 3, 8, 9, 31, 32, 33, 500, 3000};

    (void)state;
    for (int64_t s = 0; s < LENGTH(sizes); s++) {
        float *y = cloud(sizes[s], 2, 7);

        for (int64_t i = 0; i < 2 * sizes[s]; i++)
            y[i] *= 20; /* as wide as a layout */
        check_points(y, sizes[s], 2e-2);
        gnd_free(y);
    }
}

/* Points that coincide: all, half of them, and all but one. */
static void coinciding(void **state)
{
    enum { N = 300 };
    gnd_real y[2 * N];

    (void)state;
    for (int64_t i = 0; i < 2 * N; i++)
        y[i] = (gnd_real)0.3;
    check_points(y, N, 1e-5);
    y[7] = 90;
    check_points(y, N, 1e-5);
    for (int64_t i = 0; i < N; i++)
        y[i] = (gnd_real)gnd_rng_uniform(1, 1, (uint64_t)i);
    check_points(y, N, 2e-2);
}

/* The tree's order is a permutation, and every cell holds its points. */
static void tree(void **state)
{
    enum { N = 777 };
    float *y = cloud(N, 2, 5);
    int32_t seen[N] = {0};
    gnd_quadtree t;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_quadtree_init(&t, N, &err));
    gnd_quadtree_build(&t, y);
    for (int64_t i = 0; i < N; i++) {
        assert_int_equal(seen[t.order[i]]++, 0);
        assert_true(t.y[2 * i] == y[2 * t.order[i]]);
    }
    assert_true(t.n_cell < 2 * N);
    assert_int_equal(t.cell[0].end, N);
    assert_int_equal(t.cell[0].next, t.n_cell);
    for (int64_t k = 0; k < t.n_cell; k++) {
        const gnd_cell_node *c = t.cell + k;
        int32_t at = c->begin;

        for (int64_t in = k + 1; in < c->next; in = t.cell[in].next) {
            assert_int_equal(t.cell[in].begin, at);
            at = t.cell[in].end;
        }
        assert_int_equal(at, c->leaf ? c->begin : c->end);
        for (int32_t i = c->begin; i < c->end; i++)
            assert_true(fabs((double)(t.y[2 * i] - c->x)) <= (double)c->side * (1 + 1e-5) + 1e-6);
    }
    gnd_quadtree_fini(&t);
    gnd_free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees),
        cmocka_unit_test(coinciding),
        cmocka_unit_test(tree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
