/* SPDX-License-Identifier: MIT
 * test_affinities.c - similarities have the perplexity asked for, are symmetric and sum to 1. */
#include "embed/affinities.h"
#include "cloud.h"
#include "pools.h"

static void check_symmetric(const gnd_csr *P)
{
    double sum = 0;

    for (int64_t i = 0; i < P->n_row; i++)
        for (int64_t e = P->ptr[i]; e < P->ptr[i + 1]; e++) {
            const int64_t back = gnd_csr_find(P, P->col[e], (int32_t)i);

            assert_int_not_equal(P->col[e], i);
            assert_true(back >= 0 && P->val[back] == P->val[e] && P->val[e] >= 0);
            sum += (double)P->val[e];
        }
    CHECK_CLOSE(sum, P->n_row > 1 ? 1 : 0, 1e-5);
}

static gnd_csr similarities(const float *x, int64_t n, int64_t k, double perplexity, gnd_pool *pool)
{
    gnd_neighbours nb;
    gnd_error err;
    gnd_csr P;

    CHECK_OK(
        gnd_neighbours_init(&nb, &(gnd_neighbours_of){.x = x, .n = n, .d = 4, .k = k}, pool, &err));
    CHECK_OK(gnd_affinities(&P, &nb, perplexity, pool, &err));
    gnd_neighbours_fini(&nb);
    return P;
}

static void symmetric(void **state)
{
    static const int64_t sizes[][2] = {{1, 0}, {2, 1}, {3, 2}, {200, 15}};

    (void)state;
    for (int64_t s = 0; s < LENGTH(sizes); s++) {
        const int64_t n = sizes[s][0], k = sizes[s][1];
        float *x = cloud(n, 4, 3);
        gnd_csr P = similarities(x, n, k, n == 200 ? 5 : 1, NULL), Q;
        gnd_pool *pool = eager_pool(3);

        check_symmetric(&P);
        Q = similarities(x, n, k, n == 200 ? 5 : 1, pool);
        assert_int_equal(gnd_csr_nnz(&P), gnd_csr_nnz(&Q));
        assert_memory_equal(P.val, Q.val, (size_t)gnd_csr_nnz(&P) * sizeof *P.val);
        gnd_csr_fini(&P);
        gnd_csr_fini(&Q);
        gnd_pool_free(pool);
        gnd_free(x);
    }
}

/* With all others as neighbours of one point at the centre of a ring of equal points, the ring's
 * points are equally similar to it. */
static void equal_distances(void **state)
{
    float x[5 * 4] = {0, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0};
    gnd_csr P = similarities(x, 5, 4, 2, NULL);

    (void)state;
    check_symmetric(&P);
    for (int32_t j = 2; j < 5; j++)
        assert_true(P.val[gnd_csr_find(&P, 0, j)] == P.val[gnd_csr_find(&P, 0, 1)]);
    gnd_csr_fini(&P);
}

/* Three points on a line: a row has two probabilities, p and 1 - p, whose entropy is
 * log(perplexity): p log p + (1 - p) log(1 - p) = -log(1.5) for perplexity 1.5,
 * p = 0.859723 of the nearer one (found by bisection in Python). */
static void perplexity(void **state)
{
    float x[3 * 4] = {0, 0, 0, 0, 1, 0, 0, 0, -2, 0, 0, 0};
    gnd_csr P = similarities(x, 3, 2, 1.5, NULL);

    (void)state;
    check_symmetric(&P);
    /* Each row has the same two probabilities, whatever its distances. Nearest: 0 has 1, 1 has 0,
     * 2 has 0. So 6 P_01 = 2 p, 6 P_02 = (1 - p) + p. */
    CHECK_CLOSE(P.val[gnd_csr_find(&P, 0, 1)] * 6, 2 * 0.859723, 1e-4);
    CHECK_CLOSE(P.val[gnd_csr_find(&P, 0, 2)] * 6, 1, 1e-4);
    gnd_csr_fini(&P);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetric),
        cmocka_unit_test(equal_distances),
        cmocka_unit_test(perplexity),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
