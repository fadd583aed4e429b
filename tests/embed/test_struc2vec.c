/* SPDX-License-Identifier: MIT
 * test_struc2vec.c - vertices of one role stand together, however far apart they are. */
#include "embed/struc2vec.h"

#include "links.h"

static double apart(const double *z, int64_t i, int64_t j)
{
    return hypot(z[2 * i] - z[2 * j], z[2 * i + 1] - z[2 * j + 1]);
}

/* Mean distance over all pairs. */
static double spread(const double *z, int64_t n)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            sum += apart(z, i, j);
    return sum / ((double)n * (double)(n - 1) / 2);
}

/* Two bells of ten with a path of ten between them: the mirror image of a vertex is v -> 29 - v. */
static gnd_csr barbell(void)
{
    link_list l = {.n = 0};

    add_clique(&l, 0, 10);
    add_clique(&l, 20, 10);
    add_path(&l, 9, 12);
    return make_links(30, &l);
}

static void barbell_ends(void **state)
{
    double z[60], mirrored = 0, bells = 0;
    gnd_csr a = barbell();
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_struc2vec(z, &a, 1, NULL, &err));
    for (int i = 0; i < 15; i++)
        mirrored += apart(z, i, 29 - i) / 15;
    for (int i = 0; i < 9; i++) /* all vertices inside the two bells play one role */
        for (int j = 21; j < 30; j++)
            bells += apart(z, i, j) / 81;
    assert_true(mirrored < 0.5 * spread(z, 30));
    assert_true(bells < 0.35 * spread(z, 30));
    assert_true(apart(z, 0, 15) > bells); /* the path is another world */
    gnd_csr_fini(&a);
}

/* A second copy of a graph, out of reach of the first: each vertex stands near its twin. */
static void copies(void **state)
{
    enum { HALF = 31 };
    link_list l = {.n = 0};
    double z[4 * HALF], twins = 0;
    gnd_csr a;
    gnd_error err;

    (void)state;
    for (int half = 0; half < 2; half++)
        for (int i = 1; i < HALF; i++) /* a tree: the root has one child, others up to four */
            add_link(&l, half * HALF + i, half * HALF + (i < 2 ? 0 : 1 + (i - 2) / 4));
    a = make_links(2 * HALF, &l);
    CHECK_OK(gnd_struc2vec(z, &a, 2, NULL, &err));
    for (int i = 0; i < HALF; i++)
        twins += apart(z, i, HALF + i) / HALF;
    assert_true(twins < 0.5 * spread(z, 2 * HALF));
    gnd_csr_fini(&a);
}

static void threads_agree(void **state)
{
    enum { N = 70 };
    double z[3][2 * N], other[2 * N];
    const int threads[] = {1, 2, 7};
    gnd_csr a = make_chance(N, 130, 3);
    gnd_error err;

    (void)state;
    for (int k = 0; k < 3; k++) {
        gnd_pool *pool = eager_pool(threads[k]);

        CHECK_OK(gnd_struc2vec(z[k], &a, 4, pool, &err));
        gnd_pool_free(pool);
    }
    assert_memory_equal(z[0], z[1], sizeof z[0]);
    assert_memory_equal(z[0], z[2], sizeof z[0]);
    CHECK_OK(gnd_struc2vec(other, &a, 5, NULL, &err));
    assert_memory_not_equal(z[0], other, sizeof other);
    gnd_csr_fini(&a);
}

/* Other numbers for the same vertices: roles stay together. */
static void numbers_are_names(void **state)
{
    double z[60], bells = 0;
    gnd_csr a = barbell(), b;
    link_list l = {.n = 0};
    gnd_error err;

    (void)state;
    for (int64_t i = 0; i < 30; i++)
        for (int64_t p = a.ptr[i]; p < a.ptr[i + 1]; p++)
            add_link(&l, i * 7 % 30, a.col[p] * 7 % 30);
    b = make_links(30, &l);
    CHECK_OK(gnd_struc2vec(z, &b, 1, NULL, &err));
    for (int i = 0; i < 9; i++)
        for (int j = 21; j < 30; j++)
            bells += apart(z, i * 7 % 30, j * 7 % 30) / 81;
    assert_true(bells < 0.35 * spread(z, 30));
    gnd_csr_fini(&a);
    gnd_csr_fini(&b);
}

static void small_ones(void **state)
{
    gnd_csr made[] = {make_empty(0), make_empty(1), make_empty(7),
                      make_path(2),  make_path(3),  make_clique(5)};
    link_list l = {.n = 0};
    double z[24];
    gnd_csr pairs;
    gnd_error err;

    (void)state;
    for (size_t k = 0; k < LENGTH(made); k++) {
        CHECK_OK(gnd_struc2vec(z, &made[k], 1, NULL, &err));
        for (int64_t i = 0; i < 2 * made[k].n_row; i++)
            assert_true(isfinite(z[i]));
        gnd_csr_fini(&made[k]);
    }
    add_link(&l, 0, 1); /* two components of two, and lone vertices */
    add_link(&l, 3, 2);
    pairs = make_links(12, &l);
    CHECK_OK(gnd_struc2vec(z, &pairs, 1, NULL, &err));
    for (int i = 0; i < 24; i++)
        assert_true(isfinite(z[i]));
    gnd_csr_fini(&pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barbell_ends),  cmocka_unit_test(copies),
        cmocka_unit_test(threads_agree), cmocka_unit_test(numbers_are_names),
        cmocka_unit_test(small_ones),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
