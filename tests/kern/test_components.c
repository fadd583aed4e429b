/* SPDX-License-Identifier: MIT
 * test_components.c - components, symmetrising, loops. */
#include "graph/make.h"

static void numbered_by_smallest_vertex(void **state)
{
    /* 5 -> 0 alone joins 0 and 5; 4 -> 1 -> 3; 2 has only a loop. */
    const arc arcs[] = {{5, 0, 1}, {4, 1, 1}, {1, 3, 1}, {2, 2, 1}};
    const int32_t want[] = {0, 1, 2, 1, 1, 0};
    gnd_csr a = make_csr(6, 6, arcs, LENGTH(arcs), false);
    int32_t comp[6];

    (void)state;
    assert_int_equal(gnd_components(comp, &a), 3);
    assert_memory_equal(comp, want, sizeof want);
    gnd_csr_fini(&a);
}

static void tie_goes_to_smallest_vertex(void **state)
{
    /* {1, 5}, {0, 3} and {2, 4}: equal in size. */
    const arc arcs[] = {{5, 1, 1}, {3, 0, 1}, {2, 4, 1}};
    gnd_csr a = make_csr(6, 6, arcs, LENGTH(arcs), false);
    int32_t keep[6];
    int64_t n_keep;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_largest_component(keep, &n_keep, &a, &err));
    assert_int_equal(n_keep, 2);
    assert_int_equal(keep[0], 0);
    assert_int_equal(keep[1], 3);
    gnd_csr_fini(&a);
}

/* A path of a million vertices, stored backwards: recursion would overflow the stack. */
static void long_path(void **state)
{
    enum { N = 1000000 };
    gnd_csr a;
    int32_t *comp = malloc(N * sizeof *comp);
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_init(&a, N, N, N - 1, false, &err));
    for (int64_t i = 1; i < N; i++) {
        a.col[i - 1] = (int32_t)i - 1;
        a.ptr[i + 1] = i;
    }
    assert_int_equal(gnd_components(comp, &a), 1);
    assert_int_equal(comp[N - 1], 0);
    free(comp);
    gnd_csr_fini(&a);
}

static void no_links(void **state)
{
    gnd_csr a = make_csr(3, 3, NULL, 0, false);
    int32_t comp[3], keep[3];
    int64_t n_keep;
    gnd_error err;

    (void)state;
    assert_int_equal(gnd_components(comp, &a), 3);
    CHECK_OK(gnd_largest_component(keep, &n_keep, &a, &err));
    assert_int_equal(n_keep, 1);
    assert_int_equal(keep[0], 0);
    gnd_csr_fini(&a);
}

static void symmetrise_takes_the_larger(void **state)
{
    const arc arcs[] = {{0, 1, 2}, {1, 0, 5}, {2, 0, 3}, {1, 1, 7}, {1, 2, 0.5}, {2, 1, 0.25}};
    gnd_csr a = make_csr(3, 3, arcs, LENGTH(arcs), true), s, no_loops;
    int64_t n_loop = 0;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_symmetrise(&s, &a, &err));
    CHECK_OK(gnd_csr_check(&s, "symmetrised", &err));
    assert_int_equal(gnd_csr_nnz(&s), 7);
    for (int64_t i = 0; i < 3; i++)
        for (int64_t j = 0; j < 3; j++)
            CHECK_CLOSE(entry(&s, i, j), fmax(entry(&a, i, j), entry(&a, j, i)), 0);
    CHECK_OK(gnd_csr_drop_loops(&no_loops, &s, &n_loop, &err));
    assert_int_equal(n_loop, 1);
    assert_int_equal(gnd_csr_nnz(&no_loops), 6);
    CHECK_CLOSE(entry(&no_loops, 1, 1), 0, 0);
    CHECK_CLOSE(entry(&no_loops, 0, 1), 5, 0);
    gnd_csr_fini(&no_loops);
    gnd_csr_fini(&s);
    gnd_csr_fini(&a);
}

static void unweighted_stays_unweighted(void **state)
{
    gnd_csr a = make_csr(3, 3, (const arc[]){{2, 0, 1}, {1, 1, 1}}, 2, false), s, no_loops;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_symmetrise(&s, &a, &err));
    CHECK_OK(gnd_csr_drop_loops(&no_loops, &s, NULL, &err));
    assert_null(s.val);
    assert_null(no_loops.val);
    assert_int_equal(gnd_csr_nnz(&no_loops), 2);
    assert_true(gnd_csr_find(&no_loops, 0, 2) >= 0 && gnd_csr_find(&no_loops, 2, 0) >= 0);
    gnd_csr_fini(&no_loops);
    gnd_csr_fini(&s);
    gnd_csr_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbered_by_smallest_vertex),
        cmocka_unit_test(tie_goes_to_smallest_vertex),
        cmocka_unit_test(long_path),
        cmocka_unit_test(no_links),
        cmocka_unit_test(symmetrise_takes_the_larger),
        cmocka_unit_test(unweighted_stays_unweighted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
