/* SPDX-License-Identifier: MIT
 * test_neighbours.c - nearest neighbours against a search of all pairs. */
#include "embed/neighbours.h"
#include "cloud.h"
#include "pools.h"

static double square(const float *x, int64_t d, int64_t i, int64_t j)
{
    double s = 0;

    for (int64_t c = 0; c < d; c++) {
        const double e = (double)x[i * d + c] - (double)x[j * d + c];

        s += e * e;
    }
    return s;
}

/* The listed points are others, distinct, at the stated distances, and none outside the list is
 * nearer. */
static void check_nearest(const gnd_neighbours *nb, const float *x, int64_t d)
{
    const int64_t k = nb->k;

    for (int64_t i = 0; i < nb->n; i++) {
        const int32_t *index = nb->index + i * k;
        const float *found = nb->square + i * k;
        int64_t nearer = 0;

        for (int64_t j = 0; j < k; j++) {
            assert_true(index[j] >= 0 && index[j] < nb->n && index[j] != i);
            CHECK_CLOSE(found[j], square(x, d, i, index[j]), 1e-5 * (1 + (double)found[j]));
            assert_true(j == 0 || found[j] >= found[j - 1]);
            for (int64_t l = 0; l < j; l++)
                assert_int_not_equal(index[l], index[j]);
        }
        for (int64_t j = 0; k > 0 && j < nb->n; j++)
            nearer += j != i && square(x, d, i, j) < (double)found[k - 1] * (1 - 1e-5);
        assert_true(nearer < k || k == 0);
    }
}

static void nearest(void **state)
{
    static const int64_t sizes[][3] = {{1, 3, 0},   {2, 1, 1},     {3, 2, 2},    {40, 5, 39},
                                       {513, 7, 9}, {1100, 3, 90}, {700, 20, 30}};

    (void)state;
    for (int64_t s = 0; s < LENGTH(sizes); s++) {
        const int64_t n = sizes[s][0], d = sizes[s][1];
        float *x = cloud(n, d, 3);
        const gnd_neighbours_of of = {.x = x, .n = n, .d = d, .k = sizes[s][2]};
        gnd_neighbours nb, again;
        gnd_error err;

        CHECK_OK(gnd_neighbours_init(&nb, &of, NULL, &err));
        check_nearest(&nb, x, d);
        for (int threads = 2; threads <= 7; threads += 5) {
            gnd_pool *pool = eager_pool(threads);

            CHECK_OK(gnd_neighbours_init(&again, &of, pool, &err));
            assert_memory_equal(nb.index, again.index, (size_t)(n * of.k) * sizeof *nb.index);
            assert_memory_equal(nb.square, again.square, (size_t)(n * of.k) * sizeof *nb.square);
            gnd_neighbours_fini(&again);
            gnd_pool_free(pool);
        }
        gnd_neighbours_fini(&nb);
        gnd_free(x);
    }
}

/* Neighbours that points i and j have in common. */
static int64_t shared(const gnd_neighbours *nb, int64_t i, int64_t j)
{
    int64_t n = 0;

    for (int64_t a = 0; a < nb->k; a++)
        for (int64_t b = 0; b < nb->k; b++)
            n += nb->index[i * nb->k + a] == nb->index[j * nb->k + b];
    return n;
}

/* Of many coinciding points, none is a neighbour of nearly all others, and no two have nearly the
 * same neighbours: such groups would be seen in a layout. */
static void ties_are_spread(void **state)
{
    enum { N = 800, K = 10 };
    float *x = gnd_alloc(N * 2, sizeof *x);
    int64_t count[N] = {0}, most = 0;
    gnd_neighbours nb;
    gnd_error err;

    (void)state;
    CHECK_OK(
        gnd_neighbours_init(&nb, &(gnd_neighbours_of){.x = x, .n = N, .d = 2, .k = K}, NULL, &err));
    check_nearest(&nb, x, 2);
    for (int64_t e = 0; e < N * K; e++)
        count[nb.index[e]]++;
    for (int64_t i = 0; i < N; i++)
        most = count[i] > most ? count[i] : most;
    assert_true(most < 5 * K); /* by index it would be N - 1 */
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < i; j++)
            assert_true(shared(&nb, i, j) <= K / 2); /* 0.1 on average */
    gnd_neighbours_fini(&nb);
    gnd_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest),
        cmocka_unit_test(ties_are_spread),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
