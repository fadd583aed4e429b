/* SPDX-License-Identifier: MIT
 * test_poincare.c - the hyperbolic distance, and what an embedding of a tree must look like. */
#include "embed/poincare.h"

#include "links.h"

static void distance(void **state)
{
    const double o[2] = {0, 0}, half[2] = {0.5, 0}, u[2] = {0.1, 0.2}, v[2] = {-0.3, 0.4};
    const double edge[2] = {0, 1 - 1e-5}, near[2] = {0.1 + 1e-9, 0.2};

    (void)state;
    CHECK_CLOSE(gnd_hyperbolic_distance(o, half), log(3), 1e-15); /* 2 artanh r from the middle */
    CHECK_CLOSE(gnd_hyperbolic_distance(o, edge), 2 * atanh(1 - 1e-5), 1e-10);
    CHECK_CLOSE(gnd_hyperbolic_distance(u, v), acosh(1 + 2 * 0.2 / (0.95 * 0.75)), 1e-14);
    CHECK_CLOSE(gnd_hyperbolic_distance(u, v), gnd_hyperbolic_distance(v, u), 0);
    CHECK_CLOSE(gnd_hyperbolic_distance(u, u), 0, 0);
    CHECK_CLOSE(gnd_hyperbolic_distance(u, near), 2e-9 / 0.95, 1e-15); /* nothing is lost */
}

/* Parent of each vertex of a tree with three children a vertex. */
enum { TREE = 121 };

static void tree(void **state)
{
    link_list l = {.n = 0};
    double z[2 * TREE], again[2 * TREE], linked = 0, others = 0;
    int64_t n_linked = 0, n_other = 0;
    gnd_csr a;
    gnd_error err;

    (void)state;
    for (int i = 1; i < TREE; i++)
        add_link(&l, i, (i - 1) / 3);
    a = make_links(TREE, &l);
    CHECK_OK(gnd_poincare(z, &a, 7, &err));
    for (int i = 0; i < TREE; i++) {
        assert_true(hypot(z[2 * i], z[2 * i + 1]) < 1);
        for (int j = 0; j < i; j++) {
            const double d = gnd_hyperbolic_distance(z + 2 * i, z + 2 * j);

            if (j == (i - 1) / 3) {
                linked += d;
                n_linked++;
            } else {
                others += d;
                n_other++;
            }
        }
    }
    assert_true(linked / (double)n_linked < 0.4 * others / (double)n_other);
    CHECK_OK(gnd_poincare(again, &a, 7, &err));
    assert_memory_equal(z, again, sizeof z);
    CHECK_OK(gnd_poincare(again, &a, 8, &err));
    assert_memory_not_equal(z, again, sizeof z);
    gnd_csr_fini(&a);
}

/* The link's direction, its double and a loop say nothing. */
static void direction_is_free(void **state)
{
    link_list l = {.n = 0}, m = {.n = 0};
    double z[24], y[24];
    gnd_csr a, b;
    gnd_error err;

    (void)state;
    add_path(&l, 0, 12);
    for (int i = 11; i > 0; i--)
        add_link(&m, i, i - 1);
    add_link(&m, 3, 4);
    add_link(&m, 5, 5);
    a = make_links(12, &l);
    b = make_links(12, &m);
    CHECK_OK(gnd_poincare(z, &a, 1, &err));
    CHECK_OK(gnd_poincare(y, &b, 1, &err));
    assert_memory_equal(z, y, sizeof z);
    gnd_csr_fini(&a);
    gnd_csr_fini(&b);
}

static void small_ones(void **state)
{
    gnd_csr made[] = {make_empty(0), make_empty(1), make_empty(4), make_path(2), make_clique(6)};
    double z[12];
    gnd_error err;

    (void)state;
    for (size_t k = 0; k < LENGTH(made); k++) {
        CHECK_OK(gnd_poincare(z, &made[k], 3, &err));
        /* No links, or nobody who is not linked: there is nothing to tell apart. */
        for (int64_t i = 0; i < made[k].n_row; i++)
            assert_true(hypot(z[2 * i], z[2 * i + 1]) < 0.0015);
        gnd_csr_fini(&made[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance),
        cmocka_unit_test(tree),
        cmocka_unit_test(direction_is_free),
        cmocka_unit_test(small_ones),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
